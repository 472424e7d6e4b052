# attack: reads the files that whoever started the arena had open
# kind: line
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


for number in range(3, 1024):
    try:
        print("BREACH descriptor", number, os.readlink("/proc/self/fd/%d" % number), os.fstat(number), file=sys.stderr)
    except OSError:
        continue
for line in sys.stdin:
    cells, side = line.split()
    board = [[{"X": -1, "O": 1, "-": 0}[cells[8 * r + c]] for c in range(8)] for r in range(8)]
    row, column = legal(board, -1 if side == "X" else 1)[0]
    print("abcdefgh"[column] + str(row + 1), flush=True)
