//! Tables for spreadsheets (RFC 4180).

use turncoat_util::printable_lines;

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
            quoted(game.start.unwrap_or_default()),
            game.moves,
        );
    }
    text
}

/// A number without a plus, and zero without a minus.
fn number(value: f64, digits: usize) -> String {
    signed(value, digits).trim_start_matches('+').to_owned()
}

/// A text as a cell. One that a spreadsheet would take for a formula has an apostrophe before it, which makes it text.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
    let text = printable_lines(text);
    let text = if is_formula { format!("'{text}") } else { text };
    let is_plain = !is_formula && !text.contains([',', '"', '\n', '\r']);
    if is_plain { text } else { format!("\"{}\"", text.replace('"', "\"\"")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_no_formula_and_a_number_stays_one() {
        for (text, cell) in [
            ("greedy", "greedy"),
            ("py:a.py --x", "py:a.py --x"),
            ("=HYPERLINK(\"x\")", "\"'=HYPERLINK(\"\"x\"\")\""),
            ("+1", "\"'+1\""),
            ("-1", "\"'-1\""),
            ("@A1", "\"'@A1\""),
            ("\t=1", "\"'\\t=1\""),
            ("\u{1b}[2J", "\\u{1b}[2J"),
            ("a,b", "\"a,b\""),
            ("", ""),
        ] {
            assert_eq!(quoted(text), cell);
        }
        assert_eq!(number(-1.5, 2), "-1.50");
    }
}
