//! A run's folder as the workplace of one process: whoever holds its lock works there alone.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;

/// The file that is locked. It may stay behind; what counts is who holds it.
pub(crate) const LOCK: &str = "lock";

/// Held as long as this lives, and let go by the system should the process die.
#[derive(Debug)]
pub(crate) struct Lock(#[expect(dead_code, reason = "its life is what is wanted of it")] File);

impl Lock {
    /// Locks a folder; `None` if somebody else has.
    pub(crate) fn take(folder: &Path) -> io::Result<Option<Self>> {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(folder.join(LOCK))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self(file))),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }
}
