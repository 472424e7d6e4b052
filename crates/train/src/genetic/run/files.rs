//! The files of a run, read and checked.

use std::fs;
use std::path::Path;

use turncoat_players::Roster;
use turncoat_util::{digest, replace_file};

use super::checkpoint::{Checkpoint, NAME as CHECKPOINT};
use super::{GenerationRecord, GeneticError, INDIVIDUALS, IndividualsRecord, LOG};
use crate::genetic::{Assignment, Lab, LabError, Layout, Rated};
use crate::run_folder::{EXPERIMENT, FolderError, read_lines, read_text};

/// An experiment's file with some settings changed: its text and what it says.
pub(in crate::genetic) fn read_experiment(
    experiment: &Path,
    changes: &[Assignment],
    seed: Option<u64>,
    roster: &Roster,
) -> Result<(String, Lab), GeneticError> {
    let read = |text: &str| Lab::read(text, seed.unwrap_or(1), roster);
    let (text, lab) = change_experiment(&read_text(experiment)?, changes, experiment, read)?;
    if let (Some(_), Some(own)) = (seed, lab.experiment.seed) {
        return Err(GeneticError::Seed { path: experiment.to_owned(), own });
    }
    Ok((text, lab))
}

/// The text of an experiment with some settings changed, and what it says. A fault that the file does not have is that of
/// the setting without which there is none, or of all of them.
pub(super) fn change_experiment(
    text: &str,
    changes: &[Assignment],
    path: &Path,
    read: impl Fn(&str) -> Result<Lab, LabError>,
) -> Result<(String, Lab), GeneticError> {
    let without = |left_out: Option<usize>| {
        let mut kept = changes.iter().enumerate().filter(|(index, _)| Some(*index) != left_out);
        let text = kept.try_fold(text.to_owned(), |text, (_, change)| change.apply(&text))?;
        let lab = read(&text)?;
        Ok((text, lab))
    };
    without(None).map_err(|source| {
        let path = path.to_owned();
        let culprit = (0..changes.len()).find(|&index| without(Some(index)).is_ok());
        let culprits = culprit.map_or(changes, |index| &changes[index..=index]);
        match read(text) {
            Err(source) if culprit.is_none() => GeneticError::Experiment { path, source },
            _ => GeneticError::Setting { change: Assignment::words(culprits), path, source: Box::new(source) },
        }
    })
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
    let lab = read_begun(&text, &state, roster)
        .map_err(|source| GeneticError::Experiment { path: folder.join(EXPERIMENT), source })?;
    if !state.population.individuals.iter().all(|i| lab.layout.fits(&i.genome)) {
        let fault = "its individuals have other genes than the experiment";
        return Err(FolderError::damaged(folder.join(CHECKPOINT), fault).into());
    }
    Ok((state, text, lab))
}

/// What the experiment of a run says that has begun.
pub(super) fn read_begun(text: &str, state: &Checkpoint, roster: &Roster) -> Result<Lab, LabError> {
    Lab::read(text, state.seed, &roster.clone().with_files(&state.files))
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
