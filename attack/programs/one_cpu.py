# attack: leaves the one CPU that the course allows
# kind: py
# options: --profile course
# expect: plays
import ctypes
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


try:
    os.sched_setaffinity(0, range(os.cpu_count()))
except OSError:
    pass
if os.fork() == 0:
    ctypes.CDLL(None).sched_setaffinity(0, 8, b"\xff" * 8)
    if len(os.sched_getaffinity(0)) > 1:
        print("BREACH child", file=sys.stderr, flush=True)
    os._exit(0)
if len(os.sched_getaffinity(0)) > 1:
    print("BREACH", os.sched_getaffinity(0), file=sys.stderr)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
