//! The page of a run: one file, pictures included.

use std::path::Path;
use std::slice;

use turncoat_record::svg::{self, NumberBoard};
use turncoat_util::escape_html;

use super::genes::{self, GeneCourse};
use crate::chart::Chart;
use crate::genetic::Lab;
use crate::genetic::run::{CHAMPION, FinalGames, FinalStanding, GenerationRecord};

/// Places of the last round robin that are shown.
const SHOWN: usize = 20;

/// What is drawn on the page.
pub(super) struct Pictures<'a> {
    pub(super) charts: Vec<Chart>,
    /// The champion's board tables.
    pub(super) tables: Vec<NumberBoard>,
    pub(super) courses: Vec<GeneCourse<'a>>,
}

pub(super) fn page(
    lab: &Lab,
    log: &[GenerationRecord],
    found: &FinalGames,
    pictures: &Pictures<'_>,
    finished: bool,
) -> String {
    let mut html = crate::page::head(&lab.experiment.title);
    let games: u64 = log.iter().map(|record| record.games).sum();
    html += &format!(
        "<p>{} parameters of <code>{}</code> in {}, {} generations of {}, {games} games, seed {}.{}</p>\n",
        lab.layout.genes().len(),
        escape_html(&lab.experiment.player),
        lab.variant.title(),
        log.len(),
        lab.population(),
        lab.seed,
        if finished { "" } else { " The run is not finished." }
    );
    html += &last_match(lab, found);
    for chart in &pictures.charts {
        let (wide, narrow) = (chart.draw(), chart.draw_narrow());
        html += &format!("<figure class=\"wide\">{wide}</figure>\n<figure class=\"narrow\">{narrow}</figure>\n");
    }
    if !pictures.tables.is_empty() {
        let tables = pictures.tables.iter().map(|table| svg::draw_numbers(slice::from_ref(table)));
        let tables: String = tables.collect();
        html += &format!("<h2>Board tables of the champion</h2>\n<div class=\"tables\">{tables}</div>\n");
    }
    html += &genes::html(&pictures.courses);
    html += &table(&found.standings);
    if let Some(champion) = found.standings.first() {
        let parameters = lab.layout.parameters(&champion.genome);
        html += &format!(
            "<h2>The champion's parameters</h2>\n<pre>{}</pre>\n",
            escape_html(&lab.schema.write(&parameters))
        );
    }
    if let Ok(experiment) = toml::to_string(&lab.experiment) {
        html += &format!("<h2>The experiment</h2>\n<pre>{}</pre>\n", escape_html(&experiment));
    }
    html += "</html>\n";
    html
}

/// What the champion is worth. The command is for the run's folder, so that equal runs have equal reports.
fn last_match(lab: &Lab, found: &FinalGames) -> String {
    let Some(last_match) = &found.last_match else {
        return String::new();
    };
    format!(
        "<p>The champion against <code>{}</code> as it was before: <b>{}</b>. Once more, in this folder:</p>\n\
         <pre>turncoat {}</pre>\n",
        escape_html(&lab.experiment.player),
        escape_html(&last_match.summary()),
        escape_html(&lab.match_words(Path::new(CHAMPION)).join(" "))
    )
}

/// The first places of the last round robin.
fn table(standings: &[FinalStanding]) -> String {
    let mut html = format!(
        "<h2>The best of every generation against each other</h2>\n\
         <p>{} took part; these came first.</p>\n<div class=\"scroll\"><table>\n\
         <tr><th>place<th>generation<th>individual<th>points<th>won as black<th>as white<th>drawn<th>lost</tr>\n",
        standings.len()
    );
    for (place, standing) in standings.iter().take(SHOWN).enumerate() {
        let tally = &standing.tally;
        html += &format!(
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>\n",
            place + 1,
            standing.generation,
            standing.id,
            standing.points,
            tally.black_wins,
            tally.white_wins,
            tally.draws,
            tally.losses
        );
    }
    html + "</table></div>\n"
}
