"""The rules and features as a student would write them: numpy arrays, cell by cell. The reference for the engine.

A board is an array of 1 (the mover), -1 (the other side) and 0.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Grid = npt.NDArray[np.int8]

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
CLASSES = np.array([[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 9]])


def start(size: int = 8) -> Grid:
    grid = np.zeros((size, size), dtype=np.int8)
    middle = size // 2
    grid[middle - 1, middle - 1] = grid[middle, middle] = -1
    grid[middle - 1, middle] = grid[middle, middle - 1] = 1
    return grid


def inside(grid: Grid, row: int, column: int) -> bool:
    return 0 <= row < len(grid) and 0 <= column < len(grid)


def flips(grid: Grid, row: int, column: int, color: int = 1) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    if grid[row, column] != 0:
        return found
    for rows, columns in DIRECTIONS:
        line = []
        r, c = row + rows, column + columns
        while inside(grid, r, c) and grid[r, c] == -color:
            line.append((r, c))
            r, c = r + rows, c + columns
        if inside(grid, r, c) and grid[r, c] == color:
            found += line
    return found


def moves(grid: Grid, color: int = 1) -> list[tuple[int, int]]:
    size = len(grid)
    return [(r, c) for r in range(size) for c in range(size) if flips(grid, r, c, color)]


def play(grid: Grid, row: int, column: int) -> Grid:
    """The board after a move, seen from the opponent."""
    after = grid.copy()
    after[row, column] = 1
    for flipped in flips(grid, row, column):
        after[flipped] = 1
    return -after


def is_over(grid: Grid) -> bool:
    return not moves(grid) and not moves(-grid)


def final_score(grid: Grid, variant: str) -> int:
    difference = int(grid.sum())
    score = difference + int(np.sign(difference)) * int((grid == 0).sum())
    return score if variant == "reversi" else -score


def features(grid: Grid) -> list[int]:
    """The columns of `batch.FEATURES`."""
    pairs = [discs, mobility, frontier, corners, stable, kill, conquered, tied, clamped]
    both = [int(feature(grid, color)) for feature in pairs for color in (1, -1)]
    return both + leads(grid)


def discs(grid: Grid, color: int) -> int:
    return int((grid == color).sum())


def mobility(grid: Grid, color: int) -> int:
    return len(moves(grid, color))


def kill(grid: Grid, color: int) -> int:
    return sum(len(flips(grid, r, c, color)) for r, c in moves(grid, color))


def frontier(grid: Grid, color: int) -> int:
    count = 0
    for r, c in np.argwhere(grid == color):
        around = [(r + rows, c + columns) for rows, columns in DIRECTIONS]
        count += any(inside(grid, *at) and grid[at] == 0 for at in around)
    return count


def corners(grid: Grid, color: int) -> int:
    return int((grid[[0, 0, -1, -1], [0, -1, 0, -1]] == color).sum())


def conquered(grid: Grid, color: int) -> int:
    count = 0
    for view in reflected(grid):
        around = [view[0, 1], view[1, 0], view[1, 1]]
        count += view[0, 0] == 0 and all(cell == color for cell in around)
    return count


def reflected(grid: Grid) -> list[Grid]:
    """Views with each corner at the top left."""
    return [grid, grid[:, ::-1], grid[::-1], grid[::-1, ::-1]]


def tied(grid: Grid, color: int) -> int:
    marked = np.zeros(grid.shape, dtype=bool)
    for view, marks in zip(reflected(grid), reflected(marked), strict=True):
        width = len(grid)
        for row in range(len(grid)):
            length = run(view[row] == color)
            width = min(width, length)
            if width == 0:
                break
            marks[row, :width] = True
    return int(marked.sum())


def run(cells: npt.NDArray[np.bool_]) -> int:
    """How many cells from the first on are set."""
    return len(cells) if cells.all() else int(np.argmin(cells))


def clamped(grid: Grid, color: int) -> int:
    marked = np.zeros(grid.shape, dtype=bool)
    edges = [np.s_[0, :], np.s_[-1, :], np.s_[:, 0], np.s_[:, -1]]
    for edge in edges:
        line = grid[edge]
        for place in np.flatnonzero(line == color):
            ends = []
            for step in (1, -1):
                at = place
                while 0 <= at < len(line) and line[at] == color:
                    at += step
                ends.append(0 <= at < len(line) and line[at] == -color)
            marked[edge][place] |= all(ends)
    return int(marked.sum())


def stable(grid: Grid, color: int) -> int:
    marked = np.zeros(grid.shape, dtype=bool)
    for view, marks in zip(reflected(grid), reflected(marked), strict=True):
        if view[0, 0] == 0:
            continue
        own = view == view[0, 0]
        walk(own, marks)
        walk(own.T, marks.T)
    return int((marked & (grid == color)).sum())


def walk(own: npt.NDArray[np.bool_], marks: npt.NDArray[np.bool_]) -> None:
    """The walk down the rows of the report, with its widths that are indices of the last disc."""
    marks[0, : run(own[0])] = True
    width = run(own[0]) - 1
    for row in range(len(own)):
        if not own[row, 0]:
            break
        length = min(run(own[row]), width)
        marks[row, :length] = True
        width = max(length - 1, 1)


def leads(grid: Grid) -> list[int]:
    size = len(grid)
    fold = np.minimum(np.arange(size), size - 1 - np.arange(size))
    classes = CLASSES[fold][:, fold]
    return [int(grid[classes == each].sum()) for each in range(10)]
