# attack: reads whatever lies beside it: rivals, marks, the store
# kind: py
# options:
# expect: plays crash
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


HERE = os.path.dirname(os.path.abspath(__file__))
SEEN = [os.path.join(at, name) for at, _, names in os.walk(HERE) for name in names]
for path in SEEN + [os.path.join(HERE, name) for name in ("rival.py", "marks.txt", "games.db", "../logs")]:
    if os.path.exists(path) and os.path.abspath(path) != os.path.abspath(__file__):
        print("BREACH", path, file=sys.stderr)
        if os.path.isfile(path):
            print(open(path, "rb").read(200), file=sys.stderr)


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
