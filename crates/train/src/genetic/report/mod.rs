//! Pictures of a run: learning curves and board tables, as SVG and on one page without anything from
//! elsewhere.

pub(super) mod genes;
mod page;

use turncoat_board::{Geometry, Square};
use turncoat_eval::classic::features::{CLASSES, class_of};
use turncoat_eval::classic::{Parameters, Schema};
use turncoat_record::svg;

use super::run::{CHAMPION, FinalGames, GenerationRecord, IndividualsRecord};
use super::{Lab, Who, YardstickPlan};
use crate::chart::{Chart, Curve};

/// The page of a run.
pub const REPORT: &str = "report.html";

/// All files of a report, the champion's parameters among them: names and contents.
pub(super) fn files(
    lab: &Lab,
    log: &[GenerationRecord],
    records: &[IndividualsRecord],
    found: &FinalGames,
    finished: bool,
) -> Vec<(&'static str, String)> {
    let mut charts = vec![("fitness.svg", fitness(log)), ("genes.svg", size_and_spread(log))];
    charts.extend(win_rates(lab, log).map(|rates| ("win-rates.svg", rates)));
    let mut files: Vec<(&'static str, String)> = charts.iter().map(|(name, chart)| (*name, chart.draw())).collect();
    let courses = genes::courses(&lab.layout, records);
    files.push(("genes.csv", genes::csv(&courses)));
    let mut tables = Vec::new();
    if let Some(champion) = found.standings.first() {
        let so_far = if finished { String::new() } else { format!(", after {} generations", log.len()) };
        let what = format!("the champion, of generation {}{so_far}", champion.generation);
        files.push((CHAMPION, lab.parameter_file(&champion.genome, &what)));
        tables = board_tables(&lab.schema, &lab.layout.parameters(&champion.genome));
    }
    if !tables.is_empty() {
        files.push(("tables.svg", svg::draw_numbers(&tables)));
    }
    let pictures = page::Pictures { charts: charts.into_iter().map(|(_, chart)| chart).collect(), tables, courses };
    files.push((REPORT, page::page(lab, log, found, &pictures, finished)));
    files
}

fn points(log: &[GenerationRecord], value: impl Fn(&GenerationRecord) -> f64) -> Vec<(f64, f64)> {
    log.iter().map(|record| (f64::from(record.generation), value(record))).collect()
}

fn fitness(log: &[GenerationRecord]) -> Chart {
    Chart {
        title: "Fitness by generation".to_owned(),
        across: "generation".to_owned(),
        percent: false,
        curves: vec![
            Curve::new("best", points(log, |record| record.best)),
            Curve::new("mean", points(log, |record| record.mean)),
            Curve::new("worst", points(log, |record| record.worst)),
        ],
    }
}

fn size_and_spread(log: &[GenerationRecord]) -> Chart {
    let scale = log.first().map_or(1.0, |record| record.size.max(1e-9));
    let mut curves = vec![
        Curve::new("size of the best one's parameters, the first being 1", points(log, |record| record.size / scale)),
        Curve::new("spread of the population, in start ranges", points(log, |record| record.spread)),
    ];
    let sigma = log.iter().filter_map(|record| {
        let sigma = record.sigma?;
        Some((f64::from(record.generation), sigma))
    });
    let sigma: Vec<_> = sigma.collect();
    if !sigma.is_empty() {
        curves.push(Curve::new("step size", sigma));
    }
    Chart { title: "Genes by generation".to_owned(), across: "generation".to_owned(), percent: false, curves }
}

/// Win rates against the yardsticks: single generations as dots, their moving average as a line.
fn win_rates(lab: &Lab, log: &[GenerationRecord]) -> Option<Chart> {
    let plans = &lab.experiment.yardstick;
    let curves: Vec<Curve> = plans
        .iter()
        .enumerate()
        .map(|(index, plan)| {
            let rates = log.iter().filter_map(|record| {
                let own = record.yardsticks.iter().find(|y| y.yardstick == index)?;
                Some((f64::from(record.generation), own.win_rate()))
            });
            Curve::averaged(&yardstick_label(plan), rates.collect())
        })
        .collect();
    let (title, across) = ("Games won by generation".to_owned(), "generation".to_owned());
    (!curves.is_empty()).then_some(Chart { title, across, percent: true, curves })
}

/// What a yardstick's share of games won is called.
pub(crate) fn yardstick_label(plan: &YardstickPlan) -> String {
    let who = match plan.who {
        Who::Best => "the best",
        Who::Any => "one by chance",
    };
    format!("{who} against {}, {} games", plan.player, plan.games)
}

/// The board tables among parameters, for heat maps.
pub(crate) fn board_tables(schema: &Schema, parameters: &Parameters) -> Vec<svg::NumberBoard> {
    let board = |(name, weights): (String, [f64; CLASSES])| {
        let mut numbers = [0.0; 64];
        for square in Square::ALL {
            numbers[square.index()] = weights[class_of(square, Geometry::EIGHT)];
        }
        (name, numbers)
    };
    schema.tables(parameters).into_iter().map(board).collect()
}
