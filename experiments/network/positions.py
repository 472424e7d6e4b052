"""Self-play games as boards and the rows of a network's table, the same code for numpy arrays and PyTorch tensors.

A board is two int64 words: the mover's discs and the opponent's, bit row * 8 + column. Which squares belong together is
in parts.json, which a test of the program writes.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

Array = Any
"""A numpy array or a tensor."""

LONGEST = 60
"""Moves of a game."""


def read_parts() -> dict[str, Any]:
    """What the program says about its shapes and counts."""
    return json.loads((Path(__file__).parent / "parts.json").read_text())


# ---------------------------------------------------------------------------------------------------------- games


@dataclass
class Games:
    """Games of one variant, one row each."""

    variant: str
    squares: np.ndarray
    """The square of each move; 0 behind the last one."""
    scores: np.ndarray
    """What the mover thought of its position, in discs."""
    length: np.ndarray
    random: np.ndarray
    """Moves at the start that nobody chose."""
    result: np.ndarray
    """The final score for black."""


def read_shard(path: Path) -> Games:
    """The games of one file of a self-play run (crates/train/src/games/shard.rs describes it)."""
    data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    if len(data) < 18 or bytes(data[:4]) != b"TCSG" or data[4] != 1 or data[5] > 1:
        raise ValueError(f"{path}: this is not a file of training games that this script reads")
    count = int.from_bytes(bytes(data[6:10]), "little")
    starts, at = [], 18
    lengths = data.tolist()
    for game in range(count):
        if at >= len(data) or lengths[at] > LONGEST:
            raise ValueError(f"{path}: game {game} cannot be read")
        starts.append(at)
        at += 4 + 2 * lengths[at]
    if at != len(data):
        raise ValueError(f"{path}: it has another length than its games")
    begin = np.array(starts, dtype=np.int64)
    length = data[begin].astype(np.int64)
    moves = np.arange(LONGEST)
    places = np.minimum(begin[:, None] + 4 + 2 * moves, len(data) - 2)
    inside = moves < length[:, None]
    return Games(
        variant=["reversed", "reversi"][data[5]],
        squares=np.where(inside, data[places], 0).astype(np.uint8),
        scores=np.where(inside, data[places + 1].view(np.int8), 0).astype(np.int8),
        length=length,
        random=data[begin + 1].astype(np.int64),
        result=data[begin + 3].view(np.int8).astype(np.int64),
    )


def read_games(folders: list[Path], most: int | None = None) -> Games:
    """The games of run folders, at most this many."""
    shards: list[Games] = []
    for path in (path for folder in folders for path in sorted(folder.glob("*.games"))):
        if most is not None and sum(len(shard.length) for shard in shards) >= most:
            break
        shards.append(read_shard(path))
    variants = {shard.variant for shard in shards}
    if len(variants) != 1:
        raise ValueError("no games in these folders" if not variants else "the games are of both variants")
    fields = ["squares", "scores", "length", "random", "result"]
    joined = {field: np.concatenate([getattr(shard, field) for shard in shards])[:most] for field in fields}
    return Games(variant=variants.pop(), **joined)


# ---------------------------------------------------------------------------------------------------------- boards


def signed(word: int) -> int:
    """An unsigned word as the int64 with the same bits."""
    word &= (1 << 64) - 1
    return word - (1 << 64) if word >> 63 else word


ALL_BUT_FIRST_COLUMN = signed(~0x0101010101010101)
ALL_BUT_LAST_COLUMN = signed(~0x8080808080808080)
DIRECTIONS = [
    (1, ALL_BUT_FIRST_COLUMN), (8, -1), (9, ALL_BUT_FIRST_COLUMN), (7, ALL_BUT_LAST_COLUMN),
    (-1, ALL_BUT_LAST_COLUMN), (-8, -1), (-9, ALL_BUT_LAST_COLUMN), (-7, ALL_BUT_FIRST_COLUMN),
]  # fmt: skip


def right(words: Array, by: int) -> Array:
    """Shifted towards lower bits, zeros coming in."""
    return (words >> by) & ((1 << (64 - by)) - 1)


def stepped(words: Array, direction: tuple[int, int]) -> Array:
    """Every disc one step further, those that leave the board gone."""
    step, mask = direction
    return (words << step if step > 0 else right(words, -step)) & mask


def legal_moves(mover: Array, other: Array) -> Array:
    moves = mover & 0
    for direction in DIRECTIONS:
        run = stepped(mover, direction) & other
        for _ in range(5):
            run = run | (stepped(run, direction) & other)
        moves = moves | stepped(run, direction)
    return moves & ~(mover | other)


def flips(mover: Array, other: Array, disc: Array) -> Array:
    """The discs that this disc of the mover flips."""
    flipped = mover & 0
    for direction in DIRECTIONS:
        run = stepped(disc, direction) & other
        for _ in range(5):
            run = run | (stepped(run, direction) & other)
        flipped = flipped | run * ((stepped(run, direction) & mover) != 0)
    return flipped


def count(words: Array) -> Array:
    """How many bits are set."""
    words = words - (right(words, 1) & 0x5555555555555555)
    words = (words & 0x3333333333333333) + (right(words, 2) & 0x3333333333333333)
    words = (words + right(words, 4)) & 0x0F0F0F0F0F0F0F0F
    for by in [8, 16, 32]:
        words = words + right(words, by)
    return words & 127


# ------------------------------------------------------------------------------------------------------- positions


@dataclass
class Positions:
    """Positions in which a move was chosen, with what came of them from the mover's view."""

    mover: Array
    other: Array
    result: Array
    """The final score in discs."""
    score: Array
    """What the mover thought."""
    game: Array
    """The number of the game."""


def replay(games: Games, like: Array) -> Positions:
    """All positions after the random moves, as arrays of the kind of `like`, on its device."""
    squares, scores = on_device(games.squares.T.astype(np.int64), like), on_device(games.scores.T.astype(np.int64), like)
    length, random, result = (on_device(field, like) for field in [games.length, games.random, games.result])
    number = on_device(np.arange(len(games.length)), like)
    mover, other = number * 0 + (1 << 28 | 1 << 35), number * 0 + (1 << 27 | 1 << 36)
    side = number * 0 + 1
    parts: list[list[Array]] = []
    for ply in range(LONGEST):
        passes = (legal_moves(mover, other) == 0) * (length > ply)
        change = (mover ^ other) * passes
        mover, other, side = mover ^ change, other ^ change, side * (1 - 2 * passes)
        wanted = (length > ply) & (random <= ply)
        fields = [mover, other, side * result, scores[ply], number]
        parts.append([field[wanted] for field in fields])
        disc = (number * 0 + 1) << squares[ply]
        flipped = flips(mover, other, disc)
        mover, other, side = other & ~flipped, mover | flipped | disc, -side
    return Positions(*(joined(list(column)) for column in zip(*parts, strict=True)))


def on_device(array: np.ndarray, like: Array) -> Array:
    """A numpy array as `like` is one."""
    if isinstance(like, np.ndarray):
        return array
    import torch

    return torch.as_tensor(np.ascontiguousarray(array), device=like.device)


def joined(arrays: list[Array], axis: int = 0) -> Array:
    if isinstance(arrays[0], np.ndarray):
        return np.concatenate(arrays, axis=axis)
    import torch

    return torch.cat(arrays, dim=axis)


# ------------------------------------------------------------------------------------------------------------ rows


class Rows:
    """Where the vectors of a board are in the table of a network that reads these parts."""

    def __init__(self, parts: list[int]) -> None:
        described = read_parts()
        shapes, counts = described["shapes"], described["counts"]
        self.most_moves, self.most_joint = described["most_moves"], described["most_joint"]
        self.shapes = [number for number in parts if number < len(shapes)]
        self.counts = [number - len(shapes) for number in parts if number >= len(shapes)]
        folds: list[np.ndarray] = []
        self.worth: list[np.ndarray] = []
        """By lane: what a disc on each square adds to the index."""
        self.middles: list[int] = []
        self.first_slot: list[int] = []
        slots = rows = 0
        for number in self.shapes:
            squares = len(shapes[number]["places"][0])
            fold = fold_of(shapes[number]["orders"])
            for place in shapes[number]["places"]:
                worth = np.zeros(64, dtype=np.float32)
                worth[place] = shapes[number]["worth"]
                self.worth.append(worth)
                self.middles.append(slots + 3**squares // 2)
            by_slot = np.empty_like(fold)
            by_slot[digits_of(squares) @ np.array(shapes[number]["worth"])] = fold
            folds.append(by_slot + rows)
            slots, rows = slots + len(fold), rows + fold.max() + 1
        for number in self.counts:
            fold = np.array(counts[number]["fold"])
            self.first_slot.append(slots)
            folds.append(fold + rows)
            slots, rows = slots + len(fold), rows + fold.max() + 1
        self.fold = np.concatenate(folds)
        self.orders = [shapes[number]["orders"] for number in self.shapes]
        self.count = int(rows)
        """How many vectors the table has."""

    def factors(self, degree: int) -> list[np.ndarray]:
        """By shape, for each of its vectors: which of its squares (1) and pairs of squares (2) have which contents, as a
        mean over the contents that share the vector."""
        tables = []
        for orders in self.orders:
            fold = fold_of(orders)
            digits = digits_of(len(orders[0]))
            columns = [digits[:, at] == digit for at in range(digits.shape[1]) for digit in range(3)]
            if degree > 1:
                squares = digits.shape[1]
                pairs = [(a, b) for b in range(squares) for a in range(b)]
                joint = [digits[:, a] * 3 + digits[:, b] for a, b in pairs]
                columns += [both == contents for both in joint for contents in range(9)]
            sums = np.stack([np.bincount(fold, column) for column in columns], axis=1)
            tables.append((sums / np.bincount(fold)[:, None]).astype(np.float32))
        return tables

    def of(self, mover: Array, other: Array) -> Array:
        """The rows of some boards, (boards, features)."""
        return as_type(on_device(self.fold, mover)[self.slots(mover, other)], "int32")

    def slots(self, mover: Array, other: Array) -> Array:
        """The same before contents that are equal by symmetry share a row."""
        bits = on_device(np.arange(64), mover)
        digits = ((mover[:, None] >> bits) & 1) - ((other[:, None] >> bits) & 1)
        # Exact: all numbers are integers below 2 to the 24.
        indices = as_type(digits, "float32") @ on_device(np.stack(self.worth, axis=1), mover)
        columns = [as_type(indices, "int64") + on_device(np.array(self.middles), mover)]
        values = self.count_values(mover, other)
        columns += [values[n][:, None] + first for n, first in zip(self.counts, self.first_slot, strict=True)]
        return joined(columns, axis=1)

    def count_values(self, mover: Array, other: Array) -> list[Array]:
        """Own moves, opposing moves, both, odd quadrants, empties: crates/eval/src/patterns/features.rs."""
        own, opposing = count(legal_moves(mover, other)), count(legal_moves(other, mover))
        empty = ~(mover | other)
        quadrants = [0x0F0F0F0F, 0xF0F0F0F0, signed(0xF0F0F0F000000000), 0x0F0F0F0F00000000]
        odd = sum((count(empty & quadrant) & 1) << bit for bit, quadrant in enumerate(quadrants))
        both = own.clip(0, self.most_joint) * (self.most_joint + 1) + opposing.clip(0, self.most_joint)
        return [own.clip(0, self.most_moves), opposing.clip(0, self.most_moves), both, odd, count(empty) % 64]


def digits_of(squares: int) -> np.ndarray:
    """All contents of some squares, the first square as the lowest digit: (contents, squares)."""
    return np.arange(3**squares)[:, None] // 3 ** np.arange(squares) % 3


def fold_of(orders: list[list[int]]) -> np.ndarray:
    """By contents of a shape: the number of its vector. Contents that a symmetry exchanges share one."""
    digits = digits_of(len(orders[0]))
    images = [(digits * 3 ** np.array(order)).sum(axis=1) for order in orders]
    return np.unique(np.minimum.reduce(images), return_inverse=True)[1]


def as_type(array: Array, name: str) -> Array:
    if isinstance(array, np.ndarray):
        return array.astype(name)
    import torch

    return array.to(getattr(torch, name))
