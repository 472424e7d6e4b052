//! Which files a program is shown: its own, what it imports beside it, and what is installed with it; not its folder.

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::imports;
use super::view::SYSTEM;

/// The files that a command needs: the program with what is installed next to it, and the files and folders in its
/// arguments, with what they import if they are Python's. `is_hidden` tells which imports are not shown.
pub(crate) fn files_of(words: &[OsString], is_hidden: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = Vec::new();
    for path in words.iter().filter_map(|word| existing(word)) {
        // A program may be a link to its real place: it needs both.
        let real = path.canonicalize().ok();
        for path in [Some(path), real].into_iter().flatten() {
            let needed = installed(&path).unwrap_or_else(|| with_imports(&path, &is_hidden));
            for needed in needed.into_iter().filter(|needed| !is_of_system(needed)) {
                if !files.iter().any(|known| needed.starts_with(known)) {
                    files.push(needed);
                }
            }
        }
    }
    files
}

/// A file with the modules beside it that it imports, if it is Python's.
pub(crate) fn with_imports(file: &Path, is_hidden: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files = vec![file.to_owned()];
    if file.is_file() && file.extension().is_some_and(|end| end == "py") {
        files.extend(imports::beside(file, is_hidden));
    }
    files
}

/// The folders of an installation, if a program lies in one: `bin` with `lib` or the like beside it.
fn installed(program: &Path) -> Option<Vec<PathBuf>> {
    let folder = program.parent().filter(|folder| folder.ends_with("bin"))?;
    let prefix = folder.parent()?;
    let beside = ["lib", "lib64", "share", "pyvenv.cfg"].map(|name| prefix.join(name));
    let mut found: Vec<PathBuf> = beside.into_iter().filter(|path| path.exists()).collect();
    if found.is_empty() {
        return None;
    }
    found.push(folder.to_owned());
    Some(found)
}

/// Whether a program is part of an installation.
pub(crate) fn is_installed(program: &Path) -> bool {
    installed(program).is_some()
}

/// The file or folder that a word names, as an absolute path.
fn existing(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    let is_name = path.components().count() == 1 && !path.exists();
    if is_name {
        return find(word);
    }
    path.exists().then(|| std::path::absolute(path).ok()).flatten()
}

/// The program of this name on the path.
pub(crate) fn find(name: &OsStr) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut places = env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

pub(crate) fn is_of_system(path: &Path) -> bool {
    path == Path::new("/") || SYSTEM.iter().any(|system| path.starts_with(system))
}
