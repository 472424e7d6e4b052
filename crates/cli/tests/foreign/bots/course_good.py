import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal


class AI(object):
    """Plays the first legal move, and talks about it."""

    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color, self.time_out = chessboard_size, color, time_out
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        moves = legal(chessboard, self.color, self.size)
        print("my moves:", moves)
        self.candidate_list.extend(moves + moves[:1])
