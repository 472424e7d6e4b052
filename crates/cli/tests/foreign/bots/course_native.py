import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Goes into native code and never comes back."""

    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        for move in legal(chessboard, self.color):
            self.candidate_list.append(move)
        sum(range(10**15))
