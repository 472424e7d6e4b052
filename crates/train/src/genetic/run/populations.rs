//! Whole generations of a run. The journal has the best individuals of each alone; but whoever is bred depends on those
//! alone too, so everyone can be had again without a game.

use std::collections::BTreeSet;

use super::{GeneticError, INDIVIDUALS, IndividualsRecord, Snapshot};
use crate::genetic::{ColorTally, Population, Rated, algorithm};
use crate::run_folder::FolderError;

impl Snapshot {
    /// Everyone of some generations, in their order.
    ///
    /// # Errors
    /// If a generation is not done, too few individuals were logged, or the journal is not what was written.
    pub fn populations(&self, generations: &BTreeSet<u32>) -> Result<Vec<Population>, GeneticError> {
        let records = self.records()?;
        let done = records.len() as u32;
        let last = generations.last().copied().unwrap_or_default();
        if last > done || generations.contains(&0) {
            let generation = if last > done { last } else { 0 };
            return Err(GeneticError::NoGeneration { generation, done });
        }
        let lab = self.lab();
        let (kept, needed) = (lab.experiment.keep, algorithm::parents(lab));
        if kept < needed && last > 1 {
            return Err(GeneticError::TooFewKept { kept, needed });
        }
        let mut found = Vec::new();
        let mut population = algorithm::first(lab);
        for record in &records[..last as usize] {
            let rated = self.everyone(&population, record)?;
            let next = (record.generation < last).then(|| algorithm::next(lab, &population, &rated));
            if generations.contains(&record.generation) {
                found.push(population);
            }
            let Some(next) = next else {
                break;
            };
            population = next;
        }
        Ok(found)
    }

    /// Those of a population who are logged, best first, and then the others, of whom no child depends.
    fn everyone(&self, population: &Population, record: &IndividualsRecord) -> Result<Vec<Rated>, GeneticError> {
        let mut rated = record.individuals.clone();
        if !rated.iter().all(|logged| population.individuals.contains(&logged.individual)) {
            let fault = format!("line {}: these are no children of the generation before", record.generation);
            return Err(FolderError::damaged(self.folder().join(INDIVIDUALS), fault).into());
        }
        let logged: BTreeSet<u64> = rated.iter().map(|logged| logged.individual.id).collect();
        let others = population.individuals.iter().filter(|individual| !logged.contains(&individual.id));
        rated.extend(others.map(|individual| Rated {
            individual: individual.clone(),
            fitness: f64::NEG_INFINITY,
            tally: ColorTally::default(),
        }));
        Ok(rated)
    }
}
