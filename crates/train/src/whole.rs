//! Files that are replaced whole or not at all: after a crash at any moment there is the old one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

/// Puts `contents` in the place of a file. What cannot be written whole is taken away again: it only takes up room,
/// which may be what is missing.
pub(crate) fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".new");
    let temporary = path.with_file_name(name);
    let written = write_through(&temporary, contents)
        .and_then(|()| fs::rename(&temporary, path))
        .and_then(|()| path.parent().map_or(Ok(()), sync_folder));
    if written.is_err() {
        let _ = fs::remove_file(&temporary);
    }
    written
}

fn write_through(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(contents)?;
    file.sync_all()
}

/// Makes a new name last. Only some systems can, and the others do so by themselves.
fn sync_folder(path: &Path) -> io::Result<()> {
    // A bare name lies in the working directory.
    let folder = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    if cfg!(unix) {
        File::open(folder)?.sync_all()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        for contents in ["old", "new"] {
            replace(&path, contents.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), contents);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // A folder cannot be replaced by a file; what was written for it is gone again.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(replace(&taken, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
