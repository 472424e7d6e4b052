# attack: writes outside of its scratch folder
# kind: py
# options:
# expect: plays
# vary: WHEN import init go
import os
import sys

WHEN = "import"


def strike():
    folder = os.path.dirname(os.path.abspath(__file__))
    for place in (folder, "/", "/usr", "/usr/bin", "/etc", "/dev", "/home", "/root", "/var", "/proc/sys/kernel", "/sys"):
        path = os.path.join(place, "was-here")
        try:
            with open(path, "w") as file:
                file.write("x" * 4096)
            print("BREACH: wrote", path, file=sys.stderr)
        except OSError:
            pass
    for path in (__file__, os.path.join(folder, "games.db")):
        for action in (os.remove, lambda p: os.rename(p, p + "x"), lambda p: os.chmod(p, 0o777), lambda p: os.truncate(p, 0)):
            try:
                action(path)
                print("BREACH: changed", path, file=sys.stderr)
            except OSError:
                pass


if WHEN == "import":
    strike()

WAYS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]


def flips(board, color, row, column, down, right):
    steps = 0
    while True:
        row, column = row + down, column + right
        if not (0 <= row < 8 and 0 <= column < 8) or board[row][column] == 0:
            return 0
        if board[row][column] == color:
            return steps
        steps += 1


def legal(board, color):
    cells = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [cell for cell in cells if any(flips(board, color, *cell, *way) for way in WAYS)]


class AI:
    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []
        if WHEN == "init":
            strike()

    def go(self, chessboard):
        self.candidate_list.clear()
        if WHEN == "go":
            strike()
        self.candidate_list.extend(legal(chessboard, self.color))
