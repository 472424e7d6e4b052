
# ---------------------------------------------------------------------------------------------------------------------
# What the course's platform calls.

# Seconds of a move and of a game that are kept for a busy machine.
MOVE_RESERVE = 0.5
GAME_SECONDS = 165.0


class AI(object):
    """Black is -1, white 1, an empty square 0."""

    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []
        self.game_left = GAME_SECONDS

    def go(self, chessboard):
        began = time.time()
        self.candidate_list.clear()
        discs = np.asarray(chessboard).ravel()
        own = sum(1 << int(at) for at in np.flatnonzero(discs == self.color))
        other = sum(1 << int(at) for at in np.flatnonzero(discs == -self.color))
        for square in squares_of(legal(own, other)):
            self.candidate_list.append(place(square))
        limit = min(float(self.time_out or 5), 5.0)
        seconds = limit - min(MOVE_RESERVE, 0.2 * limit)
        # A game that takes long, as those with many passes may, gets what is left of it evenly.
        seconds = min(seconds, self.game_left / max((64 - count(own | other)) / 4, 1))
        think(own, other, self.color == -1, began + seconds, self.offer)
        self.game_left -= min(time.time() - began, self.game_left)

    def offer(self, square):
        if self.candidate_list[-1] != place(square) or self.candidate_list.count(place(square)) < 2:
            self.candidate_list.append(place(square))


def place(square):
    at = square.bit_length() - 1
    return (at // 8, at % 8)
