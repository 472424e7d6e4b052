"""What workers do: each task plays a chunk of games on one core, and depends on its arguments alone."""

from __future__ import annotations

import hashlib
import os
import socket
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ray

from .. import __version__
from .._engine import Batch, play_selfplay, play_tournament
from ..errors import RunError
from .pool import timed


@dataclass(frozen=True)
class Shared:
    """What all chunks of a piece of work depend on; put once, and fetched once by each machine."""

    version: str
    name: str
    """Tells it from others, so that a worker unpacks it once."""
    text: bytes
    file: bytes | None = None
    """A file that the driver has and workers may not."""
    ending: str = ""
    """How that file's name ends."""


def shared(text: bytes, file: Path | None = None) -> Shared:
    """Work to be shared, of this version of the engine."""
    contents = file.read_bytes() if file else None
    digest = hashlib.sha256(text + (contents or b"")).hexdigest()
    return Shared(__version__, digest, text, contents, file.suffix if file else "")


# The work of the last chunk, unpacked.
_last: tuple[str, Any] = ("", None)


def _unpacked(work: Shared) -> Any:
    """The batch, or the path of the file, that belongs to the work."""
    global _last
    if work.version != __version__:
        host = socket.gethostname()
        fault = f"{host} has turncoat {__version__}, the driver {work.version}: all machines need the same"
        raise RunError(fault)
    if _last[0] != work.name:
        _last = (work.name, _path(work) if work.file is not None else None)
    return _last[1]


def _path(work: Shared) -> str:
    """Where this machine has the file: once, however many workers there are, in what Ray keeps of the session."""
    assert work.file is not None
    folder = Path(ray.get_runtime_context().worker.node.get_session_dir_path()) / "turncoat"
    folder.mkdir(exist_ok=True)
    path = folder / f"{work.name}{work.ending or '.data'}"
    if not path.exists():
        # Others may be at it; whoever comes last puts the same in its place.
        with tempfile.NamedTemporaryFile(dir=folder, delete=False) as file:
            file.write(work.file)
        os.replace(file.name, path)
    return str(path)


def _batch(work: Shared) -> Batch:
    global _last
    _unpacked(work)
    if _last[1] is None:
        _last = (work.name, Batch.load(work.text))
    batch: Batch = _last[1]
    return batch


# What dies is played again by the pool, which counts it.
@ray.remote(num_cpus=1, max_retries=0)
def genetic_chunk(work: Shared, first: int, end: int) -> tuple[bytes, float]:
    """Margins of some games of a batch."""
    batch = _batch(work)
    return timed(lambda: batch.play(first, end).tobytes())


@ray.remote(num_cpus=1, max_retries=0)
def selfplay_chunk(work: Shared, first: int, end: int) -> tuple[bytes, float]:
    """Self-play games with these numbers."""
    plan = work.text.decode()
    path = _unpacked(work)
    if path is not None:
        plan = plan.replace("\ufffc", path)
    return timed(lambda: play_selfplay(plan, first, end))


@ray.remote(num_cpus=1, max_retries=0)
def tournament_chunk(
    work: Shared, fixtures: list[tuple[int, int, int, int]]
) -> tuple[str, float]:
    """Some games of a tournament."""
    openings = _unpacked(work)
    return timed(lambda: play_tournament(work.text.decode(), fixtures, openings=openings))
