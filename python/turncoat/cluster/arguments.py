"""The arguments of `turncoat-ray`. Bad ones exit with status 2 before anything starts."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path

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
    if options.resume is None:
        return None if options.file is not None else "a file or --resume DIR is required"
    others = {"FILE": options.file, "--out": options.out, "--seed": getattr(options, "seed", None)}
    for name, value in others.items():
        if value is not None:
            return f"{name} is for a new run; --resume continues one with its own settings"
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
        ("selfplay", "play training games from a settings file, like `turncoat train selfplay`"),
    ):
        kind = kinds.add_parser(what, help=about, description=about)
        kind.add_argument("file", nargs="?", metavar="FILE")
        kind.add_argument("--out", metavar="DIR", type=Path, help="folder of the run (runs/NAME)")
        kind.add_argument("--resume", metavar="DIR", type=Path, help="continue this run")
        if what == "genetic":
            kind.add_argument("--seed", type=_whole(0), help="for experiments without one")
            _programs(kind)
        _common(kind)
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
    return parser


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
