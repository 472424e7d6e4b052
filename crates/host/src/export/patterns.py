
# ---------------------------------------------------------------------------------------------------------------------
# The evaluation, of many boards at once: arrays of 64-bit numbers, and weights by what stands on sets of squares.

UNITS = 64  # a disc
# The sizes of the counts' tables: moves, the other's moves, both, quadrants with an odd number of empty squares, empties.
COUNTS = (32, 32, 256, 16, 64)


def images(shape):
    """What the eight symmetries make of a row of squares."""
    for symmetry in range(8):
        image = []
        for row, column in shape:
            row, column = (7 - row if symmetry & 1 else row), (7 - column if symmetry & 2 else column)
            image.append((column, row) if symmetry & 4 else (row, column))
        yield image


def folded(shape):
    """Numbers the contents of a shape, those that are one by its own symmetry alike."""
    contents = np.arange(3 ** len(shape))
    first = contents.copy()
    for image in images(shape):
        if set(image) == set(shape):
            moved = sum(contents // 3 ** i % 3 * 3 ** shape.index(square) for i, square in enumerate(image))
            first = np.minimum(first, moved)
    numbers = np.cumsum(first == contents) - 1
    return numbers[first]


def unpacked():
    """The tables of all stages, and for each place that is read what discs add to its index and where it begins."""
    packed = zlib.decompress(base64.b85decode(PACKED))
    knots = np.frombuffer(packed, np.int8).reshape(-1, len(KNOTS)).T * np.float32(QUANTUM)
    numbers, known, begin, worth, middles = [], 0, 0, [], []
    for shape in SHAPES:
        number = folded(shape)
        numbers.append(number + known)
        known += number.max() + 1
        seen = []
        for image in images(shape):
            if set(image) not in seen:
                seen.append(set(image))
                adds = np.zeros(64, np.int16)
                adds[[8 * row + column for row, column in image]] = 3 ** np.arange(len(shape))
                worth.append(adds)
                middles.append(begin + 3 ** len(shape) // 2)
        begin += 3 ** len(shape)
    numbers = np.concatenate(numbers + [known + np.arange(sum(COUNTS))])
    tables = []
    for stage in range(STAGES):
        # Between two stages that are held, something between their weights.
        after = min(max(np.searchsorted(KNOTS, stage), 1), len(KNOTS) - 1) if len(KNOTS) > 1 else 0
        before = max(after - 1, 0)
        part = (stage - KNOTS[before]) / max(KNOTS[after] - KNOTS[before], 1)
        part = np.float32(min(max(part, 0), 1))
        table = knots[before] * (1 - part) + knots[after] * part
        tables.append(np.rint(table).astype(np.int16)[numbers])
    return tables, np.array(worth).T, np.array(middles, np.int32), begin


def by_rows(worth):
    """What the discs of each row add to all indices, by the row's bits: the mover's rows, then the other's."""
    bits = (np.arange(256)[:, None] >> np.arange(8) & 1).astype(np.int16)
    rows = np.concatenate([bits.dot(worth[8 * row : 8 * row + 8]) for row in range(8)])
    return np.concatenate([rows, -rows])


TABLES, WORTH, MIDDLES, MOVES_AT = unpacked()
ROWS = by_rows(WORTH)
ROW_AT = np.arange(16, dtype=np.int32) * 256
OTHER_AT = MOVES_AT + COUNTS[0]
BOTH_AT = OTHER_AT + COUNTS[1]
ODD_AT = BOTH_AT + COUNTS[2]
EMPTIES_AT = ODD_AT + COUNTS[3]


def numbers64(values):
    return np.array(values, np.uint64)


ONES = np.array([bin(byte).count("1") for byte in range(256)], np.uint8)
BIT = numbers64([1 << at for at in range(64)])
ONCE = numbers64([[1], [7], [8], [9]])
TWICE = ONCE * numbers64(2)
MASKS = numbers64([[mask] for _, mask in STEPS])
A1, A2, A8, A16 = (numbers64(shift) for shift in (1, 2, 8, 16))


def counts(boards):
    return ONES[boards.view(np.uint8).reshape(-1, 8)].sum(axis=1, dtype=np.int32)


def run_both_ways(start, runs):
    """The runs of discs that begin beside some squares, upwards and downwards."""
    up = runs & (start << ONCE)
    up |= runs & (up << ONCE)
    pairs = runs & (runs << ONCE)
    up |= pairs & (up << TWICE)
    up |= pairs & (up << TWICE)
    down = runs & (start >> ONCE)
    down |= runs & (down >> ONCE)
    pairs >>= ONCE
    down |= pairs & (down >> TWICE)
    down |= pairs & (down >> TWICE)
    return up, down


def legal_all(own, other):
    """The legal moves of many boards."""
    up, down = run_both_ways(own, other & MASKS)
    up <<= ONCE
    down >>= ONCE
    up |= down
    return np.bitwise_or.reduce(up, axis=0) & ~(own | other)


def after_all(own, other, square):
    """Many boards after a move, the mover's discs still first."""
    up, down = run_both_ways(square, other & MASKS)
    up *= (up << ONCE) & own != 0
    down *= (down >> ONCE) & own != 0
    up |= down
    turned = np.bitwise_or.reduce(up, axis=0)
    return own | square | turned, other & ~turned


def estimates(own, other, empties, own_moves, other_moves):
    """What boards are worth to their movers, in 64ths of a disc."""
    table = TABLES[min((60 - empties) // STAGE_DISCS, STAGES - 1) if empties < 60 else 0]
    both = np.empty((len(own), 2), np.uint64)
    both[:, 0], both[:, 1] = own, other
    rows = both.view(np.uint8) + ROW_AT
    slots = ROWS[rows].sum(axis=1, dtype=np.int16) + MIDDLES
    values = table[slots].sum(axis=1, dtype=np.int32)
    values += table[MOVES_AT + np.minimum(own_moves, 31)]
    values += table[OTHER_AT + np.minimum(other_moves, 31)]
    values += table[BOTH_AT + 16 * np.minimum(own_moves, 15) + np.minimum(other_moves, 15)]
    odd = ~(own | other)
    odd ^= odd >> A1
    odd ^= odd >> A2
    odd ^= odd >> A16
    odd ^= odd >> A8
    odd = odd.view(np.uint8).reshape(-1, 8)[:, (0, 4)].astype(np.int32)
    top, bottom = odd[:, 0], odd[:, 1]
    values += table[ODD_AT + ((top & 1) | (top >> 3 & 2) | (bottom >> 2 & 4) | (bottom << 3 & 8))]
    values += table[EMPTIES_AT + empties]
    return np.clip(values, -MOST, MOST)


MOST = 63 * UNITS
# A game that is over is better or worse than whatever is only believed.
WON = 100 * UNITS


def leaves(own, other, empties):
    """What boards are worth to their movers, also to those who must pass or whose game is over."""
    size = len(own)
    moves = counts(legal_all(np.concatenate((own, other)), np.concatenate((other, own))))
    own_moves, other_moves = moves[:size], moves[size:]
    stuck = own_moves == 0
    if not stuck.any():
        return estimates(own, other, empties, own_moves, other_moves)
    values = estimates(
        np.where(stuck, other, own),
        np.where(stuck, own, other),
        empties,
        np.where(stuck, other_moves, own_moves),
        np.where(stuck, own_moves, other_moves),
    )
    values = np.where(stuck, -values, values)
    for at in np.flatnonzero(stuck & (other_moves == 0)).tolist():
        values[at] = ended(final(int(own[at]), int(other[at])))
    return values


def ended(score):
    return score * UNITS + (WON if score > 0 else -WON if score < 0 else 0)


def two_plies(own, other, moves):
    """The moves with what each is worth after the best reply, the best first."""
    empties = 64 - count(own | other)
    squares = list(squares_of(moves))
    mine, theirs = after_all(numbers64([own]), numbers64([other]), numbers64(squares))
    replies = legal_all(theirs, mine)
    values = [None] * len(squares)
    which, at = np.nonzero(np.unpackbits(replies.view(np.uint8).reshape(-1, 8), axis=1, bitorder="little"))
    if len(which):
        they, we = after_all(theirs[which], mine[which], BIT[at])
        found = leaves(we, they, empties - 2)
        begins = np.flatnonzero(np.diff(which, prepend=-1))
        for move, value in zip(which[begins].tolist(), np.minimum.reduceat(found, begins).tolist()):
            values[move] = value
    if len(which) == 0 or None in values:
        stuck = [move for move, value in enumerate(values) if value is None]
        found = leaves(mine[stuck], theirs[stuck], empties - 1)
        for move, value in zip(stuck, found.tolist()):
            values[move] = value
    return sorted(zip(values, squares), reverse=True)
