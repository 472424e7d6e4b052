//! The sandbox: bubblewrap. No network, a read-only view of what the program needs, a scratch folder of its own.
//!
//! Everything is in namespaces of its own, so that killing the first process ends all of them. A shell joins the program's
//! control group, where there is one ([`cgroup`]), and starts bubblewrap with an empty environment: the program can read
//! that of the sandbox's first process. The kernel refuses system calls that no player needs ([`filter`]). Limits that the
//! system keeps (CPU, file size, tasks) are set by a second shell inside; memory and the number of processes are also
//! watched from outside.
//!
//! The system's task limit does not apply to root. When run as root, each program gets its own uid, so that only its own
//! processes count. Files that this uid may not read are shown to it as copies.

mod cgroup;
mod copy;
mod cpu;
mod filter;
mod imports;
mod protection;
mod shown;
mod view;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};

use thiserror::Error;
use turncoat_players::Fault;

use self::copy::Copies;
use self::cpu::Cpu;
use self::view::{SCRATCH, anybody_may_read, environment, view};
use crate::hosting::Hosting;
use crate::system::{HAS_SANDBOX, is_root};

pub(crate) use self::cgroup::{Controller, Group};
pub use self::protection::{Line, Protection};
pub(crate) use self::shown::{files_of, find, is_installed, is_of_system, with_imports};

/// What a program is started with.
#[derive(Debug, Clone)]
pub(crate) struct Launch {
    /// The program and its arguments.
    pub(crate) words: Vec<OsString>,
    /// Files and folders that it is shown besides those of the system.
    pub(crate) shown: Vec<PathBuf>,
    /// Where it is started; its scratch folder if that is not said.
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

/// A file may be as large as the scratch folder.
const FILE_BLOCKS: u64 = SCRATCH / 512;

/// What to do about files that are not there in the sandbox.
const DECLARE: &str = "; the sandbox shows a program its own file and the modules beside it that it imports, but no \
                       files with a class AI, which are programs themselves: to show it a folder, add \",folder=DIR\" to the player's text";

/// A fault that may come of what the sandbox does not show, with what to do about it.
pub(crate) fn explained(fault: Fault, hosting: &Hosting) -> Fault {
    let is_missing =
        |text: &str| ["No such file or directory", "No module named"].iter().any(|said| text.contains(said));
    match fault {
        Fault::Crash(text) if !hosting.trust && is_missing(&text) && !text.contains(DECLARE) => {
            Fault::Crash(text + DECLARE)
        }
        other => other,
    }
}

/// Why programs cannot be confined.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NoSandbox {
    /// It is not installed.
    #[error(
        "there is no sandbox for foreign programs: bubblewrap is not installed (Debian: apt install bubblewrap); \
         --trust runs them without"
    )]
    Missing,
    /// The system has none.
    #[error("there is no sandbox for foreign programs on this system; --trust runs them without")]
    System,
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
    if !HAS_SANDBOX {
        return Err(NoSandbox::System);
    }
    if identity == Identity::Nobody && !is_root() {
        return Err(NoSandbox::Broken("not root".to_owned()));
    }
    let launch = Launch {
        words: ["/bin/sh", "-c", "/bin/true && exec /bin/true"].map(OsString::from).to_vec(),
        shown: Vec::new(),
        place: None,
        environment: Vec::new(),
        cpu_seconds: 10,
        tasks: TASKS,
    };
    let tried =
        confined_as(identity, &launch, &Parts::default()).ok_or(NoSandbox::Missing)?.stdin(Stdio::null()).output();
    let output = tried.map_err(|_| NoSandbox::Missing)?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(NoSandbox::Broken(said.lines().next().unwrap_or("no reason is given").to_owned()))
}

/// How a program is started, and what it needs while it runs.
#[derive(Debug)]
pub(crate) struct Confined {
    pub(crate) command: Command,
    pub(crate) group: Option<Group>,
    pub(crate) kept: Kept,
}

/// What a program needs while it runs: copies of its files, its CPU.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    copies: Option<Copies>,
    cpu: Option<Cpu>,
}

/// What a command is made of besides the program.
#[derive(Debug, Clone, Copy, Default)]
struct Parts<'a> {
    copies: Option<&'a Copies>,
    group: Option<&'a Group>,
    cpu: Option<&'a Cpu>,
}

/// The command that runs a program in the sandbox.
///
/// # Errors
/// If there is no sandbox, or the program's files are private and too large to be copied for its own uid.
pub(crate) fn confined(launch: &Launch, hosting: &Hosting) -> Result<Confined, Fault> {
    let crash = |text: String| Fault::Crash(format!("it cannot be started: {text}"));
    let able = identities().map_err(|error| crash(error.to_string()))?;
    let identity = able.first().copied().unwrap_or(Identity::Own { limited: false });
    let mut kept = Kept { copies: None, cpu: hosting.one_thread.then(Cpu::take).flatten() };
    if identity == Identity::Nobody {
        let closed: Vec<&PathBuf> = launch.shown.iter().filter(|path| !anybody_may_read(path)).collect();
        if !closed.is_empty() {
            let copies = Copies::new(closed.iter().copied());
            let names: Vec<String> = closed.iter().map(|path| path.display().to_string()).collect();
            kept.copies = Some(copies.map_err(|error| crash(format!("{}: {error}{PRIVATE}", names.join(", "))))?);
        }
    }
    // Where no group can be made, what it uses is watched all the same.
    let homes = cgroup::homes();
    let group =
        (!homes.is_empty()).then(|| Group::new(homes, hosting.ceiling(), launch.tasks + OWN_TASKS).ok()).flatten();
    let parts = Parts { copies: kept.copies.as_ref(), group: group.as_ref(), cpu: kept.cpu.as_ref() };
    let command = confined_as(identity, launch, &parts).ok_or_else(|| crash(NoSandbox::Missing.to_string()))?;
    Ok(Confined { command, group, kept })
}

/// The sandbox's own processes.
const OWN_TASKS: u64 = 8;

/// What to do about files that cannot be copied.
const PRIVATE: &str = "; run as root, the sandbox shows private files as copies: let everybody read them (chmod -R o+rX), \
                       or --trust";

/// The command of a program with this identity, if bubblewrap is installed.
fn confined_as(identity: Identity, launch: &Launch, parts: &Parts<'_>) -> Option<Command> {
    let mut words: Vec<OsString> = Vec::new();
    if let (Some(cpu), Some(taskset)) = (parts.cpu, find("taskset".as_ref())) {
        words.extend([taskset.into_os_string(), "-c".into(), cpu.number().to_string().into()]);
    }
    words.push(find("bwrap".as_ref())?.into_os_string());
    let filter = filter::file(parts.cpu.is_some());
    if filter.is_some() {
        words.extend(["--seccomp", FILTER].map(OsString::from));
    }
    words.extend(namespaces(identity));
    words.extend(view(launch, parts.copies));
    for (name, value) in environment(launch) {
        words.extend(["--setenv".into(), name.into(), value]);
    }
    words.push("--".into());
    if identity == Identity::Nobody {
        let user = new_user();
        let user = [format!("--reuid={user}"), format!("--regid={user}")].map(OsString::from);
        words.push("setpriv".into());
        words.extend(user);
        words.extend(["--clear-groups", "--inh-caps=-all"].map(OsString::from));
    }
    let tasks = (identity != Identity::Own { limited: false }).then_some(launch.tasks);
    words.extend(limited(launch, tasks));
    let mut command = Command::new(find("bash".as_ref()).unwrap_or_else(|| "/bin/sh".into()));
    command.args(["-c", OUTSIDE, "sh"]).arg(filter.unwrap_or_else(|| "/dev/null".into()));
    command.args(parts.group.map_or_else(Vec::new, Group::doors)).arg("--").args(words);
    command.env_clear().current_dir("/");
    Some(command)
}

/// The number under which bubblewrap finds the filter.
const FILTER: &str = "9";

/// The shell outside: it closes what the arena was started with and knows nothing of, opens the filter, joins the groups,
/// limits open files, whose buffers only a group counts, and forgets its own environment. Of shells, only bash can name
/// descriptors above 9.
const OUTSIDE: &str = "ulimit -n 256 2>/dev/null; for fd in /proc/self/fd/*; do fd=${fd##*/}; \
                       case ${BASH_VERSION:+any}$fd in [3-9]|any[3-9]|any??*) eval \"exec $fd>&-\";; esac; done; \
                       exec 9<\"$1\"; shift; \
                       while [ \"$1\" != -- ]; do echo $$ >\"$1\" || exit 126; shift; done; shift; \
                       exec /usr/bin/env -i \"$@\"";

fn namespaces(identity: Identity) -> Vec<OsString> {
    let mut words = vec!["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"];
    words.extend(["--hostname", "sandbox", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]);
    match identity {
        // Needed to change the uid; dropped with it.
        Identity::Nobody => words.extend(["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]),
        Identity::Own { .. } => words.push("--unshare-user"),
    }
    words.into_iter().map(OsString::from).collect()
}

/// An unused uid, above those that systems and containers assign.
fn new_user() -> u32 {
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed) & 0xff;
    0x4000_0000 | (std::process::id() & 0x3f_ffff) << 8 | number
}

/// The command that runs a program without a sandbox.
pub(crate) fn trusted(launch: &Launch, hosting: &Hosting, mark: (&str, &str)) -> Confined {
    let cpu = hosting.one_thread.then(Cpu::take).flatten();
    let mut words: Vec<OsString> = Vec::new();
    if let (Some(cpu), Some(taskset)) = (&cpu, find("taskset".as_ref())) {
        words.extend([taskset.into_os_string(), "-c".into(), cpu.number().to_string().into()]);
    }
    words.extend(limited(launch, None));
    let mut command = Command::new(&words[0]);
    command.args(&words[1..]);
    command.envs(launch.environment.iter().map(|(name, value)| (name, value)));
    command.env(mark.0, mark.1);
    if let Some(place) = &launch.place {
        command.current_dir(place);
    }
    Confined { command, group: None, kept: Kept { copies: None, cpu } }
}

/// The program behind a shell that sets the limits which the system keeps.
fn limited(launch: &Launch, tasks: Option<u64>) -> Vec<OsString> {
    if !HAS_SANDBOX {
        return launch.words.clone();
    }
    // Shells do not agree on the letter of this one.
    let tasks = tasks
        .map_or_else(String::new, |tasks| format!("ulimit -u {tasks} 2>/dev/null || ulimit -p {tasks} 2>/dev/null; "));
    let script = format!("ulimit -t {}; ulimit -f {FILE_BLOCKS}; ulimit -c 0; {tasks}exec \"$@\"", launch.cpu_seconds);
    let shell = ["/bin/sh", "-c", &script, "sh"].map(OsString::from);
    shell.into_iter().chain(launch.words.iter().cloned()).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    /// A shell that wants this many sleeping children at once, with room for 16 tasks.
    fn forker(children: u32) -> Launch {
        let script = format!("for i in $(seq {children}); do sleep 5 & done; echo all; kill $(jobs -p)");
        Launch {
            words: ["/bin/sh", "-c", &script].map(OsString::from).to_vec(),
            shown: Vec::new(),
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
            if identity != Identity::Nobody && is_root() {
                continue;
            }
            let said = |children| {
                let mut command = confined_as(identity, &forker(children), &Parts::default()).unwrap();
                let output = command.stdin(Stdio::null()).output().unwrap();
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
            shown: vec![folder.path().to_owned()],
            ..forker(0)
        };
        for (mode, of_file, open) in [(0o700, 0o600, false), (0o755, 0o600, false), (0o755, 0o644, true)] {
            fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode)).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(of_file)).unwrap();
            assert_eq!(anybody_may_read(folder.path()), open);
            let Confined { mut command, kept, group: _group } = confined(&launch, &Hosting::default()).unwrap();
            let nobody = able.contains(&Identity::Nobody);
            assert_eq!(kept.copies.is_some(), nobody && !open);
            let output = command.stdin(Stdio::null()).output().unwrap();
            let said = String::from_utf8_lossy(&output.stdout);
            let (user, read) = said.trim().split_once('\n').unwrap();
            assert_eq!(read, "mine", "{mode:o} {of_file:o}");
            assert!(!nobody || user.parse::<u32>().unwrap() >= 0x4000_0000);
        }
    }
}
