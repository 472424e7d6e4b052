
# ---------------------------------------------------------------------------------------------------------------------
# The player.

DEPTH = 9
WIN_OR_NOTHING = True
LAST_OF_EQUALS = True
FINAL = OPTIONS.get("final", 10)


def evaluate(weights, root_discs, own, other, own_moves, other_moves):
    stage = weights.by_discs[count(own | other)]
    stable, free = walked(own, other), FULL & ~(own | other)
    return (
        by_class(stage[:10], other, own)
        + by_class(stage[10:20], own_moves, other_moves)
        + weights.shared[0] * (count(other & stable) - count(own & stable))
        + stage[20] * frontier_pairs(own, other, free)
        + stage[21] * (count(own) - count(other))
    )
