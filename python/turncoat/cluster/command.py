"""`turncoat-ray`: the lab on a cluster, from the command line.

Results go to standard output, progress to standard error. The exit status is 0 when all is done, 1 when something
failed, 2 when what was asked for makes no sense.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .. import __version__
from .._engine import GeneticRun, SelfplayRun, Tournament
from ..errors import InputError, TurncoatError

# Between two lines of progress.
_BETWEEN = 10.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command and answers with its exit status."""
    options = _parser().parse_args(arguments)
    options.out_stream = sys.stdout
    try:
        # Ray has messages of its own, which belong to the progress.
        with contextlib.redirect_stdout(sys.stderr):
            return _run(options)
    except InputError as error:
        return _fail(error, 2)
    except (TurncoatError, OSError) as error:
        return _fail(error, 1)
    except KeyboardInterrupt:
        return _fail(f"interrupted; {_resume(options)}", 1)


def _run(options: argparse.Namespace) -> int:
    # What is wrong with the run is told before a cluster is asked for.
    run = _open(options)
    try:
        from . import Pool, connect, runs
    except ImportError:
        raise TurncoatError("Ray is not installed: pip install turncoat[cluster]") from None
    try:
        connect(options.address, options.cpus)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise TurncoatError(f"no cluster: {error}") from None
    view = _View(options, run)
    pool = Pool(seconds=options.chunk_seconds, retries=options.retries, progress=view.games)
    if isinstance(run, GeneticRun):
        result = runs.genetic(run, pool, view.generation)
        _print_genetic(run, result, options)
    elif isinstance(run, SelfplayRun):
        played = runs.selfplay(run, pool)
        summary = {"summary": True, "games": run.games, "played": played, "seconds": view.seconds}
        _print(summary, f"{played} games in {run.folder}", options)
    else:
        _print_table(runs.tournament(run, pool), options)
    view.end(pool.chunks, pool.lost)
    return 0


def _open(options: argparse.Namespace) -> GeneticRun | SelfplayRun | Tournament:
    if options.what == "tournament":
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
            store=options.store,
            resume=options.resume,
        )
    kind: type[GeneticRun] | type[SelfplayRun]
    kind = GeneticRun if options.what == "genetic" else SelfplayRun
    if options.resume:
        return kind.resume(options.resume)
    if options.file is None:
        raise InputError("a file or --resume DIR is needed")
    folder = options.out or Path("runs") / Path(options.file).stem
    if options.what == "genetic":
        return GeneticRun.create(options.file, folder, seed=options.seed)
    return SelfplayRun.create(options.file, folder)


class _View:
    """What is seen of a run on standard error."""

    def __init__(self, options: argparse.Namespace, run: GeneticRun | SelfplayRun | Tournament):
        self.options = options
        self.run = run
        self.played = 0
        self.began = time.monotonic()
        self.last = self.began
        self.tell(f"{run!r}" if not isinstance(run, GeneticRun) else f"{run.title}: {run!r}")

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.began

    def tell(self, text: str) -> None:
        if not self.options.quiet:
            print(text, file=sys.stderr, flush=True)

    def games(self, count: int) -> None:
        self.played += count
        if time.monotonic() - self.last >= _BETWEEN:
            self.last = time.monotonic()
            place = ""
            if isinstance(self.run, GeneticRun):
                place = f"{self.run.done} of {self.run.generations} generations, "
            self.tell(f"{place}{self.played} games, {self.played / self.seconds:.0f} games/s")

    def generation(self, record: dict[str, Any]) -> None:
        if self.options.json:
            _line(json.dumps(record), self.options)

    def end(self, chunks: int, lost: int) -> None:
        again = f", {lost} played again" if lost else ""
        self.tell(f"{self.played} games in {chunks} chunks{again}, {self.seconds:.1f} s")


def _print(summary: dict[str, Any], text: str, options: argparse.Namespace) -> None:
    _line(json.dumps(summary) if options.json else text, options)


def _line(text: str, options: argparse.Namespace) -> None:
    """A line of results."""
    print(text, file=options.out_stream, flush=True)


def _print_genetic(run: GeneticRun, result: dict[str, Any], options: argparse.Namespace) -> None:
    champion = result["standings"][0]
    weights = Path(run.folder) / "champion.toml"
    summary = {
        "summary": True,
        "generations": run.done,
        "champion": champion,
        "weights": str(weights),
        "report": str(Path(run.folder) / "report.html"),
    }
    text = (
        f"champion: individual {champion['id']} of generation {champion['generation']}, "
        f"{champion['points']} points\nweights:  {weights}"
    )
    _print(summary, text, options)


def _print_table(summary: dict[str, Any], options: argparse.Namespace) -> None:
    if options.json:
        _line(json.dumps(summary), options)
        return
    for row in summary["table"]:
        cells = [f"{key} {value}" for key, value in row.items() if not isinstance(value, list)]
        _line(", ".join(cells), options)


def _fail(error: object, status: int) -> int:
    print(f"error: {error}", file=sys.stderr)
    return status


def _resume(options: argparse.Namespace) -> str:
    """How to go on."""
    if options.what == "tournament":
        if options.store:
            return "to go on, give the same command with --resume"
        return "the games are lost, since there was no --store"
    folder = options.resume or options.out or Path("runs") / Path(options.file).stem
    return f"to go on: turncoat-ray {options.what} --resume {folder}"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="turncoat-ray", description="The lab on a Ray cluster, or on all cores of this machine."
    )
    parser.add_argument("--version", action="version", version=__version__)
    kinds = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    for what, about in (
        ("genetic", "evolve parameters: an experiment file, as `turncoat train genetic`"),
        ("selfplay", "play games to learn from: a file of settings, as `turncoat train selfplay`"),
    ):
        kind = kinds.add_parser(what, help=about, description=about)
        kind.add_argument("file", nargs="?", metavar="FILE")
        kind.add_argument("--out", metavar="DIR", type=Path, help="the run's folder (runs/NAME)")
        kind.add_argument("--resume", metavar="DIR", type=Path, help="go on with this run")
        if what == "genetic":
            kind.add_argument("--seed", type=int, help="for experiments that have none")
        _common(kind)
    about = "matches of built-in players, as `turncoat tournament`"
    kind = kinds.add_parser("tournament", help=about, description=about)
    kind.add_argument("players", nargs="+", metavar="PLAYER")
    kind.add_argument("--games", type=int, default=100, help="games of each two players (100)")
    kind.add_argument("--openings", metavar="FILE|random:PLIES")
    kind.add_argument("--variant", choices=["reversed", "reversi"], default="reversed")
    kind.add_argument("--size", type=int, choices=[8, 6, 4], default=8)
    kind.add_argument("--seed", type=int, default=1)
    kind.add_argument("--depth", type=int, help="plies to look ahead")
    kind.add_argument("--gauntlet", action="store_true", help="the first against each other one")
    kind.add_argument("--ladder", action="store_true", help="rounds of challenges")
    kind.add_argument("--store", metavar="FILE", type=Path, help="keeps the games")
    kind.add_argument("--resume", action="store_true", help="go on with the store")
    _common(kind)
    return parser


def _common(kind: argparse.ArgumentParser) -> None:
    kind.add_argument("--address", help="of the cluster, auto, or local (RAY_ADDRESS, or else local)")
    kind.add_argument("--cpus", type=int, help="cores of a cluster of this machine (all)")
    kind.add_argument("--chunk-seconds", type=float, default=1.0, help="length of a task (1)")
    kind.add_argument("--retries", type=int, default=10, help="how often a task may lose its machine (10)")
    kind.add_argument("--json", action="store_true", help="one JSON object a line")
    kind.add_argument("-q", "--quiet", action="store_true", help="no progress")


if __name__ == "__main__":
    sys.exit(main())
