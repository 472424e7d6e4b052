import sys
sys.path.insert(0, __file__.rsplit("/", 1)[0])
from reversi import legal
import threading
import timeout_decorator


class AI(object):
    """Keeps its own time with SIGALRM, and has threads about."""

    def __init__(self, chessboard_size, color, time_out):
        self.color = color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        moves = legal(chessboard, self.color)
        self.candidate_list.extend(moves)
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        try:
            self.think(moves)
        except timeout_decorator.TimeoutError:
            pass

    @timeout_decorator.timeout(0.05)
    def think(self, moves):
        while True:
            if len(self.candidate_list) < 500:
                self.candidate_list.append(moves[-1])
