"""`turncoat-ray`: the lab on a cluster, from the command line.

Results go to standard output, progress to standard error. The exit status is 0 when all is done, 1 when something
failed, 2 when what was asked for makes no sense.
"""

from __future__ import annotations

import argparse
import shlex
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

from .._engine import GeneticRun, SelfplayRun, Tournament
from ..errors import InputError, TurncoatError
from . import arguments, view

Run = GeneticRun | SelfplayRun | Tournament


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command and answers with its exit status."""
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
        # Ray makes an exit of the signal that asks to end.
        return _fail("interrupted", options, 1)
    except Exception as error:
        traceback.print_exc()
        return _fail(f"this should not be: {error}", options, 1)


def _run(options: argparse.Namespace, stream: TextIO) -> int:
    # What is wrong with the run is told before a cluster is asked for, and nothing is written before there is one.
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
        # While its last words still go where they belong.
        ray.shutdown()
    return 0


def _folder(options: argparse.Namespace) -> Path:
    """The folder of a run."""
    folder: Path = options.resume or options.out or Path("runs") / Path(options.file).stem
    return folder


def _open(options: argparse.Namespace) -> Run | None:
    """The run to go on with; `None` if there is to be a new one, which makes sense."""
    if options.what == "tournament":
        new = options.store is not None and not options.resume and not options.store.exists()
        run = _tournament(options, None if new else options.store)
        return None if new else run
    folder = _folder(options)
    if options.what == "genetic":
        if options.resume:
            return GeneticRun.resume(folder)
        GeneticRun.check(options.file, folder, seed=options.seed)
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
        return GeneticRun.create(options.file, _folder(options), seed=options.seed)
    return SelfplayRun.create(options.file, _folder(options))


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
        format=chosen[0] if chosen else "round-robin",
        store=store,
        resume=options.resume,
    )


def _fail(error: object, options: argparse.Namespace, status: int) -> int:
    print(f"error: {error}", file=sys.stderr)
    # A run that was there before can be gone on with, too.
    if options.begun or (status == 1 and options.what != "tournament" and options.resume):
        print(_resume(options), file=sys.stderr)
    return status


def _resume(options: argparse.Namespace) -> str:
    """How to go on."""
    if options.what != "tournament":
        folder = shlex.quote(str(_folder(options)))
        return f"to go on: turncoat-ray {options.what} --resume {folder}"
    if options.store:
        return "to go on, give the same command with --resume"
    return "the games are lost, since there was no --store"


if __name__ == "__main__":
    sys.exit(main())
