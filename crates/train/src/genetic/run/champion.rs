//! The last games of a run. The best of every generation meet, and the pool if asked for; the first is the champion, who
//! then meets the player as it was before.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use turncoat_arena::stats::elo::Pentanomial;
use turncoat_util::replace_file;

use super::GeneticError;
use super::record::IndividualsRecord;
use crate::genetic::games::{Batch, Evaluate};
use crate::genetic::{ColorTally, Genome, Lab, fitness};
use crate::run_folder::FolderError;

const STANDINGS: &str = "standings.json";
const MATCH: &str = "match.json";

/// The last games of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct FinalGames {
    /// The last round robin, champion first.
    pub standings: Vec<FinalStanding>,
    /// The champion's match, if there was one.
    pub last_match: Option<ChampionMatch>,
}

/// The champion against the player as it was before, both as the run's games were played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChampionMatch {
    /// The champion's games.
    #[serde(flatten)]
    pub tally: ColorTally,
    /// Pairs of games in which it made 0, ½, 1, 1½ and 2 points.
    pub pairs: [u64; 5],
}

impl ChampionMatch {
    fn new(batch: &Batch, margins: &[i8]) -> Self {
        let mut pairs = Pentanomial::default();
        for pair in margins.chunks(2) {
            // The champion is black in the first game of a pair.
            let own = [pair[0], -pair.get(1).copied().unwrap_or_default()];
            pairs.add(own.iter().map(|margin| 1 + i32::from(margin.signum())).sum::<i32>().unsigned_abs());
        }
        Self { tally: fitness::count(batch, margins, 2)[0], pairs: pairs.0 }
    }

    /// The share of points, draws being halves.
    pub fn points(&self) -> f64 {
        let points = f64::from(self.tally.wins()) + f64::from(self.tally.draws) / 2.0;
        points / f64::from(self.tally.games().max(1))
    }

    /// The result in words.
    pub fn summary(&self) -> String {
        let ColorTally { draws, losses, .. } = self.tally;
        let counts = format!("won {}, drew {draws}, lost {losses}", self.tally.wins());
        let elo = Pentanomial(self.pairs).elo().and_then(|elo| Some((elo.difference, elo.error()?)));
        let elo = elo.filter(|(difference, error)| difference.is_finite() && error.is_finite());
        let elo = elo.map_or_else(String::new, |(elo, error)| format!(", Elo {elo:+.0} ± {error:.0}"));
        format!("{:.1} % of {} games ({counts}{elo})", 100.0 * self.points(), self.tally.games())
    }
}

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

/// Plays the last games of these generations; `None` if the flag was raised.
pub(super) fn play(
    lab: &Lab,
    records: &[IndividualsRecord],
    games: &mut dyn Evaluate,
) -> Result<Option<FinalGames>, GeneticError> {
    let entrants = entrants(lab, records);
    let contenders = entrants.iter().map(|entrant| lab.contender(&entrant.genome));
    let batch = fitness::round_robin(lab, contenders.collect(), &lab.experiment.champion);
    let generation = records.len() as u32;
    let margins = games.evaluate_all(&batch).map_err(|source| GeneticError::Play { generation, source })?;
    let Some(margins) = margins else {
        return Ok(None);
    };
    let found = FinalGames { standings: ranked(&entrants, &batch, &margins), last_match: None };
    with_match(lab, found, generation, games)
}

/// The same with the champion's match, if there is to be one; `None` if the flag was raised.
pub(super) fn with_match(
    lab: &Lab,
    found: FinalGames,
    generation: u32,
    games: &mut dyn Evaluate,
) -> Result<Option<FinalGames>, GeneticError> {
    let batch = found.standings.first().and_then(|champion| fitness::last_match(lab, &champion.genome));
    let (Some(batch), None) = (batch, &found.last_match) else {
        return Ok(Some(found));
    };
    let margins = games.evaluate_all(&batch).map_err(|source| GeneticError::Play { generation, source })?;
    Ok(margins.map(|margins| FinalGames { last_match: Some(ChampionMatch::new(&batch, &margins)), ..found }))
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

pub(super) fn write(folder: &Path, found: &FinalGames) -> Result<(), FolderError> {
    let text = |path: &Path, value: serde_json::Result<String>| {
        value.map(|text| text + "\n").map_err(|error| FolderError::io(path)(error.into()))
    };
    let path = folder.join(STANDINGS);
    let standings = text(&path, serde_json::to_string_pretty(&found.standings))?;
    replace_file(&path, standings.as_bytes()).map_err(FolderError::io(path))?;
    let path = folder.join(MATCH);
    match &found.last_match {
        Some(last_match) => {
            let played = text(&path, serde_json::to_string(last_match))?;
            replace_file(&path, played.as_bytes()).map_err(FolderError::io(path))
        }
        None => Ok(()),
    }
}

/// The last games of a finished run. One of an earlier version has no match.
pub(super) fn read(folder: &Path) -> Result<FinalGames, FolderError> {
    let path = folder.join(STANDINGS);
    let text = fs::read_to_string(&path).map_err(FolderError::io(&path))?;
    let standings = serde_json::from_str(&text).map_err(|error| FolderError::damaged(path, error))?;
    Ok(FinalGames { standings, last_match: read_match(folder)? })
}

/// The match of a finished run's champion, if there is one.
pub(super) fn read_match(folder: &Path) -> Result<Option<ChampionMatch>, FolderError> {
    let path = folder.join(MATCH);
    if !path.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&path).map_err(FolderError::io(&path))?;
    serde_json::from_str(&text).map(Some).map_err(|error| FolderError::damaged(path, error))
}
