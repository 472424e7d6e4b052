//! Positions to fit on: games of a shallow search after some random plies.

use turncoat_board::{Geometry, Position, Square, Variant};
use turncoat_eval::Evaluation;
use turncoat_search::pvs::{ErrorModel, Searcher, Selectivity};
use turncoat_search::transposition::TranspositionTable;
use turncoat_search::{Limits, Watch};
use turncoat_util::SplitMix64;

/// The positions of a game in which both sides look `depth` plies ahead, after 4 to 23 random plies, fewer on small boards; the
/// final position last.
pub fn game<V: Variant, E: Evaluation>(
    variant: V,
    evaluation: &E,
    geometry: Geometry,
    depth: u32,
    number: u64,
    table: &TranspositionTable,
) -> Vec<Position> {
    let mut random = SplitMix64::new(number);
    let random_plies = 4 + random.below(usize::from(geometry.area() / 3 - 1).min(20));
    let choose = |position, ply| {
        if ply < random_plies {
            random_move(position, &mut random)
        } else {
            Some(best_move(variant, evaluation, depth, None, position, table).0)
        }
    };
    Position::start(geometry).playout(choose).collect()
}

/// One of the legal moves, if there are any.
pub(crate) fn random_move(position: Position, random: &mut SplitMix64) -> Option<Square> {
    let moves = position.legal_moves();
    (!moves.is_empty()).then(|| moves.into_iter().nth(random.below(moves.count() as usize))).flatten()
}

/// What is not searched.
pub(crate) struct Cuts {
    pub(crate) model: ErrorModel,
    pub(crate) selectivity: Selectivity,
}

/// The best move at a small depth, and its value.
pub(crate) fn best_move<V: Variant, E: Evaluation>(
    variant: V,
    evaluation: &E,
    depth: u32,
    cuts: Option<&Cuts>,
    position: Position,
    table: &TranspositionTable,
) -> (Square, i32) {
    let mut watch = Watch::start(&Limits::default());
    let mut searcher =
        Searcher::new(variant, position.geometry(), evaluation, table, cuts.map(|cuts| &cuts.model), &mut watch);
    let selectivity = cuts.map_or(Selectivity::FULL_WIDTH, |cuts| cuts.selectivity);
    let mut moves = Searcher::<V, E>::root_moves(position);
    for depth in 1..=depth {
        searcher.iterate(position, depth, selectivity, 1, &mut moves, &mut |_, _| {});
    }
    (moves[0].square, moves[0].value)
}
