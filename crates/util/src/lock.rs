//! Locks between processes: a file that one of them holds.

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Which file a path leads to, whatever it is called. Found without opening it: closing a file that a database has open
/// would free the database's own locks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileId(Option<(u64, u64)>);

impl FileId {
    /// The file at this path.
    ///
    /// # Errors
    /// If there is none, or the system does not say.
    pub fn at(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|metadata| Self::from(&metadata))
    }
}

impl From<&Metadata> for FileId {
    #[cfg(unix)]
    fn from(metadata: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self(Some((metadata.dev(), metadata.ino())))
    }

    #[cfg(not(unix))]
    fn from(_: &Metadata) -> Self {
        // Where an open file cannot be removed, it is the same as long as something is there.
        Self(None)
    }
}

/// A lock that is held as long as this lives. The system frees it even if the process is killed; a file that is left
/// behind then does no harm.
#[derive(Debug)]
pub struct FileLock {
    path: PathBuf,
    file: File,
}

/// Why a lock cannot be had.
#[derive(Debug, Error)]
pub enum LockError {
    /// Another process holds it; its id, where known.
    #[error("another process holds the lock")]
    Held(Option<u32>),
    /// The file cannot be created or locked.
    #[error(transparent)]
    Io(io::Error),
}

impl FileLock {
    /// Locks the file at `path`, which is created if need be and removed when the lock is dropped.
    ///
    /// # Errors
    /// If another process holds it, or the file cannot be created or locked.
    pub fn acquire(path: impl Into<PathBuf>) -> Result<Self, LockError> {
        let path = path.into();
        // Where a link leads is another's file.
        if path.is_symlink() {
            return Err(LockError::Io(io::Error::other(format!("{} is a symbolic link", path.display()))));
        }
        for _ in 0..100 {
            let mut options = OpenOptions::new();
            options.read(true).write(true).create(true).truncate(false);
            let mut file = options.open(&path).map_err(LockError::Io)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(LockError::Held(holder(&mut file))),
                Err(TryLockError::Error(error)) => return Err(LockError::Io(error)),
            }
            // The holder before us may have removed the file after we opened it; then others can lock a new one, and
            // ours is worth nothing.
            if is_at(&file, &path) {
                let _ = file.set_len(0).and_then(|()| write!(file, "{}", std::process::id()));
                return Ok(Self { path, file });
            }
        }
        Err(LockError::Held(None))
    }

    /// The process that holds the lock at `path`, found without touching the lock. The file that a killed process left is
    /// not taken for a lock where the system lists its processes.
    pub fn holder(path: &Path) -> Option<u32> {
        let process = holder(&mut File::open(path).ok()?)?;
        let list = Path::new("/proc");
        (!list.join("self").exists() || list.join(process.to_string()).exists()).then_some(process)
    }
}

impl Drop for FileLock {
    fn drop(&mut self) {
        // Still locked here, so it is ours to remove, unless it was removed before and another process has made its
        // own.
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
    match (file.metadata(), FileId::at(path)) {
        (Ok(ours), Ok(there)) => FileId::from(&ours) == there,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_cannot_hold_it_and_it_is_free_again_afterwards() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db-lock");
        assert_eq!(FileLock::holder(&path), None);
        let lock = FileLock::acquire(&path).unwrap();
        assert!(matches!(FileLock::acquire(&path), Err(LockError::Held(Some(id))) if id == std::process::id()));
        assert_eq!(FileLock::holder(&path), Some(std::process::id()));
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        // A file left behind by a killed process is no obstacle.
        fs::write(&path, "4294967295").unwrap();
        if cfg!(target_os = "linux") {
            assert_eq!(FileLock::holder(&path), None);
        }
        FileLock::acquire(&path).unwrap();
        assert!(matches!(FileLock::acquire(folder.path().join("none/lock")), Err(LockError::Io(_))));
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file"), folder.path().join("lock"));
        fs::write(&file, "keep").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        assert!(matches!(FileLock::acquire(&link), Err(LockError::Io(_))));
        assert_eq!(fs::read_to_string(&file).unwrap(), "keep");
        assert!(link.is_symlink());
    }

    #[test]
    fn the_lock_of_another_process_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let ours = FileLock::acquire(&path).unwrap();
        fs::remove_file(&path).unwrap();
        let theirs = FileLock::acquire(&path).unwrap();
        drop(ours);
        assert!(path.exists());
        drop(theirs);
        assert!(!path.exists());
    }
}
