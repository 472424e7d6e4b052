# attack: looks at the machine through the sandbox's first process
# kind: py
# options:
# expect: plays
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


for path in ("/proc/1/root", "/proc/1/cwd", "/proc/self/root", "/proc/1/task/1/root"):
    for below in ("home", "root/.ssh", "etc/shadow", "etc/passwd", "sys/kernel", "var/log", "run"):
        if os.path.exists(os.path.join(path, below)) and os.listdir(os.path.dirname(os.path.join(path, below))):
            if not below.startswith(("home", "root")) or os.access(os.path.join(path, below), os.R_OK):
                print("BREACH", path, below, file=sys.stderr)
for name in os.listdir("/proc/1/fd") if os.access("/proc/1/fd", os.R_OK) else []:
    target = os.readlink("/proc/1/fd/" + name)
    if not target.startswith(("pipe:", "anon_inode:", "/dev/null")):
        print("BREACH descriptor", name, target, file=sys.stderr)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
