//! Positions to fit on: games of a shallow search after some random plies.

use turncoat_board::{Geometry, Position, Square, Variant};
use turncoat_eval::Evaluation;
use turncoat_search::pvs::{Searcher, Selectivity};
use turncoat_search::transposition::TranspositionTable;
use turncoat_search::{Limits, Watch};
use turncoat_util::SplitMix64;

/// The positions of a game in which both sides look `depth` plies ahead, after 4 to 23 random plies; the
/// final position last.
#[allow(clippy::missing_panics_doc)] // Only legal moves are played.
pub fn game<V: Variant, E: Evaluation>(
    variant: V,
    evaluation: &E,
    depth: u32,
    number: u64,
    table: &TranspositionTable,
) -> Vec<Position> {
    let mut dice = SplitMix64::new(number);
    let random_plies = 4 + dice.below(20);
    let mut position = Position::start(Geometry::EIGHT);
    let mut positions = vec![position];
    while !position.is_over() {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        position = if moves.is_empty() {
            position.pass()
        } else {
            let square = if positions.len() <= random_plies {
                moves[dice.below(moves.len())]
            } else {
                best_move(variant, evaluation, depth, position, table)
            };
            position.play(square).expect("a legal move")
        };
        positions.push(position);
    }
    positions
}

fn best_move<V: Variant, E: Evaluation>(
    variant: V,
    evaluation: &E,
    depth: u32,
    position: Position,
    table: &TranspositionTable,
) -> Square {
    let mut watch = Watch::start(&Limits::default());
    let mut searcher = Searcher::new(variant, position.geometry(), evaluation, table, None, &mut watch);
    let mut lines = Searcher::<V, E>::root_moves(position);
    for depth in 1..=depth {
        searcher.iterate(position, depth, Selectivity::FULL_WIDTH, 1, &mut lines, &mut |_, _| {});
    }
    lines[0].square
}
