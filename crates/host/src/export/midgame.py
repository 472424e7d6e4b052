
# ---------------------------------------------------------------------------------------------------------------------
# The search: deeper and deeper until the time is over or the end is seen. Its last two plies are judged in one go,
# which also puts the moves of every position in order and tells which positions are far outside the bounds.

POSITIONS_KEPT = 40000
INFINITE = 1 << 40
# The end is tried from so many empty squares on, after a fifth of the time for a first opinion.
SOLVED_FROM = 16
# From so many plies on a position is cut off if two plies tell that it is far outside the bounds. How far is some three
# times what deeper searches differ by, and more with few empty squares, where they differ more.
CUT_DEPTH = 4


def margin(empties):
    return 3 * UNITS + max(26 - empties, 0) * UNITS // 4



class Search(object):
    def __init__(self, deadline):
        self.deadline = deadline
        self.known = {}

    def look(self, own, other):
        """What is known of a position: depth, bounds, what two plies say, the moves from good to bad."""
        entry = self.known.get((own, other))
        if entry is None:
            if time.time() > self.deadline:
                raise TimeIsOver()
            moves = legal(own, other)
            if not moves:
                entry = (0, 0, 0, 0, None)
            else:
                ranked = two_plies(own, other, moves)
                best = ranked[0][0]
                entry = (2, best, best, best, [square for _, square in ranked])
            if len(self.known) >= POSITIONS_KEPT:
                self.known.clear()
            self.known[own, other] = entry
        return entry

    def value(self, own, other, depth, alpha, beta):
        """The value for the mover, exact between the bounds but for what is cut off."""
        deep, low, high, shallow, moves = self.look(own, other)
        if moves is None:
            if not legal(other, own):
                return ended(final(own, other))
            return -self.value(other, own, depth, -beta, -alpha)
        if depth <= 2:
            return shallow
        if deep >= depth:
            if low >= beta or low == high:
                return low
            if high <= alpha:
                return high
        if depth >= CUT_DEPTH and beta - alpha == 1 and abs(beta) < WON:
            far = margin(64 - count(own | other))
            if shallow >= beta + far:
                return beta
            if shallow <= alpha - far:
                return alpha
        best, best_move, start = -INFINITE, moves[0], alpha
        for square in moves:
            theirs, mine = after_move(own, other, square)
            if best == -INFINITE:
                value = -self.value(theirs, mine, depth - 1, -beta, -alpha)
            else:
                value = -self.value(theirs, mine, depth - 1, -alpha - 1, -alpha)
                if alpha < value < beta:
                    value = -self.value(theirs, mine, depth - 1, -beta, -alpha)
            if value > best:
                best, best_move = value, square
                alpha = max(alpha, value)
                if alpha >= beta:
                    break
        if best_move != moves[0]:
            moves = [best_move] + [square for square in moves if square != best_move]
        low = best if best > start else -INFINITE
        high = best if best < beta else INFINITE
        self.known[own, other] = (depth, low, high, shallow, moves)
        return best

    def root(self, own, other, moves, depth, offer):
        """Searches all moves; the list with the best one first."""
        alpha, best = -INFINITE, moves[0]
        for square in moves:
            theirs, mine = after_move(own, other, square)
            if alpha == -INFINITE:
                value = -self.value(theirs, mine, depth - 1, -INFINITE, INFINITE)
            else:
                value = -self.value(theirs, mine, depth - 1, -alpha - 1, -alpha)
                if value > alpha:
                    value = -self.value(theirs, mine, depth - 1, -INFINITE, -alpha)
            if value > alpha:
                alpha, best = value, square
                offer(best)
        return [best] + [square for square in moves if square != best]


def solve(own, other, moves, deadline, offer):
    """Finds a move that wins, then one that wins by more; of those that do not win the one that loses least."""
    endgame = Endgame(deadline)
    best, bound = moves[0], -1
    # Whether a move does not lose, whether it wins, and how high.
    for square in moves:
        theirs, mine = after_move(own, other, square)
        score = -endgame.score(theirs, mine, -1, -bound)
        if score > bound:
            best, bound = square, score
            offer(best)
            if score > 0:
                break
    low, high = (-65, 0) if bound < 0 else (bound, 65)
    if bound == 0:
        return
    for square in [best] + [square for square in moves if square != best]:
        theirs, mine = after_move(own, other, square)
        score = -endgame.score(theirs, mine, -high, -low)
        if score > low:
            best, low = square, score
            offer(best)


def think(own, other, black, deadline, offer):
    """Offers better and better moves until the deadline; it plays both colours alike."""
    moves = legal(own, other)
    if not moves:
        return
    empties = 64 - count(own | other)
    began = time.time()
    moves = [square for _, square in two_plies(own, other, moves)]
    offer(moves[0])
    if len(moves) == 1:
        return
    ending = empties <= SOLVED_FROM
    first = Search(began + 0.2 * (deadline - began) if ending else deadline)
    try:
        for depth in range(3, empties + 1):
            moves = first.root(own, other, moves, depth, offer)
            offer(moves[0])
    except TimeIsOver:
        pass
    try:
        if ending:
            solve(own, other, moves, deadline, offer)
    except TimeIsOver:
        pass
