
# ---------------------------------------------------------------------------------------------------------------------
# What the course's platform calls.


class AI(object):
    """Black is -1, white 1, an empty square 0."""

    def __init__(self, chessboard_size, color, time_out):
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list = []

    def go(self, chessboard):
        began = time.time()
        self.candidate_list.clear()
        discs = np.asarray(chessboard).ravel()
        own = sum(1 << int(at) for at in np.flatnonzero(discs == self.color))
        other = sum(1 << int(at) for at in np.flatnonzero(discs == -self.color))
        for square in squares_of(legal(own, other)):
            self.candidate_list.append(place(square))
        # A tenth is kept for a busy machine; all moves of a game together stay far below its limit.
        limit = min(float(self.time_out or 5), 5.0)
        think(own, other, began + 0.9 * limit - 0.1, self.offer)

    def offer(self, square):
        if self.candidate_list[-1] != place(square) or self.candidate_list.count(place(square)) < 2:
            self.candidate_list.append(place(square))


def place(square):
    at = square.bit_length() - 1
    return (at // 8, at % 8)
