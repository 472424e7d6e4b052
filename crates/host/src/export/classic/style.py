
# How it searches, where the player says nothing else: whether a pass is free, whether a finished game is won or lost
# rather than evaluated, how many moves of a position are looked at (0 for all), which of equal moves is played, and from
# how many empty squares on the end is searched out.
FREE_PASS = True
WIN_OR_NOTHING = False
BEAM = 0
LAST_OF_EQUALS = False
FINAL = 0


def plies(weights, discs):
    return OPTIONS.get("depth", DEPTH)


def flip_bonus(weights, discs):
    """What a disc that is turned over on the way adds."""
    return 0.0
