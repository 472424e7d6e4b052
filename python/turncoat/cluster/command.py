"""`turncoat-ray`: the lab on a cluster, from the command line.

Results go to standard output, progress to standard error. The exit status is 0 on success, 1 on failure, 2 on misuse.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from .._engine import GeneticRun, Roster, SelfplayRun, Tournament
from ..errors import InputError, TurncoatError
from . import arguments, view

Run = GeneticRun | SelfplayRun | Tournament


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
    folder = _folder(options)
    if options.what == "genetic":
        if options.resume:
            return GeneticRun.resume(folder, roster=_roster(options))
        GeneticRun.check(options.file, folder, seed=options.seed, roster=_roster(options))
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
        return GeneticRun.create(options.file, folder, seed=options.seed, roster=roster)
    return SelfplayRun.create(options.file, _folder(options))


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


def _fail(error: object, options: argparse.Namespace, status: int) -> int:
    print(f"error: {error}", file=sys.stderr)
    # A run that existed before can be resumed, too.
    if options.begun or (status == 1 and options.what != "tournament" and options.resume):
        print(_resume(options), file=sys.stderr)
    return status


def _resume(options: argparse.Namespace) -> str:
    """How to resume."""
    if options.what != "tournament":
        folder = shlex.quote(str(_folder(options)))
        return f"to resume: turncoat-ray {options.what} --resume {folder}"
    if options.store:
        return "to resume, repeat the command with --resume"
    return "the games are lost: there was no --store"


if __name__ == "__main__":
    sys.exit(main())
