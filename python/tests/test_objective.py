"""Games as an objective: the same games for all, and other people's optimisers as documented."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from turncoat import Evaluator, InputError, Player, batch
from turncoat.lab import Batch, GeneticRun, Objective, evolve

ROOT = Path(os.environ["TURNCOAT_ROOT"])
FRONTIER = {"parameters": ["frontier"], "games": 10}


def test_all_vectors_play_the_same_games() -> None:
    objective = Objective("gene45:depth=1", ["greedy", "random"], games=10)
    assert len(objective) == len(objective.names) == len(objective.start) > 40
    scores = objective([objective.start] * 3 + [-objective.start], threads=2)
    assert scores.shape == (4,) and scores[0] == scores[1] == scores[2] > scores[3]
    # The company does not matter, nor do threads.
    assert objective([objective.start])[0] == scores[0]
    assert objective([objective.start], seed=2)[0] != scores[0]
    points = Objective("gene45:depth=1", ["greedy", "random"], games=10, score="points")
    assert 0 <= points([points.start])[0] <= 1


def test_the_games_are_those_of_the_players() -> None:
    """A vector's margins are those of a batch with its parameter file."""
    objective = Objective("gene45:depth=1", ["greedy"], **FRONTIER)  # type: ignore[arg-type]
    games = objective.batch([[3, 4]], seed=5)
    assert len(games) == 10
    margins = Batch.load(games.dump()).play(0, 10)
    signs = np.tile([1, -1], 5)
    assert objective.scores(games, margins)[0] == (margins * signs).mean()
    assert objective([[3, 4]], seed=5, evaluate=lambda games: games.play(0, len(games)))[0] == (margins * signs).mean()


def test_a_parameter_file_plays(tmp_path: Path) -> None:
    objective = Objective("gene45:depth=1", ["greedy"], **FRONTIER)  # type: ignore[arg-type]
    path = tmp_path / "mine.toml"
    path.write_text(objective.parameters([7, 8]))
    again = Objective(f"gene45:depth=1,weights={path}", ["greedy"], **FRONTIER)  # type: ignore[arg-type]
    assert again.start.tolist() == [7, 8]
    assert again([[7, 8]])[0] == objective([[7, 8]])[0]
    assert Player(f"gene45:weights={path}").spec


def test_evaluators_are_opponents() -> None:
    class Moves(Evaluator):
        depth = 1

        def evaluate(self, boards: Any) -> Any:
            return batch.legal_mask(boards).sum(axis=1)

    objective = Objective("gene45:depth=1", [Moves()], games=4)
    assert np.isfinite(objective([objective.start], threads=2)).all()


def test_what_is_wrong_is_told() -> None:
    objective = Objective("gene45:depth=1", ["greedy"], **FRONTIER)  # type: ignore[arg-type]
    for vectors, fault in [
        ([1, 2], r"shape \(n, 2\), not \(2,\)"),
        ([[1, 2, 3]], r"shape \(n, 2\), not \(1, 3\)"),
        ([[1, 2], [3, float("nan")]], "vector 1: frontier, stage 2 is NaN"),
    ]:
        with pytest.raises(InputError, match=fault):
            objective(vectors)
    with pytest.raises(InputError, match="one vector is written at a time, not 2"):
        objective.parameters([[1, 2], [3, 4]])
    assert objective(np.zeros((0, 2))).shape == (0,)
    for words, options, fault in [
        (("gene45", []), {}, "needs opponents"),
        (("gene45", ["nobody"]), {}, "no player is called"),
        (("greedy", ["random"]), {}, "has no parameters"),
        (("gene45", ["random"]), {"games": 3}, "even number"),
        (("gene45", ["random"]), {"plies": 60}, "at most 56 random plies"),
        (("gene45", ["random"]), {"score": "fame"}, "margin.*or.*points"),
        (("gene45", ["random"]), {"parameters": ["fame"]}, 'no parameter is called "fame": there are'),
        (("gene45", ["random"]), {"parameters": ["discs", "discs"]}, "given twice"),
    ]:
        with pytest.raises(InputError, match=fault):
            Objective(*words, **options)  # type: ignore[arg-type]


def documented() -> dict[str, str]:
    """The scripts of the documentation by their names."""
    text = (ROOT / "docs" / "python.md").read_text()
    return dict(re.findall(r"^```python (\S+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL))


@pytest.mark.parametrize("name", ["mobility.py", "with_cmaes.py", "with_optuna.py"])
def test_documented_scripts(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(documented()[name])
    done = subprocess.run([sys.executable, name], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout or not name.startswith("with")
    written = tmp_path / "evolved.toml"
    assert not written.exists() or Player(f"linear:weights={written}").spec
    gain = re.search(r"([+-][\d.]+) discs a game before, ([+-][\d.]+) after", done.stdout)
    assert gain is None or float(gain[2]) > float(gain[1]) + 10
    assert gain is not None or name != "with_cmaes.py"


EXPERIMENT = """
title = "Three generations"
player = "gene45:depth=1"
seed = 1
generations = 3
[genome]
kind = "real"
groups = ["board"]
start = [-9, 9]
[algorithm]
kind = "real"
population = 4
elite = 1
tournament = 2
[fitness]
score = "margin"
openings = 2
"""


def test_a_run_tells_of_each_generation_and_goes_on_where_it_was_stopped(tmp_path: Path) -> None:
    (tmp_path / "short.toml").write_text(EXPERIMENT)
    told: list[int] = []

    def stop(record: dict[str, Any]) -> None:
        told.append(record["generation"])
        if len(told) == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evolve(tmp_path / "short.toml", tmp_path / "run", told=stop)
    with pytest.raises(InputError, match="it has a run"):
        evolve(tmp_path / "short.toml", tmp_path / "run")
    done = evolve(tmp_path / "short.toml", tmp_path / "run", told=stop, resume=True)
    assert told == [1, 2, 3] and done["complete"]
    assert len(GeneticRun.resume(tmp_path / "run").log()) == 3
