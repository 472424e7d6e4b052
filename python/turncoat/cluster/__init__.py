"""The lab on many machines with Ray: `turncoat-ray`, and the functions behind it.

With the same seed a run is bit for bit that of `turncoat train` on one machine, with any number of machines and whatever
fails on the way: its games are cut into chunks that depend only on their description, and only the driver writes the
run's folder or store.

All machines need the package `ray`: `pip install 'turncoat[cluster]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pool import Pool, connect
    from .runs import book, evaluate_on, genetic, ladder, replicate, selfplay, sweep, tournament, training_loop

__all__ = [
    "Pool",
    "book",
    "connect",
    "evaluate_on",
    "genetic",
    "ladder",
    "replicate",
    "selfplay",
    "sweep",
    "tournament",
    "training_loop",
]


def __getattr__(name: str) -> Any:
    """Imports what needs Ray on first use, so that the command can report a missing Ray."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from . import pool, runs
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        fault = "Ray is not installed: pip install 'turncoat[cluster]'"
        raise ModuleNotFoundError(fault, name="ray") from None
    return getattr(pool if name in ("Pool", "connect") else runs, name)
