//! The page of a reproduction: what the report says, and what came of it here.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;

use turncoat_util::escape_html;

use super::evolution::seconds;
use super::{Outcome, Part, Report, Scale, Table};

/// The page of a reproduction.
pub const PAGE: &str = "report.html";

pub(super) fn page(report: &Report, done: &BTreeMap<String, Outcome>, scale: Scale, seed: u64) -> String {
    let Report { player, title, author, year, machine, variant, .. } = report;
    let mut html = crate::page::head(&format!("{player}: the report again"));
    let _ = writeln!(
        html,
        "<p>{}, <i>{}</i>, {year} ({}), part by part: what it says, and what came of it here.</p>\n\
         <table>\n<tr><th>the report's machine<td>{}</tr>\n<tr><th>this machine<td>{}</tr>\n</table>",
        escape_html(author),
        escape_html(title),
        variant.title(),
        escape_html(machine),
        escape_html(&this_machine())
    );
    let scale = match scale {
        Scale::Quick => "A quick run, to see it work: its numbers say nothing.",
        Scale::Usual => "Generations and populations are the report's, with one seed.",
        Scale::Full => "Generations and populations are the report's, with ten seeds where the report compares runs.",
    };
    let _ = writeln!(html, "<p>{scale} Seed {seed}.</p>\n<ul>");
    for Part { id, title, .. } in &report.parts {
        let _ = writeln!(html, "<li><a href=\"#{id}\">{}</a>", escape_html(title));
    }
    html += "</ul>\n";
    for part in &report.parts {
        section(&mut html, part, done.get(&part.id));
    }
    html += "</html>\n";
    html
}

fn section(html: &mut String, part: &Part, outcome: Option<&Outcome>) {
    let _ = writeln!(
        html,
        "<h2 id=\"{}\">{}</h2>\n<p><b>The report:</b> {}</p>",
        part.id,
        escape_html(&part.title),
        escape_html(&part.says)
    );
    match outcome {
        Some(outcome) => {
            for one in &outcome.tables {
                table(html, one);
            }
            for picture in &outcome.pictures {
                let _ = writeln!(html, "<figure class=\"scroll\">{picture}</figure>");
            }
            if !outcome.boards.is_empty() {
                let _ = writeln!(html, "<figure class=\"boards\">{}</figure>", outcome.boards.concat());
            }
            if outcome.seconds > 0.0 {
                let _ = writeln!(html, "<p>Took {} here.</p>", seconds(outcome.seconds));
            }
        }
        None if part.can_be_run() => html.push_str("<p>Not done yet.</p>\n"),
        None => html.push_str("<p>Cannot be run.</p>\n"),
    }
    let _ = writeln!(html, "<p><b>What differs:</b> {}</p>", escape_html(&part.differs));
}

fn table(html: &mut String, table: &Table) {
    let _ = writeln!(html, "<h3>{}</h3>\n<div class=\"scroll\"><table>", escape_html(&table.title));
    let row = |html: &mut String, cell: &str, cells: &[String]| {
        html.push_str("<tr>");
        for text in cells {
            let _ = write!(html, "<{cell}>{}", escape_html(text));
        }
        html.push_str("</tr>\n");
    };
    row(html, "th", &table.head);
    for cells in &table.rows {
        row(html, "td", cells);
    }
    html.push_str("</table></div>\n");
}

/// The processor and its cores.
fn this_machine() -> String {
    let cpus = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = cpus.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    let model = model.map_or(std::env::consts::ARCH, |(_, name)| name.trim());
    format!("{model}, {} threads", rayon::current_num_threads())
}
