"""Positions for property tests: reached by play, of all sizes."""

from __future__ import annotations

from hypothesis import strategies as st
from turncoat import Board

choices = st.lists(st.integers(0, 63), max_size=64)
sizes = st.sampled_from([8, 8, 8, 6, 4])


@st.composite
def boards(draw: st.DrawFn, size: int | None = None) -> Board:
    board = Board(size=draw(sizes) if size is None else size)
    for choice in draw(choices):
        moves = board.legal_moves()
        if not moves:
            break
        board = board.play(moves[choice % len(moves)])
    return board
