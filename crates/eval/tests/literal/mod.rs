//! The features as the reports print them: cell by cell, on a grid of 1 (own), -1 (opposing) and 0.
#![allow(unreachable_pub)]

pub mod as_linear;

use turncoat_board::{Board, Geometry};

pub struct Grid {
    pub side: i32,
    cells: Vec<i8>,
}

pub const DIRECTIONS: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

impl Grid {
    pub fn of(board: Board, geometry: Geometry) -> Self {
        let cell = |square| i8::from(board.mover().contains(square)) - i8::from(board.other().contains(square));
        Self { side: i32::from(geometry.side()), cells: geometry.cells().map(cell).collect() }
    }

    pub fn get(&self, row: i32, column: i32) -> Option<i8> {
        let inside = (0..self.side).contains(&row) && (0..self.side).contains(&column);
        inside.then(|| self.cells[(row * self.side + column) as usize])
    }

    pub fn all(&self) -> impl Iterator<Item = (i32, i32, i8)> {
        (0..self.side * self.side).map(|i| (i / self.side, i % self.side, self.cells[i as usize]))
    }

    pub fn count(&self, color: i8) -> i32 {
        self.all().filter(|&(_, _, cell)| cell == color).count() as i32
    }

    /// Cells that a move of this colour flips.
    pub fn flips(&self, row: i32, column: i32, color: i8) -> i32 {
        if self.get(row, column) != Some(0) {
            return 0;
        }
        let mut flips = 0;
        for (rows, columns) in DIRECTIONS {
            let mut length = 0;
            let mut at = (row + rows, column + columns);
            while self.get(at.0, at.1) == Some(-color) {
                length += 1;
                at = (at.0 + rows, at.1 + columns);
            }
            if self.get(at.0, at.1) == Some(color) {
                flips += length;
            }
        }
        flips
    }

    pub fn moves(&self, color: i8) -> Vec<(i32, i32)> {
        let all = self.all().map(|(row, column, _)| (row, column));
        all.filter(|&(row, column)| self.flips(row, column, color) > 0).collect()
    }

    pub fn kill(&self, color: i8) -> i32 {
        self.moves(color).into_iter().map(|(row, column)| self.flips(row, column, color)).sum()
    }

    /// Own minus opposing weight by a table of ten classes, written out as the reports' matrices are.
    pub fn table(&self, classes: [f64; 10], cells: impl Iterator<Item = (i32, i32, i8)>) -> f64 {
        const MATRIX: [[usize; 4]; 4] = [[0, 1, 2, 3], [1, 4, 5, 6], [2, 5, 7, 8], [3, 6, 8, 9]];
        let fold = |i: i32| i.min(self.side - 1 - i) as usize;
        cells.map(|(row, column, cell)| f64::from(cell) * classes[MATRIX[fold(row)][fold(column)]]).sum()
    }

    /// gene45's report, Algorithm 9, with the disc's colour tested instead of the empty neighbour's.
    pub fn frontier_pairs(&self, color: i8) -> i32 {
        let mut pairs = 0;
        for (row, column, cell) in self.all() {
            if cell == color {
                for (rows, columns) in DIRECTIONS {
                    if self.get(row + rows, column + columns) == Some(0) {
                        pairs += 1;
                    }
                }
            }
        }
        pairs
    }

    pub fn frontier_discs(&self, color: i8) -> i32 {
        let touches = |row: i32, column: i32| {
            DIRECTIONS.iter().any(|(rows, columns)| self.get(row + rows, column + columns) == Some(0))
        };
        self.all().filter(|&(row, column, cell)| cell == color && touches(row, column)).count() as i32
    }

    /// gene45's report, Algorithm 12, lines 22 to 75, with the board reflected for the other three corners.
    pub fn walked_stable(&self, color: i8) -> i32 {
        let n = self.side;
        let mut stable = vec![false; (n * n) as usize];
        for (flip_rows, flip_columns) in [(false, false), (false, true), (true, false), (true, true)] {
            let map =
                |i: i32, j: i32| (if flip_rows { n - 1 - i } else { i }, if flip_columns { n - 1 - j } else { j });
            let board = |i: i32, j: i32| {
                let (row, column) = map(i, j);
                self.get(row, column).unwrap()
            };
            let mut mark = |i: i32, j: i32| {
                let (row, column) = map(i, j);
                stable[(row * n + column) as usize] = true;
            };
            if board(0, 0) == 0 {
                continue;
            }
            let check_color = board(0, 0);
            let mut width = 0;
            for i in 0..n {
                if board(0, i) == check_color {
                    width = i;
                    mark(0, i);
                } else {
                    break;
                }
            }
            for i in 0..n {
                if board(i, 0) != check_color {
                    break;
                }
                #[allow(clippy::mut_range_bound)]
                // The range is taken before the loop, as Python does.
                for j in 0..width {
                    if board(i, j) == check_color {
                        mark(i, j);
                        width = j;
                    } else {
                        break;
                    }
                }
                if width == 0 {
                    width = 1;
                }
            }
            let mut depth = 0;
            for i in 0..n {
                if board(i, 0) == check_color {
                    depth = i;
                    mark(i, 0);
                } else {
                    break;
                }
            }
            for j in 0..n {
                if board(0, j) != check_color {
                    break;
                }
                #[allow(clippy::mut_range_bound)]
                for i in 0..depth {
                    if board(i, j) == check_color {
                        mark(i, j);
                        depth = i;
                    } else {
                        break;
                    }
                    if depth == 0 {
                        depth = 1;
                    }
                }
            }
        }
        self.all().filter(|&(row, column, cell)| cell == color && stable[(row * n + column) as usize]).count() as i32
    }

    /// six-stage's report: five for each disc tied to a corner by rows that never widen, one for each edge disc in a
    /// run that opposing discs clamp.
    pub fn tied_and_clamped(&self, color: i8) -> i32 {
        let n = self.side;
        let mut tied = vec![false; (n * n) as usize];
        for (first_row, down) in [(0, 1), (n - 1, -1)] {
            for (first_column, right) in [(0, 1), (n - 1, -1)] {
                let mut width = n;
                let mut row = first_row;
                while (0..n).contains(&row) {
                    let mut length = 0;
                    while length < width && self.get(row, first_column + length * right) == Some(color) {
                        tied[(row * n + first_column + length * right) as usize] = true;
                        length += 1;
                    }
                    if length == 0 {
                        break;
                    }
                    width = length;
                    row += down;
                }
            }
        }
        let tied = tied.into_iter().filter(|&is| is).count() as i32;
        5 * tied + self.clamped(color)
    }

    fn clamped(&self, color: i8) -> i32 {
        let n = self.side;
        let on_edge = |i: i32| i == 0 || i == n - 1;
        let ends_at_opposing = |row: i32, column: i32, rows: i32, columns: i32| {
            let mut at = (row, column);
            while self.get(at.0, at.1) == Some(color) {
                at = (at.0 + rows, at.1 + columns);
            }
            self.get(at.0, at.1) == Some(-color)
        };
        let clamped = |row: i32, column: i32| {
            on_edge(row) && ends_at_opposing(row, column, 0, 1) && ends_at_opposing(row, column, 0, -1)
                || on_edge(column) && ends_at_opposing(row, column, 1, 0) && ends_at_opposing(row, column, -1, 0)
        };
        self.all().filter(|&(row, column, cell)| cell == color && clamped(row, column)).count() as i32
    }

    pub fn corners(&self, color: i8) -> i32 {
        let last = self.side - 1;
        let corners = [(0, 0), (0, last), (last, 0), (last, last)];
        corners.into_iter().filter(|&(row, column)| self.get(row, column) == Some(color)).count() as i32
    }

    /// top-six's report: empty corners whose three neighbours all have the colour.
    pub fn conquered(&self, color: i8) -> i32 {
        let last = self.side - 1;
        let mut conquered = 0;
        for (row, inner_row) in [(0, 1), (last, last - 1)] {
            for (column, inner_column) in [(0, 1), (last, last - 1)] {
                let around = [(row, inner_column), (inner_row, column), (inner_row, inner_column)];
                if self.get(row, column) == Some(0) && around.iter().all(|&(r, c)| self.get(r, c) == Some(color)) {
                    conquered += 1;
                }
            }
        }
        conquered
    }
}
