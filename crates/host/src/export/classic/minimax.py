
# ---------------------------------------------------------------------------------------------------------------------
# The search: minimax with alpha-beta, a ply deeper each time. Values are those of the side whose move is chosen.

INFINITE = float("inf")


class Search(object):
    def __init__(self, weights, discs, deadline):
        self.weights = weights
        self.discs = discs
        self.deadline = deadline
        self.bonus = flip_bonus(weights, discs)

    def leaf(self, own, other, moves, replies, is_root):
        """What a board is worth where the search ends; "is_root" tells whose move it is."""
        if WIN_OR_NOTHING and not moves and not replies:
            score = final(own, other)
            return INFINITE if (score > 0 if is_root else score < 0) else -INFINITE
        if is_root:
            return evaluate(self.weights, self.discs, own, other, moves, replies)
        return evaluate(self.weights, self.discs, other, own, replies, moves)

    def ordered(self, own, other, moves):
        """The moves in the order of squares, or the few that are best a ply on for who makes them."""
        squares = list(squares_of(moves))
        if not BEAM:
            return squares
        values = []
        for square in squares:
            theirs, mine = after_move(own, other, square)
            values.append(self.leaf(mine, theirs, legal(mine, theirs), legal(theirs, mine), True))
        ranked = sorted(range(len(squares)), key=lambda at: -values[at])
        return [squares[at] for at in ranked[:BEAM]]

    def value(self, own, other, depth, alpha, beta, is_root, bonus):
        if time.time() > self.deadline:
            raise TimeIsOver()
        moves = legal(own, other)
        if depth == 0 or not moves:
            replies = legal(other, own)
            if depth == 0 or not replies:
                return bonus + self.leaf(own, other, moves, replies, is_root)
            return self.value(other, own, depth if FREE_PASS else depth - 1, alpha, beta, not is_root, bonus)
        best = -INFINITE if is_root else INFINITE
        for square in self.ordered(own, other, moves):
            turned = flips(own, other, square)
            added = bonus + self.bonus * count(turned)
            mine, theirs = own | square | turned, other & ~turned
            value = self.value(theirs, mine, depth - 1, alpha, beta, not is_root, added)
            if is_root:
                best = max(best, value)
                alpha = max(alpha, value)
            else:
                best = min(best, value)
                beta = min(beta, value)
            if alpha >= beta:
                break
        return best

    def choose(self, own, other, depth):
        """The best move so many plies ahead."""
        chosen, best = None, -INFINITE
        for square in self.ordered(own, other, legal(own, other)):
            turned = flips(own, other, square)
            mine, theirs = own | square | turned, other & ~turned
            # A window just below the best value tells equal moves too.
            alpha = float(np.nextafter(best, -INFINITE)) if LAST_OF_EQUALS else best
            value = self.value(theirs, mine, depth - 1, alpha, INFINITE, False, self.bonus * count(turned))
            if chosen is None or value > best or LAST_OF_EQUALS and value == best:
                chosen, best = square, value
            if value == INFINITE:
                break
        return chosen


def prove(own, other, deadline, offer):
    """Offers the first move that wins, or else the first one that draws."""
    endgame, bar = Endgame(deadline), -1
    for square in squares_of(legal(own, other)):
        theirs, mine = after_move(own, other, square)
        score = -endgame.score(theirs, mine, -1, -bar)
        if score > bar:
            offer(square)
            bar = 0
        if score > 0:
            return


def think(own, other, black, deadline, offer):
    """Offers better and better moves until the deadline or its depth."""
    if not legal(own, other):
        return
    weights, discs = (BLACK if black else WHITE), count(own | other)
    search, deepest = Search(weights, discs, deadline), plies(weights, discs)
    ending = 64 - discs <= FINAL
    try:
        for depth in range(1, (min(deepest, 2) if ending else deepest) + 1):
            offer(search.choose(own, other, depth))
        if ending:
            prove(own, other, deadline, offer)
    except TimeIsOver:
        pass
