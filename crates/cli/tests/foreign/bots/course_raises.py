import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Raises at its fifth move."""

    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []
        self.moves = 0

    def go(self, chessboard):
        self.moves += 1
        self.candidate_list.clear()
        self.candidate_list.extend(legal(chessboard, self.color))
        if self.moves == 5:
            raise KeyError("fifth")
