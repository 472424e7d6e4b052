//! A run's folder as the workplace of one process at a time.

use std::io;
use std::path::Path;

use turncoat_util::{FileLock, LockError};

/// The file that is locked.
pub(crate) const LOCK: &str = "lock";

/// Locks a folder; `None` if another process has.
pub(crate) fn lock(folder: &Path) -> io::Result<Option<FileLock>> {
    match FileLock::acquire(folder.join(LOCK)) {
        Ok(lock) => Ok(Some(lock)),
        Err(LockError::Held(_)) => Ok(None),
        Err(LockError::Io(error)) => Err(error),
    }
}
