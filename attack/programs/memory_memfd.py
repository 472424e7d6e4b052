# attack: holds 1.5 GB in files that have no name
# kind: py
# options: --memory 300
# expect: plays memory
import os
import sys


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


FILES = []


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        try:
            for _ in range(30 - len(FILES)):
                FILES.append(os.memfd_create("x"))
                for _ in range(50):
                    os.write(FILES[-1], bytes(1 << 20))
            print("BREACH 1.5 GB", file=sys.stderr, flush=True)
        except OSError:
            pass
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
