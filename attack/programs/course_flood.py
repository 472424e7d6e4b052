# attack: changes its list a million times a second; the last element counts, however long the list is
# kind: py
# options: --time 60s --openings random:48
# expect: plays
import sys


def legal(board, color):
    def flips(r, c, a, b):
        n, on = 1, lambda n: 0 <= r + n * a < 8 and 0 <= c + n * b < 8
        while on(n) and board[r + n * a][c + n * b] == -color:
            n += 1
        return n > 1 and on(n) and board[r + n * a][c + n * b] == color
    free = [(r, c) for r in range(8) for c in range(8) if board[r][c] == 0]
    return [(r, c) for r, c in free if any(flips(r, c, a, b) for a in (-1, 0, 1) for b in (-1, 0, 1))]


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.color, self.last, self.candidate_list = color, None, []

    def go(self, chessboard):
        if self.last and chessboard[self.last] == 0:
            print("BREACH another element than the last was played", file=sys.stderr)
        moves = legal(chessboard, self.color)
        self.candidate_list.clear()
        for _ in range(5000):
            self.candidate_list.append((9, 9))
        self.candidate_list.extend(moves)
        self.last = moves[-1] if moves else None
