# attack: writes files into the folders that the sandbox itself has made
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


for folder in ("/", "/dev", "/etc", "/usr", "/proc", "/lib", os.path.dirname(os.path.abspath(__file__)), "/var", "/home"):
    above = os.path.join(folder, "x")
    while above != "/":
        above = os.path.dirname(above)
        try:
            with open(os.path.join(above, "breach"), "wb") as file:
                file.write(bytes(1 << 20))
            if os.stat(above).st_dev != os.stat("/tmp").st_dev:
                print("BREACH", above, file=sys.stderr)
            os.remove(os.path.join(above, "breach"))
        except OSError:
            pass


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
