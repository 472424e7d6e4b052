"""The PettingZoo environment for both games; use it through `turncoat.env`.

>>> from turncoat import env
>>> game = env.env(variant="reversed")
>>> game.reset(seed=1)
>>> observation, reward, terminated, truncated, info = game.last()
>>> int(observation["action_mask"].sum())
4
>>> game.step(37)
>>> game.agent_selection
'white'
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._engine import Game
from .errors import InputError

__all__ = ["ReversiEnv", "env", "raw_env"]

Observation = dict[str, npt.NDArray[np.int8]]

_COLORS = {"black": -1, "white": 1}


def env(
    variant: str = "reversed", size: int = 8, render_mode: str | None = None
) -> AECEnv:
    """The environment in PettingZoo's wrappers: an illegal move loses, and calls out of order are errors."""
    made: AECEnv = ReversiEnv(variant, size, render_mode)
    made = wrappers.TerminateIllegalWrapper(made, illegal_reward=-1)
    made = wrappers.AssertOutOfBoundsWrapper(made)
    return wrappers.OrderEnforcingWrapper(made)


class ReversiEnv(AECEnv):  # type: ignore[misc]
    """Two agents, `black` and `white`, that move in turn; 65 actions on the full board, the last one the pass.

    An agent sees two planes of the board, its own discs first, and a mask of its legal actions. It can pass only
    when it has to, and then has no other action. Rewards are 1 for a win, -1 for a loss and 0 for a draw, at the end.
    """

    metadata: dict[str, Any] = {
        "name": "turncoat_v1",
        "render_modes": ["human", "ansi"],
        "is_parallelizable": False,
    }

    def __init__(
        self, variant: str = "reversed", size: int = 8, render_mode: str | None = None
    ) -> None:
        super().__init__()
        modes = self.metadata["render_modes"]
        if render_mode is not None and render_mode not in modes:
            raise InputError(f"render_mode is None or one of {modes}, not {render_mode!r}")
        self.game = Game(variant, size=size)
        self.variant = variant
        self.size = size
        self.render_mode = render_mode
        self.possible_agents = ["black", "white"]
        self.agents = list(self.possible_agents)
        actions = size * size + 1
        self._action_spaces = {
            agent: gymnasium.spaces.Discrete(actions) for agent in self.possible_agents
        }
        self._observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(0, 1, (2, size, size), np.int8),
                    "action_mask": gymnasium.spaces.Box(0, 1, (actions,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions."""
        return self._action_spaces[agent]

    def observe(self, agent: str) -> Observation:
        """What an agent sees now; the mask is empty if it is not its turn."""
        board = self.game.board
        planes = board.planes().astype(np.int8)
        mask = np.zeros(self.size * self.size + 1, dtype=np.int8)
        if _COLORS[agent] != board.side:
            planes = planes[::-1].copy()
        elif not board.is_over:
            mask = board.legal_mask().astype(np.int8)
        return {"observation": planes, "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a new game. Nothing is random, so the seed has no effect."""
        self.game = Game(self.variant, size=self.size)
        self.agents = list(self.possible_agents)
        self.agent_selection = "black"
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def step(self, action: int | None) -> None:
        """Plays the current agent's move; an illegal one raises `IllegalMoveError`."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise InputError("the game is not over: an action is needed")
        self.game.play(action)
        self._cumulative_rewards[agent] = 0.0
        winner = self.game.winner
        if winner is not None:
            for each in self.agents:
                self.rewards[each] = float(winner * _COLORS[each])
                self.terminations[each] = True
        self.agent_selection = "white" if agent == "black" else "black"
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text."""
        board = self.game.board
        cells = str(board).split()[0]
        rows = [cells[row : row + self.size] for row in range(0, len(cells), self.size)]
        text = "\n".join(rows)
        if self.render_mode == "human":
            print(text)
            return None
        return text

    def close(self) -> None:
        """Does nothing."""


raw_env = ReversiEnv
