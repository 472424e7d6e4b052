import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Thinks for ever before it puts anything into its list."""

    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        while True:
            pass
