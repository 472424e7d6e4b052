//! Tables for spreadsheets: the log as CSV, and how long generations took. Nothing depends on them, so they are written
//! anew when a run is opened. The seconds are in a file of their own, the only one in which two equal runs differ.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Duration;

use super::GenerationRecord;
use super::files::replace_all;
use crate::genetic::Lab;
use crate::run_folder::FolderError;

const LOG: &str = "log.csv";
pub(super) const SECONDS: &str = "seconds.csv";

/// Writes the tables of a run with this log.
pub(super) fn begin(folder: &Path, lab: &Lab, log: &[GenerationRecord]) -> Result<(), FolderError> {
    let yardsticks: String = (1..=lab.yardsticks.len()).map(|number| format!(",yardstick_{number}")).collect();
    let mut table = format!("generation,games,best,mean,worst,size,spread,sigma{yardsticks}\n");
    table.extend(log.iter().map(|record| log_line(lab, record)));
    let mut seconds = "generation,seconds\n".to_owned();
    let done = log.len() as u32;
    let known = read_seconds(folder).into_iter().filter(|(generation, _)| *generation <= done);
    seconds.extend(known.map(|(generation, seconds)| seconds_line(generation, seconds)));
    replace_all(folder, &[(LOG, table), (SECONDS, seconds)])
}

/// Adds a generation.
pub(super) fn append(folder: &Path, lab: &Lab, record: &GenerationRecord, took: Duration) -> Result<(), FolderError> {
    for (name, line) in [(LOG, log_line(lab, record)), (SECONDS, seconds_line(record.generation, took.as_secs_f64()))] {
        let path = folder.join(name);
        let written = File::options().append(true).open(&path).and_then(|mut file| file.write_all(line.as_bytes()));
        written.map_err(FolderError::io(path))?;
    }
    Ok(())
}

/// The shares of games won stand for the yardsticks, nothing for one that was not due.
fn log_line(lab: &Lab, record: &GenerationRecord) -> String {
    let GenerationRecord { generation, games, best, mean, worst, size, spread, sigma, yardsticks } = record;
    let sigma = sigma.map_or_else(String::new, |sigma| sigma.to_string());
    let rate =
        |index: usize| yardsticks.iter().find(|own| own.yardstick == index).map(|own| own.win_rate().to_string());
    let rates: String =
        (0..lab.yardsticks.len()).map(|index| format!(",{}", rate(index).unwrap_or_default())).collect();
    format!("{generation},{games},{best},{mean},{worst},{size},{spread},{sigma}{rates}\n")
}

fn seconds_line(generation: u32, seconds: f64) -> String {
    format!("{generation},{seconds:.3}\n")
}

/// The generations of a folder whose seconds are known.
pub(super) fn read_seconds(folder: &Path) -> Vec<(u32, f64)> {
    let text = fs::read_to_string(folder.join(SECONDS)).unwrap_or_default();
    let parsed = text.lines().filter_map(|line| {
        let (generation, seconds) = line.split_once(',')?;
        Some((generation.parse().ok()?, seconds.parse().ok()?))
    });
    parsed.collect()
}
