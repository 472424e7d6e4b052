
# ---------------------------------------------------------------------------------------------------------------------
# The features: what is counted on a board, with sets of squares as integers.

CORNERS = 0x8100000000000081
LEFT = 0x0101010101010101
ROWS_EDGE = 0xFF000000000000FF
COLUMNS_EDGE = LEFT | LEFT << 7


def classes():
    """The ten classes of symmetric squares, by their distances from the nearest edges."""
    masks = {}
    for at in range(64):
        near = sorted(min(i, 7 - i) for i in (at // 8, at % 8))
        masks[tuple(near)] = masks.get(tuple(near), 0) | 1 << at
    return [masks[near] for near in sorted(masks)]


CLASSES = classes()


def by_class(weights, own, other):
    """The weights of own squares less those of the other's."""
    total = 0.0
    for weight, squares in zip(weights, CLASSES):
        total += weight * (count(own & squares) - count(other & squares))
    return total


def beside(squares):
    """A set moved by one step in each of the eight directions."""
    right, left = squares << 1 & ~LEFT & FULL, squares >> 1 & ~(LEFT << 7)
    sideways = (right, left, squares)
    return [s << 8 & FULL for s in sideways] + [s >> 8 for s in sideways] + [right, left]


def frontier(discs, free):
    """Discs beside an empty square."""
    touched = 0
    for squares in beside(free):
        touched |= squares
    return count(discs & touched)


def frontier_pairs(own, other, free):
    """Pairs of a disc and an empty square beside it, own less the other's."""
    return sum(count(own & squares) - count(other & squares) for squares in beside(free))


def kill(own, other, moves):
    """The discs that the moves would turn over, summed over the moves."""
    return sum(count(flips(own, other, square)) for square in squares_of(moves))


def conquered(discs, free):
    """Empty corners whose three neighbours are all in the set."""
    corners, lost = CORNERS & free, 0
    for squares in beside(FULL & ~discs & ~corners):
        lost |= squares
    return count(corners & ~lost)


def upended(squares):
    return int.from_bytes(squares.to_bytes(8, "little"), "big")


def mirrored(squares):
    for step, mask in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F)):
        squares = squares >> step & mask | (squares & mask) << step
    return squares


def transposed(squares):
    for step, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        turned = (squares ^ squares >> step) & mask
        squares ^= turned ^ turned << step
    return squares


def same(squares):
    return squares


# What brings each corner to the top left, and back.
FLIPS = [(a, b) for a in (same, upended) for b in (same, mirrored)]
# How many discs a row begins with, by its bits.
RUNS = [next(length for length in range(9) if not row >> length & 1) for row in range(256)]


def walk_rows(discs):
    """The walk down the rows from the top left corner; each may mark one disc less than the one above."""
    run = RUNS[discs & 255]
    marked, width = (1 << run) - 1, run - 1
    for row in range(8):
        run = RUNS[discs >> 8 * row & 255]
        if not run:
            break
        length = min(run, width)
        marked |= ((1 << length) - 1) << 8 * row
        width = max(length - 1, 1)
    return marked


def walked(own, other):
    """The discs that walks from the occupied corners find stable, of both colours."""
    marked = 0
    if not (own | other) & CORNERS:
        return marked
    for upend, mirror in FLIPS:
        for discs in (own, other):
            discs = upend(mirror(discs))
            if discs & 1:
                found = walk_rows(discs) | transposed(walk_rows(transposed(discs)))
                marked |= upend(mirror(found))
    return marked


def tied(discs):
    """The discs that hang on a corner by rows that never widen."""
    found = 0
    if not discs & CORNERS:
        return found
    for upend, mirror in FLIPS:
        turned, width, from_corner = upend(mirror(discs)), 8, 0
        for row in range(8):
            width = min(width, RUNS[turned >> 8 * row & 255])
            from_corner |= ((1 << width) - 1) << 8 * row
        found |= upend(mirror(from_corner))
    return found


def clamped(discs, other):
    """The discs in runs along an edge between two of the other side."""
    found = 0
    for edge, step in ((ROWS_EDGE, 1), (COLUMNS_EDGE, 8)):
        runs, ends = discs & edge, other & edge
        low, high = runs & ends << step, runs & ends >> step
        for _ in range(5):
            low |= runs & low << step
            high |= runs & high >> step
        found |= low & high
    return found


def near_corners(own):
    """The squares near the corners that a side holds: beside them along the edges and along the diagonals, the fourth
    squares of the edges, and the fifth ones unless they are fourth ones too."""
    near = [0, 0, 0, 0]
    steps = ((0, 1, 0), (0, 0, 1), (1, 1, 1), (2, 3, 0), (2, 0, 3), (3, 4, 0), (3, 0, 4))
    for row, column in ((0, 0), (0, 7), (7, 0), (7, 7)):
        if own >> 8 * row + column & 1:
            for kind, down, right in steps:
                near[kind] |= 1 << 8 * abs(row - down) + abs(column - right)
    near[3] &= ~near[2]
    return near
