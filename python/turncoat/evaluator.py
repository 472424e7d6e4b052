"""Evaluations written in Python, with the engine's search above them."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["Evaluator"]


class Evaluator:
    """An evaluation of many boards at once. An instance is a player wherever Python takes one.

    >>> class Mobility(Evaluator):
    ...     def evaluate(self, boards):
    ...         mask = batch.legal_mask(boards)[:, :64]
    ...         return mask.sum(axis=1)
    >>> thought = Player(Mobility()).choose(Board("f5d6c3"), depth=2)
    >>> thought.move in Board("f5d6c3").legal_moves(), thought.depth
    (True, 2)

    The search is alpha-beta, deepening ply by ply; passes cost nothing. Where the tree below a node has no more leaves than
    about `batch`, they are evaluated in one call. Of equal moves the last one is chosen. Equal values give equal games,
    whatever `batch` is.
    """

    name: str = ""
    """What it is called in texts and tables, as in ``evaluator:NAME``; the name of the class if empty."""

    version: str = ""
    """Tells versions apart: a stored tournament is not continued with another one."""

    size: int = 8
    """The size of board it plays on."""

    depth: int = 3
    """Plies to look ahead where nothing else is said. With a limit on time or nodes and none on the depth, the search
    deepens until that is reached; it ends before a call that would probably take too long."""

    batch: int = 1024
    """About how many boards are evaluated at a time. More make better use of vectors and GPUs, fewer leave more to be
    pruned. All children of a node are always evaluated together."""

    finished: str = "score"
    """What a finished game is worth: ``"score"``, more than any value if it is won and less if it is lost, or ``"value"``,
    what `evaluate` says."""

    def evaluate(self, boards: npt.NDArray[np.uint64]) -> npt.ArrayLike:
        """The value of each board for its mover; higher is better.

        Boards are an array of shape (n, 2) as in `turncoat.batch`: the mover's discs and the opponent's. The values are n
        finite numbers in any unit: a list, an array, or a tensor that numpy can read. Games on several threads call this
        from several threads, one at a time.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method evaluate")
