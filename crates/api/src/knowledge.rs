//! What the trained evaluation knows of a game, in numbers that a board can show.
//!
//! Squares and corners: in positions from games that the evaluation plays against itself, the discs in question are given
//! to either side with everything else unchanged. Half the difference between the two estimates is what owning them
//! is worth there; the answer holds the mean over all positions of a stage. Mobility is read from the weights, relative
//! to the mean of the stage.

use std::array;
use std::sync::OnceLock;

use serde::Serialize;
use turncoat_board::{Bitboard, Board, Geometry, Position, Square, Symmetry, VariantKind};
use turncoat_eval::UNITS;
use turncoat_eval::patterns::{MOST_JOINT_MOVES, Patterns, STAGES, most_empties, stage_of};
use turncoat_players::flagship::trained;
use turncoat_players::seed::derive;

use crate::ApiFault;
use crate::codes::Code;
use crate::game::GameTextError;

/// Games whose positions are evaluated.
const GAMES: u64 = 240;
/// Random plies at their beginning, at least and at most.
const RANDOM_PLIES: (u64, u64) = (4, 16);
/// Later on, one move in so many is random too.
const RANDOM_EVERY: u64 = 8;

/// What the trained evaluation of a game knows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Knowledge {
    /// The game.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub variant: VariantKind,
    /// Games that the means are taken over.
    pub games: u64,
    /// From the opening to the end.
    pub stages: Vec<StageKnowledge>,
}

/// What it knows of one stage, in discs for the side that owns the square or has the mobility.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct StageKnowledge {
    /// The most and the fewest empty squares of the stage.
    pub empties: (u32, u32),
    /// Positions that the means are taken over.
    pub positions: u32,
    /// What owning each square is worth, row by row from a1; none where no position had a disc.
    pub squares: Vec<Option<f64>>,
    /// The corners and what is next to them.
    pub corners: CornerKnowledge,
    /// By own moves, then by the opponent's: what this mobility is worth, relative to the mean.
    pub mobility: Vec<Vec<f64>>,
}

/// What owning the discs of a corner is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CornerKnowledge {
    /// The corner itself.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub corner: Option<f64>,
    /// The X square, next to an empty corner across.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub x: Option<f64>,
    /// A C square, next to an empty corner on the edge.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub c: Option<f64>,
    /// X and both C squares together at an empty corner.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub trap: Option<f64>,
}

/// What the trained evaluation knows of the game of this name. The first call for a game takes about a second.
///
/// # Errors
/// If there is no such game, or its weights are damaged.
pub fn knowledge(variant: &str) -> Result<&'static Knowledge, ApiFault> {
    let variant = variant.parse().map_err(GameTextError::Variant)?;
    of_variant(variant).ok_or_else(|| ApiFault::new(Code::ServerFailed, "the trained weights are damaged"))
}

fn of_variant(variant: VariantKind) -> Option<&'static Knowledge> {
    static REVERSED: OnceLock<Knowledge> = OnceLock::new();
    static REVERSI: OnceLock<Knowledge> = OnceLock::new();
    let once = match variant {
        VariantKind::Reversed => &REVERSED,
        VariantKind::Reversi => &REVERSI,
    };
    let patterns = trained(variant, Geometry::EIGHT)?;
    Some(once.get_or_init(|| measure(&patterns)))
}

fn measure(patterns: &Patterns) -> Knowledge {
    let mut sums: Vec<Sums> = (0..STAGES).map(|_| Sums::default()).collect();
    for game in 0..GAMES {
        play(patterns, game, |board| {
            let stage = stage_of(board.empties(Geometry::EIGHT).count());
            sums[stage].add(patterns, board);
        });
    }
    Knowledge {
        variant: patterns.variant(),
        games: GAMES,
        stages: sums.iter().enumerate().map(|(stage, sums)| sums.knowledge(patterns, stage)).collect(),
    }
}

/// Plays a game: random plies first, then the best move at sight, now and then another.
fn play(patterns: &Patterns, game: u64, mut see: impl FnMut(Board)) {
    let (least, most) = RANDOM_PLIES;
    let random = least + derive(game, &[0]) % (most - least + 1);
    let choose = |position: Position, ply| {
        let ply = ply as u64 + 1;
        if ply > least {
            see(position.board());
        }
        let drawn = derive(game, &[ply]);
        let mut moves = position.legal_moves().into_iter();
        if ply <= random || drawn.is_multiple_of(RANDOM_EVERY) {
            let count = position.legal_moves().count() as usize;
            moves.nth((drawn >> 32) as usize % count)
        } else {
            moves.min_by_key(|&square| position.play(square).map(|next| patterns.evaluate_board(next.board())))
        }
    };
    Position::start(Geometry::EIGHT).playout(choose).for_each(drop);
}

/// A mean in the making.
#[derive(Debug, Default, Clone, Copy)]
struct Mean {
    sum: f64,
    count: u32,
}

impl Mean {
    /// Counts a value, if there is one.
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.sum += value;
            self.count += 1;
        }
    }

    fn value(self) -> Option<f64> {
        let rounded = |value: f64| (value * 100.0).round() / 100.0;
        (self.count > 0).then(|| rounded(self.sum / f64::from(self.count)))
    }
}

/// What was found in the positions of a stage.
#[derive(Debug)]
struct Sums {
    positions: u32,
    squares: [Mean; 64],
    corner: Mean,
    x: Mean,
    c: Mean,
    trap: Mean,
    /// What mobility is worth in the positions, in units.
    mobility: Mean,
}

impl Default for Sums {
    fn default() -> Self {
        let mean = Mean::default();
        Self {
            positions: 0,
            squares: array::from_fn(|_| mean),
            corner: mean,
            x: mean,
            c: mean,
            trap: mean,
            mobility: mean,
        }
    }
}

impl Sums {
    fn add(&mut self, patterns: &Patterns, board: Board) {
        self.positions += 1;
        let empty = board.empties(Geometry::EIGHT);
        let moves = |board: Board| board.legal_moves(Geometry::EIGHT).count() as usize;
        let mobility = patterns.mobility(stage_of(empty.count()), moves(board), moves(board.pass()));
        self.mobility.add(mobility.map(f64::from));
        let worth = |set: Bitboard| owning(patterns, board, set);
        for square in Square::ALL {
            let worth = worth(Bitboard::from_square(square));
            // A square is alike from all sides.
            for symmetry in Symmetry::ALL {
                self.squares[symmetry.square(square).index()].add(worth);
            }
        }
        for symmetry in Symmetry::ALL {
            let at = |index: usize| Bitboard::from_square(symmetry.square(Square::ALL[index]));
            let corner = at(0);
            if (empty & corner).is_empty() {
                self.corner.add(worth(corner));
                continue;
            }
            let (x, c, other_c) = (at(9), at(1), at(8));
            for (mean, set) in [(&mut self.x, x), (&mut self.c, c), (&mut self.trap, x | c | other_c)] {
                mean.add(worth(set));
            }
        }
    }

    fn knowledge(&self, patterns: &Patterns, stage: usize) -> StageKnowledge {
        let fewest = if stage + 1 == STAGES { 0 } else { most_empties(stage + 1) + 1 };
        let usual = self.mobility.value().unwrap_or_default();
        let discs = |units: i32| {
            let units = f64::from(units) - usual;
            (units / f64::from(UNITS) * 100.0).round() / 100.0
        };
        let mobility = |own| {
            (0..=MOST_JOINT_MOVES)
                .map(|other| discs(patterns.mobility(stage, own, other).unwrap_or_default()))
                .collect()
        };
        StageKnowledge {
            empties: (most_empties(stage), fewest),
            positions: self.positions,
            squares: self.squares.iter().map(|mean| mean.value()).collect(),
            corners: CornerKnowledge {
                corner: self.corner.value(),
                x: self.x.value(),
                c: self.c.value(),
                trap: self.trap.value(),
            },
            mobility: (0..=MOST_JOINT_MOVES).map(mobility).collect(),
        }
    }
}

/// What it is worth to the mover to own these discs, if all of them are there.
fn owning(patterns: &Patterns, board: Board, set: Bitboard) -> Option<f64> {
    let (mover, other) = (board.mover(), board.other());
    if !(set & board.empties(Geometry::EIGHT)).is_empty() {
        return None;
    }
    let own = Board::new(mover | set, other & !set)?;
    let opposing = Board::new(mover & !set, other | set)?;
    let difference = patterns.evaluate_board(own) - patterns.evaluate_board(opposing);
    Some(f64::from(difference) / f64::from(2 * UNITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_games_disagree_about_corners() {
        let middle = |variant| {
            let stage = &of_variant(variant).unwrap().stages[STAGES * 2 / 5];
            assert!(stage.positions > 100);
            assert_eq!(stage.squares[0], stage.squares[63]);
            stage.corners.corner.unwrap()
        };
        assert!(middle(VariantKind::Reversed) < 0.0);
        assert!(middle(VariantKind::Reversi) > 0.0);
    }
}
