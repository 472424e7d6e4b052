"""The numpy side of the trainer of networks against the program: its boards, its features, its files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards
from turncoat import Board, InputError, batch

ROOT = Path(os.environ["TURNCOAT_ROOT"])
sys.path.insert(0, str(ROOT / "experiments" / "network"))

import netfile  # noqa: E402
import positions  # noqa: E402

ALL = list(range(19))


def words(many: list[Board]) -> tuple[np.ndarray, np.ndarray]:
    mover, other = batch.stack(many).view(np.int64).T
    return mover, other


@given(st.lists(boards(8), min_size=1, max_size=4))
def test_boards_and_features_are_those_of_the_program(many: list[Board]) -> None:
    mover, other = words(many)
    stacked = batch.stack(many)
    moves = positions.legal_moves(mover, other)
    assert (moves.view(np.uint64) == batch.legal_moves(stacked)).all()
    assert (positions.Rows(ALL).slots(mover, other) == batch.pattern_slots(stacked)).all()


def test_games_are_replayed_move_by_move() -> None:
    games = positions.read_games([ROOT / "crates/train/tests/fixtures/selfplay"])
    found = positions.replay(games, np.zeros(1))
    assert len(found.mover) == (games.length - games.random).clip(0).sum()
    game = int(games.length.argmax())
    board, expected = Board(), []
    for ply in range(games.length[game]):
        if not board.legal_moves():
            board = board.play("pass")
        if ply >= games.random[game]:
            # Results are black's, and black is -1.
            expected.append((*board.words, -board.side * int(games.result[game])))
        board = board.play(int(games.squares[game, ply]))
    mine = found.game == game
    columns = [found.mover[mine].view(np.uint64), found.other[mine].view(np.uint64), found.result[mine]]
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == sorted(expected)


def some_network(parts: list[int], units: int, hidden: list[int], stages: int) -> netfile.Network:
    random = np.random.default_rng(5)
    sizes = [2 * units, *hidden]
    layers = [
        (random.normal(0, 0.3, (stages, b, a)), random.normal(0, 0.1, (stages, b)))
        for a, b in zip(sizes, sizes[1:], strict=False)
    ]
    count = positions.Rows(parts).count
    return netfile.quantised(
        "reversed",
        parts,
        random.normal(0, 0.1, units),
        random.normal(0, 0.1, (count, units)),
        layers,
        random.normal(0, 10, (stages, hidden[-1])),
        random.normal(0, 3, stages),
    )


@pytest.mark.parametrize(
    ("parts", "units", "hidden", "stages"),
    [([4, 7, 12, 14, 17], 16, [16], 6), ([0, 8], 48, [32, 16], 3)],
)
def test_files_are_read_and_evaluated_by_the_program(
    parts: list[int], units: int, hidden: list[int], stages: int, tmp_path: Path
) -> None:
    network = some_network(parts, units, hidden, stages)
    path = tmp_path / "some.net"
    assert netfile.write(path, network) == path.stat().st_size
    games = positions.read_games([ROOT / "crates/train/tests/fixtures/selfplay"])
    found = positions.replay(games, np.zeros(1))
    mover, other = found.mover[:500], found.other[:500]
    expected = network.values(positions.Rows(parts).of(mover, other), positions.count(~(mover | other)))
    stacked = np.stack([mover, other], axis=1).view(np.uint64)
    values = batch.estimate(stacked, evaluation=str(path))
    assert (values * 64 == expected).all()
    assert len(set(expected.tolist())) > 100
    with pytest.raises(InputError, match="the network is for"):
        batch.estimate(stacked, evaluation=str(path), variant="reversi")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(InputError, match="damaged"):
        batch.estimate(stacked, evaluation=str(path))
