//! A folder of runs as a source of the API: genetic runs, training loops and reproduced reports are listed, and each is
//! shown with its curves, without disturbing the processes that work on them.
//!
//! Nothing outside the folder is read: links are not followed, neither to folders nor to files, and a run is found by
//! its listed name alone. What was read is kept until a file of the run changes, so hundreds of runs are listed quickly.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use turncoat_api::{ApiFault, Code, RunDetails, RunKindView, RunState, RunView, Runs};
use turncoat_util::read_file;

use super::run::{GeneticError, READ_FILES, Reading, read_whole};
use crate::reproduce::{self, PAGE};
use crate::rounds;
use crate::run_folder::settings::SETTINGS;
use crate::run_folder::{CHECKPOINT, FolderError, LOCK, RunFolder, RunKind};

/// Folders within each other that are looked into: a sweep has replicates, these have runs.
const DEEPEST: usize = 4;
/// Folders that are looked into at most.
const MOST_FOLDERS: usize = 10_000;
/// The largest report that is shown.
const LARGEST_REPORT: u64 = 64 << 20;

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
        if kind_of(&self.root).is_some() {
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
                if kind_of(&path).is_some() {
                    names.push(name);
                } else if depth + 1 < DEEPEST && visited < MOST_FOLDERS && !is_there(&path.join(SETTINGS)) {
                    folders.push((path, format!("{name}/"), depth + 1));
                }
            }
        }
        Ok(names)
    }

    /// The folder of a run, if there is one of this name, and what it does.
    fn folder(&self, name: &str) -> Option<(PathBuf, RunKindView)> {
        if let Some(kind) = kind_of(&self.root) {
            return (name == self.own_name()).then(|| (self.root.clone(), kind));
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
        kind_of(&path).map(|kind| (path, kind))
    }

    fn known(&self) -> MutexGuard<'_, HashMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A run in the list.
    fn view(&self, name: &str, kind: RunKindView, folder: &Path, known: &mut HashMap<String, Known>) -> RunView {
        let stamp = match stamp(folder, kind) {
            Ok(stamp) => stamp,
            Err(error) => return self.damaged(name, kind, 0, &error.into()),
        };
        if known.get(name).is_none_or(|known| known.stamp != stamp) {
            let changed = changed(&stamp);
            let read = match kind {
                RunKindView::Genetic => Reading::read(folder).map(|run| run.view(name, changed)),
                RunKindView::Loop => read_loop(folder).map(|run| run.view(name, changed)),
                RunKindView::Report => reproduce::shown::view(folder, name, changed).map_err(Into::into),
            };
            let view = read.unwrap_or_else(|error| self.damaged(name, kind, changed, &error));
            known.insert(name.to_owned(), Known { stamp, view, details: None });
        }
        let mut view = known[name].view.clone();
        if view.state == RunState::Stopped && RunFolder::worker(folder).is_some() {
            view.state = RunState::Running;
        }
        view.has_report = is_file(&folder.join(PAGE));
        view
    }

    /// A run that cannot be read. Its fault names files by their places below the folder of all runs.
    fn damaged(&self, name: &str, kind: RunKindView, changed: u64, error: &GeneticError) -> RunView {
        let root = format!("{}{}", self.root.display(), std::path::MAIN_SEPARATOR);
        RunView {
            name: name.to_owned(),
            kind,
            state: RunState::Damaged,
            title: String::new(),
            generation: 0,
            generations: 0,
            best: None,
            mean: None,
            seconds: 0.0,
            has_report: false,
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
            .filter_map(|name| self.folder(name).map(|(folder, kind)| self.view(name, kind, &folder, &mut known)))
            .collect();
        // Two runs under way would change places all the time if the latest came first.
        views.sort_by_cached_key(|view| {
            let is_running = view.state == RunState::Running;
            (!is_running, if is_running { 0 } else { u64::MAX - view.changed }, view.name.clone())
        });
        Ok(views)
    }

    fn one(&self, name: &str) -> Result<RunDetails, ApiFault> {
        let (folder, kind) = self.folder(name).ok_or_else(|| ApiFault::no_run(name))?;
        let mut known = self.known();
        let run = self.view(name, kind, &folder, &mut known);
        if run.state == RunState::Damaged || kind == RunKindView::Report {
            return Ok(RunDetails::without_curves(run));
        }
        if let Some(details) = known.get(name).and_then(|known| known.details.clone()) {
            return Ok(RunDetails { run, ..details });
        }
        let changed = run.changed;
        let read = match kind {
            RunKindView::Loop => read_loop(&folder).map(|reading| reading.details(run)),
            _ => Reading::read(&folder).and_then(|reading| reading.details(run)),
        };
        match read {
            Ok(details) => {
                if let Some(known) = known.get_mut(name) {
                    known.details = Some(details.clone());
                }
                Ok(details)
            }
            Err(error) => Ok(RunDetails::without_curves(self.damaged(name, kind, changed, &error))),
        }
    }

    fn report(&self, name: &str) -> Result<String, ApiFault> {
        let (folder, _) = self.folder(name).ok_or_else(|| ApiFault::no_run(name))?;
        let page = folder.join(PAGE);
        let read = is_file(&page).then(|| read_file(&page, LARGEST_REPORT).ok()).flatten();
        read.and_then(|bytes| String::from_utf8(bytes).ok()).ok_or_else(|| ApiFault::no_report(name))
    }
}

/// Whether anything is at this path, a link included.
fn is_there(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

fn is_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_file())
}

/// What the run of a folder does, if it has one that is shown. Those with settings are told by them.
fn kind_of(folder: &Path) -> Option<RunKindView> {
    let settings = folder.join(SETTINGS);
    if !is_there(&settings) {
        return is_there(&folder.join(CHECKPOINT)).then_some(RunKindView::Genetic);
    }
    if !is_file(&settings) {
        return None;
    }
    match RunKind::of(folder)? {
        RunKind::Rounds => Some(RunKindView::Loop),
        RunKind::Reproduction => Some(RunKindView::Report),
        _ => None,
    }
}

fn read_loop(folder: &Path) -> Result<rounds::shown::Reading, GeneticError> {
    read_whole(|| Ok(rounds::shown::Reading::read(folder)?))
}

/// The lengths and times of the files of a run.
///
/// # Errors
/// If one of them is anything but a file.
fn stamp(folder: &Path, kind: RunKindView) -> Result<Stamp, FolderError> {
    let stamp = |name: &str| {
        let path = folder.join(name);
        match fs::symlink_metadata(&path) {
            Ok(found) if !found.is_file() => Err(FolderError::damaged(path, "it is a link or a folder, not a file")),
            // Whether a process works on a run is looked at every time.
            Ok(found) if name != LOCK => Ok(Some((found.len(), found.modified().unwrap_or(UNIX_EPOCH)))),
            _ => Ok(None),
        }
    };
    let files: &[&str] = match kind {
        RunKindView::Genetic => &READ_FILES,
        RunKindView::Loop => &rounds::shown::FILES,
        RunKindView::Report => &reproduce::shown::FILES,
    };
    files.iter().copied().map(stamp).collect()
}

/// When a run last changed, in seconds since 1970.
fn changed(stamp: &Stamp) -> u64 {
    let latest = stamp.iter().flatten().map(|(_, time)| *time).max().unwrap_or(UNIX_EPOCH);
    latest.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
