//! Files that a person names for results: regular ones are replaced whole, anything else is written through.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::StagedFile;

/// The most links that are followed, as by the system.
const MOST_LINKS: usize = 40;

/// A file for results. A regular one is in its place, whole, after [`finish`](Self::finish) and not before; a symbolic
/// link stays, and leads to it. A device or a pipe cannot be replaced: it is written to.
#[derive(Debug)]
pub struct OutputFile(Sink);

#[derive(Debug)]
enum Sink {
    /// A file that is new.
    New(StagedFile),
    /// A file that takes the place of another one.
    Replacing(StagedFile),
    /// Anything but a regular file.
    Through(File),
}

/// Why results cannot be written to a path.
#[derive(Debug, Error)]
pub enum OutputError {
    /// There is a file, which is not to be overwritten.
    #[error("exists already: --force overwrites it")]
    Exists,
    /// The path is a dash, which some take for standard output.
    #[error("is no file: /dev/stdout is standard output, and ./- a file of that name")]
    Dash,
    /// There is a folder.
    #[error("is a folder")]
    Folder,
    /// The system refuses.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Where a path leads.
enum Place {
    Regular { path: PathBuf, exists: bool },
    Through,
}

impl OutputFile {
    /// Opens a file for results; one that is there is overwritten only by `force`.
    ///
    /// # Errors
    /// If there is a folder, a file that is to be kept, or nothing can be written there.
    pub fn create(path: &Path, force: bool) -> Result<Self, OutputError> {
        Ok(Self(match place(path, force)? {
            Place::Through => Sink::Through(OpenOptions::new().write(true).open(path)?),
            Place::Regular { path, exists: false } => Sink::New(StagedFile::create(path)?),
            Place::Regular { path, exists: true } => {
                let permissions = fs::metadata(&path)?.permissions();
                let staged = StagedFile::create(path)?;
                // What few could read does not become public.
                fs::set_permissions(staged.path(), permissions)?;
                Sink::Replacing(staged)
            }
        }))
    }

    /// Whether [`Self::create`] would succeed, for the beginning of long work. Nothing is left behind; a pipe is not
    /// opened, since that may wait for its reader.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn check(path: &Path, force: bool) -> Result<(), OutputError> {
        match place(path, force)? {
            Place::Through => Ok(()),
            Place::Regular { path, .. } => Ok(StagedFile::create(path).map(drop)?),
        }
    }

    /// Puts the file in its place.
    ///
    /// # Errors
    /// [`io::ErrorKind::AlreadyExists`] if a file that was not there has come meanwhile, or if it cannot be written.
    pub fn finish(self) -> io::Result<()> {
        match self.0 {
            Sink::New(staged) => staged.keep_new(),
            Sink::Replacing(staged) => staged.replace(),
            Sink::Through(mut file) => file.flush(),
        }
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.0 {
            Sink::New(file) | Sink::Replacing(file) => file.write(bytes),
            Sink::Through(file) => file.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.0 {
            Sink::New(file) | Sink::Replacing(file) => file.flush(),
            Sink::Through(file) => file.flush(),
        }
    }
}

fn place(path: &Path, force: bool) -> Result<Place, OutputError> {
    if path.as_os_str() == "-" {
        return Err(OutputError::Dash);
    }
    match fs::metadata(path) {
        Ok(data) if data.is_dir() => Err(OutputError::Folder),
        Ok(data) if !data.is_file() => Ok(Place::Through),
        Ok(_) if !force => Err(OutputError::Exists),
        Ok(_) => Ok(Place::Regular { path: path.canonicalize()?, exists: true }),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Ok(Place::Regular { path: follow(path.to_owned()), exists: false })
        }
        Err(error) => Err(error.into()),
    }
}

/// Where links lead to a file that is not there yet.
fn follow(mut path: PathBuf) -> PathBuf {
    for _ in 0..MOST_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};
    use std::thread;

    use super::*;

    fn write(path: &Path, text: &str, force: bool) -> Result<(), OutputError> {
        OutputFile::check(path, force)?;
        let mut file = OutputFile::create(path, force)?;
        file.write_all(text.as_bytes())?;
        Ok(file.finish()?)
    }

    #[test]
    fn a_file_is_kept_unless_it_is_to_be_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        write(&path, "old", false).unwrap();
        assert!(matches!(write(&path, "new", false), Err(OutputError::Exists)));
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        write(&path, "new", true).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert!(matches!(write(folder.path(), "new", true), Err(OutputError::Folder)));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn links_stay_and_lead_to_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("inner")).unwrap();
        symlink("inner/file", at("link")).unwrap();
        symlink("link", at("chain")).unwrap();
        for (name, text) in [("chain", "new"), ("link", "newer")] {
            write(&at(name), text, true).unwrap();
            assert_eq!(fs::read_to_string(at("inner/file")).unwrap(), text);
        }
        assert!(at("chain").is_symlink() && at("link").is_symlink());
        assert!(matches!(write(&at("link"), "", false), Err(OutputError::Exists)));
    }

    #[test]
    fn pipes_and_devices_are_written_through() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = thread::spawn({
            let pipe = pipe.clone();
            move || fs::read_to_string(pipe).unwrap()
        });
        write(&pipe, "through", true).unwrap();
        assert_eq!(reader.join().unwrap(), "through");
        write(Path::new("/dev/null"), "gone", true).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
