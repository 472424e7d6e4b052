"""The arguments of `turncoat-ray`. Bad ones exit with status 2 before anything starts."""

from __future__ import annotations

import argparse
import math
import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from .. import __version__


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """The parsed arguments, checked as far as possible without reading files."""
    parser = _parser()
    options = parser.parse_args(arguments)
    fault = _fault(options)
    if fault:
        parser.error(fault)
    return options


def local(options: argparse.Namespace) -> bool:
    """Whether the cluster is this machine only."""
    address = options.address or os.environ.get("RAY_ADDRESS") or "local"
    return bool(address == "local")


def _fault(options: argparse.Namespace) -> str | None:
    """Why arguments that are valid one by one do not go together."""
    if options.cpus is not None and not local(options):
        return "--cpus is for a cluster of this machine, but --address or RAY_ADDRESS names another one"
    if options.what == "tournament":
        if options.resume and options.store is None:
            return "--resume needs the --store FILE to continue"
        return None
    if options.what == "loop":
        return _loop_fault(options)
    if options.what in ("book", "ladder", "rate"):
        return None
    if options.resume is None:
        if options.file is None:
            return "a file or --resume DIR is required"
        if options.what == "replicate" and options.seeds is None:
            return "--seeds is required"
        return None
    others = {"FILE": options.file, "--out": options.out, "--seed": getattr(options, "seed", None)}
    if options.what in ("replicate", "sweep"):
        others |= {"--set": options.set or None, "--seeds": options.seeds}
    for name, value in others.items():
        if value is not None:
            return f"{name} is for a new run; --resume continues one with its own settings"
    return None


def _loop_fault(options: argparse.Namespace) -> str | None:
    if options.resume is None:
        if options.out is None:
            return "--out DIR or --resume DIR is required"
        limited = options.minutes is not None or options.games is not None or options.quick
        return None if limited else "--minutes or --games is required, or --quick"
    new = {name: getattr(options, name) for name in ("out", "games", "seed", "depth", "variant")}
    for name, value in (new | {"quick": options.quick or None}).items():
        if value is not None:
            return f"--{name} is for a new loop; --resume continues one with its own settings"
    return None


def _whole(least: int) -> Callable[[str], int]:
    """A parser of integers of at least this size."""

    def read(text: str) -> int:
        number = int(text)
        if not least <= number < 2**63:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}, or too large")
        return number

    read.__name__ = "integer"
    return read


def numbers(text: str) -> list[int]:
    """A list of whole numbers.

    >>> numbers("1,10..40:10")
    [1, 10, 20, 30, 40]
    """
    found: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,18})(?:\.\.(\d{1,18})(?::([1-9]\d{0,17}))?)?", part.strip())
        if not match:
            raise argparse.ArgumentTypeError(f"{part!r} is no list: as in 1..10, 1,5,9 or 10..90:10")
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if not first <= last < first + 100_000 * step:
            raise argparse.ArgumentTypeError(f"{part}: from a number to a larger one, at most 100000 of them")
        found += range(first, last + 1, step)
    if len(set(found)) < len(found):
        raise argparse.ArgumentTypeError("a number is there twice")
    return found


def _seconds(text: str) -> float:
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"expected a positive number of seconds, not {text}")
    return seconds


_seconds.__name__ = "number"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="turncoat-ray", description="Runs the lab on a Ray cluster, or on all cores of this machine."
    )
    parser.add_argument("--version", action="version", version=__version__)
    kinds = parser.add_subparsers(dest="what", required=True, metavar="COMMAND")
    for what, about in (
        ("genetic", "evolve parameters from an experiment file, like `turncoat train genetic`"),
        ("replicate", "an experiment with several seeds, like `turncoat train replicate`"),
        ("sweep", "an experiment with several values of settings, like `turncoat train sweep`"),
        ("selfplay", "play training games from a settings file, like `turncoat train selfplay`"),
    ):
        kind = kinds.add_parser(what, help=about, description=about)
        kind.add_argument("file", nargs="?", metavar="FILE")
        kind.add_argument("--out", metavar="DIR", type=Path, help="folder of the run (runs/NAME)")
        kind.add_argument("--resume", metavar="DIR", type=Path, help="continue this run")
        if what == "genetic":
            kind.add_argument("--seed", type=_whole(0), help="for experiments without one")
            kind.add_argument("--generations", type=_whole(1), help="how many; with --resume this prolongs the run")
        if what in ("genetic", "replicate", "sweep"):
            kind.add_argument("--set", action="append", default=[], metavar="KEY=VALUE", help="a setting; repeatable")
            _programs(kind)
        if what in ("replicate", "sweep"):
            kind.add_argument("--seeds", type=numbers, help="as in 1..10 or 1,5,9")
        _common(kind)
    _loop(kinds)
    _rate(kinds)
    about = "a tournament, like `turncoat tournament`"
    kind = kinds.add_parser("tournament", help=about, description=about)
    kind.add_argument("players", nargs="+", metavar="PLAYER")
    kind.add_argument("--games", type=_whole(1), default=100, help="games per pair of players (100)")
    kind.add_argument("--openings", metavar="FILE|random:PLIES")
    kind.add_argument("--variant", choices=["reversed", "reversi"], default="reversed")
    kind.add_argument("--size", type=int, choices=[8, 6, 4], default=8)
    kind.add_argument("--seed", type=_whole(0), default=1)
    kind.add_argument("--depth", type=_whole(1), help="search depth in plies")
    form = kind.add_mutually_exclusive_group()
    form.add_argument("--gauntlet", action="store_true", help="the first player against all others")
    form.add_argument("--ladder", action="store_true", help="rounds of challenges")
    kind.add_argument("--store", metavar="FILE", type=Path, help="stores the games")
    kind.add_argument("--resume", action="store_true", help="continue the store")
    kind.add_argument("--time", type=_seconds, help="seconds for a move")
    _programs(kind)
    _common(kind)
    _ladder(kinds)
    _book(kinds)
    return parser


def _ladder(kinds: Any) -> None:
    about = "a folder of programs, tested and ranked for as long as it runs, like `turncoat ladder`"
    kind = kinds.add_parser("ladder", help=about, description=about)
    kind.add_argument("folder", metavar="DIR", type=Path, help="a Python file or a folder for each player")
    kind.add_argument("--store", metavar="FILE", type=Path, help="the store (DIR/.turncoat/ladder.db)")
    kind.add_argument("--time", type=_seconds, default=1.0, help="seconds for a move (1)")
    kind.add_argument("--games", type=_whole(1), help="ends when every program has so many games")
    kind.add_argument("--yardstick", action="append", metavar="PLAYER", help="a built-in player; repeatable")
    kind.add_argument("--variant", choices=["reversed", "reversi"], default="reversed")
    kind.add_argument("--size", type=int, choices=[8, 6, 4], default=8)
    kind.add_argument("--seed", type=_whole(0), default=1)
    _programs(kind)
    _common(kind)


def _book(kinds: Any) -> None:
    about = "grow an opening book, like `turncoat book grow`, or solve one, like `turncoat book solve`"
    kind = kinds.add_parser("book", help=about, description=about)
    kind.add_argument("file", metavar="FILE", type=Path, help="the book; made if it is not there")
    kind.add_argument("--plies", type=_whole(0), default=6, help="every position of the first plies (6)")
    kind.add_argument("--line-plies", type=_whole(0), default=24, help="how many plies lines may have (24)")
    kind.add_argument("--depth", type=_whole(1), default=16, help="how deep positions are searched (16)")
    kind.add_argument("--margin", type=float, default=1.0, help="discs that a line may lose to the best moves (1)")
    kind.add_argument("--balanced", type=float, help="lines also begin at openings within so many discs")
    kind.add_argument("--choices", type=float, help="instead: search moves within so many discs of the best to --depth")
    kind.add_argument("--rival", type=_whole(1), metavar="PLIES", help="instead: answers to who looks so many plies ahead")
    kind.add_argument("--positions", type=_whole(1), help="stop after so many searches")
    kind.add_argument("--nodes", type=_whole(1), help="stop after the batch in which so many nodes were entered")
    kind.add_argument("--eval", metavar="NAME|FILE", help="what evaluates positions (the trained one)")
    kind.add_argument("--selectivity", type=int, choices=range(6), default=2, help="0 cuts boldest, 5 not at all (2)")
    kind.add_argument("--hash", type=_whole(1), default=16, help="mebibytes of a search's table (16)")
    kind.add_argument("--rescore", action="store_true", help="search the positions of another evaluation again")
    kind.add_argument("--exact", action="store_true", help="solve the positions after --plies, on small boards")
    kind.add_argument("--answers", type=_whole(0), metavar="N", help="then a perfect side's answers for so many plies")
    kind.add_argument("--variant", choices=["reversed", "reversi"])
    kind.add_argument("--size", type=int, choices=[8, 6, 4])
    _common(kind)


def _loop(kinds: Any) -> None:
    about = "weights from nothing, round by round, like `turncoat train loop`"
    kind = kinds.add_parser("loop", help=about, description=about)
    limit = kind.add_mutually_exclusive_group()
    limit.add_argument("--minutes", type=float, help="about how long the whole loop takes; with --resume a new total")
    limit.add_argument("--games", type=_whole(1), help="games of each round instead")
    kind.add_argument("--rounds", type=_whole(1), help="how many rounds in all; with --resume more than before")
    kind.add_argument("--quick", action="store_true", help="little of everything, to see it work")
    kind.add_argument("--variant", choices=["reversed", "reversi"])
    kind.add_argument("--seed", type=_whole(0))
    kind.add_argument("--depth", type=_whole(1), help="search depth of the games in plies")
    kind.add_argument("--out", metavar="DIR", type=Path, help="a new folder for the loop")
    kind.add_argument("--resume", metavar="DIR", type=Path, help="continue the loop in this folder")
    _common(kind)


def _rate(kinds: Any) -> None:
    about = "generations of a genetic run against any player, like `turncoat train rate`"
    kind = kinds.add_parser("rate", help=about, description=about)
    kind.add_argument("run", metavar="RUN", type=Path, help="the folder of a genetic run")
    kind.add_argument("--against", metavar="PLAYER", required=True, help="the opponent")
    kind.add_argument("--games", type=_whole(1), default=100, help="games of each generation (100)")
    kind.add_argument("--generations", type=numbers, help="as in 1,10..60:10 (all)")
    who = kind.add_mutually_exclusive_group()
    who.add_argument("--rank", type=_whole(1), default=1, help="who stands for a generation (1)")
    who.add_argument("--from", dest="among", choices=["saved", "all"], help="one by chance instead")
    kind.add_argument("--plies", type=_whole(0), help="random plies before the players take over")
    kind.add_argument("--seed", type=_whole(0), help="that of the run unless told")
    kind.add_argument("--name", help="what the folder of the table and the curve is called")
    _programs(kind)
    _common(kind)


def _programs(kind: argparse.ArgumentParser) -> None:
    kind.add_argument(
        "--trust", action="store_true", help="run foreign programs without a sandbox: they can do anything you can"
    )
    kind.add_argument("--memory", metavar="MB", type=_whole(1), help="megabytes a foreign program may use")


def _common(kind: argparse.ArgumentParser) -> None:
    kind.add_argument("--address", help="address of the cluster, auto, or local (default: RAY_ADDRESS, else local)")
    kind.add_argument("--cpus", type=_whole(1), help="cores to use on this machine (all)")
    kind.add_argument("--chunk-seconds", type=_seconds, default=1.0, help="target length of a task (1)")
    kind.add_argument(
        "--retries", type=_whole(0), default=10, help="how often a task may lose its machine (10)"
    )
    kind.add_argument("--json", action="store_true", help="one JSON object per line")
    kind.add_argument("-q", "--quiet", action="store_true", help="no progress")
