
# ---------------------------------------------------------------------------------------------------------------------
# The player.

DEPTH = 5
BEAM = OPTIONS.get("beam", 6)


def evaluate(weights, root_discs, own, other, own_moves, other_moves):
    # The stage is that of the board whose move is chosen.
    stage = weights.by_discs[root_discs]
    stable, free = walked(own, other), FULL & ~(own | other)
    aspects = (
        by_class(weights.shared, own, other),
        count(other & stable) - count(own & stable),
        count(own_moves) - count(other_moves),
        kill(other, own, other_moves) - kill(own, other, own_moves),
        count(other & CORNERS) - count(own & CORNERS),
        conquered(own, free) - conquered(other, free),
        count(other) - count(own),
    )
    value = 0.0
    for weight, aspect in zip(stage, aspects):
        value += weight * aspect
    return value
