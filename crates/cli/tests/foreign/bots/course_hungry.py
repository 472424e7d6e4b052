import numpy as np


class AI(object):
    """Takes 300 MB with its first move."""

    def __init__(self, chessboard_size, color, time_out):
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        self.memory = np.ones((300, 1024, 1024), dtype=np.uint8)
        while True:
            pass
