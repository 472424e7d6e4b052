

class Weights(object):
    """The weights of a colour: those of all stages, and those with each number of discs."""

    def __init__(self, shared, stages):
        self.shared = shared
        self.by_discs = [weights_at(stages, discs) for discs in range(65)]


def weights_at(stages, discs):
    if KNOTS is None:
        return stages[sum(discs > last for last in LAST_DISCS)]
    after = sum(knot <= discs for knot in KNOTS)
    if after == 0 or after == len(stages):
        return stages[max(after - 1, 0)]
    share = (discs - KNOTS[after - 1]) / (KNOTS[after] - KNOTS[after - 1])
    return [low + (high - low) * share for low, high in zip(stages[after - 1], stages[after])]


BLACK, WHITE = Weights(*BLACK), Weights(*WHITE)
