"""Many boards at once, as numpy arrays, with the GIL released.

A batch of boards is a uint64 array of shape (n, 2): the mover's discs and the opponent's, bit row * 8 + column, small
boards centred in the word. Lists, and int64 with the same bits, are accepted too. The GIL is held only while arguments
are read and checked.

>>> import numpy as np
>>> from turncoat import Board, batch
>>> boards = batch.stack([Board(), Board("f5")])
>>> batch.legal_mask(boards).sum(axis=1).tolist()
[4, 3]
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from ._engine import (
    Board,
    Tables,
    estimate,
    feature_names,
    features,
    final_scores,
    from_arrays,
    is_over,
    legal_mask,
    legal_moves,
    pattern_slots,
    planes,
    play,
    to_arrays,
)

__all__ = [
    "FEATURES",
    "Tables",
    "estimate",
    "features",
    "final_scores",
    "from_arrays",
    "is_over",
    "legal_mask",
    "legal_moves",
    "pattern_slots",
    "planes",
    "play",
    "stack",
    "to_arrays",
]

FEATURES: tuple[str, ...] = tuple(feature_names())
"""The names of the columns of `features`."""


def stack(boards: Iterable[Board]) -> npt.NDArray[np.uint64]:
    """Boards as a batch; the colour of the mover is not kept.

    >>> stack([Board(), Board("f5")]).shape
    (2, 2)
    """
    return np.array([board.words for board in boards], dtype=np.uint64).reshape(-1, 2)
