//! Which file a path leads to, found out without opening it: closing a file that the database has open
//! would free the database's own locks.

use std::fs::{self, Metadata};
use std::io;
use std::path::Path;

/// A file, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Identity(Option<(u64, u64)>);

impl Identity {
    /// The file at this path.
    pub(super) fn of(path: &Path) -> io::Result<Self> {
        fs::metadata(path).map(|metadata| Self::from(&metadata))
    }
}

impl From<&Metadata> for Identity {
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
