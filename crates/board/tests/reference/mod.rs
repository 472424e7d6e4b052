//! The rules cell by cell, as slow and as literal as the rule book: what the bitboards are compared with.
#![allow(dead_code, unreachable_pub)] // Each test file uses a part of it.

use turncoat_board::{Bitboard, Board, Geometry, Position, Square};
use turncoat_util::SplitMix64;

/// 1 the mover, -1 the other side, 0 empty; row by row, `side` cells a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cells {
    side: i32,
    cells: Vec<i8>,
}

impl Cells {
    pub fn start(geometry: Geometry) -> Self {
        let side = i32::from(geometry.side());
        let mut start = Self { side, cells: vec![0; (side * side) as usize] };
        let half = side / 2;
        for (row, column, cell) in
            [(half - 1, half - 1, -1), (half, half, -1), (half - 1, half, 1), (half, half - 1, 1)]
        {
            start.set(row, column, cell);
        }
        start
    }

    pub fn of(board: Board, geometry: Geometry) -> Self {
        let cell = |square| match (board.mover().contains(square), board.other().contains(square)) {
            (true, false) => 1,
            (false, true) => -1,
            (false, false) => 0,
            (true, true) => panic!("two discs on {square:?}"),
        };
        Self { side: i32::from(geometry.side()), cells: geometry.cells().map(cell).collect() }
    }

    fn get(&self, row: i32, column: i32) -> Option<i8> {
        let inside = (0..self.side).contains(&row) && (0..self.side).contains(&column);
        inside.then(|| self.cells[(row * self.side + column) as usize])
    }

    fn set(&mut self, row: i32, column: i32, cell: i8) {
        self.cells[(row * self.side + column) as usize] = cell;
    }

    /// The cells that a move flips; none if it is illegal.
    pub fn flips(&self, row: i32, column: i32) -> Vec<(i32, i32)> {
        let mut flips = Vec::new();
        if self.get(row, column) != Some(0) {
            return flips;
        }
        for (rows, columns) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let mut line = Vec::new();
            let (mut r, mut c) = (row + rows, column + columns);
            while self.get(r, c) == Some(-1) {
                line.push((r, c));
                (r, c) = (r + rows, c + columns);
            }
            if self.get(r, c) == Some(1) {
                flips.append(&mut line);
            }
        }
        flips
    }

    pub fn moves(&self) -> Vec<(i32, i32)> {
        let all = (0..self.side).flat_map(|row| (0..self.side).map(move |column| (row, column)));
        all.filter(|&(row, column)| !self.flips(row, column).is_empty()).collect()
    }

    pub fn pass(&self) -> Self {
        Self { side: self.side, cells: self.cells.iter().map(|cell| -cell).collect() }
    }

    pub fn play(&self, row: i32, column: i32) -> Self {
        let mut next = self.clone();
        for (r, c) in self.flips(row, column) {
            next.set(r, c, 1);
        }
        next.set(row, column, 1);
        next.pass()
    }

    /// The Reversi score of a final board for the mover; the Reversed score is its negative.
    pub fn othello_score(&self) -> i32 {
        let own = self.cells.iter().filter(|&&cell| cell == 1).count() as i32;
        let opposing = self.cells.iter().filter(|&&cell| cell == -1).count() as i32;
        let unplayed = self.cells.iter().filter(|&&cell| cell == 0).count() as i32;
        match own.cmp(&opposing) {
            std::cmp::Ordering::Greater => own - opposing + unplayed,
            std::cmp::Ordering::Less => own - opposing - unplayed,
            std::cmp::Ordering::Equal => 0,
        }
    }

    pub fn perft(&self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let moves = self.moves();
        if moves.is_empty() {
            let over = self.pass().moves().is_empty();
            return if over { 1 } else { self.pass().perft(depth - 1) };
        }
        moves.into_iter().map(|(row, column)| self.play(row, column).perft(depth - 1)).sum()
    }
}

/// A set of squares as (row, column) pairs of the board, in its order.
pub fn pairs(set: Bitboard, geometry: Geometry) -> Vec<(i32, i32)> {
    let margin = i32::from(geometry.margin());
    set.into_iter().map(|s| (i32::from(s.row()) - margin, i32::from(s.column()) - margin)).collect()
}

/// Plays a random game and shows every position of it, the final one last.
pub fn random_game(geometry: Geometry, random: &mut SplitMix64, mut show: impl FnMut(Position)) {
    let mut position = Position::start(geometry);
    loop {
        show(position);
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        if !moves.is_empty() {
            let square = moves[random.below(moves.len())];
            position = position.play(square).expect("a legal move");
        } else if position.is_over() {
            return;
        } else {
            position = position.pass();
        }
    }
}
