//! Which move is tried first.
//!
//! The table move, then by the value of the board after the move, the replies that it leaves, and the history of its square.

use turncoat_board::isa::Isa;
use turncoat_board::{Square, Variant};
use turncoat_eval::Evaluation;

use super::searcher::Searcher;

/// From this depth on the board after each move is evaluated.
const ESTIMATED: u32 = 3;
const FIRST: i32 = i32::MAX;
/// The rank of a move that another thread is searching.
pub(super) const PUT_OFF: i32 = i32::MIN;

/// Ranks the moves of a node, which begin at `start` in the list.
#[inline(always)]
pub(super) fn rank<I: Isa, V: Variant, E: Evaluation>(
    isa: I,
    searcher: &mut Searcher<'_, V, E>,
    start: usize,
    depth: u32,
    ply: usize,
    hint: (Option<Square>, Option<Square>),
) {
    if searcher.moves.len() == start + 1 {
        return;
    }
    let (techniques, constants) = (searcher.techniques, searcher.constants);
    for i in start..searcher.moves.len() {
        let candidate = searcher.moves[i];
        let square = Some(candidate.square);
        searcher.moves[i].rank = if square == hint.0 {
            FIRST
        } else if square == hint.1 {
            FIRST - 1
        } else {
            let empties = searcher.empties(candidate.board);
            let replies = isa.legal_moves(candidate.board, empties);
            let mut rank = 0;
            if techniques.history {
                rank += searcher.history.weight(ply, candidate.square) / constants.history;
            }
            if techniques.mobility_order {
                rank -= replies.count() as i32 * constants.reply;
            }
            if techniques.estimated_order && depth >= ESTIMATED && !replies.is_empty() {
                rank -= searcher.evaluation.evaluate(isa, candidate.board, replies, &candidate.state);
            }
            rank
        };
    }
}
