"""A program of the course in a folder of two files."""

from __future__ import annotations

from pathlib import Path

# It plays one of its legal moves, by its number.
COURSE = """
import helper

class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.candidate_list = chessboard_size, color, []

    def go(self, chessboard):
        moves = helper.moves(chessboard, self.size, self.color)
        self.candidate_list = moves + moves[NUMBER % len(moves):][:1] if moves else []
"""

HELPER = """
def moves(board, size, color):
    cells = [(row, column) for row in range(size) for column in range(size) if board[row][column] == 0]
    return [cell for cell in cells if any(runs(board, size, color, cell, step) for step in STEPS)]

STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]

def runs(board, size, color, cell, step):
    row, column, seen = cell[0] + step[0], cell[1] + step[1], 0
    while 0 <= row < size and 0 <= column < size and board[row][column] == -color:
        row, column, seen = row + step[0], column + step[1], seen + 1
    return seen > 0 and 0 <= row < size and 0 <= column < size and board[row][column] == color
"""


def write_program(folder: Path, number: int) -> Path:
    folder.mkdir(parents=True)
    (folder / "helper.py").write_text(HELPER)
    (folder / "ai.py").write_text(COURSE.replace("NUMBER", str(number)))
    return folder / "ai.py"
