//! The last round robin: the best of every generation meet, and the pool if asked for; the first is the champion.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use turncoat_util::replace_file;

use super::GeneticError;
use super::record::IndividualsRecord;
use crate::genetic::games::{Batch, Evaluate};
use crate::genetic::{ColorTally, Genome, Lab, fitness};
use crate::run_folder::FolderError;

const STANDINGS: &str = "standings.json";

/// A place in the last round robin.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FinalStanding {
    /// The last generation that it stood for.
    pub generation: u32,
    /// Who.
    pub id: u64,
    /// One for a win, half for a draw.
    pub points: f64,
    /// Its games.
    #[serde(flatten)]
    pub tally: ColorTally,
    /// Its genes.
    pub genome: Genome,
}

/// Who takes part: everyone who stood for a generation, once, in the order of generations.
fn entrants(lab: &Lab, records: &[IndividualsRecord]) -> Vec<FinalStanding> {
    let mut entrants: Vec<FinalStanding> = Vec::new();
    for record in records {
        for id in &record.representatives {
            let found = record.individuals.iter().find(|j| j.individual.id == *id);
            let Some(rated) = found else {
                continue;
            };
            // One that stood for several generations belongs to the last of them.
            entrants.retain(|known| known.genome != rated.individual.genome);
            entrants.push(FinalStanding {
                generation: record.generation,
                id: *id,
                points: 0.0,
                tally: ColorTally::default(),
                genome: rated.individual.genome.clone(),
            });
        }
    }
    let count = entrants.len();
    match lab.experiment.champion.most {
        Some(most) if most < count => {
            (0..most).map(|place| entrants[place * (count - 1) / (most - 1)].clone()).collect()
        }
        _ => entrants,
    }
}

/// Plays the round robin of these generations; `None` if the flag was raised.
pub(super) fn standings(
    lab: &Lab,
    records: &[IndividualsRecord],
    games: &mut dyn Evaluate,
) -> Result<Option<Vec<FinalStanding>>, GeneticError> {
    let entrants = entrants(lab, records);
    let contenders = entrants.iter().map(|entrant| lab.contender(&entrant.genome));
    let batch = fitness::round_robin(lab, contenders.collect(), &lab.experiment.champion);
    let generation = records.len() as u32;
    let margins = games.evaluate_all(&batch).map_err(|source| GeneticError::Play { generation, source })?;
    Ok(margins.map(|margins| ranked(&entrants, &batch, &margins)))
}

/// Most points first; of equals the later one.
fn ranked(entrants: &[FinalStanding], batch: &Batch, margins: &[i8]) -> Vec<FinalStanding> {
    let tallies = fitness::count(batch, margins, entrants.len());
    let mut standings: Vec<FinalStanding> = entrants
        .iter()
        .zip(tallies)
        .map(|(entrant, tally)| FinalStanding {
            points: f64::from(tally.wins()) + f64::from(tally.draws) / 2.0,
            tally,
            ..entrant.clone()
        })
        .collect();
    standings.reverse();
    standings.sort_by(|a, b| b.points.total_cmp(&a.points));
    standings
}

pub(super) fn write(folder: &Path, standings: &[FinalStanding]) -> Result<(), FolderError> {
    let path = folder.join(STANDINGS);
    let text = serde_json::to_string_pretty(standings).map_err(|error| FolderError::io(&path)(error.into()))?;
    replace_file(&path, (text + "\n").as_bytes()).map_err(FolderError::io(path))
}

pub(super) fn read(folder: &Path) -> Result<Vec<FinalStanding>, FolderError> {
    let path = folder.join(STANDINGS);
    let text = fs::read_to_string(&path).map_err(FolderError::io(&path))?;
    serde_json::from_str(&text).map_err(|error| FolderError::damaged(path, error))
}
