//! The evaluation that orders moves: a parameter of the solver.

use turncoat_board::isa::Isa;
use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};

use super::squares::{Zones, around};
use super::weights;
use crate::stability::held;

/// Units of an estimate in one disc.
pub const PER_DISC: i32 = 64;

/// Estimates the score of a position, to order moves and to guess where the score lies. It never decides a
/// result: a bad one only costs time.
///
/// A judge may keep something of a board along a short look ahead, so that it need not look at everything anew.
pub trait Judge: Sync {
    /// What it keeps of a board.
    type State: Copy + Send;

    /// How its opinion orders moves.
    fn ranking<V: Variant>() -> Ranking;

    /// What it keeps of a board where a look ahead begins.
    fn begin<I: Isa>(&self, isa: I, board: Board) -> Self::State;

    /// What it keeps of the board after a move of the mover, seen from the opponent.
    fn after<I: Isa>(&self, isa: I, state: &Self::State, square: Square, flips: Bitboard) -> Self::State;

    /// What it keeps of the same board with the other side to move.
    fn passed(&self, state: &Self::State) -> Self::State;

    /// The probable score for the mover, in parts of a disc ([`PER_DISC`]).
    fn judge<I: Isa, V: Variant>(&self, isa: I, board: Board, geometry: Geometry, state: &Self::State) -> i32;

    /// The standard error of a look ahead of this depth with this many empties, in parts of a disc.
    fn error<V: Variant>(&self, empties: u32, depth: u32) -> i32;
}

/// How the opinion of a judge orders moves: how much of it is worth its price.
#[derive(Debug, Clone, Copy)]
pub struct Ranking {
    /// With fewer empties moves are ordered by the replies that they leave: an opinion costs more than it saves.
    pub fewest: u32,
    /// From how many empties on one, two, three and four plies are looked ahead.
    pub deeper: [u32; 4],
    /// Moves that are worse than the best one by more than this, in parts of a disc, need no order among
    /// themselves.
    pub margin: i32,
    /// What a reply of the opponent costs beside the prospects, in parts of a disc: few replies make a small tree.
    pub per_reply: i32,
}

/// Mobilities above this are counted as this.
pub const MOST_MOVES: usize = 14;
/// How many terms [`Terms::counts`] has.
pub const TERMS: usize = 13;

/// What the hand-made judge sees in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Terms {
    /// The mover's and the opponent's legal moves.
    pub moves: [usize; 2],
    /// Everything that has one weight.
    pub counts: [i32; TERMS],
}

impl Terms {
    /// Looks at a position.
    #[inline(always)]
    pub fn of<I: Isa>(isa: I, board: Board, geometry: Geometry) -> Self {
        let zones = Zones::of(geometry);
        let corners = Bitboard(zones.corners);
        let empties = board.empties(geometry);
        let (mover, other) = (board.mover().0, board.other().0);
        let own_moves = isa.legal_moves(board, empties);
        let other_moves = isa.legal_moves(board.pass(), empties);
        let count = |set: u64| set.count_ones() as i32;
        let difference = |zone: u64| count(mover & zone) - count(other & zone);
        // Beside an empty corner a disc is a risk, beside a taken one it is a gain.
        let open = around(empties.0 & zones.corners);
        Self {
            moves: [own_moves.count() as usize, other_moves.count() as usize],
            counts: [
                1,
                count(around(other) & empties.0),
                count(around(mover) & empties.0),
                difference(zones.corners),
                difference(zones.x & open),
                difference(zones.c & open),
                difference(zones.edges),
                held(board.mover(), corners, geometry).count() as i32
                    - held(board.other(), corners, geometry).count() as i32,
                difference(!0),
                count(own_moves.0 & zones.corners),
                count(other_moves.0 & zones.corners),
                count(own_moves.0 & zones.x & open),
                count(other_moves.0 & zones.x & open),
            ],
        }
    }
}

/// A hand-made judge: mobility, open neighbours, corners and the squares around them, anchored edges.
#[derive(Debug, Clone, Copy, Default)]
pub struct HandMade;

impl Judge for HandMade {
    type State = ();

    #[inline(always)]
    fn ranking<V: Variant>() -> Ranking {
        Ranking { fewest: 11, deeper: [13, 15, 17, 19], margin: 8 * PER_DISC, per_reply: 75 }
    }

    #[inline(always)]
    fn begin<I: Isa>(&self, _isa: I, _board: Board) {}

    #[inline(always)]
    fn after<I: Isa>(&self, _isa: I, _state: &(), _square: Square, _flips: Bitboard) {}

    #[inline(always)]
    fn passed(&self, _state: &()) {}

    /// That of the judge alone is 10 discs in Reversi and 6 in Reversed at 14 empties, more before and less with
    /// every ply.
    #[inline(always)]
    fn error<V: Variant>(&self, empties: u32, depth: u32) -> i32 {
        let (n, depth) = (empties as i32, depth as i32);
        if V::SIGN > 0 {
            PER_DISC * (100 + 2 * (n - 14) - 8 * depth) / 10
        } else {
            PER_DISC * (62 + (n - 14) - 4 * depth) / 10
        }
    }

    #[inline(always)]
    fn judge<I: Isa, V: Variant>(&self, isa: I, board: Board, geometry: Geometry, _state: &()) -> i32 {
        let terms = Terms::of(isa, board, geometry);
        let weights = weights::of::<V>(board.empties(geometry).count());
        let [own, other] = terms.moves.map(|moves| moves.min(MOST_MOVES));
        let mut value = weights.moves[0][own] + weights.moves[1][other];
        for i in 0..TERMS {
            value += weights.counts[i] * terms.counts[i];
        }
        value
    }
}
