
# ---------------------------------------------------------------------------------------------------------------------
# The player.


def plies(weights, discs):
    return OPTIONS.get("depth", min(max(int(weights.by_discs[discs][4] + 0.5), 1), 60))


def flip_bonus(weights, discs):
    return weights.by_discs[discs][3]


def stability(discs, other):
    return 5 * count(tied(discs)) + count(clamped(discs, other))


def evaluate(weights, root_discs, own, other, own_moves, other_moves):
    # The stage is that of the board whose move is chosen.
    stage = weights.by_discs[root_discs]
    return (
        stage[0] * by_class(weights.shared, own, other)
        + stage[1] * (count(own_moves) - count(other_moves))
        + stage[2] * (stability(own, other) - stability(other, own))
    )
