import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal
import time

time.sleep(1.5)


class AI(object):
    """Takes longer to start than it may think."""

    def __init__(self, chessboard_size, color, time_out):
        time.sleep(0.5)
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        self.candidate_list.extend(legal(chessboard, self.color))
