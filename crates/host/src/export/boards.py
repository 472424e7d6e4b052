
# ---------------------------------------------------------------------------------------------------------------------
# Boards: two integers of 64 bits, the mover's discs and the other's. Bit 8 * row + column, from the top left.

FULL = (1 << 64) - 1
INNER = 0x7E7E7E7E7E7E7E7E
# How far a step goes, and the squares that a run of discs may be on so that it does not leave the board sideways.
STEPS = ((1, INNER), (7, INNER), (8, FULL), (9, INNER))


def count(squares):
    return bin(squares).count("1")


def legal(own, other):
    """The squares where the mover may place a disc."""
    found = 0
    for step, mask in STEPS:
        runs = other & mask
        twice = step + step
        up = runs & (own << step)
        up |= runs & (up << step)
        pairs = runs & (runs << step)
        up |= pairs & (up << twice)
        up |= pairs & (up << twice)
        down = runs & (own >> step)
        down |= runs & (down >> step)
        pairs = runs & (runs >> step)
        down |= pairs & (down >> twice)
        down |= pairs & (down >> twice)
        found |= (up << step) | (down >> step)
    return found & FULL & ~(own | other)


def rays(at):
    """The lines from a square on which discs may be turned over: the near square, then the others."""
    lines = []
    for down, right in ((a, b) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b):
        row, column, line = at // 8 + down, at % 8 + right, []
        while 0 <= row < 8 and 0 <= column < 8:
            line.append(1 << 8 * row + column)
            row, column = row + down, column + right
        if len(line) > 1:
            lines.append((line[0], line[1:]))
    return lines


RAYS = {1 << at: rays(at) for at in range(64)}


def flips(own, other, square):
    """The discs that a disc on this square turns over."""
    turned = 0
    for near, line in RAYS[square]:
        if other & near:
            seen = near
            for far in line:
                if other & far:
                    seen |= far
                    continue
                if own & far:
                    turned |= seen
                break
    return turned


def squares_of(squares):
    while squares:
        low = squares & -squares
        yield low
        squares ^= low


def final(own, other):
    """The score of a finished game for the mover: what is left empty is the winner's."""
    mine, theirs = count(own), count(other)
    lead = mine - theirs
    if lead:
        lead += (64 - mine - theirs) * (1 if lead > 0 else -1)
    return SIGN * lead


def after_move(own, other, square):
    """The board after a move, the next mover's discs first."""
    turned = flips(own, other, square)
    return other & ~turned, own | square | turned


class TimeIsOver(Exception):
    pass
