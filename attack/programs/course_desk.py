# attack: takes over what the harness shares between its threads, then chooses after its time
# kind: py
# options: --time 300ms --openings random:44
# expect: plays illegal protocol
import __main__
import sys
import time


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


__main__.Interrupted = type("Never", (BaseException,), {})
__main__.interrupt = lambda *_: None
__main__.DESK.deadline = float("inf")


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.limit, self.early, self.candidate_list = color, time_out, None, []

    def go(self, chessboard):
        if self.early and chessboard[self.early] == 0:
            print("BREACH a choice made after the time was played", file=sys.stderr)
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
        self.early = moves[0] if moves else None
        if len(moves) > 1:
            __main__.DESK.stopping = False
            end = time.monotonic() + self.limit + 0.08
            while time.monotonic() < end:
                __main__.DESK.stopping = False
                __main__.DESK.left = 10**9
            self.candidate_list.append(moves[-1])
