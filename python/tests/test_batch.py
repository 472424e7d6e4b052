"""Arrays of many boards against single boards and the naive implementation."""

from __future__ import annotations

import subprocess
import sys

import naive
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import boards, sizes
from turncoat import Board, IllegalMoveError, InputError, batch


@given(st.data())
def test_batches_are_what_single_boards_are(data: st.DataObject) -> None:
    size = data.draw(sizes)
    many = data.draw(st.lists(boards(size), min_size=1, max_size=4))
    words = batch.stack(many)
    sides = [board.side for board in many]
    mask = batch.legal_mask(words, size=size)
    assert (mask == [board.legal_mask() for board in many]).all()
    assert batch.is_over(words, size=size).tolist() == [board.is_over for board in many]
    assert (batch.planes(words, size=size) == [board.planes() for board in many]).all()
    arrays = np.stack([board.to_array() for board in many])
    assert (batch.to_arrays(words, sides, size=size) == arrays).all()
    assert (batch.from_arrays(arrays, sides) == words).all()
    for variant in ("reversed", "reversi"):
        scores = batch.final_scores(words, variant=variant, size=size)
        for board, score in zip(many, scores, strict=True):
            assert board.score(variant) in (None, score)
    going = ~batch.is_over(words, size=size)
    after = batch.play(words[going], mask[going].argmax(axis=1), size=size)
    left = [board for board in many if not board.is_over]
    assert (after == batch.stack(board.play(board.legal_actions()[0]) for board in left)).all()


@given(boards())
def test_features_are_those_of_the_naive_implementation(board: Board) -> None:
    found = batch.features(batch.stack([board]), size=board.size)[0].tolist()
    expected = naive.features(board.to_array() * np.int8(board.side))
    assert dict(zip(batch.FEATURES, found, strict=True)) == dict(
        zip(batch.FEATURES, expected, strict=True)
    )


@given(boards(8))
def test_slots_of_patterns_and_estimates(board: Board) -> None:
    words = batch.stack(board.symmetries())
    assert batch.pattern_slots(words).shape == (8, batch.pattern_slots(words[:0]).shape[1])
    for variant in ("reversed", "reversi"):
        # The weights are the same for all symmetries of a pattern.
        assert len(set(batch.estimate(words, variant=variant).tolist())) == 1


def test_arrays_need_not_be_contiguous() -> None:
    words = batch.stack([Board(), Board("f5"), Board("f5d6"), Board("f5d6c3")])
    assert (batch.legal_moves(words[::2]) == batch.legal_moves(words)[::2]).all()
    turned = np.asfortranarray(words)
    assert (batch.features(turned) == batch.features(words)).all()
    assert batch.features(words[:0]).shape == (0, len(batch.FEATURES))


def test_what_is_wrong_is_told() -> None:
    words = batch.stack([Board()])
    with pytest.raises(InputError, match="board 0: a square has two discs"):
        batch.legal_moves(np.array([[1, 1]], dtype=np.uint64))
    with pytest.raises(InputError, match="board 1: "):
        batch.features(np.array([[0, 0], [1, 0]], dtype=np.uint64), size=6)
    with pytest.raises(InputError, match="shape"):
        batch.features(np.zeros((2, 3), dtype=np.uint64))
    with pytest.raises(IllegalMoveError, match="board 0: a1 is not a legal move"):
        batch.play(words, np.array([0]))
    with pytest.raises(InputError, match="2 moves for 1 boards"):
        batch.play(words, np.array([0, 0]))
    with pytest.raises(InputError, match="no evaluation"):
        batch.estimate(words, evaluation="nothing")
    with pytest.raises(InputError, match="type uint64"):
        batch.legal_moves(np.zeros((1, 2), dtype=np.float64))
    with pytest.raises(InputError, match="19.5 is not an integer"):
        batch.play(words, [19.5])
    with pytest.raises(InputError, match="a number for each board"):
        batch.play(words, [[19]])
    with pytest.raises(InputError, match="no board has -8"):
        batch.legal_moves(words, size=-8)


def test_lists_and_other_whole_numbers_are_read() -> None:
    boards = [Board(), Board("f5"), Board("--" * 31 + "XO O")]
    words = batch.stack(boards)
    legal = batch.legal_moves(words)
    assert (batch.legal_moves([board.words for board in boards]) == legal).all()
    # Its last square is the sign.
    assert (batch.legal_moves(words.view(np.int64)) == legal).all()
    after = batch.play(words[:2], np.array([37, 29]))
    for actions in ([37, 29], np.array([37, 29], np.int32), np.array([37, 29], np.uint8), [37.0, 29.0]):
        assert (batch.play(words[:2], actions) == after).all()
    for empty in ([], np.zeros((0, 2))):
        assert batch.legal_moves(empty).shape == (0,)
        assert batch.play(empty, []).shape == (0, 2)
    assert batch.from_arrays([], []).shape == (0, 2)


ENDLESS = """
from turncoat import Game, batch
from turncoat.lab import Tournament, play_tournament

class Boastful(list):
    def __len__(self):
        return 2**62

tournament = Tournament(["greedy", "random"], games=2)
for long in (range(2**40), Boastful(), Boastful([1])):
    for call in (
        batch.legal_moves, batch.legal_mask, batch.is_over, batch.final_scores, batch.planes, batch.features,
        batch.pattern_slots, batch.estimate, Tournament, Game().__setstate__, tournament.fixtures,
        lambda long: play_tournament(tournament.description(), long), lambda long: batch.play(long, long),
    ):
        try:
            call(long)
        except (ValueError, TypeError, MemoryError, OverflowError) as error:
            pass
print("alive")
"""


def test_a_length_is_not_believed() -> None:
    done = subprocess.run([sys.executable, "-c", ENDLESS], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr


SHORT = """
import resource
import numpy as np
from turncoat import Board, batch
from turncoat.env import BatchEnv

words = np.repeat(batch.stack([Board()]), 1 << 22, axis=0)
games = BatchEnv(1 << 22)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()

def refused(call, more):
    resource.setrlimit(resource.RLIMIT_AS, (used + (more << 20), resource.RLIM_INFINITY))
    try:
        call()
    except MemoryError as error:
        print(error)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

for more in (16, 100, 200):
    for call in (batch.planes, batch.legal_mask, batch.pattern_slots, batch.features):
        refused(lambda: call(words), more)
    refused(lambda: batch.to_arrays(words, np.ones(len(words), np.int8)), more)
    refused(games.reset, more)
    refused(lambda: BatchEnv(1 << 24), more)
for call in (batch.legal_moves, batch.is_over, batch.final_scores, batch.estimate):
    refused(lambda: call(words), 16)
refused(lambda: batch.play(words, np.full(len(words), 19)), 16)
refused(lambda: games.step(np.full(len(words), 19)), 16)
print("alive")
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are the system's")
def test_short_memory_is_an_exception() -> None:
    done = subprocess.run([sys.executable, "-c", SHORT], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "alive" and len(lines) == 28 and "no memory for" in lines[0]
