//! Files that are replaced whole or not at all: after a crash at any moment there is the old one or the new one.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::{NamedTempFile, TempPath};

/// How the names of staged files begin.
const PREFIX: &str = ".turncoat-";

/// A file that is written beside its place and put there when it is complete. Dropped before that, it is removed.
#[derive(Debug)]
pub struct StagedFile {
    file: NamedTempFile,
    place: PathBuf,
}

impl StagedFile {
    /// Opens a new, empty file beside `place`, with the permissions of any other new file.
    ///
    /// # Errors
    /// If a file cannot be created in that folder.
    pub fn create(place: impl Into<PathBuf>) -> io::Result<Self> {
        let place = place.into();
        let mut cause = None;
        let made = tempfile::Builder::new().prefix(PREFIX).make_in(folder(&place), |path| {
            let opened = File::options().read(true).write(true).create_new(true).open(path);
            opened.inspect_err(|error| cause = error.raw_os_error())
        });
        // Its own error names the staged file, which means nothing to those who asked for another one.
        let file = made.map_err(|error| cause.map_or(error, io::Error::from_raw_os_error))?;
        Ok(Self { file, place })
    }

    /// Opens a new, empty file at `path`, in place of what a killed process may have left there. Only one process at a
    /// time may do so.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create_at(path: PathBuf, place: impl Into<PathBuf>) -> io::Result<Self> {
        // Removed and not overwritten: it may be a link.
        if let Err(error) = fs::remove_file(&path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(error);
        }
        let file = File::create_new(&path)?;
        Ok(Self { file: NamedTempFile::from_parts(file, TempPath::try_from_path(path)?), place: place.into() })
    }

    /// Where it lies until it is complete.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Puts it into its place, in place of a file that is there.
    ///
    /// # Errors
    /// If it cannot be written to the disk or renamed.
    pub fn replace(self) -> io::Result<()> {
        self.put(NamedTempFile::persist)
    }

    /// Puts it into its place unless a file is there.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if there is one, or if it cannot be written to the disk or renamed.
    pub fn keep_new(self) -> io::Result<()> {
        self.put(NamedTempFile::persist_noclobber)
    }

    fn put(self, persist: fn(NamedTempFile, PathBuf) -> Result<File, tempfile::PersistError>) -> io::Result<()> {
        self.file.as_file().sync_all()?;
        let folder = folder(&self.place).to_owned();
        persist(self.file, self.place).map_err(|error| error.error)?;
        // Makes the new name last. Only some systems can, and the others do so by themselves.
        if cfg!(unix) {
            File::open(folder)?.sync_all()?;
        }
        Ok(())
    }
}

impl Write for StagedFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Replaces a file by `contents`, whole or not at all.
///
/// # Errors
/// If it cannot be written; then the old file, if any, is as it was.
pub fn replace_file(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut staged = StagedFile::create(path)?;
    staged.write_all(contents)?;
    staged.replace()
}

/// Whether a file is one that was staged and, if nobody is at work on it, left by a killed process. Those of earlier
/// versions end in `.new`.
pub fn is_staged(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with(PREFIX))
        || path.extension().is_some_and(|end| end == "new")
}

/// Removes the staged files that killed processes have left in a folder. Only for a folder that no other process
/// writes to.
///
/// # Errors
/// If the folder cannot be read or a file cannot be removed.
pub fn remove_staged_files(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if is_staged(&path) {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

/// The folder of a path; a bare name lies in the working directory.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.weights");
        for contents in ["old", "new"] {
            replace_file(&path, contents.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), contents);
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        let nowhere = StagedFile::create(folder.path().join("none/a")).unwrap_err();
        assert!(!nowhere.to_string().contains(PREFIX), "{nowhere}");
        // A folder cannot be replaced by a file; what was written for it is gone again.
        let taken = folder.path().join("taken");
        fs::create_dir(&taken).unwrap();
        assert!(replace_file(&taken, b"x").is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_that_is_there_may_be_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        StagedFile::create(&path).unwrap().keep_new().unwrap();
        let again = StagedFile::create(&path).unwrap().keep_new();
        assert_eq!(again.unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
        // What a killed process leaves.
        fs::write(folder.path().join(".turncoat-123456"), "half").unwrap();
        remove_staged_files(folder.path()).unwrap();
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_new_file_is_as_open_as_any_other() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (plain, staged) = (folder.path().join("plain"), folder.path().join("staged"));
        fs::write(&plain, "").unwrap();
        replace_file(&staged, b"").unwrap();
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode();
        assert_eq!(mode(&staged), mode(&plain));
    }
}
