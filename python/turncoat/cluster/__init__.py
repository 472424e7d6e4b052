"""The lab on many machines, by Ray: `turncoat-ray`, and the functions behind it.

A run is the same, bit for bit, as that of `turncoat train` on one machine with the same seed, whatever the number of
machines and whatever dies on the way: its games are cut into chunks that depend on nothing but their description,
and the driver alone keeps the run's folder or store.

The package `ray` is needed on all machines: `pip install 'turncoat[cluster]'`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .pool import Pool, connect
    from .runs import genetic, selfplay, tournament

__all__ = ["Pool", "connect", "genetic", "selfplay", "tournament"]


def __getattr__(name: str) -> Any:
    """Everything here needs Ray, and is brought when it is first asked for: the command can say so without."""
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
