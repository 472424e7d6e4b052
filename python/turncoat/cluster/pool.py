"""Chunks of games as Ray tasks: as many at a time as there are cores, about a second long each, until all are done.

A chunk whose machine dies is played again elsewhere. An exception of a chunk itself, such as a player's fault, ends
the run: it would come again.
"""

from __future__ import annotations

import logging
import os
import re
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import ray

from ..errors import RunError, TurncoatError

Result = TypeVar("Result")
Submit = Callable[[int, int], Any]
"""Makes a task of the games from one number up to another; it answers with a result and the seconds it took."""

# Games of the first chunks, whose speed is not known yet.
_FIRST = 4
# The share of what is left that one core takes at the end, so that all end together.
_SHARE = 0.5
# No chunk is made smaller than this for that: tasks cost some milliseconds.
_SHORTEST = 0.1
# How long a cluster may take to answer when it is called.
_REACH = 10.0
# How long the driver waits before it looks after the cluster again.
_LOOK = 1.0


def connect(address: str | None = None, cpus: int | None = None, *, quiet: bool = False) -> None:
    """Joins the cluster at an address, or makes one of this machine."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # Of chunks that fail together one is told.
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")
    address = address or os.environ.get("RAY_ADDRESS") or "local"
    level = logging.ERROR if quiet else logging.INFO
    try:
        if address == "local":
            ray.init(
                address="local",
                num_cpus=cpus,
                log_to_driver=False,
                include_dashboard=False,
                logging_level=level,
            )
            return
        _reach(address)
        ray.init(address=address, log_to_driver=False, logging_level=level)
    except (OSError, ValueError, RuntimeError) as error:
        raise RunError(f"no cluster at {address}: {error}") from None


def _reach(address: str) -> None:
    """Looks whether somebody listens there: Ray itself tries for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdigit():
        with socket.create_connection((host.strip("[]"), int(port)), timeout=_REACH):
            pass


@dataclass
class _Chunk:
    first: int
    end: int
    failures: int = 0


@dataclass
class Pool:
    """The cores of a cluster, and how work is cut for them."""

    seconds: float = 1.0
    """How long a chunk should take."""

    retries: int = 10
    """How often a chunk may lose its machine."""

    progress: Callable[[int], None] = lambda games: None
    """Told how many games came back, whenever some do."""

    lost: int = 0
    """Chunks that lost their machine so far."""

    chunks: int = 0
    """Chunks done so far."""

    busy: float = 0.0
    """Seconds that chunks took so far, those of all cores together."""

    _speed: float = field(default=0.0, repr=False)

    def spread(
        self, count: int, submit: Submit, borders: Sequence[int] = ()
    ) -> Iterator[tuple[int, int, Any]]:
        """Has games 0 to `count` played and yields chunks as they come: first game, end, result.

        No chunk crosses one of the `borders`, which rise.
        """
        flying: dict[Any, _Chunk] = {}
        again: list[_Chunk] = []
        self._speed = 0.0
        position = 0
        cores = _cores()
        try:
            while position < count or flying or again:
                while len(flying) < 2 * cores and (position < count or again):
                    if again:
                        chunk = again.pop()
                    else:
                        end = self._end(position, count, cores, borders)
                        chunk = _Chunk(position, end)
                        position = end
                    flying[submit(chunk.first, chunk.end)] = chunk
                ready, _ = ray.wait(list(flying), timeout=_LOOK)
                if not ready:
                    cores = _cores()
                for reference in ready:
                    chunk = flying.pop(reference)
                    try:
                        result, seconds = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        raise _cause(error) from None
                    except ray.exceptions.RayError as error:
                        cores = _cores()
                        again.append(self._lose(chunk, error))
                        continue
                    self._learn(chunk, seconds)
                    yield chunk.first, chunk.end, result
        finally:
            # After an error or Ctrl-C nobody wants the rest.
            for reference in flying:
                ray.cancel(reference, force=True)

    def _end(self, first: int, count: int, cores: int, borders: Sequence[int]) -> int:
        """Where a chunk ends that begins here."""
        left = count - first
        if self._speed == 0:
            size = min(_FIRST, max(1, left // (4 * cores)))
        else:
            size = int(min(self._speed * self.seconds, max(left * _SHARE / cores, self._speed * _SHORTEST)))
        end = first + min(max(size, 1), left)
        return min([end, *(border for border in borders if border > first)])

    def _learn(self, chunk: _Chunk, seconds: float) -> None:
        games = chunk.end - chunk.first
        speed = games / max(seconds, 1e-6)
        # The first chunk of a worker also loads the engine; later ones weigh more.
        self._speed = speed if self._speed == 0 else 0.7 * self._speed + 0.3 * speed
        self.chunks += 1
        self.busy += seconds
        self.progress(games)

    def _lose(self, chunk: _Chunk, error: Exception) -> _Chunk:
        self.lost += 1
        chunk.failures += 1
        if chunk.failures > self.retries:
            name = type(error).__name__
            raise RunError(
                f"games {chunk.first} to {chunk.end} lost their machine {chunk.failures} times: {name}"
            )
        return chunk


def _cores() -> int:
    """The cores of the cluster now; at least one, since machines may be on their way."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _cause(error: Any) -> BaseException:
    """The exception of the chunk itself; what its machine lacks is told in a sentence."""
    text = str(error)
    found = re.search(r"\bip=([0-9A-Fa-f.:]+)", text)
    machine = found[1] if found else "a machine"
    lacking = re.search(r"No module named '([^'.]+)", text)
    if lacking:
        fault = f"{machine} has no package {lacking[1]}: all machines need those of the driver"
        return RunError(fault)
    cause = getattr(error, "cause", None)
    if isinstance(cause, (TurncoatError, OSError)):
        return cause
    return RunError(f"{machine}: {text.strip().splitlines()[-1]}")


def timed(play: Callable[[], Result]) -> tuple[Result, float]:
    """A result and the seconds it took."""
    began = time.perf_counter()
    result = play()
    return result, time.perf_counter() - began
