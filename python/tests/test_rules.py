"""The rules through Python: leaf counts, and the engine against the naive implementation."""

from __future__ import annotations

import copy
import pickle

import naive
import numpy as np
import pytest
from hypothesis import given
from strategies import boards
from turncoat import BLACK, WHITE, Board, Game, IllegalMoveError, InputError, Player, play_game

LEAVES = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]


def leaves(board: Board, depth: int) -> int:
    """Counted move by move through Python."""
    if depth == 0 or board.is_over:
        return 1
    return sum(leaves(board.play(move), depth - 1) for move in board.legal_moves())


def test_perft() -> None:
    assert [leaves(Board(), depth) for depth in range(1, 6)] == LEAVES[:5]
    assert [Board().perft(depth) for depth in range(1, 11)] == LEAVES


def grid(board: Board) -> naive.Grid:
    return board.to_array() * np.int8(board.side)


@given(boards())
def test_the_engine_plays_as_the_naive_implementation(board: Board) -> None:
    seen = grid(board)
    expected = naive.moves(seen)
    if expected:
        assert [divmod(action, board.size) for action in board.legal_actions()] == expected
        for row, column in expected:
            assert (grid(board.play((row, column))) == naive.play(seen, row, column)).all()
            assert len(board.flips((row, column))) == len(naive.flips(seen, row, column))
    elif naive.moves(-seen):
        assert board.must_pass and board.legal_moves() == ["pass"]
        assert (grid(board.play("pass")) == -seen).all()
    else:
        assert board.is_over and board.legal_moves() == []
        for variant in ("reversed", "reversi"):
            assert board.score(variant) == naive.final_score(seen, variant)
    assert board.is_over == naive.is_over(seen)
    assert board.legal_mask().sum() == len(board.legal_moves())


@given(boards())
def test_boards_come_back_from_whatever_they_are_turned_into(board: Board) -> None:
    assert Board(str(board), size=board.size) == board
    assert Board.from_array(board.to_array(), board.side) == board
    assert Board.from_array(board.to_array().tolist(), board.side) == board
    assert Board.from_planes(board.planes(), board.side) == board
    assert pickle.loads(pickle.dumps(board)) == board
    assert eval(repr(board)) == board and hash(eval(repr(board))) == hash(board)
    assert board.count(BLACK) + board.count(WHITE) + board.empties == board.size**2
    assert len(board.symmetries()) == 8 and board.symmetries()[0] == board


def test_a_whole_game() -> None:
    game = play_game(Player("gene45:depth=2"), Player("turncoat:level=2"))
    assert game.is_over and game.winner in (-1, 0, 1)
    last = game.boards[-1]
    assert game.score == last.score() if last.side == BLACK else game.score == -last.score()
    again = Game.parse(game.transcript)
    assert again.board == game.board and again.moves == game.moves
    assert Game.parse(game.chess_log()).transcript == game.transcript
    assert pickle.loads(pickle.dumps(game)).boards == game.boards
    assert copy.deepcopy(game).moves == game.moves
    while game.undo():
        pass
    assert game.board == Board() and len(game) == 0
    while game.redo():
        pass
    assert game.moves == again.moves


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (lambda: Board("f5f5"), "is already occupied by black"),
        (lambda: Board("-" * 64 + " X"), "no discs"),
        (lambda: Board(size=5), "sizes are 8, 6 and 4"),
        (lambda: Board().play("a1"), "would flip no disc"),
        (lambda: Board().play(65), "0 to 64"),
        (lambda: Board().play(-1), "0 to 64"),
        (lambda: Board().play((8, 0)), "not a square"),
        (lambda: Board().play("pass"), "may not pass"),
        (lambda: Board().play(None), "a move is"),  # type: ignore[arg-type]
        (lambda: Board().play("z9"), "not a move"),
        (lambda: Board(size=-1), "no board has -1 squares"),
        (lambda: Board().perft(-1), "too small or too large"),
        (lambda: Board().play(37.5), "a move is"),  # type: ignore[arg-type]
        (lambda: Board().play([4, 5, 6]), "a move is"),
        (lambda: Board.from_array(np.full((8, 8), 0.5), -1), "0.5 is not an integer"),
        (lambda: Board.from_array(np.full((8, 8), np.nan), -1), "not an integer"),
        (lambda: Board.from_array(np.full((8, 8), 2**64 - 1, np.uint64), -1), "not a cell"),
        (lambda: Board.from_array([[0, 1], [1]], -1), "not an array"),  # type: ignore[list-item]
        (lambda: Board.from_array("text", -1), "expected an array of integers"),
        (lambda: Board.from_array([], -1), "8x8"),
        (lambda: Board.from_planes(np.full((2, 8, 8), 2), 1), "2 is not a cell of a plane"),
        (lambda: Board.from_planes(-Board().planes().astype(int), 1), "-1 is not a cell of a plane"),
        (lambda: Game(size=6, start=Board()), "is 8x8, not 6x6"),
        (lambda: Game(size=5), "no board has 5"),
        (lambda: Player(seed=-1), "too small or too large"),
        (lambda: Player("greedy").choose(Board(), depth=-1), "too small or too large"),
        (lambda: play_game(Player("greedy"), Player("greedy", variant="reversi")), "not built for"),
        (lambda: Board.from_array(np.zeros((8, 7), int), -1), "8x8"),
        (lambda: Board.from_array(np.full((8, 8), 2), -1), "not a cell"),
        (lambda: Board.from_array(np.full((8, 8), 300), -1), "not a cell"),
        (lambda: Board.from_array(np.zeros((8, 8), int), -1), "no discs"),
        (lambda: Board.from_array(Board().to_array(), 0), "a side is"),
        (lambda: Board.from_planes(np.ones((2, 8, 8), int), 1), "has a black and a white disc"),
        (lambda: Board().perft(99), "at most 12"),
        (lambda: Game("checkers"), "no variant"),
        (lambda: Board().score("chess"), "no variant"),
    ],
)
def test_what_is_wrong_is_told(wrong: object, words: str) -> None:
    with pytest.raises(InputError, match=words):
        wrong()  # type: ignore[operator]


def test_what_students_write_is_read() -> None:
    floats = np.zeros((8, 8))
    floats[3, 3] = floats[4, 4] = WHITE
    floats[3, 4] = floats[4, 3] = BLACK
    assert Board.from_array(floats, BLACK) == Board()
    assert Board.from_planes(Board().planes().astype(bool), BLACK) == Board()
    for move in ([4, 5], np.array([4, 5]), np.int32(37), np.array(37), (np.int64(4), 5)):
        assert Board().play(move) == Board("f5")
    assert Game(start=Board(size=6)).board.size == 6
    assert Player("greedy", variant="reversi", size=6).variant == "reversi"


def test_an_illegal_move_changes_nothing() -> None:
    game = Game()
    with pytest.raises(IllegalMoveError, match="a1: black would flip no discs there"):
        game.play("a1")
    assert game.moves == []
