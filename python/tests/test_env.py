"""The environment: PettingZoo's own test, whole games in both variants, many games at once."""

from __future__ import annotations

import subprocess
import sys
import threading
import warnings

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test
from turncoat import BLACK, Board, IllegalMoveError, InputError
from turncoat.env import BatchEnv, env, raw_env


@pytest.mark.parametrize("variant", ["reversed", "reversi"])
@pytest.mark.parametrize("size", [8, 4])
def test_pettingzoo_is_content(variant: str, size: int) -> None:
    with warnings.catch_warnings():
        # It recommends numbered agents and plain observations.
        warnings.simplefilter("ignore", UserWarning)
        api_test(env(variant, size), num_cycles=300)
        seed_test(lambda: env(variant, size), num_cycles=20)


@pytest.mark.parametrize("variant", ["reversed", "reversi"])
def test_rewards_are_the_result(variant: str) -> None:
    chance = np.random.default_rng(1)
    for _ in range(20):
        made = raw_env(variant, 6)
        made.reset()
        while made.agents:
            observation, _, terminated, truncated, _ = made.last()
            if terminated or truncated:
                made.step(None)
                continue
            made.step(int(chance.choice(np.flatnonzero(observation["action_mask"]))))
            if made.game.is_over:
                board = made.game.board
                score = board.score(variant)
                assert score is not None
                black = score if board.side == BLACK else -score
                assert made.rewards == {"black": np.sign(black), "white": -np.sign(black)}


def test_an_illegal_move_loses() -> None:
    made = env()
    made.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made.step(0)
    assert made.unwrapped.rewards == {"black": -1, "white": 0}
    assert all(made.unwrapped.terminations.values())


@pytest.mark.parametrize("variant", ["reversed", "reversi"])
def test_many_games_are_as_many_single_ones(variant: str) -> None:
    chance = np.random.default_rng(2)
    games = BatchEnv(16, variant=variant, size=4)
    single = [Board(size=4) for _ in range(16)]
    planes, mask = games.reset()
    ended = 0
    for _ in range(60):
        assert (planes == [board.planes() for board in single]).all()
        assert (mask == [board.legal_mask() for board in single]).all()
        assert games.sides.tolist() == [board.side for board in single]
        actions = np.array([chance.choice(np.flatnonzero(row)) for row in mask])
        planes, mask, rewards, done = games.step(actions)
        for index, action in enumerate(actions):
            after = single[index].play(int(action))
            score = after.score(variant)
            assert done[index] == after.is_over
            assert rewards[index] == (0 if score is None else -np.sign(score))
            single[index] = Board(size=4) if after.is_over else after
            ended += after.is_over
    assert ended > 16


def test_what_is_no_action_is_refused() -> None:
    games = BatchEnv(2)
    games.reset()
    for wrong in ([19.5, 37], [np.nan, 37], [19], [[19, 37]], ["d3", "f5"], np.array([2**64 - 1, 1], np.uint64)):
        with pytest.raises(InputError):
            games.step(wrong)
    single = raw_env()
    single.reset()
    for action in (19.7, float("nan"), None, 65):
        with pytest.raises(InputError):
            single.step(action)  # type: ignore[arg-type]
    assert len(single.game) == 0 and games.sides.tolist() == [BLACK, BLACK]
    games.step([19, 37])
    single.step(np.int32(19))
    for count in (-1, 0, 1 << 25):
        with pytest.raises(InputError):
            BatchEnv(count)
    with pytest.raises(InputError, match="render_mode is None or one of"):
        env(render_mode="rgb")


def test_no_step_is_lost_between_threads() -> None:
    games = BatchEnv(20_000)
    games.reset()
    lock = threading.Lock()
    steps = 0

    def play() -> None:
        nonlocal steps
        for _ in range(15):
            actions = games.tables.legal_mask().argmax(axis=1)
            try:
                games.tables.step(actions)
            except IllegalMoveError:
                # Another thread was faster: these were moves of the boards before.
                continue
            with lock:
                steps += 1

    threads = [threading.Thread(target=play) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    # All games are alike, and each step turns the side.
    assert steps > 0 and (games.sides == (BLACK if steps % 2 == 0 else -BLACK)).all()
    single = Board()
    for _ in range(steps):
        single = single.play(single.legal_actions()[0])
    assert (games.boards == single.words).all()


WITHOUT = """
import sys

for name in ("pettingzoo", "gymnasium", "ray"):
    sys.modules[name] = None
from turncoat.env import BatchEnv
assert len(BatchEnv(3)) == 3
try:
    from turncoat.env import env
except ImportError as error:
    print(error)
"""


def test_many_games_need_no_pettingzoo() -> None:
    done = subprocess.run([sys.executable, "-c", WITHOUT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "pip install 'turncoat[env]'" in done.stdout


def test_an_illegal_move_of_one_changes_none() -> None:
    games = BatchEnv(2)
    games.reset()
    with pytest.raises(IllegalMoveError, match="game 1: a1 is not a legal move"):
        games.step(np.array([19, 0]))
    assert games.sides.tolist() == [BLACK, BLACK]
