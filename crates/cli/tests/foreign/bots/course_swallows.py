import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Thinks for ever and lets nothing stop it."""

    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        self.candidate_list.extend(legal(chessboard, self.color))
        while True:
            try:
                while True:
                    pass
            except BaseException:
                continue
