"""Evaluators in Python with the engine's search: the moves of a classic, and whatever may go wrong."""

from __future__ import annotations

import _thread
import pickle
import signal
import threading
import time
import traceback
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import boards
from turncoat import Board, Evaluator, InputError, Player, PlayerError, Roster, batch, play_game, solve
from turncoat.lab import GeneticRun, Tournament, play

Boards = npt.NDArray[np.uint64]
Values = npt.NDArray[np.float64]


class NineWeights(Evaluator):
    """The evaluation of nine-weights with its published numbers."""

    finished = "value"
    table = (-150, 48, -8, 6, -8, -16, 3, 4, 4, 0)
    stages = np.array([[2.51, 5.75, 0.75, 1.56], [1.88, 3.03, 4.38, 5.21]])

    def evaluate(self, boards: Boards) -> Values:
        columns = batch.features(boards, size=self.size).astype(float).T
        named = dict(zip(batch.FEATURES, columns, strict=True))
        leads = [named[f"own {name}"] - named[f"opposing {name}"] for name in ("moves", "frontier", "stable", "discs")]
        # Stages are scaled to the board.
        discs = (named["own discs"] + named["opposing discs"]) * 64 // self.size**2
        late = (discs > 33).astype(int)
        value: Values = 2.22 * sum(w * column for w, column in zip(self.table, columns[18:], strict=True))
        for weights, lead, sign in zip(self.stages.T, leads, (1, -1, -1, -1), strict=True):
            value = value + weights[late] * (sign * lead)
        return value


class Discs(Evaluator):
    """The opponent's discs less the mover's."""

    def evaluate(self, boards: Boards) -> Values:
        discs = np.bitwise_count(boards).astype(float)
        return discs[:, 1] - discs[:, 0]


@settings(max_examples=60)
@given(boards(8), st.integers(1, 4), st.sampled_from([1, 30, 1024]))
def test_a_classic_in_numpy_chooses_its_moves(board: Board, depth: int, size: int) -> None:
    evaluator = NineWeights()
    evaluator.batch = size
    mine = Player(evaluator).choose(board, depth=depth)
    theirs = Player("nine-weights").choose(board, depth=depth)
    assert (mine and mine.move) == (theirs and theirs.move)


def test_a_classic_in_numpy_plays_its_games() -> None:
    games = [
        play_game(first, Player("random", seed=3), depth=2).transcript
        for first in (Player(NineWeights()), Player("nine-weights"))
    ]
    assert games[0] == games[1]


def test_depth_time_and_nodes() -> None:
    player = Player(Discs())
    thought = player.choose(Board())
    assert thought is not None and thought.depth == 3 and thought.nodes > 4 and thought.score is not None
    deeper = player.choose(Board(), nodes=20_000)
    assert deeper is not None and deeper.depth > 3 and deeper.nodes >= 20_000
    roster = Roster([Discs()])
    assert getattr(Player("evaluator:Discs,depth=2", roster=roster).choose(Board(), depth=5), "depth", 0) == 2
    began = time.monotonic()
    assert getattr(player.choose(Board(), time=0.3), "depth", 0) >= 3
    # Nobody waits for a deeper search on a busy machine.
    assert time.monotonic() - began < 30
    assert player.choose(Board("e6f4e3f6g5d6e7f5c5")) is None
    assert player.candidate_list(Board(), depth=1)[-1] in [(2, 3), (3, 2), (4, 5), (5, 4)]


@pytest.mark.parametrize("seed", range(8))
def test_a_search_to_the_end_wins_what_is_won(seed: int) -> None:
    board, random = Board(), Player("random", seed=seed)
    while not board.is_over and (board.empties > 7 or board.must_pass):
        thought = random.choose(board)
        board = board.play("pass" if thought is None else thought.move)
    thought, score = Player(Discs()).choose(board, depth=60), solve(board).score
    if not board.is_over:
        assert thought is not None and score is not None and thought.score is not None
        assert (thought.score > 0) == (score > 0) and (thought.score < 0) == (score < 0)


def test_evaluators_play_tournaments_and_in_the_lab(tmp_path: Path) -> None:
    run = Tournament([Discs(), NineWeights(), "greedy"], games=2, depth=1)
    play(run)
    assert run.complete and {row["player"] for row in run.summary()["table"]} == {
        "evaluator:Discs",
        "evaluator:NineWeights",
        "greedy",
    }
    classic = Tournament([Discs(), "nine-weights", "greedy"], games=2, depth=1)
    play(classic)
    assert [game["moves"] for game in classic.games()] == [game["moves"] for game in run.games()]
    (tmp_path / "pool.toml").write_text(
        'title = "Against an evaluator"\nplayer = "gene45:depth=1"\nseed = 1\ngenerations = 2\n'
        '[genome]\nkind = "real"\ngroups = ["board"]\nstart = [-9, 9]\n'
        '[algorithm]\nkind = "real"\npopulation = 4\nelite = 1\ntournament = 2\n'
        '[fitness]\nscore = "margin"\nplies = 40\nopenings = 2\nopponents = "pool"\n'
        'pool = ["evaluator:Discs,depth=1"]\n'
    )
    roster = Roster([Discs()])
    genetic = GeneticRun.create(tmp_path / "pool.toml", tmp_path / "run", roster=roster)
    by_threads = genetic.step(threads=2)
    again = GeneticRun.create(tmp_path / "pool.toml", tmp_path / "again", roster=roster)
    assert again.step(lambda games: games.play(0, len(games), roster=roster)) == by_threads
    with pytest.raises(InputError, match='no evaluator is called "Discs": the roster has none'):
        GeneticRun.check(tmp_path / "pool.toml", tmp_path / "third")


class Broken(Evaluator):
    """Returns whatever it is told to."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def evaluate(self, boards: Boards) -> Any:
        return self.answer(boards)


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (lambda boards: np.zeros((len(boards), 1)), r"shape \(4, 1\) for 4 boards, not \(4,\)"),
        (lambda boards: 0.5, r"shape \(\) for 4 boards"),
        (lambda boards: [0, 0, float("nan"), 0], r"returned NaN for board 2 of 4, \[0x\w+, 0x\w+\]"),
        (lambda boards: np.full(len(boards), np.inf), "returned inf for board 0"),
    ],
)
def test_values_that_make_no_sense_are_named(answer: Any, fault: str) -> None:
    with pytest.raises(PlayerError, match=fault):
        Player(Broken(answer)).choose(Board())


def test_an_exception_comes_with_its_traceback(tmp_path: Path) -> None:
    def divide(boards: Boards) -> Any:
        return 1 // (len(boards) - len(boards))

    questions = [
        lambda: Player(Broken(divide)).choose(Board()),
        lambda: play(Tournament([Broken(divide), "greedy"], games=2)),
    ]
    for ask in questions:
        with pytest.raises(ZeroDivisionError) as raised:
            ask()
        assert "divide" in "".join(traceback.format_tb(raised.value.__traceback__))
    for answer in (lambda boards: None, lambda boards: ["x"] * len(boards)):
        with pytest.raises((TypeError, ValueError, PlayerError)):
            Player(Broken(answer)).choose(Board())
    # The player can be asked again.
    healing = Broken(divide)
    player = Player(healing)
    with pytest.raises(ZeroDivisionError):
        player.choose(Board())
    healing.answer = lambda boards: np.zeros(len(boards))
    assert player.choose(Board()) is not None


def test_what_is_wrong_with_an_evaluator_is_told() -> None:
    with pytest.raises(TypeError, match="expected the text of a player or an Evaluator, not 5"):
        Player(5)  # type: ignore[arg-type]
    with pytest.raises(NotImplementedError, match="Evaluator has no method evaluate"):
        Player(Evaluator()).choose(Board())
    for name, value, fault in [
        ("depth", 0, "depth is 1 to 60 plies, not 0"),
        ("batch", 0, "batch is 1 to 1048576 boards, not 0"),
        ("finished", "never", 'finished is "score" or "value", not "never"'),
        ("name", "a:b", "a name has no colons"),
        ("depth", "three", "evaluator Discs: depth is a whole number, not 'three'"),
        ("name", 7, "evaluator Discs: name is a text, not 7"),
        ("size", 7, "evaluator Discs: no board has 7 squares"),
        ("size", 7, "7"),
    ]:
        evaluator = Discs()
        setattr(evaluator, name, value)
        with pytest.raises(InputError, match=fault):
            Player(evaluator)
    with pytest.raises(InputError, match="it plays on 8x8; its attribute `size` says so"):
        Player(Discs(), size=6)
    with pytest.raises(InputError, match="two evaluators are called Discs"):
        Tournament([Discs(), Discs()])
    with pytest.raises(InputError, match='"deep" is no option'):
        Player("evaluator:Discs,deep", roster=Roster([Discs()]))
    same = Discs()
    assert len(Tournament([same, same], games=2).missing()) == 2


def test_a_roster_takes_evaluators_along() -> None:
    sent = pickle.loads(pickle.dumps(Roster([NineWeights()], memory=7)))
    assert repr(sent) == "<Roster: programs in a sandbox, 7 MB, evaluator:NineWeights>"
    assert Player("evaluator:NineWeights", roster=sent).choose(Board()) is not None


def test_small_boards() -> None:
    small = NineWeights()
    small.size = 6
    mine, theirs = Player(small, size=6), Player("nine-weights", size=6)
    board = Board(size=6)
    while not board.is_over:
        one, other = mine.choose(board, depth=2), theirs.choose(board, depth=2)
        assert (one and one.move) == (other and other.move)
        board = board.play("pass" if one is None else one.move)


def test_control_c_ends_an_evaluation() -> None:
    def forever(boards: Boards) -> Any:
        while True:
            time.sleep(0.01)

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            Player(Broken(forever)).choose(Board())
        # Games end after the call that is under way.
        timer = threading.Timer(0.3, _thread.interrupt_main)
        timer.start()
        slow = Broken(lambda boards: time.sleep(0.02) or np.zeros(len(boards)))
        with pytest.raises(KeyboardInterrupt):
            play(Tournament([slow, "greedy"], games=100))
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)


def test_threads_share_an_evaluator() -> None:
    player = Player(Discs())
    found: list[object] = []
    threads = [threading.Thread(target=lambda: found.append(player.choose(Board(), depth=3))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len({getattr(thought, "move", None) for thought in found}) == 1 and len(found) == 4
