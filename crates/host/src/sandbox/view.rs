//! What a program sees: files, folders, and the words of its environment.

use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::Launch;
use super::copy::Copies;
use super::shown::is_of_system;
use crate::system::mode;

/// The scratch folder may hold this much.
pub(super) const SCRATCH: u64 = 64 << 20;

/// What every program may read of the system.
pub(super) const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
const SETTINGS: [&str; 5] =
    ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"];

/// The files that a program sees. Nothing is writable but the two scratch folders.
pub(super) fn view(launch: &Launch, copies: Option<&Copies>) -> Vec<OsString> {
    let mut words: Vec<OsString> = Vec::new();
    for path in SYSTEM.map(Path::new) {
        match fs::read_link(path) {
            Ok(target) => words.extend(["--symlink".into(), target.into(), path.into()]),
            Err(_) => words.extend(["--ro-bind-try".into(), path.into(), path.into()]),
        }
    }
    // bubblewrap would close it to other uids, and with it what `/usr/bin/java` leads to.
    words.extend(["--perms", "0755", "--dir", "/etc"].map(OsString::from));
    for path in SETTINGS {
        words.extend(["--ro-bind-try", path, path].map(OsString::from));
    }
    words.extend(["--proc", "/proc", "--dev", "/dev"].map(OsString::from));
    for folder in ["/tmp", "/dev/shm"] {
        let size = SCRATCH.to_string();
        words.extend(["--perms", "1777", "--size", &size, "--tmpfs", folder].map(OsString::from));
    }
    // After the scratch folder, since some of them may lie there.
    let folders = bare_folders(launch);
    for folder in &folders {
        words.extend(above(folder));
        words.extend(["--perms".into(), "0755".into(), "--tmpfs".into(), folder.into()]);
    }
    for path in &launch.shown {
        words.extend(above(path));
        let shown = copies.map_or(path.as_path(), |copies| copies.instead_of(path));
        words.extend(["--ro-bind".into(), shown.into(), path.into()]);
    }
    // The folder of the program is there even if only its file is shown.
    let place = launch.place.as_deref().unwrap_or(Path::new("/tmp"));
    words.extend(above(&place.join("x")));
    // What the sandbox itself has made lies in memory: nothing may be added to it.
    words.extend(folders.iter().flat_map(|folder| ["--remount-ro".into(), folder.into()]));
    words.extend(["--remount-ro", "/dev", "--remount-ro", "/"].map(OsString::from));
    words.extend(["--chdir".into(), place.into()]);
    words
}

/// The folders of single files, which have nothing else in them and are read-only even where they lie in a scratch folder.
fn bare_folders(launch: &Launch) -> BTreeSet<&Path> {
    let is_bare = |folder: &&Path| {
        let is_taken = ["/tmp", "/dev/shm"].iter().chain(&SETTINGS).any(|taken| Path::new(taken).starts_with(folder));
        !is_taken && !is_of_system(folder) && !launch.shown.iter().any(|shown| folder.starts_with(shown))
    };
    launch.shown.iter().filter(|path| path.is_file()).filter_map(|path| path.parent()).filter(is_bare).collect()
}

/// Makes the folders above a path, which are open to any uid.
fn above(path: &Path) -> Vec<OsString> {
    let mut way: Vec<&Path> = path.ancestors().skip(1).collect();
    way.pop();
    let made = way.into_iter().rev().map(|above| ["--perms".into(), "0755".into(), "--dir".into(), above.into()]);
    made.flatten().collect()
}

/// Whether any user can read a file, or a folder and its entries. Deeper folders are assumed to be like their parent.
pub(super) fn anybody_may_read(path: &Path) -> bool {
    let may = |data: &fs::Metadata| {
        let bits = if data.is_dir() { 0o005 } else { 0o004 };
        mode(data) & bits == bits
    };
    if !fs::metadata(path).is_ok_and(|data| may(&data)) {
        return false;
    }
    let Ok(mut entries) = fs::read_dir(path) else {
        return !path.is_dir();
    };
    let open = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|data| may(&data));
    entries.all(|entry| entry.is_ok_and(|entry| open(&entry)))
}

/// The words of its environment.
pub(super) fn environment(launch: &Launch) -> Vec<(String, OsString)> {
    let mut words: Vec<(String, OsString)> = [("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("LANG", "C.UTF-8")]
        .map(|(name, value)| (name.to_owned(), value.into()))
        .to_vec();
    // The rest of the path is not there, and not the program's business.
    let is_shown =
        |folder: &PathBuf| is_of_system(folder) || launch.shown.iter().any(|shown| folder.starts_with(shown));
    let path = env::var_os("PATH").unwrap_or_default();
    let shown = env::split_paths(&path).filter(is_shown).chain(["/usr/bin", "/bin"].map(PathBuf::from));
    words.push(("PATH".to_owned(), env::join_paths(shown).unwrap_or_else(|_| "/usr/bin:/bin".into())));
    let given = launch.environment.iter();
    words.extend(given.map(|(name, value)| (name.clone(), value.into())));
    words
}
