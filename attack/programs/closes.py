# attack: closes its streams
# kind: py
# options: --time 1s
# expect: plays, crash, timeout, protocol
# vary: HOW all high devnull
import os

WHEN = "go"
HOW = "all"


def strike():
    if HOW == "all":
        os.closerange(0, 4096)
    if HOW == "high":
        os.closerange(3, 4096)
    if HOW == "devnull":
        for number in range(3, 64):
            try:
                os.dup2(os.open("/dev/null", os.O_RDWR), number)
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
