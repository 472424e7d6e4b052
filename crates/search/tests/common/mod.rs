//! Positions to test with, and the plainest search there is.
#![allow(dead_code, unreachable_pub)] // Each test file uses a part of it.

use turncoat_board::{Bitboard, Board, Color, Geometry, Position, Setup, Square, VariantKind};
use turncoat_util::SplitMix64;

/// The position of a random game in which this many squares are empty, if the game gets there.
pub fn played(geometry: Geometry, empties: u32, dice: &mut SplitMix64) -> Option<Position> {
    let choose = |position: Position, _| {
        let moves = position.legal_moves();
        moves.into_iter().nth(dice.below(moves.count() as usize))
    };
    Position::start(geometry).playout(choose).find(|position| position.empties() <= empties)
}

/// Discs thrown at the board, with this many squares left empty. `share` of 16 are the mover's.
pub fn thrown(geometry: Geometry, empties: u32, share: u64, dice: &mut SplitMix64) -> Position {
    let mut cells: Vec<Square> = geometry.cells().collect();
    let mut empty = Bitboard::EMPTY;
    for _ in 0..empties {
        empty |= Bitboard::from_square(cells.swap_remove(dice.below(cells.len())));
    }
    let black: Bitboard = cells.iter().copied().filter(|_| dice.next_u64() % 16 < share).collect();
    let white = geometry.squares() & !empty & !black;
    let setup = Setup { geometry, black, white, side: Color::Black };
    setup.check().expect("a board with discs")
}

/// Positions of all kinds with this many empties: from play and thrown, balanced and lopsided.
pub fn positions(geometry: Geometry, empties: u32, count: usize, dice: &mut SplitMix64) -> Vec<Position> {
    let mut all = Vec::new();
    while all.len() < count {
        match all.len() % 4 {
            0 | 1 => all.extend(played(geometry, empties, dice)),
            2 => all.push(thrown(geometry, empties, 8, dice)),
            _ => {
                let share = [1, 3, 13, 15][dice.below(4)];
                all.push(thrown(geometry, empties, share, dice));
            }
        }
    }
    all
}

/// Perfect play, move by move.
pub fn minimax(board: Board, geometry: Geometry, variant: VariantKind) -> i32 {
    let moves = board.legal_moves(geometry);
    if moves.is_empty() {
        return if board.is_over(geometry) {
            board.final_score_of(variant, geometry).discs()
        } else {
            -minimax(board.pass(), geometry, variant)
        };
    }
    let score = |square| {
        let next = board.play(square, geometry).expect("a legal move");
        -minimax(next, geometry, variant)
    };
    moves.into_iter().map(score).max().expect("a move")
}
