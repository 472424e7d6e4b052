"""`turncoat-ray`: the lab on a cluster, from the command line.

Results go to standard output, progress to standard error. The exit status is 0 on success, 1 on failure, 2 on misuse.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TextIO

from .._engine import (
    BookRun,
    GeneticRun,
    LadderRun,
    LoopRun,
    Replicates,
    Roster,
    SelfplayRun,
    Sweep,
    Tournament,
    rate,
)
from ..errors import InputError, TurncoatError
from . import arguments, view

Run = BookRun | GeneticRun | LadderRun | LoopRun | Replicates | SelfplayRun | Sweep | Tournament | Path


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit status."""
    options = arguments.parse(words)
    options.begun = False
    try:
        with view.results(quiet=options.quiet) as stream:
            return _run(options, stream)
    except InputError as error:
        return _fail(error, options, 1 if options.begun else 2)
    except (TurncoatError, OSError) as error:
        return _fail(error, options, 1)
    except (KeyboardInterrupt, SystemExit):
        # Ray turns SIGTERM into an exit.
        return _fail("interrupted", options, 1)
    except Exception as error:
        traceback.print_exc()
        return _fail(f"internal error: {error}", options, 1)


def _run(options: argparse.Namespace, stream: TextIO) -> int:
    # Faults of the run are reported before connecting, and nothing is written before there is a cluster.
    run = _open(options)
    try:
        from . import Pool, connect
    except ModuleNotFoundError as error:
        raise TurncoatError(error) from None
    import ray

    from . import runs

    try:
        connect(options.address, options.cpus, quiet=options.quiet)
        run = run or _create(options)
        options.begun = True
        seen = view.View(options, run, stream)
        pool = Pool(seconds=options.chunk_seconds, retries=options.retries, progress=seen.games)
        if isinstance(run, GeneticRun):
            seen.genetic(run, runs.genetic(run, pool, seen.generation))
        elif isinstance(run, SelfplayRun):
            seen.selfplay(run, runs.selfplay(run, pool))
        elif isinstance(run, Replicates):
            seen.several(run, [runs.replicate(run, pool, seen.generation)])
        elif isinstance(run, Sweep):
            seen.several(run, runs.sweep(run, pool, seen.generation))
        elif isinstance(run, BookRun):
            seen.book(runs.book(run, pool))
        elif isinstance(run, LadderRun):
            runs.ladder(run, pool, seen.event, _roster(options))
            seen.ladder()
        elif isinstance(run, Path):
            seen.rated(run, _rate(options, runs.evaluate_on(pool, _roster(options))))
        elif isinstance(run, LoopRun):
            threads = options.cpus or os.cpu_count() or 1
            seen.loop(run, runs.training_loop(run, pool, seen.round, threads=threads))
        else:
            seen.tournament(runs.tournament(run, pool))
        seen.end(pool.chunks, pool.lost)
    except ray.exceptions.RayError as error:
        raise TurncoatError(f"the cluster failed: {str(error).strip().splitlines()[-1]}") from None
    finally:
        # While standard output is still redirected.
        ray.shutdown()
    return 0


def _folder(options: argparse.Namespace) -> Path:
    """The run's folder."""
    folder: Path = options.resume or options.out or Path("runs") / Path(options.file).stem
    return folder


def _open(options: argparse.Namespace) -> Run | None:
    """The run to resume; `None` for a new one, whose arguments are checked."""
    if options.what == "tournament":
        new = options.store is not None and not options.resume and not options.store.exists()
        run = _tournament(options, None if new else options.store)
        return None if new else run
    if options.what == "rate":
        run_folder: Path = options.run
        return run_folder
    if options.what == "ladder":
        return _ladder(options)
    if options.what == "book":
        return _book(options)
    folder = _folder(options)
    if options.what == "genetic":
        settings = _settings(options)
        if options.resume:
            return GeneticRun.resume(folder, settings=settings, roster=_roster(options))
        GeneticRun.check(options.file, folder, settings=settings, seed=options.seed, roster=_roster(options))
    elif options.what in ("replicate", "sweep"):
        several = Replicates if options.what == "replicate" else Sweep
        if options.resume:
            return several.resume(folder, roster=_roster(options))
        settings = options.set if options.what == "replicate" else []
        GeneticRun.check(options.file, folder, settings=settings, roster=_roster(options))
    elif options.what == "loop":
        if options.resume:
            return LoopRun.resume(folder, rounds=options.rounds, minutes=options.minutes)
        LoopRun.check(folder, **_loop(options))
    else:
        if options.resume:
            return SelfplayRun.resume(folder)
        SelfplayRun.check(options.file, folder)
    return None


def _create(options: argparse.Namespace) -> Run:
    """A new run."""
    if options.what == "tournament":
        return _tournament(options, options.store)
    if options.what == "genetic":
        folder, roster = _folder(options), _roster(options)
        settings = _settings(options)
        return GeneticRun.create(options.file, folder, settings=settings, seed=options.seed, roster=roster)
    if options.what == "replicate":
        folder, roster = _folder(options), _roster(options)
        return Replicates.create(options.file, folder, options.seeds, settings=options.set, roster=roster)
    if options.what == "sweep":
        folder, roster = _folder(options), _roster(options)
        return Sweep.create(options.file, folder, options.set, seeds=options.seeds, roster=roster)
    if options.what == "loop":
        return LoopRun.create(_folder(options), **_loop(options))
    return SelfplayRun.create(options.file, _folder(options))


def _settings(options: argparse.Namespace) -> list[str]:
    """The settings of an experiment that are changed."""
    generations = [f"generations={options.generations}"] if options.generations else []
    return [*options.set, *generations]


def _rate(options: argparse.Namespace, evaluate: Any) -> list[dict[str, Any]]:
    names = ("games", "plies", "seed", "generations", "name")
    told = {name: getattr(options, name) for name in names}
    who = options.among or str(options.rank)
    return rate(options.run, options.against, evaluate, who=who, roster=_roster(options), **told)


def _loop(options: argparse.Namespace) -> dict[str, Any]:
    """What is told of a new loop."""
    names = ("minutes", "games", "rounds", "quick", "variant", "seed", "depth")
    told = {name: getattr(options, name) for name in names}
    return {name: value for name, value in told.items() if value is not None}


def _roster(options: argparse.Namespace) -> Roster:
    """Who can play."""
    return Roster(trust=options.trust, memory=options.memory)


def _tournament(options: argparse.Namespace, store: Path | None) -> Tournament:
    formats = {"gauntlet": options.gauntlet, "ladder": options.ladder}
    chosen = [name for name, wanted in formats.items() if wanted]
    return Tournament(
        options.players,
        games=options.games,
        openings=options.openings,
        variant=options.variant,
        size=options.size,
        seed=options.seed,
        depth=options.depth,
        time=options.time,
        format=chosen[0] if chosen else "round-robin",
        store=store,
        resume=options.resume,
        roster=_roster(options),
    )


def _ladder(options: argparse.Namespace) -> LadderRun:
    return LadderRun(
        options.folder,
        store=options.store,
        time=options.time,
        games=options.games,
        variant=options.variant,
        size=options.size,
        seed=options.seed,
        yardsticks=options.yardstick,
        roster=_roster(options),
    )


def _book(options: argparse.Namespace) -> BookRun:
    names = ("variant", "size", "plies", "line_plies", "depth", "margin", "balanced", "choices", "rival", "positions")
    more = ("nodes", "eval", "selectivity", "hash", "rescore", "exact", "answers")
    told = {name: getattr(options, name) for name in (*names, *more)}
    return BookRun(options.file, **told)


def _fail(error: object, options: argparse.Namespace, status: int) -> int:
    print(f"error: {error}", file=sys.stderr)
    # A run that existed before can be resumed, too.
    if options.begun or (status == 1 and options.what not in ("tournament", "rate", "ladder", "book") and options.resume):
        print(_resume(options), file=sys.stderr)
    return status


def _resume(options: argparse.Namespace) -> str:
    """How to resume."""
    if options.what in ("book", "rate", "ladder"):
        return "the same command continues"
    if options.what != "tournament":
        folder = shlex.quote(str(_folder(options)))
        return f"to resume: turncoat-ray {options.what} --resume {folder}"
    if options.store:
        return "to resume, repeat the command with --resume"
    return "the games are lost: there was no --store"


if __name__ == "__main__":
    sys.exit(main())
