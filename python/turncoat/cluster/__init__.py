"""The lab on many machines, by Ray: `turncoat-ray`, and the functions behind it.

A run is the same, bit for bit, as that of `turncoat train` on one machine with the same seed, whatever the number of
machines and whatever dies on the way: its games are cut into chunks that depend on nothing but their description,
and the driver alone keeps the run's folder or store.

The package `ray` is needed on all machines: `pip install turncoat[cluster]`.
"""

from __future__ import annotations

from .pool import Pool, connect
from .runs import genetic, selfplay, tournament

__all__ = ["Pool", "connect", "genetic", "selfplay", "tournament"]
