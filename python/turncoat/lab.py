"""Training on this machine: resumable runs in folders, like those of `turncoat train`.

A run can also have its games played elsewhere; `turncoat.cluster` does that with Ray.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ._engine import (
    Batch,
    GeneticRun,
    SelfplayRun,
    Tournament,
    play_selfplay,
    play_tournament,
)

__all__ = [
    "Batch",
    "GeneticRun",
    "SelfplayRun",
    "Tournament",
    "evolve",
    "play_selfplay",
    "play_tournament",
]


def evolve(experiment: str | Path, folder: str | Path, *, threads: int = 1) -> dict[str, Any]:
    """Runs an experiment of the genetic lab to its end and returns the standings, champion first.

    The champion's parameters are in the folder's `champion.toml`, for the player option `weights=`.
    """
    run = GeneticRun.create(experiment, folder)
    while True:
        step = run.step(threads=threads)
        if "standings" in step:
            return step
