//! One run on one store: a file beside it, locked as long as the run goes on.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use super::identity::Identity;

/// A lock that is held. The system frees it even if the process is killed; the file that is left behind
/// then does no harm.
#[derive(Debug)]
pub(super) struct Lock {
    path: PathBuf,
    file: File,
}

/// Why a lock cannot be had.
#[derive(Debug)]
pub(super) enum LockError {
    /// Another run holds it; its process, where known.
    Held(Option<u32>),
    /// The file cannot be made or locked.
    Io(io::Error),
}

impl Lock {
    /// Takes the lock of a store.
    pub(super) fn take(store: &Path) -> Result<Self, LockError> {
        let mut name = store.as_os_str().to_owned();
        name.push("-lock");
        let path = PathBuf::from(name);
        for _ in 0..100 {
            let mut file = OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(false)
                .open(&path)
                .map_err(LockError::Io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
            }
            // Whoever held it before may have removed the file after we opened it; then somebody else
            // can lock a new one, and ours is worth nothing.
            if is_at(&file, &path) {
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Self { path, file });
            }
        }
        Err(LockError::Held(None))
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Still locked here, so it is ours to remove, unless somebody has removed it before us and another
        // run has made its own.
        if is_at(&self.file, &self.path) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.rewind().ok()?;
    file.take(20).read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}

fn is_at(file: &File, path: &Path) -> bool {
    match (file.metadata(), Identity::of(path)) {
        (Ok(ours), Ok(there)) => Identity::from(&ours) == there,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cannot_hold_it_and_it_is_free_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("games.db");
        let lock = Lock::take(&store).unwrap();
        assert!(matches!(Lock::take(&store), Err(LockError::Held(Some(id))) if id == std::process::id()));
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // A file left behind by a killed process is no obstacle.
        fs::write(folder.path().join("games.db-lock"), "12345").unwrap();
        Lock::take(&store).unwrap();
        assert!(matches!(Lock::take(&folder.path().join("none/games.db")), Err(LockError::Io(_))));
    }

    #[test]
    fn the_lock_of_another_run_stays() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("games.db");
        let path = folder.path().join("games.db-lock");
        let ours = Lock::take(&store).unwrap();
        fs::remove_file(&path).unwrap();
        let theirs = Lock::take(&store).unwrap();
        drop(ours);
        assert!(path.exists());
        drop(theirs);
        assert!(!path.exists());
    }
}
