//! One page with everything in it: table, crosstable, and all games to replay. It needs nothing from
//! elsewhere.

use std::fmt::Write as _;

use serde::Serialize;
use turncoat_api::TableRow;
use turncoat_util::escape_html;

use super::{Report, elo_text, los_text};
use crate::plan::Format;
use crate::played::Played;
use crate::standings::standings;
use crate::words::signed;

const PAGE: &str = include_str!("page.html");

/// What the page's script reads.
#[derive(Serialize)]
struct Data<'a> {
    side: u8,
    names: &'a [String],
    /// The players in the order of the table.
    order: Vec<usize>,
    games: Vec<GameRow<'a>>,
}

/// A game as a row of values, to keep the page small.
#[derive(Serialize)]
struct GameRow<'a>(usize, usize, &'static str, Option<i32>, &'static str, &'a str, &'a str, &'a str);

/// Makes the page.
pub fn page(report: &Report<'_>) -> String {
    let plan = report.plan;
    let title = title(report);
    let data = Data {
        side: plan.size.side(),
        names: report.names,
        order: standings(report.results).iter().map(|s| s.player).collect(),
        games: report.results.games().iter().map(line).collect(),
    };
    // Inside a script element only "<" could end it.
    let data = serde_json::to_string(&data).unwrap_or_else(|_| "null".to_owned()).replace('<', "\\u003c");
    // Every place is filled once and in this order, so that nothing that is put in is taken for a place.
    let parts = [
        ("{{title}}", escape_html(&title)),
        ("{{title}}", escape_html(&title)),
        ("{{about}}", about(report)),
        ("{{table}}", table(&report.table())),
        ("{{cross}}", cross(report)),
        ("{{data}}", data),
    ];
    let mut page = String::new();
    let mut rest = PAGE;
    for (place, text) in parts {
        let (before, after) = rest.split_once(place).unwrap_or((rest, ""));
        page += before;
        page += &text;
        rest = after;
    }
    page + rest
}

fn title(report: &Report<'_>) -> String {
    match report.plan.format {
        Format::Match => format!("{} – {}", report.names[0], report.names[1]),
        Format::RoundRobin => format!("Round robin of {}", report.names.len()),
        Format::Gauntlet => format!("Gauntlet of {}", report.names[0]),
        Format::Ladder => format!("Ladder of {}", report.names.len()),
        Format::Swiss => format!("Swiss system of {}", report.names.len()),
    }
}

fn about(report: &Report<'_>) -> String {
    let plan = report.plan;
    let variant = plan.variant.title();
    let games = report.results.games().len();
    let mut text = format!(
        "{variant} on {0}×{0}, {games} games, openings {1}, seed {2}{3}.",
        plan.size.side(),
        escape_html(&plan.openings),
        plan.seed,
        plan.limits_text()
    );
    if !report.complete {
        text += " The run is not complete.";
    }
    if plan.format == Format::Match {
        let summary = report.match_summary();
        let _ = write!(text, " Elo of {}: {}{}.", escape_html(summary.a), elo_text(&summary), los_text(&summary));
        if let Some(sprt) = summary.sprt {
            let decision = sprt.decision.map_or_else(|| "undecided".to_owned(), |d| format!("{d} accepted"));
            let _ = write!(
                text,
                " SPRT [{}, {}]: LLR {:.2} ({:.2}, {:.2}), {decision}.",
                sprt.elo0, sprt.elo1, sprt.llr, sprt.lower, sprt.upper
            );
        }
    }
    text
}

fn table(rows: &[TableRow<'_>]) -> String {
    let mut html = String::new();
    for row in rows {
        let margin = row.margin.map_or_else(|| "–".to_owned(), |m| signed(m, 2));
        let _ = writeln!(
            html,
            "<tr><td>{}</td><th scope=\"row\">{}</th><td>{}</td><td>±{:.0}</td><td>{}</td>\
             <td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{margin}</td><td>{}</td><td>{:+}</td></tr>",
            row.rank,
            escape_html(row.player),
            signed(row.rating, 0),
            row.rating_error,
            row.games,
            row.wins,
            row.draws,
            row.losses,
            row.points,
            row.faults,
            row.course_points,
        );
    }
    html
}

fn cross(report: &Report<'_>) -> String {
    let rows = report.table();
    let mut html = String::from("<thead><tr><td></td><td></td>");
    for place in 1..=rows.len() {
        let _ = write!(html, "<th scope=\"col\">{place}</th>");
    }
    html += "</tr></thead>\n<tbody>\n";
    for (i, (row, cells)) in rows.iter().zip(report.cross()).enumerate() {
        let _ = write!(html, "<tr><td>{}</td><th scope=\"row\">{}</th>", i + 1, escape_html(row.player));
        for (j, cell) in cells.into_iter().enumerate() {
            let _ = match cell {
                None if i == j => write!(html, "<td class=\"self\"></td>"),
                None => write!(html, "<td>–</td>"),
                Some(cell) => {
                    let games = cell.wins + cell.draws + cell.losses;
                    let share = 50.0 * (2 * cell.wins + cell.draws) as f64 / games as f64;
                    write!(
                        html,
                        "<td style=\"--share:{share:.0}%\"><button type=\"button\" data-pair=\"{i},{j}\" \
                         title=\"Show these games\">{}–{}–{}</button></td>",
                        cell.wins, cell.draws, cell.losses
                    )
                }
            };
        }
        html += "</tr>\n";
    }
    html + "</tbody>"
}

fn line(played: &Played) -> GameRow<'_> {
    GameRow(
        played.fixture.black,
        played.fixture.white,
        played.winner_name(),
        played.ending.margin(),
        played.ending.reason(),
        played.ending.detail().unwrap_or_default(),
        played.start.as_deref().unwrap_or_default(),
        &played.moves,
    )
}
