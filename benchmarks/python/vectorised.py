"""Some of the features in whole-array numpy on bitboards: the best that numpy can do, for the figures."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Words = npt.NDArray[np.uint64]

_NOT_FIRST = np.uint64(0xFEFE_FEFE_FEFE_FEFE)
_NOT_LAST = np.uint64(0x7F7F_7F7F_7F7F_7F7F)
_ALL = np.uint64(0xFFFF_FFFF_FFFF_FFFF)
# Shifts to the left (or right if negative), and the squares that may be reached by them.
_STEPS = [
    (1, _NOT_FIRST),
    (-1, _NOT_LAST),
    (8, _ALL),
    (-8, _ALL),
    (9, _NOT_FIRST),
    (7, _NOT_LAST),
    (-7, _NOT_FIRST),
    (-9, _NOT_LAST),
]
_CORNERS = np.uint64(0x8100_0000_0000_0081)


def shifted(words: Words, step: int, mask: np.uint64) -> Words:
    """All squares one step further."""
    moved = words << np.uint64(step) if step > 0 else words >> np.uint64(-step)
    return moved & mask


def legal_moves(mover: Words, other: Words) -> Words:
    """The mover's legal moves of each board."""
    empties = ~(mover | other)
    moves = np.zeros_like(mover)
    for step, mask in _STEPS:
        line = shifted(mover, step, mask) & other
        for _ in range(5):
            line |= shifted(line, step, mask) & other
        moves |= shifted(line, step, mask) & empties
    return moves


def features(boards: Words) -> npt.NDArray[np.int16]:
    """The first eight columns of `batch.FEATURES`: discs, moves, frontier and corners of both sides."""
    mover, other = boards[:, 0].copy(), boards[:, 1].copy()
    empties = ~(mover | other)
    beside = np.zeros_like(mover)
    for step, mask in _STEPS:
        beside |= shifted(empties, step, mask)
    sets = [mover, other, legal_moves(mover, other), legal_moves(other, mover)]
    sets += [mover & beside, other & beside, mover & _CORNERS, other & _CORNERS]
    return np.stack([np.bitwise_count(each) for each in sets], axis=1).astype(np.int16)
