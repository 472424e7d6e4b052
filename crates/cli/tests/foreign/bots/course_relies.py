import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Puts a first choice into its list and then thinks for ever."""

    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list = legal(chessboard, self.color)
        while True:
            pass
