"""The arguments of `turncoat-ray`. What makes no sense ends with the exit status 2, before anything is begun."""

from __future__ import annotations

import argparse
import math
import os
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import __version__


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """What is asked for, checked as far as can be without looking at files."""
    parser = _parser()
    options = parser.parse_args(arguments)
    fault = _fault(options)
    if fault:
        parser.error(fault)
    return options


def local(options: argparse.Namespace) -> bool:
    """Whether the cluster is this machine alone."""
    address = options.address or os.environ.get("RAY_ADDRESS") or "local"
    return bool(address == "local")


def _fault(options: argparse.Namespace) -> str | None:
    """What is wrong with arguments that are right one by one."""
    if options.cpus is not None and not local(options):
        return "--cpus is for a cluster of this machine, and --address or RAY_ADDRESS names another one"
    if options.what == "tournament":
        if options.resume and options.store is None:
            return "--resume goes on with the games of a --store FILE"
        return None
    if options.resume is None:
        return None if options.file is not None else "a file or --resume DIR is needed"
    beside = {"FILE": options.file, "--out": options.out, "--seed": getattr(options, "seed", None)}
    for name, value in beside.items():
        if value is not None:
            return f"{name} is for a new run, and --resume goes on with one as it began"
    return None


def _whole(least: int) -> Callable[[str], int]:
    """Whole numbers from this one on."""

    def read(text: str) -> int:
        number = int(text)
        if not least <= number < 2**63:
            raise argparse.ArgumentTypeError(f"{text} is not at least {least}, or too large")
        return number

    read.__name__ = "whole number"
    return read


def _seconds(text: str) -> float:
    seconds = float(text)
    if not (math.isfinite(seconds) and seconds > 0):
        raise argparse.ArgumentTypeError(f"no chunk takes {text} seconds")
    return seconds


_seconds.__name__ = "number"


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
            kind.add_argument("--seed", type=_whole(0), help="for experiments that have none")
        _common(kind)
    about = "matches of built-in players, as `turncoat tournament`"
    kind = kinds.add_parser("tournament", help=about, description=about)
    kind.add_argument("players", nargs="+", metavar="PLAYER")
    kind.add_argument("--games", type=_whole(1), default=100, help="games of each two players (100)")
    kind.add_argument("--openings", metavar="FILE|random:PLIES")
    kind.add_argument("--variant", choices=["reversed", "reversi"], default="reversed")
    kind.add_argument("--size", type=int, choices=[8, 6, 4], default=8)
    kind.add_argument("--seed", type=_whole(0), default=1)
    kind.add_argument("--depth", type=_whole(1), help="plies to look ahead")
    form = kind.add_mutually_exclusive_group()
    form.add_argument("--gauntlet", action="store_true", help="the first against each other one")
    form.add_argument("--ladder", action="store_true", help="rounds of challenges")
    kind.add_argument("--store", metavar="FILE", type=Path, help="keeps the games")
    kind.add_argument("--resume", action="store_true", help="go on with the store")
    _common(kind)
    return parser


def _common(kind: argparse.ArgumentParser) -> None:
    kind.add_argument("--address", help="of the cluster, auto, or local (RAY_ADDRESS, or else local)")
    kind.add_argument("--cpus", type=_whole(1), help="cores of a cluster of this machine (all)")
    kind.add_argument("--chunk-seconds", type=_seconds, default=1.0, help="length of a task (1)")
    kind.add_argument(
        "--retries", type=_whole(0), default=10, help="how often a task may lose its machine (10)"
    )
    kind.add_argument("--json", action="store_true", help="one JSON object a line")
    kind.add_argument("-q", "--quiet", action="store_true", help="no progress")
