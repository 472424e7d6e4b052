//! What a player does where it has the choice: the behaviour that figures of top-six's report show.

use std::time::Instant;

use serde::Deserialize;
use turncoat_board::{Bitboard, Geometry, Position, Square, VariantKind};
use turncoat_eval::classic::features::conquered_corners;
use turncoat_players::{Limits, Setting, Spec};
use turncoat_record::svg::{self, Marks};

use super::speed::random_position;
use super::{Context, Outcome, ReproduceError, Table};

/// A habit.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct HabitRow {
    what: String,
    player: String,
    /// Which moves are of interest.
    moves: Moves,
    /// Discs on the board, at least and at most.
    discs: [u32; 2],
    /// Whether it makes such moves, rather than avoiding them.
    takes: bool,
}

/// Moves of interest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Moves {
    /// Beside a corner along the edge: 200 in the report's table.
    CSquares,
    /// Corners: -500.
    Corners,
    /// Those that complete the three squares around an empty corner.
    Conquering,
}

const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
const C_SQUARES: Bitboard = Bitboard(0x4281_0000_0000_8142);

impl Moves {
    fn among(self, position: Position) -> Bitboard {
        let legal = position.legal_moves();
        match self {
            Self::CSquares => C_SQUARES & legal,
            Self::Corners => CORNERS & legal,
            Self::Conquering => legal.into_iter().filter(|&square| conquers(position, square)).collect(),
        }
    }
}

/// Whether a move completes the three squares around an empty corner.
fn conquers(position: Position, square: Square) -> bool {
    let count = |position: Position, discs: Bitboard| {
        conquered_corners(discs, position.board().empties(Geometry::EIGHT), Geometry::EIGHT)
    };
    let before = count(position, position.board().mover());
    // After a move the mover is the other side.
    position.play(square).is_some_and(|next| count(next, next.board().other()) > before)
}

/// Asks players on positions of random play in which some, but not all moves are of interest.
pub(super) fn run(context: Context<'_>, rows: &[HabitRow]) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let asked = context.scale.pick(20, 500, 5000);
    let head = ["", "player", "positions", "such moves chosen", "at random", "as reported?"];
    let mut table = Table::new("What it does where it has the choice, on positions of random play", &head);
    let mut boards = Vec::new();
    for row in rows {
        let spec: Spec = row.player.parse()?;
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: context.seed };
        let mut player = spec.build(setting)?;
        let (mut count, mut taken, mut chance) = (0, 0, 0.0);
        let mut shown = None;
        let spread = row.discs[1] - row.discs[0] + 1;
        for number in 0.. {
            if context.stop.is_raised() {
                return Ok(None);
            }
            let plies = row.discs[0] - 4 + (number % u64::from(spread)) as u32;
            let position = random_position(context.seed, number, plies);
            let (legal, wanted) = (position.legal_moves(), row.moves.among(position));
            if wanted.is_empty() || wanted == legal {
                continue;
            }
            let Some(best) = player.choose(position, &Limits::default(), &mut |_| {})?.map(|info| info.best) else {
                continue;
            };
            let takes = wanted.contains(best);
            if takes == row.takes {
                shown.get_or_insert((position, best));
            }
            count += 1;
            taken += u32::from(takes);
            chance += f64::from(wanted.count()) / f64::from(legal.count());
            (context.hear)(&format!("{}: {count} of {asked} positions", row.what));
            if count == asked {
                break;
            }
        }
        let share = f64::from(taken) / f64::from(count);
        let by_chance = chance / f64::from(count);
        let holds = if row.takes { share > by_chance } else { share < by_chance };
        table.rows.push(vec![
            row.what.clone(),
            row.player.clone(),
            count.to_string(),
            format!("{:.1} %", 100.0 * share),
            format!("{:.1} %", 100.0 * by_chance),
            if holds { "yes" } else { "no" }.to_owned(),
        ]);
        boards.extend(shown.into_iter().flat_map(before_and_after));
    }
    Ok(Some(Outcome { seconds: began.elapsed().as_secs_f64(), tables: vec![table], boards, ..Outcome::default() }))
}

/// A position and the one after a move, as the report's figures have them.
fn before_and_after((position, played): (Position, Square)) -> Vec<String> {
    let before = svg::draw(position, Marks { legal: true, ..Marks::default() });
    let after = position.play(played).map(|next| svg::draw(next, Marks { last: Some(played), legal: false }));
    [before].into_iter().chain(after).collect()
}
