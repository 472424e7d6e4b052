# attack: leaves something else than a list of pairs
# kind: py
# options:
# expect: plays, illegal, protocol, crash
# vary: HOW none dict string bytes float bool huge nested strange endless negative object
class Strange(list):
    def __iter__(self):
        raise RuntimeError("\x1b[31mno")

    def __len__(self):
        return 1 << 62


def endless():
    while True:
        yield (0, 0)


HOW = "none"

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
        odd = {
            "none": None, "dict": {(0, 0): 1}, "string": "d3", "bytes": b"d3", "float": [(2.0, 3.0)], "bool": [(True, False)],
            "huge": [(10**400, -(10**400))], "nested": [[[(2, 3)]]], "strange": Strange([(2, 3)]), "negative": [(-1, -1)],
            "endless": endless(), "object": object(),
        }
        self.candidate_list = odd[HOW]
