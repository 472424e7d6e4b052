
# ---------------------------------------------------------------------------------------------------------------------
# The player: a board table that changes beside the corners that one holds.

DEPTH = 4
FREE_PASS = False
WIN_OR_NOTHING = True


def table(weights, own):
    """The weight of each square for a side with these discs."""
    shifts, near = weights.by_discs[0], near_corners(own)
    worth = {}
    for squares, weight in zip(CLASSES, weights.shared[1:]):
        for square in squares_of(squares):
            worth[square] = weight
    for squares, weight in zip(near, shifts):
        for square in squares_of(squares):
            worth[square] = weight
    return worth


TABLES = {}


def shifted(weights, own):
    key = (weights is BLACK, own & CORNERS)
    if key not in TABLES:
        TABLES[key] = table(weights, own)
    return TABLES[key]


def sight(weights, own, other, square):
    return shifted(weights, own)[square]


def evaluate(weights, root_discs, own, other, own_moves, other_moves):
    if own & CORNERS:
        worth = shifted(weights, own)
        mine = theirs = 0.0
        for square in squares_of(own):
            mine += worth[square]
        for square in squares_of(other):
            theirs += worth[square]
        board = mine - theirs
    else:
        board = by_class(weights.shared[1:], own, other)
    return board + weights.shared[0] * (count(own_moves) - count(other_moves))
