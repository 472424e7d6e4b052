//! Games as transcripts, one a line, each with a comment about it. `turncoat convert` reads them.

use turncoat_board::Position;
use turncoat_record::{chess_log as log, transcript};
use turncoat_util::printable;

use super::Report;
use crate::plan::Plan;

/// The course's log of a game: a board after each disc. `None` if its moves do not fit its beginning.
pub fn chess_log(plan: &Plan, start: Option<&str>, moves: &str) -> Option<String> {
    let start = match start {
        None => Position::start(plan.size),
        Some(text) => Position::parse(text, plan.size).ok()?,
    };
    transcript::parse(moves, plan.variant, start).ok().map(|game| log::write(&game))
}

/// All games. A game that began with a position of its own has no transcript from the start of the board:
/// it is written as that position, with the moves in a comment.
pub fn transcripts(report: &Report<'_>) -> String {
    let mut text = String::new();
    for played in report.results.games() {
        let game = played.object(report.names);
        let result = match (game.margin, game.winner) {
            (Some(0), _) => "a draw".to_owned(),
            (Some(margin), winner) => format!("{winner} wins by {}", margin.abs()),
            (None, winner) => {
                let detail = game.detail.map(|d| format!(": {d}")).unwrap_or_default();
                format!("{winner} wins by {} of the other{detail}", game.reason)
            }
        };
        let comment = format!("game {}: black {}, white {}, {result}", game.game, game.black, game.white);
        // A comment ends with its line, whatever stands in names and faults.
        text += &format!("% {}\n", printable(&comment.replace(['\n', '\r'], " ")));
        match game.start {
            None => text += &format!("{}\n", game.moves),
            Some(start) => text += &format!("{start}; % {}\n", game.moves),
        }
    }
    text
}
