//! The page of a run: one file, pictures included.

use crate::genetic::Lab;
use crate::genetic::run::{FinalStanding, GenerationRecord};
use turncoat_util::escape_html;

const STYLE: &str = "\
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
svg{max-width:100%;height:auto;margin:.5rem 0}
figure{margin:1.5rem 0}
.wide{overflow-x:auto}.wide svg{min-width:40rem;max-width:none;max-height:26rem}
table{border-collapse:collapse}td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #8884}
pre{overflow-x:auto;padding:1rem;border-radius:.5rem;background:#8881;font-size:.85rem}
";

/// Places of the last round robin that are shown.
const SHOWN: usize = 20;

pub(super) fn page(
    lab: &Lab,
    log: &[GenerationRecord],
    standings: &[FinalStanding],
    pictures: &[(&'static str, String)],
    finished: bool,
) -> String {
    let title = escape_html(&lab.experiment.title);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n"
    );
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
    for (name, svg) in pictures {
        let class = if *name == "tables.svg" { " class=\"wide\"" } else { "" };
        if *name == "tables.svg" {
            html += "<h2>Board tables of the champion</h2>\n";
        }
        html += &format!("<figure{class}>{svg}</figure>\n");
    }
    html += &table(standings);
    if let Some(champion) = standings.first() {
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

/// The first places of the last round robin.
fn table(standings: &[FinalStanding]) -> String {
    let mut html = format!(
        "<h2>The best of every generation against each other</h2>\n\
         <p>{} took part; these came first.</p>\n<table>\n\
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
    html + "</table>\n"
}
