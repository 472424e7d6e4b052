//! Perft: the leaves of the game tree, the standard test of a move generator.

use crate::isa::{Backend, Isa, Task};
use crate::{Bitboard, Board, Geometry};

/// The number of positions `depth` plies after this one. A pass is a ply; a game that ends earlier
/// is one leaf. The last ply is counted without playing it.
///
/// ```
/// use turncoat_board::{Board, Geometry, perft};
///
/// assert_eq!(perft(Board::start(Geometry::EIGHT), Geometry::EIGHT, 5), 1396);
/// ```
pub fn perft(board: Board, geometry: Geometry, depth: u32) -> u64 {
    perft_with(Backend::best(), board, geometry, depth)
}

/// [`perft`] with a chosen instruction set.
pub fn perft_with(backend: Backend, board: Board, geometry: Geometry, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => backend.run(Perft { board, squares: geometry.squares(), depth }),
    }
}

struct Perft {
    board: Board,
    squares: Bitboard,
    depth: u32,
}

impl Task for Perft {
    type Output = u64;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> u64 {
        let Self { board, squares, depth } = self;
        let empties = squares & !board.discs();
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let over = isa.legal_moves(board.pass(), empties).is_empty();
            return if over || depth == 1 {
                1
            } else {
                isa.run(Self { board: board.pass(), squares, depth: depth - 1 })
            };
        }
        match depth {
            1 => u64::from(moves.count()),
            2 => moves.into_iter().map(|s| last_ply(isa, board.after(s, isa.flips(board, s)), squares)).sum(),
            _ => moves
                .into_iter()
                .map(|s| isa.run(Self { board: board.after(s, isa.flips(board, s)), squares, depth: depth - 1 }))
                .sum(),
        }
    }
}

/// Leaves one ply on: without a move there is one, a pass or the end of the game.
#[inline(always)]
fn last_ply<I: Isa>(isa: I, board: Board, squares: Bitboard) -> u64 {
    let moves = isa.legal_moves(board, squares & !board.discs());
    u64::from(moves.count().max(1))
}
