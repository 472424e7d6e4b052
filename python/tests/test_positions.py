"""Self-play games as arrays, against boards played move by move."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import numpy as np
import pytest
from turncoat import InputError
from turncoat.lab import play_selfplay, read_positions

ROOT = Path(os.environ["TURNCOAT_ROOT"])
GAMES = ROOT / "crates/train/tests/fixtures/selfplay"
sys.path.insert(0, str(ROOT / "experiments" / "network"))

import positions  # noqa: E402

PLAN = """{"variant": "VARIANT", "evaluation": "hand", "games": 3, "seed": 5, "depth": 1, "solve": 4, "shard": 16,
    "enumerate_every": 3, "enumerated_plies": 2, "random": [{"plies": [6, 20], "share": 1.0}]}"""


def test_positions_are_those_of_the_games() -> None:
    found = read_positions(GAMES, threads=2)
    games = positions.read_games([GAMES])
    expected = positions.replay(games, np.zeros(1))
    # The same positions in another order: there by the number of the move.
    order = np.lexsort((found.games, found.plies))
    assert found.variant == games.variant and len(found.boards) == len(expected.mover)
    assert (found.boards[order].T == [expected.mover.view(np.uint64), expected.other.view(np.uint64)]).all()
    assert (found.results[order] == expected.result).all()
    assert (found.scores[order] == expected.score).all()
    assert (found.games[order] == expected.game).all()
    whole = read_positions(GAMES, random=True)
    assert len(whole.boards) == games.length.sum()
    for column in found[1:]:
        assert isinstance(column, np.ndarray) and column.flags.c_contiguous


def test_files_and_folders(tmp_path: Path) -> None:
    for name in ("reversed", "reversi"):
        (tmp_path / f"{name}.games").write_bytes(play_selfplay(PLAN.replace("VARIANT", name), 0, 3))
    one = read_positions(tmp_path / "reversi.games")
    assert one.variant == "reversi" and one.games.max() == 2
    twice = read_positions(tmp_path / "reversi.games", tmp_path / "reversi.games")
    assert twice.games.max() == 5 and len(twice.boards) == 2 * len(one.boards)
    with pytest.raises(InputError, match=r"reversi\.games: the games are of"):
        read_positions(tmp_path)
    with pytest.raises(FileNotFoundError):
        read_positions(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty: this folder has no games"):
        read_positions(tmp_path / "empty")
    (tmp_path / "reversi.games").write_bytes((tmp_path / "reversi.games").read_bytes()[:-1])
    with pytest.raises(InputError, match=r"reversi\.games: the file is damaged"):
        read_positions(tmp_path / "reversi.games")
    assert len(read_positions().boards) == 0
