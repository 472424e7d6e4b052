# attack: types into the terminal of whoever started the match
# kind: py
# options:
# expect: plays
import fcntl
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


for path in ("/dev/tty", "/dev/console", "/dev/pts/0", "/proc/self/fd/0", "/proc/self/fd/2"):
    try:
        terminal = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        for order in (0x5412, 0x541C):
            fcntl.ioctl(terminal, order, b"x")
        print("BREACH", path, file=sys.stderr)
    except OSError:
        continue


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
