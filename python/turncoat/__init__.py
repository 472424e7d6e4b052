"""A laboratory for Reversed Reversi (the fewest discs win) and Reversi.

>>> from turncoat import Board, Game, Player, analyze, solve
>>> Board().legal_moves()
['d3', 'c4', 'f5', 'e6']

Colours are the course's numbers: `BLACK` is -1, `WHITE` is 1. Scores are in discs, positive when good for the mover.
Moves are strings (`"f5"`, `"pass"`), numbers (row * size + column; size * size is the pass) or pairs of row and column.

`turncoat.batch` works on many boards at once, `turncoat.course` has the course's class, `turncoat.env` a PettingZoo
environment, `turncoat.lab` training, `turncoat.cluster` training on many machines.
"""

from __future__ import annotations

from pathlib import Path

from . import batch, errors
from ._engine import (
    Board,
    Book,
    BookMove,
    Explanation,
    Game,
    Player,
    PlayerKind,
    Record,
    Roster,
    Solution,
    Term,
    Thought,
    __version__,
    books_at,
    parse_games,
    players,
    read_games,
    solve,
)
from .errors import IllegalMoveError, InputError, PlayerError, RunError, TurncoatError
from .evaluator import Evaluator

books_at(Path(__file__).parent / "books")

BLACK = -1
WHITE = 1

__all__ = [
    "BLACK",
    "WHITE",
    "Board",
    "Book",
    "BookMove",
    "Evaluator",
    "Explanation",
    "Game",
    "IllegalMoveError",
    "InputError",
    "Player",
    "PlayerError",
    "PlayerKind",
    "Record",
    "Roster",
    "RunError",
    "Solution",
    "Term",
    "Thought",
    "TurncoatError",
    "__version__",
    "analyze",
    "batch",
    "errors",
    "parse_games",
    "play_game",
    "players",
    "read_games",
    "solve",
]


def analyze(
    board: Board,
    *,
    player: str = "turncoat",
    variant: str = "reversed",
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> list[Thought]:
    """Every legal move of a board with its score, depth and line, best first.

    >>> [thought.move for thought in analyze(Board("f5d6"), depth=6)][0] in Board("f5d6").legal_moves()
    True
    """
    if not isinstance(board, Board):
        raise TypeError(f"expected a Board, not {board!r}; Board(text) makes one")
    made = Player(player, variant=variant, size=board.size)
    return made.analyze(board, time=time, depth=depth, nodes=nodes)


def play_game(
    black: Player,
    white: Player,
    *,
    variant: str = "reversed",
    start: Board | None = None,
    time: float | None = None,
    depth: int | None = None,
    nodes: int | None = None,
) -> Game:
    """A whole game between two players built for this variant and size.

    >>> game = play_game(Player("greedy"), Player("random", seed=7))
    >>> game.is_over
    True
    """
    begin = start if start is not None else Board()
    game = Game(variant, start=begin)
    for player in (black, white):
        if player.variant != game.variant:
            raise InputError(f"{player!r} was not built for {game.variant}")
    while not game.is_over:
        board = game.board
        player = black if board.side == BLACK else white
        thought = player.choose(game, time=time, depth=depth, nodes=nodes)
        game.play("pass" if thought is None else thought.move)
    return game
