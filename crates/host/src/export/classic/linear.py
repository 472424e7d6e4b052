
# ---------------------------------------------------------------------------------------------------------------------
# The player: every feature times its weight.

DEPTH = 9
WIN_OR_NOTHING = True
LAST_OF_EQUALS = True
FINAL = OPTIONS.get("final", 10)

# What is counted for a side, given its discs and its legal moves, the other's, and the empty squares.
COUNTS = {
    "discs": lambda own, moves, other, free: count(own),
    "moves": lambda own, moves, other, free: count(moves),
    "frontier": lambda own, moves, other, free: frontier(own, free),
    "corners": lambda own, moves, other, free: count(own & CORNERS),
    "stable": lambda own, moves, other, free: count(own & walked(own, other)),
    "kill": lambda own, moves, other, free: kill(own, other, moves),
    "conquered_corners": lambda own, moves, other, free: conquered(own, free),
    "tied": lambda own, moves, other, free: count(tied(own)),
    "clamped": lambda own, moves, other, free: count(clamped(own, other)),
}
HELD = ("held_c", "held_x", "held_fourth", "held_fifth")


def numbers(name, own, other, own_moves, other_moves):
    """What a feature counts, ten numbers if it is a table."""
    free = FULL & ~(own | other)
    if name == "board":
        return [count(own & squares) - count(other & squares) for squares in CLASSES]
    if name == "action":
        return [count(own_moves & squares) - count(other_moves & squares) for squares in CLASSES]
    if name == "frontier_pairs":
        return [frontier_pairs(own, other, free)]
    if name in HELD:
        squares = near_corners(own)[HELD.index(name)]
        return [count(own & squares) - count(other & squares)]
    side, _, rest = name.partition("_")
    if side == "own":
        return [COUNTS[rest](own, own_moves, other, free)]
    if side == "opposing":
        return [COUNTS[rest](other, other_moves, own, free)]
    return [COUNTS[name](own, own_moves, other, free) - COUNTS[name](other, other_moves, own, free)]


def evaluate(weights, root_discs, own, other, own_moves, other_moves):
    stage = weights.shared + weights.by_discs[count(own | other)]
    value, at = 0.0, 0
    for name in FEATURES:
        for number in numbers(name, own, other, own_moves, other_moves):
            value += stage[at] * number
            at += 1
    return value
