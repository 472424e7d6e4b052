//! A reproduction as a page lists it, read without disturbing the process that works on it.

use std::fs;
use std::path::Path;

use turncoat_api::{RunKindView, RunState, RunView};

use super::run::{ReproduceSettings, name_of};
use super::{Outcome, PAGE, Report};
use crate::run_folder::settings::{self, SETTINGS};
use crate::run_folder::{FolderError, LOCK};

/// The files that tell whether it has changed: the page is written anew after each part.
pub(crate) const FILES: [&str; 3] = [SETTINGS, PAGE, LOCK];

/// A reproduction in a list, as if no process worked on it.
///
/// # Errors
/// If its settings are not what was written.
pub(crate) fn view(folder: &Path, name: &str, changed: u64) -> Result<RunView, FolderError> {
    let path = folder.join(SETTINGS);
    let settings: ReproduceSettings = settings::read_kept(folder, ReproduceSettings::fault)?;
    let report = Report::find(&settings.report).map_err(|error| FolderError::damaged(path, error))?;
    let parts = report.parts.iter().filter(|part| part.can_be_run());
    let (mut done, mut all, mut seconds) = (0, 0, 0.0);
    for part in parts {
        all += 1;
        let file = folder.join(name_of(part));
        let is_file = fs::symlink_metadata(&file).is_ok_and(|found| found.is_file());
        let outcome = is_file.then(|| fs::read_to_string(&file).ok()).flatten();
        if let Some(outcome) = outcome.and_then(|text| serde_json::from_str::<Outcome>(&text).ok()) {
            (done, seconds) = (done + 1, seconds + outcome.seconds);
        }
    }
    Ok(RunView {
        name: name.to_owned(),
        kind: RunKindView::Report,
        state: if done == all { RunState::Finished } else { RunState::Stopped },
        title: format!("{}: {}", settings.report, report.title),
        generation: done,
        generations: all,
        best: None,
        mean: None,
        seconds,
        has_report: false,
        changed,
        fault: None,
    })
}
