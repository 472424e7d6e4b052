"""The workers' side: each task plays a chunk of games on one core and depends only on its arguments."""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import ray

from .. import __version__
from .._engine import Batch, Roster, play_loop, play_pair, play_selfplay, play_tournament, search_book
from ..errors import RunError
from .pool import timed


ProgramFiles = tuple[str, str | os.PathLike[str], Sequence[str | os.PathLike[str]]]
"""The files of a program: its text, in which U+FFFC stands for their folder, that folder, and their paths within it."""


@dataclass(frozen=True)
class Packed:
    """A program as it travels."""

    digest: str
    """Of everything below: the same program is stored once on each machine."""
    text: str
    """The player's text, in which U+FFFC stands for the folder of its files."""
    files: tuple[tuple[str, bool, bytes], ...]
    """Their paths within that folder, whether they can be run, and what is in them."""


def pack(program: ProgramFiles) -> Packed:
    """Reads the files of a program."""
    text, folder, names = program
    files = []
    digest = hashlib.sha256(text.encode())
    for name in map(str, names):
        path = Path(folder) / name
        contents, runs = path.read_bytes(), os.access(path, os.X_OK)
        digest.update(f"\0{name}\0{runs}\0{len(contents)}\0".encode("utf-8", "surrogateescape"))
        digest.update(contents)
        files.append((name, runs, contents))
    return Packed(digest.hexdigest()[:32], text, tuple(files))


def unpack(program: Packed) -> Path:
    """The folder of a program's files on this machine: one copy for all workers, in Ray's session folder."""
    place = _session() / program.digest
    if place.is_dir():
        return place
    made = Path(tempfile.mkdtemp(dir=place.parent))
    # In the sandbox a program may be another user.
    made.chmod(0o755)
    for name, runs, contents in program.files:
        path = made / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(contents)
        path.chmod(0o755 if runs else 0o644)
    try:
        made.rename(place)
    except OSError:
        # Another worker was faster, with the same contents.
        shutil.rmtree(made, ignore_errors=True)
        if not place.is_dir():
            raise
    return place


def _session() -> Path:
    """A folder of this machine that lasts as long as the cluster."""
    folder = Path(ray.get_runtime_context().worker.node.get_session_dir_path()) / "turncoat"
    folder.mkdir(exist_ok=True)
    return folder


@dataclass(frozen=True)
class Shared:
    """What all chunks of a piece of work depend on; stored once, and fetched once by each machine."""

    version: str
    name: str
    """Its digest, by which a worker recognises work it has unpacked."""
    text: bytes
    files: tuple[tuple[str, bytes], ...] = ()
    """Files of the driver that workers may not have: their names by their digest, and what is in them."""
    roster: Roster = field(default_factory=Roster)
    """Who can play."""
    programs: tuple[Packed | None, ...] = ()
    """Of each player, the files if it is a program."""
    folder: str = field(default_factory=os.getcwd)
    """The driver's folder, which relative paths of programs start from."""


def shared(
    text: bytes,
    files: Sequence[Path] = (),
    roster: Roster | None = None,
    programs: Sequence[ProgramFiles | None] = (),
) -> Shared:
    """Work to share, tagged with this version of the engine."""
    named = tuple(_named(file) for file in files)
    packed = tuple(None if program is None else pack(program) for program in programs)
    names = [name for name, _ in named] + [program.digest for program in packed if program is not None]
    digest = hashlib.sha256(text + "".join(names).encode()).hexdigest()
    return Shared(__version__, digest, text, named, roster or Roster(), packed)


def _named(file: Path) -> tuple[str, bytes]:
    contents = file.read_bytes()
    return hashlib.sha256(contents).hexdigest() + (file.suffix or ".data"), contents


# The unpacked work of the last chunk.
_last: tuple[str, Any] = ("", None)


def _check(version: str) -> None:
    if version != __version__:
        host = socket.gethostname()
        fault = f"{host} has turncoat {__version__}, the driver {version}: all machines need the same"
        raise RunError(fault)


def _unpacked(work: Shared) -> Any:
    """The batch, or the paths of the files, of a piece of work."""
    global _last
    _check(work.version)
    if os.path.isdir(work.folder):
        os.chdir(work.folder)
    if _last[0] != work.name:
        _last = (work.name, [_path(*file) for file in work.files] or None)
    return _last[1]


def _path(name: str, contents: bytes) -> str:
    """The path of a file on this machine: one copy for all workers, in Ray's session folder."""
    folder = _session()
    path = folder / name
    if not path.exists():
        # Workers may race; the last one replaces the file with the same contents.
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(contents)
        os.replace(file.name, path)
    return str(path)


def _text(work: Shared) -> str:
    """The text of a piece of work, with the paths of its files on this machine."""
    text = work.text.decode()
    for number, path in enumerate(_unpacked(work) or ()):
        text = text.replace(f"\ufffc{number}", path)
    return text


def _batch(work: Shared) -> Batch:
    global _last
    _unpacked(work)
    if _last[1] is None:
        _last = (work.name, Batch.load(work.text))
    batch: Batch = _last[1]
    return batch


# The pool itself replays lost chunks, and counts them.
@ray.remote(num_cpus=1, max_retries=0)
def genetic_chunk(work: Shared, first: int, end: int) -> tuple[bytes, float]:
    """Margins of some games of a batch."""
    batch = _batch(work)
    return timed(lambda: batch.play(first, end, roster=work.roster).tobytes())


@ray.remote(num_cpus=1, max_retries=0)
def selfplay_chunk(work: Shared, first: int, end: int) -> tuple[bytes, float]:
    """Self-play games with these numbers."""
    plan = _text(work)
    return timed(lambda: play_selfplay(plan, first, end))


@ray.remote(num_cpus=1, max_retries=0)
def book_chunk(
    work: Shared, tasks: list[tuple[int, int, int]]
) -> tuple[list[tuple[float, int, bool, int | None, int]], float]:
    """Searches of some positions of a book."""
    plan = _text(work)
    return timed(lambda: search_book(plan, tasks))


@ray.remote(num_cpus=1, max_retries=0)
def loop_chunk(work: Shared, first: int, end: int) -> tuple[bytes, float]:
    """Some games of a training loop."""
    games = _text(work)
    return timed(lambda: play_loop(games, first, end))


@ray.remote(num_cpus=1, max_retries=0)
def tournament_chunk(
    work: Shared, fixtures: list[tuple[int, int, int, int]]
) -> tuple[str, float]:
    """Some games of a tournament."""
    files = _unpacked(work)
    openings = files[0] if files else None
    plan = work.text.decode()
    programs = [None if program is None else (program.text, unpack(program)) for program in work.programs]
    return timed(
        lambda: play_tournament(plan, fixtures, openings=openings, roster=work.roster, programs=programs)
    )


@ray.remote(num_cpus=1, max_retries=0)
def pair_chunk(
    version: str, order: str, first: Packed | None, second: Packed | None, roster: Roster
) -> tuple[str, float]:
    """A pair of games of a ladder."""
    _check(version)
    folders = (None if first is None else unpack(first), None if second is None else unpack(second))
    return timed(lambda: play_pair(order, folders, roster=roster))
