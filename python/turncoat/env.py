"""Learning environments: a PettingZoo `env` for both games, and `BatchEnv`, many games at once.

>>> from turncoat.env import BatchEnv, env
>>> game = env(variant="reversi")
>>> game.reset(seed=1)
>>> game.agent_selection
'black'
>>> len(BatchEnv(1000))
1000

`env` needs the package `pettingzoo`: `pip install 'turncoat[env]'`. `BatchEnv` does not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .batch_env import BatchEnv, board_of

if TYPE_CHECKING:
    from .pettingzoo_env import ReversiEnv, env, raw_env

__all__ = ["BatchEnv", "ReversiEnv", "board_of", "env", "raw_env"]


def __getattr__(name: str) -> Any:
    """Imports what needs PettingZoo on first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    try:
        from . import pettingzoo_env
    except ModuleNotFoundError as error:
        fault = f"{name} needs {error.name}: pip install 'turncoat[env]'"
        raise ModuleNotFoundError(fault, name=error.name) from None
    return getattr(pettingzoo_env, name)
