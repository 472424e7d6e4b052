//! Results of matches and tournaments as text.

use turncoat_api::{ContestRow, ContestantState, Decision, MatchSummary, SprtObject};
use turncoat_arena::report::{Report, elo_text, los_text};
use turncoat_arena::{Played, signed};
use turncoat_util::printable;

use crate::args::Points;

/// Faults that are listed one by one.
const LISTED_FAULTS: usize = 10;

/// The result of a match.
pub(crate) fn of_match(report: &Report<'_>) -> String {
    let summary = report.match_summary();
    let mut text = format!("{} – {}: {}\n{}", summary.a, summary.b, ground(report), score(&summary));
    text += &format!(
        "  margin  {} discs a game\n  Elo     {}{}\n",
        discs(summary.margin),
        elo_text(&summary),
        los_text(&summary),
    );
    let [lost, half_lost, even, half_won, won] = summary.pairs;
    text += &format!(
        "  pairs   0: {lost}, ½: {half_lost}, 1: {even}, 1½: {half_won}, 2: {won} (points of {} in two games)\n",
        summary.a
    );
    if let Some(sprt) = &summary.sprt {
        text += &format!("  SPRT    {}\n", sprt_text(sprt, &summary));
    }
    text + &faults(report)
}

/// The state of a match in one line, for the live view.
pub(crate) fn match_line(report: &Report<'_>) -> String {
    let summary = report.match_summary();
    let MatchSummary { wins, draws, losses, .. } = summary;
    let mut text = format!("{} +{wins} ={draws} -{losses}  Elo {}", summary.a, elo_text(&summary));
    if let Some(sprt) = summary.sprt {
        text += &format!("  LLR {:.2} ({:.2}, {:.2})", sprt.llr, sprt.lower, sprt.upper);
    }
    text
}

fn ground(report: &Report<'_>) -> String {
    let plan = report.plan;
    let variant = plan.variant.title();
    let unfinished = if report.complete { "" } else { ", not complete" };
    format!(
        "{variant} on {}, openings {}, seed {}{}{unfinished}",
        plan.size,
        printable(&plan.openings),
        plan.seed,
        plan.limits_text()
    )
}

fn score(summary: &MatchSummary<'_>) -> String {
    let MatchSummary { games, wins, draws, losses, .. } = summary;
    let share = 50.0 * (2 * wins + draws) as f64 / (*games).max(1) as f64;
    let mut text = format!("  games   {games}: {} won {wins}, drew {draws}, lost {losses} ({share:.1} %)", summary.a);
    if summary.faults + summary.opponent_faults > 0 {
        text +=
            &format!("; lost by faults: {} {}, {} {}", summary.a, summary.faults, summary.b, summary.opponent_faults);
    }
    text + "\n" + &repeated(summary.distinct, *games)
}

/// Says so where many games are the same.
fn repeated(distinct: u64, games: u64) -> String {
    if distinct * 10 >= games * 9 {
        return String::new();
    }
    format!("  repeats {} of them: only {distinct} games differ, and no figure below knows it\n", games - distinct)
}

fn sprt_text(sprt: &SprtObject, summary: &MatchSummary<'_>) -> String {
    let SprtObject { elo0, elo1, llr, lower, upper, .. } = sprt;
    let (a, b) = (summary.a, summary.b);
    match sprt.decision {
        Some(Decision::H1) => format!(
            "H1 accepted after {} games, because LLR {llr:.2} reached {upper:.2}: \
             {a} is rather {elo1:+} than {elo0:+} Elo stronger than {b}",
            summary.games
        ),
        Some(Decision::H0) => format!(
            "H0 accepted after {} games, because LLR {llr:.2} reached {lower:.2}: \
             {a} is rather {elo0:+} than {elo1:+} Elo stronger than {b}",
            summary.games
        ),
        None => format!("undecided between {elo0:+} and {elo1:+} Elo: LLR {llr:.2} is within ({lower:.2}, {upper:.2})"),
    }
}

/// The result of a tournament: table and crosstable.
pub(crate) fn of_tournament(report: &Report<'_>, points: Points) -> String {
    let games = report.results.games().len();
    let mut text = format!("{games} games of {}\n\n", ground(report));
    text += &repeated(report.results.distinct(), games as u64);
    text += &ladder(report);
    text += &standings(report, points, usize::MAX);
    text += "\nWon-drawn-lost of the player on the left:\n";
    text += &crosstable(report);
    text + &faults(report)
}

/// Who stands where, if it is a ladder.
fn ladder(report: &Report<'_>) -> String {
    let Some(rungs) = report.ladder() else {
        return String::new();
    };
    let mut rows = vec![["rung", "player", "points"].map(str::to_owned).to_vec()];
    for row in rungs {
        rows.push(vec![row.rung.to_string(), row.player.to_owned(), format!("{:+}", row.points)]);
    }
    format!("{}\nAll games, against everyone:\n", aligned(&rows, 1))
}

/// The table, at most so many lines of it.
pub(crate) fn standings(report: &Report<'_>, points: Points, lines: usize) -> String {
    let heading = match points {
        Points::Standard => "points",
        Points::Course => "+5/0/-5",
    };
    let mut rows = vec![
        ["rank", "player", heading, "games", "won", "drawn", "lost", "faults", "margin", "rating", "95 %"]
            .map(str::to_owned),
    ];
    for row in report.table().into_iter().take(lines) {
        rows.push([
            row.rank.to_string(),
            row.player.to_owned(),
            match points {
                Points::Standard => format!("{:.1}", row.points),
                Points::Course => format!("{:+}", row.course_points),
            },
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.faults.to_string(),
            discs(row.margin),
            signed(row.rating, 0),
            format!("±{:.0}", row.rating_error),
        ]);
    }
    aligned(&rows.iter().map(|row| row.to_vec()).collect::<Vec<_>>(), 1)
}

/// The table of a ladder: those that play, then the others with what becomes of them.
pub(crate) fn contest(rows: &[ContestRow], lines: usize) -> String {
    let heading = ["rank", "player", "version", "rating", "95 %", "games", "won", "drawn", "lost", "faults", "margin"];
    let mut cells = vec![heading.map(str::to_owned).to_vec()];
    let mut others = String::new();
    for row in rows.iter().take(lines) {
        let about = row.words.as_ref().map_or_else(String::new, |words| format!(": {}", printable(words)));
        if row.state != ContestantState::Playing {
            let state = match row.state {
                ContestantState::Waiting => "waits",
                ContestantState::Testing => "is being tested",
                ContestantState::Failed => "does not play",
                _ => "is not a player",
            };
            others += &format!("  {} {state}{about}\n", row.title);
            continue;
        }
        if !about.is_empty() {
            others += &format!("  {}{about}\n", row.title);
        }
        cells.push(vec![
            row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
            row.title.clone(),
            row.version.map_or_else(String::new, |version| version.to_string()),
            signed(row.rating, 0),
            format!("±{:.0}", row.rating_error),
            row.games.to_string(),
            row.wins.to_string(),
            row.draws.to_string(),
            row.losses.to_string(),
            row.faults.to_string(),
            discs(row.margin),
        ]);
    }
    aligned(&cells, 1) + &others
}

fn crosstable(report: &Report<'_>) -> String {
    let table = report.table();
    let mut rows = vec![vec![String::new(), String::new()]];
    rows[0].extend((1..=table.len()).map(|place| place.to_string()));
    for (index, (row, cells)) in table.iter().zip(report.cross()).enumerate() {
        let mut line = vec![(index + 1).to_string(), row.player.to_owned()];
        line.extend(cells.into_iter().enumerate().map(|(other, cell)| match cell {
            Some(cell) => format!("{}-{}-{}", cell.wins, cell.draws, cell.losses),
            None if other == index => "·".to_owned(),
            None => "-".to_owned(),
        }));
        rows.push(line);
    }
    aligned(&rows, 1)
}

/// Columns of equal width, all to the right but one.
fn aligned(rows: &[Vec<String>], left: usize) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            line += &if column == left { format!("  {cell:<width$}") } else { format!("  {cell:>width$}") };
        }
        text += line.trim_end();
        text.push('\n');
    }
    text
}

/// The games that ended by a fault.
fn faults(report: &Report<'_>) -> String {
    let is_fault = |game: &&Played| game.ending.margin().is_none();
    let mut text = String::new();
    let games = report.results.games();
    for game in games.iter().filter(is_fault).take(LISTED_FAULTS) {
        let by = [game.fixture.black, game.fixture.white].into_iter().find(|&player| game.is_fault_of(player));
        let name = by.map_or("", |player| &report.names[player]);
        let detail = game.ending.detail().map_or_else(String::new, |d| format!(": {}", printable(d)));
        text += &format!("  game {}: {name} lost by {}{detail}\n", game.fixture.number + 1, game.ending.reason());
    }
    let more = games.iter().filter(is_fault).count().saturating_sub(LISTED_FAULTS);
    if more > 0 {
        text += &format!("  and {more} more games ended by faults\n");
    }
    if text.is_empty() { text } else { format!("Faults:\n{text}") }
}

fn discs(margin: Option<f64>) -> String {
    margin.map_or_else(|| "–".to_owned(), |margin| signed(margin, 2))
}
