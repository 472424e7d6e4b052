//! The sandbox: bubblewrap. No network, a read-only view of what the program needs, a scratch folder of its own.
//!
//! Everything is in namespaces of its own, so that killing the first process ends all of them. Limits that the
//! system keeps (CPU, file size, tasks) are set by the shell that starts the program; memory and the number of
//! processes are watched from outside.
//!
//! The system's task limit does not apply to root. When run as root, each program gets its own uid, so that only its own
//! processes count. Files that this uid may not read are shown to it as copies.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use thiserror::Error;

use crate::copy::Copies;

/// What a program is started with.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// Folders that it needs besides those of the system.
    pub(crate) folders: Vec<PathBuf>,
    /// Where it is started, if that is one of its folders.
    pub(crate) place: Option<PathBuf>,
    /// Words for its environment.
    pub(crate) environment: Vec<(String, String)>,
    /// Seconds of CPU that any of its processes may use.
    pub(crate) cpu_seconds: u64,
    /// Processes and threads that it may have together in the sandbox, where the system can count them.
    pub(crate) tasks: u64,
}

/// Far above what libraries of numbers need on large machines, and far below what harms one. Processes alone are
/// watched from outside, with a narrower limit.
pub(crate) const TASKS: u64 = 512;

/// The scratch folder may hold this much.
const SCRATCH: u64 = 64 << 20;
/// A file may be this large.
const FILE_BLOCKS: u64 = SCRATCH / 512;

/// What every program may read of the system.
const SYSTEM: [&str; 6] = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64"];
const SETTINGS: [&str; 5] =
    ["/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"];

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

/// The user as which a confined program runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Identity {
    /// An unused uid, with a task limit. Needs root.
    Nobody,
    /// The caller's uid in a user namespace, with a task limit if only the program's tasks count there.
    Own { limited: bool },
}

/// The best first.
const IDENTITIES: [Identity; 3] = [Identity::Nobody, Identity::Own { limited: true }, Identity::Own { limited: false }];

/// Checks, once, that the sandbox works on this machine.
///
/// # Errors
/// If bubblewrap is missing, or cannot create its namespaces here.
pub fn check() -> Result<(), NoSandbox> {
    identities().map(|_| ())
}

/// The identities that programs can have here, the best first.
fn identities() -> Result<&'static [Identity], NoSandbox> {
    static FOUND: OnceLock<Result<Vec<Identity>, NoSandbox>> = OnceLock::new();
    let found = FOUND.get_or_init(|| {
        let mut fault = NoSandbox::Missing;
        let mut able = Vec::new();
        for identity in IDENTITIES {
            match try_out(identity) {
                Ok(()) => able.push(identity),
                Err(error) => fault = error,
            }
        }
        if able.is_empty() { Err(fault) } else { Ok(able) }
    });
    found.as_deref().map_err(Clone::clone)
}

/// Whether a program with this identity can be started and start another.
fn try_out(identity: Identity) -> Result<(), NoSandbox> {
    if identity == Identity::Nobody && !rustix::process::getuid().is_root() {
        return Err(NoSandbox::Broken("not root".to_owned()));
    }
    let launch = Launch {
        words: ["/bin/sh", "-c", "/bin/true && exec /bin/true"].map(OsString::from).to_vec(),
        folders: Vec::new(),
        place: None,
        environment: Vec::new(),
        cpu_seconds: 10,
        tasks: TASKS,
    };
    let tried = confined_as(identity, &launch, None).stdin(Stdio::null()).output();
    let output = tried.map_err(|_| NoSandbox::Missing)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(NoSandbox::Broken(said.lines().next().unwrap_or("no reason is given").to_owned()))
}

/// The command that runs a program in the sandbox, and the copies that it needs while it runs.
pub(crate) fn confined(launch: &Launch) -> (Command, Option<Copies>) {
    let able = identities().unwrap_or(&IDENTITIES[2..]);
    if able.contains(&Identity::Nobody) {
        let mut closed = launch.folders.iter().filter(|f| !anybody_may_read(f));
        let copies = closed.clone().next().map(|_| Copies::new(&mut closed));
        // Folders too large to copy are read with the caller's own uid.
        if let Ok(copies) = copies.transpose() {
            let command = confined_as(Identity::Nobody, launch, copies.as_ref());
            return (command, copies);
        }
    }
    let own = |identity: &&Identity| **identity != Identity::Nobody;
    let identity = able.iter().find(own);
    let identity = identity.unwrap_or(&Identity::Own { limited: false });
    (confined_as(*identity, launch, None), None)
}

/// Whether any user can read a file, or a folder and its entries. Deeper folders are assumed to be like their parent.
fn anybody_may_read(path: &Path) -> bool {
    let may = |data: &fs::Metadata| {
        let bits = if data.is_dir() { 0o005 } else { 0o004 };
        data.permissions().mode() & bits == bits
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

fn confined_as(identity: Identity, launch: &Launch, copies: Option<&Copies>) -> Command {
    let mut command = Command::new("bwrap");
    command.args(["--unshare-ipc", "--unshare-pid", "--unshare-net"]);
    command.args(["--unshare-uts", "--unshare-cgroup-try"]);
    command.args(["--die-with-parent", "--new-session", "--clearenv"]);
    command.args(["--cap-drop", "ALL"]);
    match identity {
        // Needed to change the uid; dropped with it.
        Identity::Nobody => command.args(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]),
        Identity::Own { .. } => command.arg("--unshare-user"),
    };
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
        command.args(["--perms", "1777", "--size", &size, "--tmpfs", folder]);
    }
    // After the scratch folder, since some of them may lie there. Their parents are open to any uid.
    for folder in &launch.folders {
        let mut way: Vec<&Path> = folder.ancestors().skip(1).collect();
        way.pop();
        for above in way.into_iter().rev() {
            command.args(["--perms", "0755", "--dir"]).arg(above);
        }
        let shown = copies.map_or(folder.as_path(), |copies| copies.instead_of(folder));
        command.arg("--ro-bind").arg(shown).arg(folder);
    }
    let place = launch.place.as_deref().unwrap_or(Path::new("/tmp"));
    command.arg("--chdir").arg(place);
    for (name, value) in environment(launch) {
        command.arg("--setenv").arg(name).arg(value);
    }
    command.arg("--");
    if identity == Identity::Nobody {
        let user = new_user();
        command.arg("setpriv");
        command.args([format!("--reuid={user}"), format!("--regid={user}")]);
        command.args(["--clear-groups", "--inh-caps=-all"]);
    }
    let tasks = (identity != Identity::Own { limited: false }).then_some(launch.tasks);
    command.args(limited(launch, tasks));
    command
}

/// An unused uid, above those that systems and containers assign.
fn new_user() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed) & 0xff;
    0x4000_0000 | (std::process::id() & 0x3f_ffff) << 8 | number
}

/// The command that runs a program without a sandbox.
pub(crate) fn trusted(launch: &Launch, mark: (&str, &str)) -> Command {
    let words = limited(launch, None);
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
fn limited(launch: &Launch, tasks: Option<u64>) -> Vec<OsString> {
    // Shells do not agree on the letter of this one.
    let tasks = tasks
        .map_or_else(String::new, |tasks| format!("ulimit -u {tasks} 2>/dev/null || ulimit -p {tasks} 2>/dev/null; "));
    let script = format!("ulimit -t {}; ulimit -f {FILE_BLOCKS}; ulimit -c 0; {tasks}exec \"$@\"", launch.cpu_seconds);
    let shell = ["/bin/sh", "-c", &script, "sh"].map(OsString::from);
    shell.into_iter().chain(launch.words.iter().cloned()).collect()
}

fn environment(launch: &Launch) -> Vec<(String, OsString)> {
    let mut words: Vec<(String, OsString)> = [("HOME", "/tmp"), ("TMPDIR", "/tmp"), ("LANG", "C.UTF-8")]
        .map(|(name, value)| (name.to_owned(), value.into()))
        .to_vec();
    let path = env::var_os("PATH").unwrap_or_else(|| "/usr/bin:/bin".into());
    words.push(("PATH".to_owned(), path));
    let given = launch.environment.iter();
    words.extend(given.map(|(name, value)| (name.clone(), value.into())));
    words
}

/// The folders that a command needs: that of the program with what is installed next to it, and those of the files in
/// its arguments.
pub(crate) fn folders_of(words: &[OsString]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = Vec::new();
    for word in words {
        let Some(path) = existing(word) else { continue };
        // A program may be a link to its real place: it needs both.
        let real = path.canonicalize().ok();
        for path in [Some(path), real].into_iter().flatten() {
            let folder = if path.is_dir() { Some(path.as_path()) } else { path.parent() };
            let Some(folder) = folder.filter(|folder| !is_of_system(folder)) else {
                continue;
            };
            for needed in [folder.to_owned()].into_iter().chain(installed(folder)) {
                if !folders.iter().any(|known| needed.starts_with(known)) {
                    folders.push(needed);
                }
            }
        }
    }
    folders
}

/// What is installed next to a folder `bin` for the programs in it.
fn installed(folder: &Path) -> Vec<PathBuf> {
    let Some(prefix) = folder.parent().filter(|_| folder.ends_with("bin")) else {
        return Vec::new();
    };
    ["lib", "lib64", "share", "pyvenv.cfg"]
        .map(|name| prefix.join(name))
        .into_iter()
        .filter(|path| path.exists())
        .collect()
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

fn is_of_system(folder: &Path) -> bool {
    folder == Path::new("/") || SYSTEM.iter().any(|system| folder.starts_with(system))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A shell that wants this many sleeping children at once, with room for 16 tasks.
    fn forker(children: u32) -> Launch {
        let script = format!("for i in $(seq {children}); do sleep 5 & done; echo all; kill $(jobs -p)");
        Launch {
            words: ["/bin/sh", "-c", &script].map(OsString::from).to_vec(),
            folders: Vec::new(),
            place: None,
            environment: Vec::new(),
            cpu_seconds: 10,
            tasks: 16,
        }
    }

    #[test]
    fn tasks_are_limited_also_for_root() {
        let Ok(able) = identities() else { return };
        for &identity in able {
            if identity == (Identity::Own { limited: false }) {
                continue;
            }
            // Root stays root in its own user namespace.
            if identity != Identity::Nobody && rustix::process::getuid().is_root() {
                continue;
            }
            let said = |children| {
                let output = confined_as(identity, &forker(children), None).stdin(Stdio::null()).output().unwrap();
                String::from_utf8_lossy(&output.stdout).into_owned()
            };
            assert_eq!(said(4), "all\n", "{identity:?}");
            assert_eq!(said(40), "", "{identity:?}");
        }
    }

    #[test]
    fn what_others_may_not_read_is_read_all_the_same_and_limited() {
        let Ok(able) = identities() else { return };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("secret");
        fs::write(&file, "mine\n").unwrap();
        let script = format!("id -u; cat {}", file.display());
        let launch = Launch {
            words: ["/bin/sh", "-c", &script].map(OsString::from).to_vec(),
            folders: vec![folder.path().to_owned()],
            ..forker(0)
        };
        for (mode, of_file, open) in [(0o700, 0o600, false), (0o755, 0o600, false), (0o755, 0o644, true)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(of_file)).unwrap();
            assert_eq!(anybody_may_read(folder.path()), open);
            let (mut command, copies) = confined(&launch);
            let nobody = able.contains(&Identity::Nobody);
            assert_eq!(copies.is_some(), nobody && !open);
            let output = command.stdin(Stdio::null()).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let (user, read) = said.trim().split_once('\n').unwrap();
            assert_eq!(read, "mine", "{mode:o} {of_file:o}");
            assert!(!nobody || user.parse::<u32>().unwrap() >= 0x4000_0000);
        }
    }
}
