import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal
import os


class AI(object):
    """Gets nearly everything wrong that the usability test looks at."""

    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        self.candidate_list.extend([list(move) for move in legal(chessboard, self.color)[1:]])
        self.candidate_list.append((0, 9))
