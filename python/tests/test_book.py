"""Opening books: looked into, grown, and refused when they are none."""

from __future__ import annotations

from pathlib import Path

import pytest
from turncoat import Board, Book, InputError, solve
from turncoat.lab import BookRun, search_book


def grow(file: Path, **settings: object) -> BookRun:
    run = BookRun(file, **settings)  # type: ignore[arg-type]
    while tasks := run.batch():
        run.keep(tasks, search_book(run.description(), tasks))
    run.save()
    return run


@pytest.mark.parametrize("variant", ["reversed", "reversi"])
def test_the_books_of_the_package_know_the_first_plies(variant: str) -> None:
    book = Book(variant=variant)
    assert (book.variant, book.size, book.evaluation) == (variant, 8, "patterns")
    assert len(book) >= 2174
    path = Book.file(variant=variant)
    assert path is not None and len(Book(path)) == len(book)
    for text in ("start", "f5", "f5d6", "f5f6e6"):
        board = Board(text)
        moves = book.moves(board)
        assert board in book and {known.move for known in moves} == set(board.legal_moves())
        scores = [known.score for known in moves]
        assert scores == sorted(scores, key=lambda score: -(score or 0))
        assert moves[0].score == book.score(board) and not book.exact(board)
        assert all(known.depth >= 14 and known.positions > 0 for known in moves)
        line = book.line(board)
        assert len(line) >= 3 and book.score(board.play(line[0])) == -(book.score(board) or 0)


@pytest.mark.parametrize(("variant", "score"), [("reversed", 2.0), ("reversi", -4.0)])
def test_six_by_six_is_exact(variant: str, score: float) -> None:
    book = Book(variant=variant, size=6)
    start = Board(size=6)
    assert (book.score(start), book.exact(start)) == (score, True)
    assert all(known.exact and known.score == score for known in book.moves(start))


def test_boards_of_other_sizes_and_files_that_are_no_books_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the book is for 8x8, not for 6x6"):
        Book().score(Board(size=6))
    with pytest.raises(InputError, match="no book for reversed on 4x4"):
        Book(size=4)
    (tmp_path / "text").write_text("f5d6")
    with pytest.raises(InputError, match="this is not a book"):
        Book(tmp_path / "text")
    with pytest.raises(InputError):
        Book(tmp_path / "nothing")
    beyond = Board("f5d6c3d3c4f4f6f3e6e7")
    assert beyond not in Book() or Book().moves(beyond) is not None


def test_a_book_grows_and_is_what_the_solver_says(tmp_path: Path) -> None:
    file = tmp_path / "four.book"
    settings = {"variant": "reversi", "size": 4, "plies": 4, "line_plies": 4, "depth": 12}
    run = grow(file, **settings)
    summary = run.summary()
    assert summary["complete"] and summary["searched"] == len(Book(file))
    with pytest.raises(InputError, match="another process is growing this book"):
        BookRun(file)
    del run
    assert grow(file, **settings).summary()["searched"] == 0
    book = Book(file)
    start = Board(size=4)
    assert book.exact(start) and book.score(start) == solve(start, variant="reversi").score
    with pytest.raises(InputError, match="the book is for reversi on 4x4, not for reversed on 4x4"):
        BookRun(file, variant="reversed")
    with pytest.raises(InputError, match="depth is at least 1"):
        BookRun(tmp_path / "other.book", depth=0)
    with pytest.raises(InputError, match="surer choices or by answers"):
        BookRun(tmp_path / "other.book", choices=1, rival=8)
    with pytest.raises(InputError, match="a rival looks less far ahead than the book"):
        BookRun(tmp_path / "other.book", depth=8, rival=8)
    with pytest.raises(InputError, match="1 results|0 results"):
        BookRun(tmp_path / "other.book").keep([(1, 2, 3)], [])


def test_solve_knows_what_the_exact_book_has_proven() -> None:
    known = solve(Board(size=6), variant="reversi")
    assert (known.score, known.nodes, known.complete) == (-4, 0, True)
    assert known.line and known.best == known.line[0]
    # Without the book it is searched.
    again = solve(Board(size=6), variant="reversi", time=0.2, book=False)
    assert again.nodes > 0 and again.lower <= -4 <= again.upper
