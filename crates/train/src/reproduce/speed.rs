//! The time of a decision and of an evaluation, here and in a report.

use std::hint::black_box;
use std::time::Instant;

use serde::Deserialize;
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Position, VariantKind};
use turncoat_eval::classic::features::ClassTable;
use turncoat_players::{Limits, Setting, Spec};
use turncoat_util::SplitMix64;

use super::evolution::seconds;
use super::{Context, Outcome, ReproduceError, Table};
use crate::sample::random_move;

/// A decision's time.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SpeedRow {
    what: String,
    player: String,
    /// The report's seconds, if it has any.
    seconds: Option<f64>,
}

/// Measures decisions on positions of random play.
pub(super) fn decisions(
    context: Context<'_>,
    variant: VariantKind,
    rows: &[SpeedRow],
) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let count = context.scale.pick(3, 200, 1000);
    let positions: Vec<Position> =
        (0..count).map(|number| random_position(context.seed, number, 20 + number as u32 % 20)).collect();
    let title = format!("Mean time of a decision, {count} positions of 24 to 43 discs, one thread");
    let mut table = Table::new(&title, &["", "player", "the report", "here", "times as fast"]);
    for SpeedRow { what, player: text, seconds: theirs } in rows {
        (context.hear)(what);
        let spec: Spec = text.parse()?;
        let mut player = spec.build(Setting { variant, geometry: Geometry::EIGHT, seed: context.seed })?;
        let started = Instant::now();
        for &position in &positions {
            if context.stop.is_raised() {
                return Ok(None);
            }
            black_box(player.choose(position, &Limits::default(), &mut |_| {})?);
        }
        let mean = started.elapsed().as_secs_f64() / count as f64;
        table.rows.push(vec![
            what.clone(),
            text.clone(),
            theirs.map_or_else(|| "–".to_owned(), seconds),
            seconds(mean),
            theirs.map_or_else(|| "–".to_owned(), |theirs| format!("{:.0}", theirs / mean.max(1e-9))),
        ]);
    }
    Ok(Some(Outcome { seconds: began.elapsed().as_secs_f64(), tables: vec![table], ..Outcome::default() }))
}

/// The report's time for the value of its board table, in one of its languages.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TableRow {
    what: String,
    seconds: f64,
}

/// Measures the value of a player's board table.
pub(super) fn board_table(
    context: Context<'_>,
    player: &str,
    rows: &[TableRow],
) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let (schema, parameters) = player.parse::<Spec>()?.parameters()?;
    let weights = schema.tables(&parameters).into_iter().next();
    let (_, weights) = weights.ok_or_else(|| ReproduceError::Data(format!("{player} has no board table")))?;
    let table = ClassTable::new(weights, Geometry::EIGHT);
    let boards: Vec<Board> = (0..1000).map(|number| random_position(context.seed, number, 30).board()).collect();
    let rounds = context.scale.pick(10, 2000, 20_000);
    let started = Instant::now();
    Backend::best().run(Evaluations { table: &table, boards: &boards, rounds });
    let mean = started.elapsed().as_secs_f64() / f64::from(rounds) / boards.len() as f64;
    let head = ["the report's form", "the report", "here", "times as fast"];
    let mut shown = Table::new("Mean time of the board table's value, positions of 34 discs, one thread", &head);
    for TableRow { what, seconds: theirs } in rows {
        let faster = format!("{:.0}", theirs / mean.max(1e-12));
        shown.rows.push(vec![what.clone(), seconds(*theirs), seconds(mean), faster]);
    }
    Ok(Some(Outcome { seconds: began.elapsed().as_secs_f64(), tables: vec![shown], ..Outcome::default() }))
}

/// Evaluations within the instruction set of a search, as a leaf does them.
struct Evaluations<'a> {
    table: &'a ClassTable,
    boards: &'a [Board],
    rounds: u32,
}

impl Task for Evaluations<'_> {
    type Output = ();

    #[inline(always)]
    fn run<I: Isa>(self, _isa: I) {
        for _ in 0..self.rounds {
            for board in self.boards {
                black_box(self.table.difference(black_box(board.mover()), black_box(board.other())));
            }
        }
    }
}

/// A position after so many plies of random play, in which somebody can move.
pub(super) fn random_position(seed: u64, number: u64, plies: u32) -> Position {
    let mut random = SplitMix64::for_number(seed, number);
    loop {
        let mut left = plies;
        let choose = |position: Position, _| {
            left = left.checked_sub(1)?;
            random_move(position, &mut random)
        };
        let last = Position::start(Geometry::EIGHT).playout(choose).last();
        if let Some(last) = last.filter(|last| !last.legal_moves().is_empty()) {
            return last;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn random_positions_are_as_long_as_asked_for() {
        for number in 0..50 {
            let position = random_position(1, number, 20);
            assert_eq!(position.board().mover().count() + position.board().other().count(), 24);
        }
    }
}
