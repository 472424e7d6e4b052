"""Training on this machine: resumable runs in folders, like those of `turncoat train`, and games as an objective.

A run can also have its games played elsewhere; `turncoat.cluster` does that with Ray.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ._engine import (
    Batch,
    GeneticRun,
    Objective,
    Roster,
    SelfplayRun,
    Tournament,
    play_selfplay,
    play_tournament,
)

__all__ = [
    "Batch",
    "GeneticRun",
    "Objective",
    "SelfplayRun",
    "Tournament",
    "evolve",
    "play_selfplay",
    "play_tournament",
]


def evolve(
    experiment: str | Path,
    folder: str | Path,
    *,
    threads: int = 1,
    told: Callable[[dict[str, Any]], object] | None = None,
    roster: Roster | None = None,
    resume: bool = False,
) -> dict[str, Any]:
    """Runs an experiment of the genetic lab to its end and returns the standings, champion first.

    The champion's parameters are in the folder's `champion.toml`, for the player option `weights=`. After each generation
    `told` gets its record. If it raises, the run stops there; with `resume` a run of the folder is continued.
    """
    if resume and Path(folder).exists():
        run = GeneticRun.resume(folder, roster=roster)
    else:
        run = GeneticRun.create(experiment, folder, roster=roster)
    while True:
        step = run.step(threads=threads)
        if "standings" in step:
            return step
        if told is not None:
            told(step)
