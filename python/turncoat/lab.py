"""Training on this machine: runs in folders that can be killed and gone on with, as `turncoat train` has them.

A run may also have its games played elsewhere; `turncoat.cluster` does that with Ray.
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
    """Runs an experiment of the genetic lab to its end: the standings, champion first.

    The champion's parameters are in `champion.toml` of the folder, for players with `weights=`.
    """
    run = GeneticRun.create(experiment, folder)
    while True:
        step = run.step(threads=threads)
        if "standings" in step:
            return step
