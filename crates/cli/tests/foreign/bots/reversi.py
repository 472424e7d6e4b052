"""What the bots of these tests share: legal moves, and the line protocol."""

import sys

LINES = [(a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]


def legal(board, color, size=8):
    """Legal moves on rows of -1, 0 and 1."""
    moves = []
    for row in range(size):
        for column in range(size):
            if board[row][column] == 0 and any(flips(board, color, row, column, line, size) for line in LINES):
                moves.append((row, column))
    return moves


def flips(board, color, row, column, line, size):
    """Whether a disc there flips some in this direction."""
    steps = 1
    while True:
        r, c = row + steps * line[0], column + steps * line[1]
        if not (0 <= r < size and 0 <= c < size) or board[r][c] == 0:
            return False
        if board[r][c] == color:
            return steps > 1
        steps += 1


def questions():
    """Positions as they come, each with its legal moves."""
    for text in sys.stdin:
        cells, side = text.split()
        number = {"X": -1, "O": 1, "-": 0}
        board = [[number[cells[8 * r + c]] for c in range(8)] for r in range(8)]
        yield text, legal(board, number[side])


def label(move):
    return "abcdefgh"[move[1]] + str(move[0] + 1)


def answer(move):
    print(label(move), flush=True)
