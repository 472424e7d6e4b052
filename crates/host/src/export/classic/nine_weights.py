
# ---------------------------------------------------------------------------------------------------------------------
# The player.

DEPTH = 4
LAST_OF_EQUALS = True
FACTOR = -1 if OPTIONS.get("signs") == "literal" else 1


def evaluate(weights, root_discs, own, other, own_moves, other_moves):
    stage = weights.by_discs[count(own | other)]
    stable, free = walked(own, other), FULL & ~(own | other)
    value = weights.shared[0] * by_class(weights.shared[1:], own, other)
    value += stage[0] * (count(own_moves) - count(other_moves))
    value += stage[1] * FACTOR * (frontier(other, free) - frontier(own, free))
    value += stage[2] * FACTOR * (count(other & stable) - count(own & stable))
    value += stage[3] * (count(other) - count(own))
    return value
