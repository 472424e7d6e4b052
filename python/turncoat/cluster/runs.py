"""The driver's side of all kinds of runs; only it writes folders and stores."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import ray

from .. import __version__
from .._engine import (
    Batch,
    BookRun,
    GeneticRun,
    LadderRun,
    LoopGames,
    LoopRun,
    Replicates,
    Roster,
    SelfplayRun,
    Sweep,
    Tournament,
)
from .pool import Pool, count_cores
from .tasks import (
    ProgramFiles,
    book_chunk,
    genetic_chunk,
    loop_chunk,
    pack,
    pair_chunk,
    selfplay_chunk,
    shared,
    tournament_chunk,
)

# Placeholder for the path of the evaluation's file in a plan sent to workers.
_PLACE = "\ufffc0"
# Seconds between two saves of a book that grows.
_BETWEEN_SAVES = 20.0


class Told(Protocol):
    """A callback for the record of each generation or round."""

    def __call__(self, record: dict[str, Any], /) -> None: ...


def evaluate_on(
    pool: Pool, roster: Roster | None = None
) -> Callable[[Batch], npt.NDArray[np.int8]]:
    """A function that plays batches on the cluster, for `GeneticRun.step` and `Objective`."""

    def evaluate(batch: Batch) -> npt.NDArray[np.int8]:
        work = ray.put(shared(batch.dump(), roster=roster))
        margins = np.zeros(len(batch), dtype=np.int8)

        def submit(first: int, end: int) -> Any:
            return genetic_chunk.remote(work, first, end)

        for first, end, played in pool.spread(len(batch), submit):
            margins[first:end] = np.frombuffer(played, dtype=np.int8)
        return margins

    return evaluate


def genetic(run: GeneticRun, pool: Pool, told: Told = lambda record: None) -> dict[str, Any]:
    """Runs an experiment to its end and returns the final standings, champion first."""
    evaluate = evaluate_on(pool, run.roster)
    while True:
        step = run.step(evaluate)
        if "standings" in step:
            return step
        told(step)


def replicate(
    runs: Replicates, pool: Pool, told: Told = lambda record: None
) -> dict[str, Any]:
    """Runs an experiment with each of several seeds, and returns means and standard errors."""
    for seed in runs.seeds:
        genetic(runs.run(seed), pool, told)
    return runs.summarize()


def sweep(runs: Sweep, pool: Pool, told: Told = lambda record: None) -> list[dict[str, Any]]:
    """Runs an experiment with each combination of settings, and returns means and standard errors of each."""
    for index in range(len(runs.points)):
        replicate(runs.replicates(index), pool, told)
    return runs.summarize()


def selfplay(run: SelfplayRun, pool: Pool) -> int:
    """Plays the missing games and returns their number."""
    missing = run.missing()
    # Built-in evaluations have neither slashes nor dots in their names.
    files = [Path(run.evaluation)] if {"/", "."} & set(run.evaluation) else []
    work = ray.put(shared(run.plan(_PLACE if files else None).encode(), files))
    # The shards end to end, as one sequence of games.
    borders: list[int] = []
    for _, first, end in missing:
        borders.append((borders[-1] if borders else 0) + end - first)
    chunks: list[dict[int, bytes]] = [{} for _ in missing]
    left = [end - first for _, first, end in missing]

    def place(position: int) -> tuple[int, int]:
        """The shard at a position of the sequence, and the number of its game."""
        index = next(i for i, border in enumerate(borders) if position < border)
        begin = borders[index - 1] if index else 0
        return index, missing[index][1] + position - begin

    def submit(first: int, end: int) -> Any:
        _, game = place(first)
        return selfplay_chunk.remote(work, game, game + end - first)

    count = borders[-1] if borders else 0
    for first, end, games in pool.spread(count, submit, borders):
        index, _ = place(first)
        chunks[index][first] = games
        left[index] -= end - first
        if left[index] == 0:
            run.keep(missing[index][0], [chunk for _, chunk in sorted(chunks[index].items())])
            chunks[index].clear()
    return count


def book(run: BookRun, pool: Pool) -> dict[str, Any]:
    """Grows a book to its end or its limits and returns what it has become: the file is that of `turncoat book grow`."""
    files = [Path(run.evaluation)] if {"/", "."} & set(run.evaluation) else []
    work = ray.put(shared(run.description(_PLACE if files else None).encode(), files))
    saved = time.monotonic()
    try:
        while tasks := run.batch():

            def submit(first: int, end: int, tasks: list[tuple[int, int, int]] = tasks) -> Any:
                return book_chunk.remote(work, tasks[first:end])

            for first, end, found in pool.spread(len(tasks), submit):
                run.keep(tasks[first:end], found)
                if time.monotonic() - saved >= _BETWEEN_SAVES:
                    run.save()
                    saved = time.monotonic()
    finally:
        # What was found is kept, whatever has happened.
        run.save()
    return run.summary()


def training_loop(
    run: LoopRun, pool: Pool, told: Told = lambda record: None, *, threads: int = 1
) -> dict[str, Any]:
    """Runs a training loop to its end and returns where its weights and its report are.

    The cluster plays the games; weights are fitted by threads of this machine.
    """

    def play(games: LoopGames, first: int, end: int) -> list[bytes]:
        work = ray.put(shared(games.dump().encode(), [Path(file) for file in games.files]))

        def submit(begin: int, until: int) -> Any:
            return loop_chunk.remote(work, first + begin, first + until)

        chunks = {begin: played for begin, _, played in pool.spread(end - first, submit)}
        return [chunk for _, chunk in sorted(chunks.items())]

    while True:
        step = run.step(play, cores=count_cores(), threads=threads)
        if "complete" in step:
            return step
        told(step)


def tournament(run: Tournament, pool: Pool) -> dict[str, Any]:
    """Plays the missing games and returns the summary, as in `turncoat tournament --json`."""
    path = Path(run.openings)
    files = [path] if path.is_file() else []
    work = ray.put(shared(run.description().encode(), files, run.roster, run.programs()))
    while not run.complete:
        # All games, or the next round of a ladder.
        numbers = run.missing()

        def submit(first: int, end: int, numbers: list[int] = numbers) -> Any:
            return tournament_chunk.remote(work, run.fixtures(numbers[first:end]))

        for _, _, games in pool.spread(len(numbers), submit):
            run.keep(games)
    return run.summary()


def ladder(run: LadderRun, pool: Pool, told: Told = lambda event: None, roster: Roster | None = None) -> None:
    """Runs a ladder until every program has its games, or it is interrupted; `told` gets everything that happens.

    Programs are tested on this machine. They travel to the others once, by their contents.
    """
    who = ray.put(roster or Roster())
    sent: dict[tuple[str, str], Any] = {}
    lock = threading.Lock()

    def travel(program: ProgramFiles | None) -> Any:
        if program is None:
            return None
        # The folder of a version is named by its contents.
        name = (program[0], str(program[1]))
        with lock:
            if name not in sent:
                sent[name] = ray.put(pack(program))
            return sent[name]

    def play(order: str, programs: list[ProgramFiles | None], stopped: Callable[[], bool]) -> str:
        first, second = map(travel, programs)
        played = pool.once(lambda: pair_chunk.remote(__version__, order, first, second, who), stopped)
        return "[]" if played is None else str(played)

    run.run(play, count_cores, told)
