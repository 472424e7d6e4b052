# attack: touches one page in each two megabytes, so that page tables take as much again
# kind: py
# options: --memory 300
# expect: memory
import mmap
import sys
import time


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        table = mmap.mmap(-1, 1 << 38, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
        for place in range(0, 1 << 38, 2 << 20):
            table[place] = 1
        time.sleep(60)
        print("BREACH 512 MB with page tables", file=sys.stderr, flush=True)
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
