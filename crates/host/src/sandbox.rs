//! The sandbox: bubblewrap. No network, a read-only view of what the program needs, a scratch folder of its own.
//!
//! Everything is in namespaces of its own, so that killing the first process ends all of them. Limits that the
//! system keeps (CPU, file size) are set by the shell that starts the program; memory and the number of
//! processes are watched from outside.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use thiserror::Error;

/// What a program is started with.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// Folders that it needs beside those of the system.
    pub(crate) folders: Vec<PathBuf>,
    /// Where it is started, if that is one of its folders.
    pub(crate) place: Option<PathBuf>,
    /// Words for its environment.
    pub(crate) environment: Vec<(String, String)>,
    /// Seconds of CPU that any of its processes may use.
    pub(crate) cpu_seconds: u64,
}

/// The scratch folder may hold this much.
const SCRATCH: u64 = 64 << 20;
/// A file may be this large.
const FILE_BLOCKS: u64 = SCRATCH / 512;

/// What every program may read of the system.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
const SETTINGS: [&str; 5] = [
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
];

/// Why programs cannot be confined.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoSandbox {
    /// It is not installed.
    #[error(
        "there is no sandbox for foreign programs: bubblewrap is not installed (Debian: apt install bubblewrap); \
         --trust runs them without"
    )]
    Missing,
    /// It does not work here.
    #[error("the sandbox for foreign programs does not work here ({0}); --trust runs them without")]
    Broken(String),
}

/// Whether the sandbox works on this machine; found out once.
///
/// # Errors
/// If it does not.
pub fn check() -> Result<(), NoSandbox> {
    static FOUND: OnceLock<Result<(), NoSandbox>> = OnceLock::new();
    FOUND.get_or_init(try_out).clone()
}

fn try_out() -> Result<(), NoSandbox> {
    let launch = Launch {
        words: vec!["true".into()],
        folders: Vec::new(),
        place: None,
        environment: Vec::new(),
        cpu_seconds: 10,
    };
    let tried = confined(&launch).stdin(Stdio::null()).output();
    let output = tried.map_err(|_| NoSandbox::Missing)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(NoSandbox::Broken(
        said.lines()
            .next()
            .unwrap_or("no reason is given")
            .to_owned(),
    ))
}

/// The command that runs a program in the sandbox.
pub(crate) fn confined(launch: &Launch) -> Command {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--new-session"]);
    command.args(["--cap-drop", "ALL", "--clearenv"]);
    for path in SYSTEM.map(Path::new) {
        match fs::read_link(path) {
            Ok(target) => command.arg("--symlink").arg(target).arg(path),
            Err(_) => command.arg("--ro-bind-try").arg(path).arg(path),
        };
    }
    for path in SETTINGS {
        command.args(["--ro-bind-try", path, path]);
    }
    command.args(["--proc", "/proc", "--dev", "/dev"]);
    let size = SCRATCH.to_string();
    for folder in ["/tmp", "/dev/shm"] {
        command.args(["--size", &size, "--tmpfs", folder]);
    }
    // After the scratch folder, since some of them may lie there.
    for folder in &launch.folders {
        command.arg("--ro-bind").arg(folder).arg(folder);
    }
    let place = launch.place.as_deref().unwrap_or(Path::new("/tmp"));
    command.arg("--chdir").arg(place);
    for (name, value) in environment(launch) {
        command.arg("--setenv").arg(name).arg(value);
    }
    command.arg("--").args(limited(launch));
    command
}

/// The command that runs a program without a sandbox.
pub(crate) fn trusted(launch: &Launch, mark: (&str, &str)) -> Command {
    let words = limited(launch);
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command.envs(launch.environment.iter().map(|(name, value)| (name, value)));
    command.env(mark.0, mark.1);
    if let Some(place) = &launch.place {
        command.current_dir(place);
    }
    command
}

/// The program behind a shell that sets the limits which the system keeps.
fn limited(launch: &Launch) -> Vec<OsString> {
    let script = format!(
        "ulimit -t {}; ulimit -f {FILE_BLOCKS}; ulimit -c 0; exec \"$@\"",
        launch.cpu_seconds
    );
    let shell = ["/bin/sh", "-c", &script, "sh"].map(OsString::from);
    shell
        .into_iter()
        .chain(launch.words.iter().cloned())
        .collect()
}

fn environment(launch: &Launch) -> Vec<(String, OsString)> {
    let mut words: Vec<(String, OsString)> =
        [("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("LANG", "C.UTF-8")]
            .map(|(name, value)| (name.to_owned(), value.into()))
            .to_vec();
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    words.push(("PATH".to_owned(), path));
    let given = launch.environment.iter();
    words.extend(given.map(|(name, value)| (name.clone(), value.into())));
    words
}

/// What a command needs to be seen: the folder of the program and those of the files that it is given.
pub(crate) fn folders_of(words: &[OsString]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for word in words {
        let Some(path) = existing(word) else { continue };
        // A program may be a link to its real place: it needs both.
        let real = path.canonicalize().ok();
        for path in [Some(path), real].into_iter().flatten() {
            let folder = if path.is_dir() {
                Some(path.as_path())
            } else {
                path.parent()
            };
            let Some(folder) = folder.filter(|folder| !is_of_system(folder)) else {
                continue;
            };
            if !folders.iter().any(|known| folder.starts_with(known)) {
                folders.push(folder.to_owned());
            }
        }
    }
    folders
}

/// The file or folder that a word names, as an absolute path.
fn existing(word: &OsStr) -> Option<PathBuf> {
    let path = Path::new(word);
    let is_name = path.components().count() == 1 && !path.exists();
    if is_name {
        return find(word);
    }
    path.exists()
        .then(|| std::path::absolute(path).ok())
        .flatten()
}

/// The program of this name on the path.
pub(crate) fn find(name: &OsStr) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let mut places = env::split_paths(&path).map(|folder| folder.join(name));
    places.find(|place| place.is_file())
}

fn is_of_system(folder: &Path) -> bool {
    folder == Path::new("/") || SYSTEM.iter().any(|system| folder.starts_with(system))
}
