
# ---------------------------------------------------------------------------------------------------------------------
# Boards: two integers of 64 bits, the mover's discs and the other's. Bit 8 * row + column, from the top left.

FULL = (1 << 64) - 1
INNER = 0x7E7E7E7E7E7E7E7E
CORNERS = 0x8100000000000081
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


def flips(own, other, square):
    """The discs that a disc on this square turns over."""
    turned = 0
    for step, mask in STEPS:
        runs = other & mask
        at = runs & (square << step)
        seen = 0
        while at:
            seen |= at
            at <<= step
            if at & own:
                turned |= seen
                break
            at &= runs
        at = runs & (square >> step)
        seen = 0
        while at:
            seen |= at
            at >>= step
            if at & own:
                turned |= seen
                break
            at &= runs
    return turned


def squares_of(squares):
    while squares:
        low = squares & -squares
        yield low
        squares ^= low


# ---------------------------------------------------------------------------------------------------------------------
# The evaluation: tables of squares for discs and for moves, frontier, stable discs and discs, by stage.


def by_rows(weights):
    """Tables of the sums of each row's squares by its bits."""
    return [
        [sum(weights[8 * row + bit] for bit in range(8) if bits >> bit & 1) for bits in range(256)] for row in range(8)
    ]


def spread(weights):
    """The weights of all squares, of those of the ten classes that symmetry leaves."""
    order = [(near, far) for near in range(4) for far in range(near, 4)]
    classes = [sorted((min(r, 7 - r), min(c, 7 - c))) for r in range(8) for c in range(8)]
    return [weights[order.index(tuple(of_square))] for of_square in classes]


TABLES = [
    (last, by_rows(spread(board)), by_rows(spread(action)), frontier, discs, stable)
    for last, board, action, frontier, discs, stable in STAGES
]
COPIES = sum(1 << 64 * copy for copy in range(8))
NOT_LEFT = 0xFEFEFEFEFEFEFEFE
NOT_RIGHT = 0x7F7F7F7F7F7F7F7F


def walks():
    """From each corner the lines along its rows and along its columns, square by square."""
    lines = []
    for rows in (range(8), range(7, -1, -1)):
        for columns in (range(8), range(7, -1, -1)):
            along = [[1 << 8 * r + c for c in columns] for r in rows]
            down = [[1 << 8 * r + c for r in rows] for c in columns]
            lines.append((along[0][0], along, down))
    return lines


WALKS = walks()


def walked(discs):
    """The discs of one colour that two walks from each of its corners call stable."""
    marked = 0
    for corner, along, down in WALKS:
        if not discs & corner:
            continue
        for lines in (along, down):
            width = 8
            for number, line in enumerate(lines):
                run = 0
                for square in line:
                    if not discs & square or run >= width:
                        break
                    marked |= square
                    run += 1
                if not run:
                    break
                # The first line is marked whole, and yet counts as one disc shorter.
                width = max(run - (1 if number else 2), 1)
    return marked


def pairs(discs_in_copies, empty):
    """How often a disc has an empty neighbour."""
    left, right = empty & NOT_LEFT, empty & NOT_RIGHT
    around = (
        right << 1
        | left >> 1 << 64
        | (empty << 8 & FULL) << 128
        | empty >> 8 << 192
        | (right << 9 & FULL) << 256
        | (left << 7 & FULL) << 320
        | right >> 7 << 384
        | left >> 9 << 448
    )
    return bin(discs_in_copies & around).count("1")


def estimate(own, other, moves):
    """What a position is worth to its mover."""
    filled = own | other
    discs = count(filled)
    for last, board, action, frontier, each, stable in TABLES:
        if discs <= last:
            break
    value = 0
    mine, theirs = own.to_bytes(8, "little"), other.to_bytes(8, "little")
    my_moves, their_moves = moves.to_bytes(8, "little"), legal(other, own).to_bytes(8, "little")
    for row in range(8):
        table = board[row]
        value += table[mine[row]] - table[theirs[row]]
        table = action[row]
        value += table[my_moves[row]] - table[their_moves[row]]
    if frontier:
        empty = FULL & ~filled
        value += frontier * (pairs(own * COPIES, empty) - pairs(other * COPIES, empty))
    if each:
        value += each * (count(own) - count(other))
    if stable and filled & CORNERS:
        value += stable * (count(walked(own)) - count(walked(other)))
    return value


# ---------------------------------------------------------------------------------------------------------------------
# The search: principal variation search, deeper and deeper until the time is over or the end is seen.

WON = 1000000
ENTRIES = 120000


class TimeIsOver(Exception):
    pass


class Search(object):
    def __init__(self, deadline):
        self.deadline = deadline
        self.known = {}
        self.nodes = 0

    def value(self, own, other, depth, alpha, beta):
        """The value for the mover, exact between the bounds."""
        self.nodes += 1
        if self.nodes & 31 == 0 and time.time() > self.deadline:
            raise TimeIsOver()
        moves = legal(own, other)
        if not moves:
            if not legal(other, own):
                lead = SIGN * (count(own) - count(other))
                return WON * lead
            return -self.value(other, own, depth, -beta, -alpha)
        if depth <= 0:
            return estimate(own, other, moves)
        key = (own, other)
        first = 0
        entry = self.known.get(key)
        if entry is not None:
            deep, low, high, first = entry
            if deep == depth:
                if low >= beta or low == high:
                    return low
                if high <= alpha:
                    return high
        best, best_move, start = None, 0, alpha
        for square, mine, theirs in self.ordered(own, other, moves, first, depth):
            if best is None:
                value = -self.value(theirs, mine, depth - 1, -beta, -alpha)
            else:
                value = -self.value(theirs, mine, depth - 1, -alpha - 1, -alpha)
                if alpha < value < beta:
                    value = -self.value(theirs, mine, depth - 1, -beta, -alpha)
            if best is None or value > best:
                best, best_move = value, square
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        if len(self.known) < ENTRIES or entry is not None:
            low = best if best > start else -INFINITE
            high = best if best < beta else INFINITE
            self.known[key] = (depth, low, high, best_move)
        return best

    def ordered(self, own, other, moves, first, depth):
        """The moves with the boards after them: the known best one, then those that leave the fewest answers."""
        after = []
        for square in squares_of(moves):
            turned = flips(own, other, square)
            mine, theirs = own | square | turned, other & ~turned
            if square == first:
                rank = -1
            elif depth > 1:
                rank = count(legal(theirs, mine))
            else:
                rank = 0
            after.append((rank, square, mine, theirs))
        if depth > 1 or first:
            after.sort()
        return [(square, mine, theirs) for _, square, mine, theirs in after]


INFINITE = 1 << 40


def think(own, other, deadline, offer):
    """Offers better and better moves until the deadline."""
    search = Search(deadline)
    empties = 64 - count(own | other)
    moves = list(squares_of(legal(own, other)))
    if not moves:
        return
    moves.sort(key=lambda square: count(legal(*after_move(own, other, square))))
    offer(moves[0])
    if len(moves) == 1:
        return
    try:
        for depth in range(1, empties + 1):
            alpha, best = -INFINITE, moves[0]
            for square in moves:
                theirs, mine = after_move(own, other, square)
                if alpha == -INFINITE:
                    value = -search.value(theirs, mine, depth - 1, -INFINITE, INFINITE)
                else:
                    value = -search.value(theirs, mine, depth - 1, -alpha - 1, -alpha)
                    if value > alpha:
                        value = -search.value(theirs, mine, depth - 1, -INFINITE, -alpha)
                if value > alpha:
                    alpha, best = value, square
                    if depth > 2:
                        offer(best)
            moves.remove(best)
            moves.insert(0, best)
            offer(best)
            if len(search.known) >= ENTRIES:
                search.known.clear()
    except TimeIsOver:
        pass


def after_move(own, other, square):
    """The board after a move, the next mover's discs first."""
    turned = flips(own, other, square)
    return other & ~turned, own | square | turned

