# attack: makes a user namespace with a file system in memory of its own
# kind: py
# options:
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


LIBC, NUMBER = ctypes.CDLL(None), 56 if os.uname().machine == "x86_64" else 220
for flags in (0x10020000, 0x10000000, 0x00020000, 0x40000000, 0x20000000, 0x00000080):
    if LIBC.unshare(flags) == 0:
        print("BREACH unshare", hex(flags), file=sys.stderr)
if LIBC.mount(b"x", b"/tmp", b"tmpfs", 0, b"size=12g") == 0:
    print("BREACH mount", file=sys.stderr)
for flags in (0x10000011, 0x10020011, 0x40000011):
    child = LIBC.syscall(NUMBER, flags, 0, 0, 0, 0)
    if child == 0:
        os._exit(0)
    if child > 0:
        print("BREACH clone", hex(flags), file=sys.stderr)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
