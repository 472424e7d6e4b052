"""`BatchEnv`, many games at once for reinforcement learning; also in `turncoat.env`. Needs only numpy."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._engine import Board, Tables

__all__ = ["BatchEnv", "board_of"]


class BatchEnv:
    """Many games side by side: one action in each per step, arrays in and out.

    Games that end restart at once, as in vector environments. Observations are the mover's.

    >>> games = BatchEnv(1000, size=6)
    >>> observation, mask = games.reset()
    >>> observation.shape, mask.shape
    ((1000, 2, 6, 6), (1000, 37))
    >>> observation, mask, reward, done = games.step(mask.argmax(axis=1))
    >>> bool(done.any())
    False
    """

    def __init__(self, count: int, *, variant: str = "reversed", size: int = 8) -> None:
        self.tables = Tables(count, variant=variant, size=size)

    def __len__(self) -> int:
        return len(self.tables)

    @property
    def sides(self) -> npt.NDArray[np.int8]:
        """The side to move in each game: -1 black, 1 white."""
        return self.tables.sides

    @property
    def boards(self) -> npt.NDArray[np.uint64]:
        """The boards, as a batch of `turncoat.batch`."""
        return self.tables.boards

    def reset(self) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
        """Restarts all games: planes and masks of legal actions.

        >>> BatchEnv(3).reset()[1].sum(axis=1).tolist()
        [4, 4, 4]
        """
        self.tables.reset()
        return self.tables.planes(), self.tables.legal_mask()

    def step(
        self, actions: npt.ArrayLike
    ) -> tuple[
        npt.NDArray[np.uint8],
        npt.NDArray[np.bool_],
        npt.NDArray[np.float32],
        npt.NDArray[np.bool_],
    ]:
        """Planes and masks after the actions, the acting sides' rewards, and which games ended.

        >>> games = BatchEnv(2)
        >>> planes, mask = games.reset()
        >>> planes, mask, rewards, done = games.step([19, 37])
        >>> rewards.tolist(), done.tolist(), games.sides.tolist()
        ([0.0, 0.0], [False, False], [1, 1])
        """
        rewards, done = self.tables.step(actions)
        return self.tables.planes(), self.tables.legal_mask(), rewards, done


def board_of(observation: npt.ArrayLike, side: int = -1) -> Board:
    """The board of an observation's planes, to give to a player.

    >>> board_of(BatchEnv(1).reset()[0][0]) == Board()
    True
    """
    return Board.from_planes(observation, side)
