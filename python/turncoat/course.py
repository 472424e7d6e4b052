"""The course's class `AI`, backed by the engine: the interface of a student's program, at full strength.

>>> import numpy as np
>>> from turncoat import Board
>>> ai = AI(8, -1, 5)
>>> ai.player = "greedy"
>>> ai.go(Board().to_array())
>>> ai.candidate_list
[(2, 3), (3, 2), (4, 5), (5, 4), (2, 3)]

Another player takes two lines:

>>> class Gene(AI):
...     player = "gene45:depth=3"
"""

from __future__ import annotations

import numpy.typing as npt

from ._engine import Board, Player
from .errors import InputError
from .evaluator import Evaluator

__all__ = ["AI"]

# Share of a move's time held in reserve: the platform's clock also runs while the list is handed over.
_RESERVE = 0.04


class AI:
    """The course's interface: black -1, white 1, boards as arrays; the last element of the list is the move."""

    player: str | Evaluator = "turncoat"
    """The player that chooses, as in `turncoat players`, or an evaluator."""

    variant: str = "reversed"
    """The game: `reversed` or `reversi`."""

    def __init__(self, chessboard_size: int, color: int, time_out: float) -> None:
        if color not in (-1, 1):
            raise InputError(f"a side is -1 (black) or 1 (white), not {color}")
        self.chessboard_size = chessboard_size
        self.color = color
        self.time_out = time_out
        self.candidate_list: list[tuple[int, int]] = []
        self._made: tuple[tuple[str | Evaluator, str], Player] | None = None
        # Built now, while no clock is running.
        self._engine()

    def go(self, chessboard: npt.ArrayLike) -> None:
        """Fills `candidate_list`: every legal move, then the chosen one. It stays empty if there is no legal move.

        >>> class Greedy(AI):
        ...     player = "greedy"
        >>> ai = Greedy(8, -1, 5)
        >>> ai.go(Board("f5d6").to_array())
        >>> ai.candidate_list[-1]
        (2, 2)
        """
        self.candidate_list.clear()
        board = Board.from_array(chessboard, self.color)
        if board.size != self.chessboard_size:
            own = self.chessboard_size
            raise InputError(f"the board is {board.size}x{board.size}, but {own}x{own} was announced")
        for action in board.legal_actions():
            if action < board.size * board.size:
                self.candidate_list.append(divmod(action, board.size))
        if not self.candidate_list:
            return
        thought = self._engine().choose(board, time=self.time_out * (1 - _RESERVE))
        if thought is not None:
            self.candidate_list.append(thought.square)

    def _engine(self) -> Player:
        """The player, rebuilt only when another one is named."""
        wanted = (self.player, self.variant)
        if self._made is None or self._made[0] != wanted:
            self._made = (wanted, Player(self.player, variant=self.variant, size=self.chessboard_size))
        return self._made[1]
