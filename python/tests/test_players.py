"""Players, analysis and the solver."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from turncoat import Board, InputError, Player, analyze, batch, players, read_games, solve
from turncoat.course import AI


def endgame(empties: int) -> Board:
    """A board near the end of a game."""
    board, player = Board(), Player("random", seed=5)
    while board.empties > empties:
        thought = player.choose(board)
        board = board.play("pass" if thought is None else thought.move)
    return board


def test_every_built_in_player_plays_what_it_says() -> None:
    for kind in players():
        for variant in kind.variants:
            for size in kind.sizes:
                board = Board(size=size)
                player = Player(kind.name, variant=variant, size=size)
                thought = player.choose(board, depth=2)
                assert thought is not None
                assert thought.move in board.legal_moves()
                assert board.play(thought.action) == board.play(thought.square)
                listed = player.candidate_list(board, depth=2)
                assert set(listed) == {divmod(action, size) for action in board.legal_actions()}
                assert kind.name == "random" or listed[-1] == thought.square


def test_linear_weighs_the_columns_of_features(tmp_path: Path) -> None:
    counted = [name for name in batch.FEATURES if not name.startswith("lead on")]
    weights = [3 * (index % 7) - 10 for index in range(len(batch.FEATURES))]
    lines = ['player = "linear"', 'variant = "reversed"', f"board = {weights[len(counted) :]}"]
    lines += [f"{name.replace(' ', '_')} = {weight}" for name, weight in zip(counted, weights)]
    path = tmp_path / "weights.toml"
    path.write_text("\n".join(lines))
    player = Player(f"linear:weights={path}")
    for empties in (56, 40, 20, 6):
        board = endgame(empties)
        columns = batch.features(batch.stack([board]))[0].tolist()
        value = sum(weight * number for weight, number in zip(weights, columns))
        explanation = player.explain(board)
        assert explanation is not None
        assert explanation.value == value


def test_equal_seeds_choose_equally() -> None:
    def chosen(seed: int) -> list[str]:
        player = Player("random", seed=seed)
        player.new_game(3)
        thoughts = [player.choose(Board("f5d6")) for _ in range(20)]
        return [thought.move for thought in thoughts if thought is not None]

    assert chosen(1) == chosen(1) != chosen(2)


def test_solve_and_analyse_agree() -> None:
    board = endgame(14)
    for variant in ("reversed", "reversi"):
        solution = solve(board, variant=variant, threads=2)
        assert solution.complete and solution.score is not None
        thoughts = analyze(board, variant=variant, depth=60)
        assert thoughts[0].exact and thoughts[0].score == solution.score
        assert len(thoughts) == len(board.legal_moves())
        end = board
        for move in solution.line:
            end = end.play(move)
        sign = 1 if end.side == board.side else -1
        assert end.is_over and end.score(variant) == sign * solution.score
        sign = (solution.score > 0) - (solution.score < 0)
        wins = solve(board, variant=variant, result_only=True)
        assert (wins.lower > 0) - (wins.upper < 0) == sign


def test_a_solve_that_runs_out_of_time_has_bounds() -> None:
    solution = solve(Board(), time=0.05)
    assert not solution.complete and solution.score is None
    assert solution.lower < solution.upper and solution.best in Board().legal_moves()


def test_other_threads_run_while_the_engine_thinks() -> None:
    seen: list[float] = []
    done = threading.Event()

    def watch() -> None:
        while not done.wait(0.01):
            seen.append(time.monotonic())

    watcher = threading.Thread(target=watch)
    watcher.start()
    solve(Board(), time=0.5)
    done.set()
    watcher.join()
    # With the lock held there would be none.
    assert len(seen) > 3


def test_control_c_ends_a_thought() -> None:
    # Where the tests run in the background the signal may be ignored.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.2, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            solve(Board(), time=120)
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
    assert Player("greedy").choose(Board()) is not None


def test_what_is_wrong_is_told(tmp_path: object) -> None:
    with pytest.raises(InputError, match="no player is called"):
        Player("nobody")
    with pytest.raises(InputError, match="no option is called"):
        Player("gene45:colour=red")
    with pytest.raises(InputError, match="does not play"):
        Player("gene45", variant="reversi")
    with pytest.raises(InputError, match="cannot analyse"):
        Player("greedy").analyze(Board())
    with pytest.raises(InputError, match="built for 8x8"):
        Player("greedy").choose(Board(size=6))
    with pytest.raises(InputError, match="seconds long"):
        Player("greedy").choose(Board(), time=-1)
    with pytest.raises(FileNotFoundError):
        read_games(f"{tmp_path}/nothing.ggf")
    assert Player("greedy").choose(Board("e6f4e3f6g5d6e7f5c5")) is None


def test_the_course_s_class() -> None:
    ai = AI(8, -1, 0.2)
    ai.go(Board().to_array())
    assert set(ai.candidate_list[:-1]) == {(2, 3), (3, 2), (4, 5), (5, 4)}
    assert ai.candidate_list[-1] in ai.candidate_list[:-1]
    ai = AI(8, 1, 0.2)
    full = Board("e6f4e3f6g5d6e7f5c5").to_array()
    ai.go(full)
    assert ai.candidate_list == []
    with pytest.raises(InputError):
        AI(8, 0, 5)
    with pytest.raises(InputError):
        ai.go([[0, 1], [1, 0]])
    with pytest.raises(InputError, match="no board has 7"):
        AI(7, -1, 5)
    with pytest.raises(InputError, match="6x6 was announced"):
        AI(6, -1, 5).go(Board().to_array())
    ai = AI(6, -1, 0.2)
    ai.go(Board(size=6).to_array().astype(float))
    assert len(ai.candidate_list) == 5


def test_who_waits_for_a_player_keeps_nobody_waiting() -> None:
    player = Player("turncoat")
    thinking = threading.Thread(target=lambda: player.choose(Board(), time=2, depth=60))
    waiting = threading.Thread(target=player.new_game)
    thinking.start()
    time.sleep(0.2)
    waiting.start()
    ticks = 0
    while thinking.is_alive():
        time.sleep(0.01)
        ticks += 1
    thinking.join()
    waiting.join()
    # With the interpreter's lock held there would be next to none.
    assert ticks > 10


def test_control_c_ends_the_wait_for_a_player() -> None:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    player = Player("turncoat")
    thinking = threading.Thread(target=lambda: player.choose(Board(), time=5, depth=60))
    thinking.start()
    time.sleep(0.2)
    questions: list[Callable[[], object]] = [lambda: player.choose(Board()), player.new_game]
    try:
        for ask in questions:
            timer = threading.Timer(0.2, _thread.interrupt_main)
            timer.start()
            with pytest.raises(KeyboardInterrupt):
                ask()
            timer.join()
            assert thinking.is_alive()
    finally:
        thinking.join()
        signal.signal(signal.SIGINT, before)
