
# ---------------------------------------------------------------------------------------------------------------------
# The player: the fewest discs after the move, or the most in Reversi.

BLACK = WHITE = None


def sight(weights, own, other, square):
    return SIGN * count(flips(own, other, square))
