"""Training on this machine: resumable runs in folders, like those of `turncoat train`, and games as an objective.

A run can also have its games played elsewhere; `turncoat.cluster` does that with Ray.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ._engine import (
    Batch,
    BookRun,
    GeneticRun,
    LadderRun,
    LoopGames,
    LoopRun,
    Objective,
    Replicates,
    Roster,
    SelfplayRun,
    Sweep,
    Tournament,
    play_loop,
    play_pair,
    play_selfplay,
    play_tournament,
    positions_of,
    rate,
    search_book,
)
from .errors import InputError

__all__ = [
    "Batch",
    "BookRun",
    "GeneticRun",
    "LadderRun",
    "LoopGames",
    "LoopRun",
    "Objective",
    "Positions",
    "Replicates",
    "SelfplayRun",
    "Sweep",
    "Tournament",
    "evolve",
    "play",
    "play_loop",
    "play_pair",
    "play_selfplay",
    "play_tournament",
    "rate",
    "read_positions",
    "search_book",
]


# Games of a tournament that a thread plays before they are stored.
_AT_ONCE = 8


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


def play(
    run: Tournament,
    *,
    threads: int = 1,
    told: Callable[[Tournament], object] | None = None,
) -> dict[str, Any]:
    """Plays the missing games of a match or tournament and returns its summary, as in `turncoat tournament --json`.

    After every few games `told` gets the tournament. Ctrl-C stops it; with a store, a new `Tournament` resumes.

    >>> play(Tournament(["greedy", "random"], games=10, format="match"))["games"]
    10
    """
    threads = max(1, threads)
    while not run.complete:
        # All games, or the next round of a ladder.
        numbers = run.missing()
        for first in range(0, len(numbers), _AT_ONCE * threads):
            some = run.fixtures(numbers[first : first + _AT_ONCE * threads])
            plan, roster = run.description(), run.roster
            run.keep(play_tournament(plan, some, roster=roster, threads=threads))
            if told is not None:
                told(run)
    return run.summary()


class Positions(NamedTuple):
    """Positions of self-play games with their labels, one a row."""

    variant: str
    boards: npt.NDArray[np.uint64]
    """As in `turncoat.batch`: the mover's discs and the opponent's."""
    results: npt.NDArray[np.int8]
    """The final score of the game for the mover, in discs."""
    scores: npt.NDArray[np.int8]
    """What the mover thought of the position, in discs; the true score where play was perfect."""
    plies: npt.NDArray[np.uint8]
    """The number of the move that was made, passes not counted."""
    games: npt.NDArray[np.uint32]
    """The number of the game among those read."""


def read_positions(*paths: str | Path, random: bool = False, threads: int = 1) -> Positions:
    """The positions of self-play runs: of folders of `turncoat train selfplay`, or of single files of theirs.

    Positions before moves that nobody chose are left out unless `random` is given. A folder that does not fit into memory
    is read file by file: `for file in sorted(folder.glob("*.games")): positions = read_positions(file)`.
    """
    files: list[Path] = []
    for path in map(Path, paths):
        found = sorted(path.glob("*.games")) if path.is_dir() else [path]
        if not found:
            raise InputError(f"{path}: this folder has no games of self-play")
        files += found
    variant, columns = positions_of(files, random=random, threads=threads)
    return Positions(variant, *columns)
