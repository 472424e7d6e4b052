# attack: ends itself in every way there is
# kind: py
# options: --time 60s
# expect: crash, memory
# vary: WHEN import init go
# vary: HOW exit os-exit abort kill segfault recursion
import ctypes
import os
import sys

WHEN = "import"
HOW = "exit"


def strike():
    if HOW == "exit":
        raise SystemExit(0)
    if HOW == "os-exit":
        os._exit(0)
    if HOW == "abort":
        os.abort()
    if HOW == "kill":
        os.kill(os.getpid(), 9)
    if HOW == "segfault":
        ctypes.string_at(8)
    if HOW == "recursion":
        sys.setrecursionlimit(1 << 30)
        strike()


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
