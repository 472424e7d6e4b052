import sys
import time
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Makes its list of what comes slowly, and looks whether all of it is there."""

    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        moves = legal(chessboard, self.color)
        self.candidate_list.clear()
        self.candidate_list.extend(move for move in moves + moves[:1] if not time.sleep(0.02))
        if self.candidate_list != moves + moves[:1]:
            raise RuntimeError("%r is not %r" % (self.candidate_list, moves + moves[:1]))
