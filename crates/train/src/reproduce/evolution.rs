//! A report's genetic run again: how it learned, how long it took, and what its champion's parameters are.

use std::collections::BTreeMap;
use std::fs;
use std::time::Instant;

use turncoat_eval::classic::{Group, Parameters, Schema};
use turncoat_players::{Roster, Spec};
use turncoat_record::svg;

use super::{Context, Outcome, ReproduceError, Table};
use crate::genetic::games::Threads;
use crate::genetic::report::{board_tables, yardstick_label};
use crate::genetic::run::{CHAMPION, Run, Snapshot, Step};
use crate::genetic::{Assignment, Lab};
use crate::run_folder::{FolderError, RunKind};

/// The experiments that repeat the reports'.
const EXPERIMENTS: [(&str, &str); 6] = [
    ("binary-genes", include_str!("../../experiments/binary-genes.toml")),
    ("mode-1", include_str!("../../experiments/mode-1.toml")),
    ("mode-2", include_str!("../../experiments/mode-2.toml")),
    ("mode-3", include_str!("../../experiments/mode-3.toml")),
    ("mode-2-long", include_str!("../../experiments/mode-2-long.toml")),
    ("top-six-self", include_str!("../../experiments/top-six-self.toml")),
];

/// Generations are shown in bands up to these.
const BANDS: [u32; 8] = [5, 10, 20, 50, 100, 150, 200, 300];

/// The text of an experiment.
pub(super) fn experiment(name: &str) -> Result<&'static str, ReproduceError> {
    let found = EXPERIMENTS.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| ReproduceError::Data(format!("there is no experiment {name:?}")))
}

/// What makes an experiment small.
pub(super) fn quick_changes() -> Vec<Assignment> {
    ["generations=2", "algorithm.population=6"].into_iter().filter_map(|change| change.parse().ok()).collect()
}

/// Has a genetic run finished, whether it has begun or not; `None` if it was stopped.
pub(super) fn evolve(
    context: Context<'_>,
    name: &str,
    experiment_name: &str,
    seed: u64,
    changes: &[Assignment],
) -> Result<Option<Snapshot>, ReproduceError> {
    let (roster, folder) = (Roster::default(), context.folder.join(name));
    let mut run = if RunKind::of(&folder).is_some() {
        Run::resume(&folder, &roster)?
    } else {
        let file = context.folder.join(format!("{name}.toml"));
        fs::create_dir_all(context.folder).map_err(FolderError::io(context.folder))?;
        turncoat_util::replace_file(&file, experiment(experiment_name)?.as_bytes()).map_err(FolderError::io(&file))?;
        let mut changes = changes.to_vec();
        changes.push(Assignment::new("seed", i64::try_from(seed).unwrap_or(i64::MAX)));
        changes.extend(context.scale.pick(quick_changes(), Vec::new(), Vec::new()));
        Run::create(&file, &changes, &folder, None, &roster)?
    };
    let mut games = Threads { stop: context.stop.clone(), ..Threads::default() };
    loop {
        match run.step(&mut games)? {
            Step::Generation(record) => {
                let total = run.lab().experiment.generations;
                (context.hear)(&format!("{name}, generation {} of {total}", record.generation));
            }
            Step::Complete(_) => return Ok(Some(Snapshot::read(&folder, &roster)?)),
            Step::Interrupted => return Ok(None),
        }
    }
}

/// The run of an experiment. `theirs` is the time of a generation in the report.
pub(super) fn run(
    context: Context<'_>,
    player: &str,
    experiment: &str,
    theirs: Option<f64>,
) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let Some(run) = evolve(context, experiment, experiment, context.seed, &[])? else {
        return Ok(None);
    };
    let mut outcome = Outcome { seconds: began.elapsed().as_secs_f64(), ..Outcome::default() };
    outcome.tables.push(bands(&run));
    outcome.tables.push(times(&run, theirs));
    let champion = run.folder().join(CHAMPION);
    let text = fs::read_to_string(&champion).map_err(FolderError::io(&champion))?;
    let lab = run.lab();
    let ours = lab.schema.read(&text).map_err(|error| FolderError::damaged(&champion, error))?;
    outcome.tables.push(parameters(lab, player, &ours)?);
    for picture in ["win-rates.svg", "tables.svg"] {
        outcome.pictures.extend(fs::read_to_string(run.folder().join(picture)));
    }
    Ok(Some(outcome))
}

/// The shares of games won against the yardsticks, by generations.
fn bands(run: &Snapshot) -> Table {
    let plans = &run.lab().experiment.yardstick;
    let mut table = Table::new("Games won by generation", &["generations"]);
    table.head.extend(plans.iter().map(yardstick_label));
    let mut first = 1;
    for last in BANDS {
        let within: Vec<_> = run.log().iter().filter(|record| (first..=last).contains(&record.generation)).collect();
        let Some(end) = within.last() else { break };
        let mut row = vec![format!("{first}–{}", end.generation)];
        for yardstick in 0..plans.len() {
            let all = within.iter().flat_map(|record| &record.yardsticks).filter(|own| own.yardstick == yardstick);
            let (mut rate, mut count) = (0.0, 0.0);
            for own in all {
                (rate, count) = (rate + own.win_rate(), count + 1.0);
            }
            row.push(if count > 0.0 { format!("{:.1} %", 100.0 * rate / count) } else { "–".to_owned() });
        }
        table.rows.push(row);
        first = last + 1;
    }
    table
}

/// The time of a generation, here and there.
fn times(run: &Snapshot, theirs: Option<f64>) -> Table {
    let mut table = Table::new("Time", &["", "the report", "here", "times as fast"]);
    let known = run.seconds();
    let mean = known.iter().map(|(_, seconds)| seconds).sum::<f64>() / known.len().max(1) as f64;
    let generations = run.log().len() as f64;
    // The report has the time of one generation, and no other.
    for (what, factor, there) in [("one generation", 1.0, theirs), ("all generations", generations, None)] {
        table.rows.push(vec![
            what.to_owned(),
            there.map_or_else(|| "–".to_owned(), seconds),
            seconds(mean * factor),
            there.map_or_else(|| "–".to_owned(), |there| format!("{:.0}", there / (mean * factor).max(1e-9))),
        ]);
    }
    table
}

/// The champion's parameters beside the published ones.
fn parameters(lab: &Lab, player: &str, ours: &Parameters) -> Result<Table, ReproduceError> {
    // Of what evolves, as far as the report has it: the experiment may begin with one of several published sets.
    let published: Spec = lab.experiment.player.parse().or_else(|_| player.parse())?;
    let (schema, theirs) = published.parameters()?;
    let theirs: BTreeMap<String, String> = named(&schema, &theirs).into_iter().collect();
    // What a report does not give, the built-in player has from elsewhere.
    let mut table = Table::new("The best one's parameters", &["", "the built-in player", "here"]);
    for (name, own) in named(&lab.schema, ours) {
        let there = theirs.get(&name).cloned().unwrap_or_else(|| "–".to_owned());
        table.rows.push(vec![name, there, own]);
    }
    Ok(table)
}

/// Parameters with their names, group by group.
fn named(schema: &Schema, parameters: &Parameters) -> Vec<(String, String)> {
    let mut all = Vec::new();
    let mut add = |groups: &[Group], numbers: &[f64], stage: &str| {
        let mut rest = numbers;
        for group in groups {
            let (own, others) = rest.split_at(group.count.min(rest.len()));
            let text: Vec<String> = own.iter().map(|&value| number(value)).collect();
            all.push((format!("{}{stage}", group.name), text.join(" ")));
            rest = others;
        }
    };
    add(&schema.shared, &parameters.shared, "");
    for (index, stage) in parameters.stages.iter().enumerate() {
        add(&schema.staged, stage, &format!(", stage {}", index + 1));
    }
    all
}

/// A player's own board tables.
pub(super) fn boards(player: &str) -> Result<Outcome, ReproduceError> {
    let (schema, parameters) = player.parse::<Spec>()?.parameters()?;
    let tables = board_tables(&schema, &parameters);
    let pictures = if tables.is_empty() { Vec::new() } else { vec![svg::draw_numbers(&tables)] };
    Ok(Outcome { pictures, ..Outcome::default() })
}

/// A number without digits that say nothing.
fn number(value: f64) -> String {
    match value.abs() {
        size if size.fract() == 0.0 => format!("{value}"),
        size if size < 0.1 => format!("{value:.4}"),
        _ => format!("{value:.2}"),
    }
}

/// A duration for people.
pub(super) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s >= 3600.0 => format!("{:.1} h", s / 3600.0),
        s if s >= 120.0 => format!("{:.1} min", s / 60.0),
        s if s >= 1.0 => format!("{s:.1} s"),
        s if s >= 1e-3 => format!("{:.1} ms", s * 1e3),
        s if s >= 1e-6 => format!("{:.1} µs", s * 1e6),
        s => format!("{:.1} ns", s * 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_are_told_in_their_units() {
        let told = [7200.0, 150.0, 60.0, 0.25, 0.000_035].map(seconds);
        assert_eq!(told, ["2.0 h", "2.5 min", "60.0 s", "250.0 ms", "35.0 µs"]);
    }

    #[test]
    fn published_parameters_have_names() {
        let (schema, parameters) = "nine-weights".parse::<Spec>().unwrap().parameters().unwrap();
        let named = named(&schema, &parameters);
        assert!(named.contains(&("mobility, stage 1".to_owned(), "2.51".to_owned())), "{named:?}");
    }
}
