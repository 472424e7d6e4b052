# attack: hides from whoever counts its memory, then holds 600 MB
# kind: py
# options: --memory 300
# expect: memory
import ctypes
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


ctypes.CDLL(None).prctl(4, 0, 0, 0, 0)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        table = bytearray(600 << 20)
        table[::4096] = bytes(600 << 8)
        time.sleep(60)
        print("BREACH 600 MB", file=sys.stderr, flush=True)
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
