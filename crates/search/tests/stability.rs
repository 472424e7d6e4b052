//! The stability bounds against every outcome that play can have.

mod common;

use common::positions;
use turncoat_board::{Bitboard, Board, Geometry, Reversed, Reversi};
use turncoat_eval::stability::stable;
use turncoat_search::stability;
use turncoat_util::SplitMix64;

/// All that play from a board can end in.
struct Outcomes {
    least: i32,
    most: i32,
    /// The discs of the first mover that it kept in all positions of all games, and of the other side.
    kept: [Bitboard; 2],
}

fn outcomes(board: Board, geometry: Geometry, first_moves: bool, all: &mut Outcomes) {
    let sides = if first_moves { [board.mover(), board.other()] } else { [board.other(), board.mover()] };
    for (kept, discs) in all.kept.iter_mut().zip(sides) {
        *kept &= discs;
    }
    let moves = board.legal_moves(geometry);
    if moves.is_empty() {
        if board.is_over(geometry) {
            let margin = board.final_score::<Reversi>(geometry).discs();
            let margin = if first_moves { margin } else { -margin };
            (all.least, all.most) = (all.least.min(margin), all.most.max(margin));
        } else {
            outcomes(board.pass(), geometry, !first_moves, all);
        }
    }
    for square in moves {
        let next = board.play(square, geometry).expect("a legal move");
        outcomes(next, geometry, !first_moves, all);
    }
}

#[test]
fn no_outcome_is_beyond_the_bounds() {
    let mut dice = SplitMix64::new(11);
    let mut useful = 0;
    for geometry in Geometry::ALL {
        for empties in 0..=8 {
            let count = if empties > 6 { 24 } else { 120 };
            for position in positions(geometry, empties, count, &mut dice) {
                let board = position.board();
                let mut all = Outcomes { least: i32::MAX, most: i32::MIN, kept: [board.mover(), board.other()] };
                outcomes(board, geometry, true, &mut all);
                let (lower, upper) = stability::bounds::<Reversi>(board, geometry);
                assert!(lower <= all.least && all.most <= upper, "{position}");
                let reversed = stability::bounds::<Reversed>(board, geometry);
                assert_eq!(reversed, (-upper, -lower), "{position}");
                for (own, kept) in [board.mover(), board.other()].into_iter().zip(all.kept) {
                    let stable = stable(own, board.discs(), geometry);
                    assert!((stable & !kept).is_empty(), "{position}: {stable:?}");
                    useful += stable.count();
                }
                cuts_are_true(board, geometry, (all.least, all.most));
            }
        }
    }
    assert!(useful > 1000, "stable discs were found");
}

/// The cut of a search node, for every bar.
fn cuts_are_true(board: Board, geometry: Geometry, (least, most): (i32, i32)) {
    let area = i32::from(geometry.area());
    for bar in (-area - 1..=area + 1).step_by(2) {
        if let Some(bound) = stability::decides::<Reversi>(board, geometry, bar) {
            assert!(most <= bound && bound < bar);
        }
        if let Some(bound) = stability::decides::<Reversed>(board, geometry, bar) {
            assert!(-most >= bound && bound > bar);
        }
    }
    let _ = least;
}

#[test]
fn full_boards_and_corners_are_stable() {
    for geometry in Geometry::ALL {
        let mut dice = SplitMix64::new(5);
        for position in positions(geometry, 0, 20, &mut dice) {
            let board = position.board();
            let stable = stable(board.mover(), board.discs(), geometry);
            assert_eq!(stable, board.mover());
        }
        let corner = Bitboard::from_square(geometry.square("a1").unwrap());
        assert_eq!(stable(corner, corner, geometry), corner);
        let start = Board::start(geometry);
        let none = stable(start.mover(), start.discs(), geometry);
        assert!(none.is_empty());
    }
}
