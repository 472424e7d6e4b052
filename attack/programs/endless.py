# attack: never comes to its end, and catches what is raised to stop it
# kind: py
# options: --time 500ms
# expect: timeout, plays
# vary: HOW loop catch native sleep regex
import re
import time

HOW = "loop"

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

    def go(self, chessboard):
        self.candidate_list.clear()
        while HOW == "loop":
            pass
        while HOW == "catch":
            try:
                while True:
                    time.sleep(0.001)
            except BaseException:
                pass
        while HOW == "native":
            sum(range(1 << 34))
        while HOW == "sleep":
            time.sleep(3600)
        re.match("(a*)*b", "a" * 64)
        self.candidate_list.extend(legal(chessboard, self.color))
