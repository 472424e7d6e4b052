//! A folder of genetic runs as a source of the API: they are listed, and each is shown with its curves, without
//! disturbing the processes that work on them.
//!
//! Nothing outside the folder is read: links are not followed, neither to folders nor to files, and a run is found by
//! its listed name alone. What was read is kept until a file of the run changes, so hundreds of runs are listed quickly.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use turncoat_api::{ApiFault, Code, RunDetails, RunState, RunView, Runs};

use super::run::{GeneticError, READ_FILES, Reading};
use crate::run_folder::settings::SETTINGS;
use crate::run_folder::{CHECKPOINT, FolderError, LOCK, RunFolder};

/// Folders within each other that are looked into: a sweep has replicates, these have runs.
const DEEPEST: usize = 4;
/// Folders that are looked into at most.
const MOST_FOLDERS: usize = 10_000;

/// A folder of runs.
#[derive(Debug)]
pub struct RunsFolder {
    root: PathBuf,
    known: Mutex<HashMap<String, Known>>,
}

/// What was read of a run.
#[derive(Debug)]
struct Known {
    stamp: Stamp,
    view: RunView,
    details: Option<RunDetails>,
}

/// Lengths and times of the files of a run: if they are the same, so are the files.
type Stamp = Vec<Option<(u64, SystemTime)>>;

impl RunsFolder {
    /// The runs in and below a folder.
    ///
    /// # Errors
    /// If it cannot be listed.
    pub fn open(root: &Path) -> Result<Self, FolderError> {
        fs::read_dir(root).map_err(FolderError::io(root))?;
        Ok(Self { root: root.to_owned(), known: Mutex::default() })
    }

    /// What a run is called that is the folder itself.
    fn own_name(&self) -> String {
        self.root.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// The names of all runs.
    fn names(&self) -> Result<Vec<String>, FolderError> {
        if is_run(&self.root) {
            return Ok(vec![self.own_name()]);
        }
        let mut names = Vec::new();
        let mut folders = vec![(self.root.clone(), String::new(), 0)];
        let mut visited = 0;
        while let Some((folder, before, depth)) = folders.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) if depth == 0 => return Err(FolderError::io(folder)(error)),
                Err(_) => continue,
            };
            for entry in entries.flatten() {
                let name = entry.file_name().into_string().ok();
                let Some(name) = name.filter(|_| entry.file_type().is_ok_and(|kind| kind.is_dir())) else {
                    continue;
                };
                let (path, name) = (entry.path(), format!("{before}{name}"));
                visited += 1;
                if is_run(&path) {
                    names.push(name);
                } else if depth + 1 < DEEPEST && visited < MOST_FOLDERS && !is_there(&path.join(SETTINGS)) {
                    folders.push((path, format!("{name}/"), depth + 1));
                }
            }
        }
        Ok(names)
    }

    /// The folder of a run, if there is one of this name.
    fn folder(&self, name: &str) -> Option<PathBuf> {
        if is_run(&self.root) {
            return (name == self.own_name()).then(|| self.root.clone());
        }
        let parts: Vec<&str> = name.split('/').collect();
        let is_plain = |part: &&str| Path::new(part).components().eq([Component::Normal(part.as_ref())]);
        if parts.len() > DEEPEST || !parts.iter().all(is_plain) {
            return None;
        }
        let mut path = self.root.clone();
        for part in parts {
            path.push(part);
            if !fs::symlink_metadata(&path).is_ok_and(|found| found.is_dir()) {
                return None;
            }
        }
        is_run(&path).then_some(path)
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run in the list.
    fn view(&self, name: &str, folder: &Path, known: &mut HashMap<String, Known>) -> RunView {
        let stamp = match stamp(folder) {
            Ok(stamp) => stamp,
            Err(error) => return self.damaged(name, 0, &error.into()),
        };
        if known.get(name).is_none_or(|known| known.stamp != stamp) {
            let changed = changed(&stamp);
            let view = match Reading::read(folder) {
                Ok(run) => run.view(name, changed),
                Err(error) => self.damaged(name, changed, &error),
            };
            known.insert(name.to_owned(), Known { stamp, view, details: None });
        }
        let mut view = known[name].view.clone();
        if view.state == RunState::Stopped && RunFolder::worker(folder).is_some() {
            view.state = RunState::Running;
        }
        view
    }

    /// A run that cannot be read. Its fault names files by their places below the folder of all runs.
    fn damaged(&self, name: &str, changed: u64, error: &GeneticError) -> RunView {
        let root = format!("{}{}", self.root.display(), std::path::MAIN_SEPARATOR);
        RunView {
            name: name.to_owned(),
            state: RunState::Damaged,
            title: String::new(),
            generation: 0,
            generations: 0,
            best: None,
            mean: None,
            seconds: 0.0,
            changed,
            fault: Some(error.to_string().replace(&root, "")),
        }
    }
}

impl Runs for RunsFolder {
    fn list(&self) -> Result<Vec<RunView>, ApiFault> {
        let names = self.names().map_err(|_| ApiFault::new(Code::ServerFailed, "the folder of runs cannot be read"))?;
        let mut known = self.known();
        let listed: HashSet<&String> = names.iter().collect();
        known.retain(|name, _| listed.contains(name));
        let mut views: Vec<RunView> = names
            .iter()
            .filter_map(|name| self.folder(name).map(|folder| self.view(name, &folder, &mut known)))
            .collect();
        // Two runs under way would change places all the time if the latest came first.
        views.sort_by_cached_key(|view| {
            let is_running = view.state == RunState::Running;
            (!is_running, if is_running { 0 } else { u64::MAX - view.changed }, view.name.clone())
        });
        Ok(views)
    }

    fn one(&self, name: &str) -> Result<RunDetails, ApiFault> {
        let folder = self.folder(name).ok_or_else(|| ApiFault::no_run(name))?;
        let mut known = self.known();
        let run = self.view(name, &folder, &mut known);
        let empty = |run| RunDetails {
            run,
            player: String::new(),
            variant: "reversed".to_owned(),
            fitness: Vec::new(),
            genes: Vec::new(),
            yardsticks: Vec::new(),
            parameters: None,
        };
        if run.state == RunState::Damaged {
            return Ok(empty(run));
        }
        if let Some(details) = known.get(name).and_then(|known| known.details.clone()) {
            return Ok(RunDetails { run, ..details });
        }
        let changed = run.changed;
        match Reading::read(&folder).and_then(|reading| reading.details(run)) {
            Ok(details) => {
                if let Some(known) = known.get_mut(name) {
                    known.details = Some(details.clone());
                }
                Ok(details)
            }
            Err(error) => Ok(empty(self.damaged(name, changed, &error))),
        }
    }
}

/// Whether anything is at this path, a link included.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// Whether a folder has a genetic run. A tuning has settings beside its checkpoint.
fn is_run(folder: &Path) -> bool {
    is_there(&folder.join(CHECKPOINT)) && !is_there(&folder.join(SETTINGS))
}

/// The lengths and times of the files of a run.
///
/// # Errors
/// If one of them is anything but a file.
fn stamp(folder: &Path) -> Result<Stamp, FolderError> {
    let stamp = |name: &str| {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => Err(FolderError::damaged(path, "it is a link or a folder, not a file")),
            // Whether a process works on a run is looked at every time.
            Ok(found) if name != LOCK => Ok(Some((found.len(), found.modified().unwrap_or(UNIX_EPOCH)))),
            _ => Ok(None),
        }
    };
    READ_FILES.into_iter().map(stamp).collect()
}

/// When a run last changed, in seconds since 1970.
fn changed(stamp: &Stamp) -> u64 {
    let latest = stamp.iter().flatten().map(|(_, time)| *time).max().unwrap_or(UNIX_EPOCH);
    latest.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
