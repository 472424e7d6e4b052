"""Chunks of games as Ray tasks, about a second long each, two in flight per core.

A chunk whose machine dies is replayed elsewhere. An exception from the chunk itself, such as a player's fault, ends the
run: it would recur.
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
"""Submits the games of a range as a task, which returns a result and the seconds it took."""

# Games in the first chunks, while the speed is unknown.
_FIRST = 4
# Share of the remaining games, per core, that one chunk may take: cores finish together.
_SHARE = 0.5
# Chunks do not get shorter than this many seconds: a task costs some milliseconds.
_SHORTEST = 0.1
# Seconds to wait for a connection to the cluster.
_REACH = 10.0
# Seconds between checks of the cluster's size.
_LOOK = 1.0


def connect(address: str | None = None, cpus: int | None = None, *, quiet: bool = False) -> None:
    """Joins the cluster at an address, or starts one on this machine."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    # If chunks fail together, one is reported.
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
    """Fails fast if nothing listens at the address: Ray itself retries for minutes."""
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
    """The cores of a cluster, and how work is divided among them."""

    seconds: float = 1.0
    """The target length of a chunk."""

    retries: int = 10
    """How often a chunk may lose its machine."""

    progress: Callable[[int], None] = lambda games: None
    """Called with the number of games whenever a chunk returns."""

    lost: int = 0
    """Chunks that lost their machine so far."""

    chunks: int = 0
    """Chunks done so far."""

    busy: float = 0.0
    """Seconds that chunks took so far, summed over all cores."""

    _speed: float = field(default=0.0, repr=False)

    def spread(
        self, count: int, submit: Submit, borders: Sequence[int] = ()
    ) -> Iterator[tuple[int, int, Any]]:
        """Plays games 0 to `count` and yields chunks as they finish: first game, end, result.

        No chunk crosses one of the ascending `borders`.
        """
        flying: dict[Any, _Chunk] = {}
        again: list[_Chunk] = []
        self._speed = 0.0
        position = 0
        cores = count_cores()
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
                    cores = count_cores()
                for reference in ready:
                    chunk = flying.pop(reference)
                    try:
                        result, seconds = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        raise _cause(error) from _shown(error)
                    except ray.exceptions.RayError as error:
                        cores = count_cores()
                        again.append(self._lose(chunk, error))
                        continue
                    self._learn(chunk, seconds)
                    yield chunk.first, chunk.end, result
        finally:
            # After an error or Ctrl-C the rest is not needed.
            for reference in flying:
                ray.cancel(reference, force=True)

    def once(self, submit: Callable[[], Any], stopped: Callable[[], bool]) -> Any:
        """The result of one task, submitted again if its machine is lost; None if it was stopped. Threads may share a pool."""
        chunk = _Chunk(0, 1)
        while True:
            reference = submit()
            while not ray.wait([reference], timeout=_LOOK)[0]:
                if stopped():
                    ray.cancel(reference, force=True)
                    return None
            try:
                result, seconds = ray.get(reference)
            except ray.exceptions.RayTaskError as error:
                raise _cause(error) from _shown(error)
            except ray.exceptions.RayError as error:
                self._lose(chunk, error)
                continue
            self.chunks += 1
            self.busy += seconds
            return result

    def _end(self, first: int, count: int, cores: int, borders: Sequence[int]) -> int:
        """The end of the chunk that starts here."""
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
        # Moving average: a worker's first chunk also loads the engine.
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


def count_cores() -> int:
    """The current number of cores; at least one, since machines may still be joining."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _cause(error: Any) -> BaseException:
    """The chunk's own exception; a missing package is named with its machine."""
    text = str(error)
    found = re.search(r"\bip=([0-9A-Fa-f.:]+)", text)
    machine = found[1] if found else "a machine"
    missing = re.search(r"No module named '([^'.]+)", text)
    if missing:
        fault = f"{machine} has no package {missing[1]}: all machines need the driver's packages"
        return RunError(fault)
    cause = getattr(error, "cause", None)
    if isinstance(cause, (TurncoatError, OSError)):
        return cause
    return RunError(f"{machine}: {text.strip().splitlines()[-1]}")


def _shown(error: BaseException) -> BaseException | None:
    """What else is to be seen of a chunk's exception: its traceback, if it is not one of ours."""
    return None if isinstance(getattr(error, "cause", None), (TurncoatError, OSError)) else error


def timed(play: Callable[[], Result]) -> tuple[Result, float]:
    """A result and the seconds it took."""
    began = time.perf_counter()
    result = play()
    return result, time.perf_counter() - began
