
# ---------------------------------------------------------------------------------------------------------------------
# The end of the game, played perfectly: scores in discs.

# Above so many empty squares replies are counted and positions remembered; from there on parity is enough.
PLAIN = 6
POSITIONS = 120000
QUADRANTS = (0x0F0F0F0F, 0xF0F0F0F0, 0x0F0F0F0F00000000, 0xF0F0F0F000000000)


class Endgame(object):
    def __init__(self, deadline):
        self.deadline = deadline
        self.known = {}

    def score(self, own, other, alpha, beta):
        """The score for the mover, exact between the bounds."""
        moves = legal(own, other)
        if not moves:
            if not legal(other, own):
                return final(own, other)
            return -self.score(other, own, -beta, -alpha)
        free = FULL & ~(own | other)
        if count(free) <= PLAIN:
            return finish(own, other, by_parity(free), alpha, beta, False)
        if time.time() > self.deadline:
            raise TimeIsOver()
        key = (own, other)
        low, high, first = self.known.get(key, (-64, 64, 0))
        if low >= beta or low == high:
            return low
        if high <= alpha:
            return high
        best, best_move, start = -65, 0, alpha
        for mine, theirs, square in self.ordered(own, other, moves, first, free):
            value = -self.score(theirs, mine, -beta, -alpha)
            if value > best:
                best, best_move = value, square
                if value > alpha:
                    alpha = value
                    if alpha >= beta:
                        break
        if len(self.known) >= POSITIONS:
            self.known.clear()
        self.known[key] = (best if best > start else low, best if best < beta else high, best_move)
        return best

    def ordered(self, own, other, moves, first, free):
        """The moves with the boards after them: the known best one, then those that leave the fewest replies."""
        odd = 0
        for quadrant in QUADRANTS:
            if count(free & quadrant) & 1:
                odd |= quadrant
        after = []
        for square in squares_of(moves):
            turned = flips(own, other, square)
            mine, theirs = own | square | turned, other & ~turned
            rank = -1 if square == first else 2 * count(legal(theirs, mine)) - (1 if square & odd else 0)
            after.append((rank, square, mine, theirs))
        after.sort()
        return [(mine, theirs, square) for _, square, mine, theirs in after]


def by_parity(free):
    """The empty squares, those of odd regions first."""
    odd, even = [], []
    for quadrant in QUADRANTS:
        squares = list(squares_of(free & quadrant))
        (odd if len(squares) & 1 else even).extend(squares)
    return odd + even


def finish(own, other, free, alpha, beta, passed):
    """The last few squares."""
    best = -65
    for square in free:
        turned = flips(own, other, square)
        if not turned:
            continue
        if len(free) == 1:
            return final(own | square | turned, other & ~turned)
        rest = [one for one in free if one != square]
        value = -finish(other & ~turned, own | square | turned, rest, -beta, -alpha, False)
        if value > best:
            best = value
            if value > alpha:
                alpha = value
                if alpha >= beta:
                    return best
    if best > -65:
        return best
    if passed:
        return final(own, other)
    return -finish(other, own, free, -beta, -alpha, True)
