//! World-readable copies of folders, for programs that run with an unused uid.
//!
//! The copies lie in a private folder, so that nothing becomes public: the sandbox binds them from there.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Once;

use tempfile::TempDir;

use crate::system::{is_own, mode, set_mode, symlink};

/// Larger folders are not copied: a program is small, a home folder is not.
const MOST_BYTES: u64 = 64 << 20;
const MOST_FILES: usize = 2000;

/// The folders of copies are called by this, the arena's process id and a random word.
const PREFIX: &str = "turncoat-copies-";

/// A folder that only this user may enter. What killed arenas have left is removed first.
fn private_folder() -> io::Result<TempDir> {
    static SWEPT: Once = Once::new();
    SWEPT.call_once(|| sweep(&env::temp_dir(), |pid| Path::new("/proc").join(pid.to_string()).exists()));
    let name = format!("{PREFIX}{}-", process::id());
    let mut folder = tempfile::Builder::new();
    folder.prefix(&name);
    #[cfg(unix)]
    folder.permissions(crate::system::permissions(0o700));
    folder.tempdir()
}

/// Removes the copies of arenas that are no longer there, if they belong to this user.
fn sweep(folder: &Path, is_alive: impl Fn(u32) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok());
        // Not that of a link: others may put links into a folder for all.
        let is_ours = || entry.metadata().is_ok_and(|data| data.is_dir() && is_own(&data));
        if pid.is_some_and(|pid| !is_alive(pid)) && is_ours() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Copies of files and folders, removed on drop.
#[derive(Debug)]
pub(crate) struct Copies {
    folder: TempDir,
    made: Vec<(PathBuf, PathBuf)>,
    bytes: u64,
    files: usize,
}

impl Copies {
    /// Copies these folders.
    ///
    /// # Errors
    /// If one cannot be read or they are too large.
    pub(crate) fn new<'a>(folders: impl Iterator<Item = &'a PathBuf>) -> io::Result<Self> {
        let mut copies = Self { folder: private_folder()?, made: Vec::new(), bytes: 0, files: 0 };
        for folder in folders {
            let to = copies.folder.path().join(copies.made.len().to_string());
            copies.copy(folder, &to)?;
            copies.made.push((folder.clone(), to));
        }
        Ok(copies)
    }

    /// The copy of a folder, or the folder itself.
    pub(crate) fn instead_of<'a>(&'a self, folder: &'a Path) -> &'a Path {
        let made = self.made.iter().find(|(original, _)| original == folder);
        made.map_or(folder, |(_, copy)| copy)
    }

    fn copy(&mut self, from: &Path, to: &Path) -> io::Result<()> {
        let data = fs::symlink_metadata(from)?;
        self.files += 1;
        if data.is_symlink() {
            return symlink(fs::read_link(from)?, to);
        }
        if data.is_dir() {
            fs::create_dir(to)?;
            for entry in fs::read_dir(from)? {
                let name = entry?.file_name();
                self.copy(&from.join(&name), &to.join(&name))?;
            }
            return set_mode(to, 0o755);
        }
        // Pipes and devices are not part of a program.
        if !data.is_file() {
            return Ok(());
        }
        self.bytes += data.len();
        if self.bytes > MOST_BYTES || self.files > MOST_FILES {
            return Err(io::Error::other("too large to be copied"));
        }
        fs::copy(from, to)?;
        let runs = mode(&data) & 0o100 != 0;
        set_mode(to, if runs { 0o755 } else { 0o644 })
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_private_folder_is_copied_for_any_user() {
        let folder = tempfile::tempdir().unwrap();
        let inner = folder.path().join("inner");
        fs::create_dir(&inner).unwrap();
        let file = inner.join("ai.py");
        fs::write(&file, "x = 1\n").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        symlink("inner/ai.py", folder.path().join("link.py")).unwrap();

        let original = folder.path().to_owned();
        let copies = Copies::new([&original].into_iter()).unwrap();
        let copy = copies.instead_of(&original).to_owned();
        assert_ne!(copy, original);
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&copy), 0o755);
        assert_eq!(mode(&copy.join("inner/ai.py")), 0o644);
        assert_eq!(fs::read_to_string(copy.join("link.py")).unwrap(), "x = 1\n");
        // It lies in a private folder.
        assert_eq!(mode(copy.parent().unwrap()), 0o700);
        assert_eq!(copies.instead_of(Path::new("/other")), Path::new("/other"));
        drop(copies);
        assert!(!copy.exists());
    }

    #[test]
    fn copies_of_dead_arenas_are_swept() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["turncoat-copies-7-ab", "turncoat-copies-8-cd", "turncoat-copies-x", "other"] {
            fs::create_dir(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("ai.py"), "").unwrap();
        }
        symlink(folder.path().join("other"), folder.path().join("turncoat-copies-9-ef")).unwrap();
        sweep(folder.path(), |pid| pid == 8);
        let mut left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["other", "turncoat-copies-8-cd", "turncoat-copies-9-ef", "turncoat-copies-x"]);
    }

    #[test]
    fn a_home_is_not_copied() {
        let folder = tempfile::tempdir().unwrap();
        let large = fs::File::create(folder.path().join("large")).unwrap();
        large.set_len(MOST_BYTES + 1).unwrap();
        let original = folder.path().to_owned();
        assert!(Copies::new([&original].into_iter()).is_err());
    }
}
