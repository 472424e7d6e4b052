# attack: wakes itself and its children by signals while it is stopped
# kind: py
# options:
# expect: plays crash
import os
import signal
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


PARENT = os.getpid()
for _ in range(4):
    if os.fork() == 0:
        while True:
            os.kill(0, signal.SIGCONT)
LAST = [time.monotonic(), sum(os.times()[:4])]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.candidate_list = color, []

    def go(self, chessboard):
        gap, used = time.monotonic() - LAST[0], sum(os.times()[:4]) - LAST[1]
        if gap > 2 and used > gap * 3 / 4:
            print("BREACH %.2f s of CPU in %.2f s" % (used, gap), file=sys.stderr, flush=True)
        moves = legal(chessboard, self.color)
        self.candidate_list = moves + moves[:1]
        LAST[:] = time.monotonic(), sum(os.times()[:4])
