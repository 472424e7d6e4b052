//! The files of a run, read and checked.

use std::fs;
use std::path::Path;

use turncoat_players::Roster;
use turncoat_util::{digest, replace_file};

use super::checkpoint::{Checkpoint, NAME as CHECKPOINT};
use super::{GenerationRecord, GeneticError, INDIVIDUALS, IndividualsRecord, LOG};
use crate::genetic::{Assignment, Lab, Layout, Rated};
use crate::run_folder::{EXPERIMENT, FolderError, read_lines, read_text};

/// An experiment's file with some settings changed: its text and what it says.
pub(in crate::genetic) fn read_experiment(
    experiment: &Path,
    changes: &[Assignment],
    seed: Option<u64>,
    roster: &Roster,
) -> Result<(String, Lab), GeneticError> {
    let text = read_text(experiment)?;
    let fault = |source| GeneticError::Experiment { path: experiment.to_owned(), source };
    let text = changes.iter().try_fold(text, |text, change| change.apply(&text)).map_err(fault)?;
    let lab = Lab::read(&text, seed.unwrap_or(1), roster).map_err(fault)?;
    if let (Some(_), Some(own)) = (seed, lab.experiment.seed) {
        return Err(GeneticError::Seed { path: experiment.to_owned(), own });
    }
    Ok((text, lab))
}

/// The checkpoint of a folder and the text of its experiment, which must be the one that the run began with.
pub(super) fn load_text(folder: &Path) -> Result<(Checkpoint, String), FolderError> {
    let state = Checkpoint::read(folder)?;
    let path = folder.join(EXPERIMENT);
    let text = state.changed.clone().map_or_else(|| fs::read_to_string(&path), Ok).map_err(FolderError::io(&path))?;
    if digest(&text) != state.experiment {
        let fault = "it is not the experiment that the run began with (--generations N prolongs a run)";
        return Err(FolderError::damaged(path, fault));
    }
    Ok((state, text))
}

/// The checkpoint of a folder and its experiment: its text and what it says.
pub(super) fn load(folder: &Path, roster: &Roster) -> Result<(Checkpoint, String, Lab), GeneticError> {
    let (state, text) = load_text(folder)?;
    let lab = reread(&text, folder, &state, roster)?;
    if !state.population.individuals.iter().all(|i| lab.layout.fits(&i.genome)) {
        let fault = "its individuals have other genes than the experiment";
        return Err(FolderError::damaged(folder.join(CHECKPOINT), fault).into());
    }
    Ok((state, text, lab))
}

/// What the experiment of a run says.
pub(super) fn reread(text: &str, folder: &Path, state: &Checkpoint, roster: &Roster) -> Result<Lab, GeneticError> {
    let roster = roster.clone().with_files(&state.files);
    let read = Lab::read(text, state.seed, &roster);
    read.map_err(|source| GeneticError::Experiment { path: folder.join(EXPERIMENT), source })
}

/// The log of a run as its checkpoint knows it.
pub(super) fn read_log(folder: &Path, state: &Checkpoint) -> Result<Vec<GenerationRecord>, FolderError> {
    // A run that was killed while it began has no file yet.
    if state.done == 0 { Ok(Vec::new()) } else { read_lines(&folder.join(LOG), state.log) }
}

/// The logged individuals of all generations.
pub(super) fn read_individuals(
    folder: &Path,
    state: &Checkpoint,
    layout: &Layout,
) -> Result<Vec<IndividualsRecord>, FolderError> {
    if state.done == 0 {
        return Ok(Vec::new());
    }
    let path = folder.join(INDIVIDUALS);
    let records: Vec<IndividualsRecord> = read_lines(&path, state.individuals)?;
    let fits = |rated: &Rated| layout.fits(&rated.individual.genome);
    match records.iter().find(|record| !record.individuals.iter().all(fits)) {
        None => Ok(records),
        Some(IndividualsRecord { generation, .. }) => {
            let fault = format!("line {generation}: these are no individuals of the experiment");
            Err(FolderError::damaged(path, fault))
        }
    }
}

/// Whether a run can continue with this end: none of its generations may have been the last one.
pub(super) fn check_end(lab: &Lab, log: &[GenerationRecord]) -> Result<(), GeneticError> {
    let best: Vec<f64> = log.iter().map(|record| record.best).collect();
    let ends = (1..=best.len()).find_map(|after| Some((after as u32, lab.experiment.end(&best[..after])?)));
    match ends {
        Some((after, end)) => Err(GeneticError::Over { done: log.len() as u32, after, end }),
        None => Ok(()),
    }
}

/// Writes files whose contents are not these.
pub(super) fn replace_all(folder: &Path, files: &[(&str, String)]) -> Result<(), FolderError> {
    for (name, contents) in files {
        let path = folder.join(name);
        if fs::read(&path).ok().as_deref() != Some(contents.as_bytes()) {
            replace_file(&path, contents.as_bytes()).map_err(FolderError::io(path))?;
        }
    }
    Ok(())
}
