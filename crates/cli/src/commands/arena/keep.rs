//! Saving the games of a run that had no store or has lost it.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use turncoat_arena::{Plan, Played, Results, Store, StoreError, StoreFault};

use super::resume;

/// Saves the games under a free name: here or, if that is not writable, in the temporary folder.
pub(super) fn save(plan: &Plan, results: &Results) -> Result<PathBuf> {
    let games: Vec<Played> = results.all().cloned().collect();
    save_in(Path::new(""), plan, &games).or_else(|here| save_in(&std::env::temp_dir(), plan, &games).map_err(|_| here))
}

fn save_in(folder: &Path, plan: &Plan, games: &[Played]) -> Result<PathBuf> {
    for number in 1..10_000 {
        let path = folder.join(format!("turncoat-{number}.db"));
        match write(&path, plan, games) {
            Ok(()) => return Ok(path),
            Err(StoreError { fault, .. }) if is_taken(&fault) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Err(anyhow!("there are too many stores here already"))
}

/// Whether something else has the name.
const fn is_taken(fault: &StoreFault) -> bool {
    use StoreFault::{Exists, Folder, Foreign, InUse};
    matches!(fault, Exists | Folder | Foreign | InUse { .. })
}

fn write(path: &Path, plan: &Plan, games: &[Played]) -> Result<(), StoreError> {
    let mut store = Store::create(path, plan, &resume::this_command())?;
    store.write(games).inspect_err(|_| {
        // Safe to remove: it was created a moment ago and is locked.
        let _ = fs::remove_file(path);
    })
}
