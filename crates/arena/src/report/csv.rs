//! Tables for spreadsheets (RFC 4180).

use super::Report;
use crate::words::signed;

/// The table, one player a line.
pub fn table(report: &Report<'_>) -> String {
    let mut text =
        String::from("rank,player,games,wins,draws,losses,faults,points,course_points,margin,rating,rating_error\r\n");
    for row in report.table() {
        let margin = row.margin.map_or_else(String::new, |m| number(m, 3));
        text += &format!(
            "{},{},{},{},{},{},{},{},{},{margin},{},{:.2}\r\n",
            row.rank,
            quoted(row.player),
            row.games,
            row.wins,
            row.draws,
            row.losses,
            row.faults,
            row.points,
            row.course_points,
            number(row.rating, 2),
            row.rating_error,
        );
    }
    text
}

/// The games, one a line.
pub fn games(report: &Report<'_>) -> String {
    let mut text =
        String::from("game,black,white,winner,margin,reason,detail,black_seconds,white_seconds,start,moves\r\n");
    for played in report.results.games() {
        let game = played.object(report.names);
        text += &format!(
            "{},{},{},{},{},{},{},{:.6},{:.6},{},{}\r\n",
            game.game,
            quoted(game.black),
            quoted(game.white),
            game.winner,
            game.margin.map_or_else(String::new, |m| m.to_string()),
            game.reason,
            quoted(game.detail.unwrap_or_default()),
            played.thinking[0].as_secs_f64(),
            played.thinking[1].as_secs_f64(),
            game.start.unwrap_or_default(),
            game.moves,
        );
    }
    text
}

/// A number without a plus, and zero without a minus.
fn number(value: f64, digits: usize) -> String {
    signed(value, digits).trim_start_matches('+').to_owned()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
