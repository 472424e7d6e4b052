//! What protects this machine from foreign programs, in words.

use std::process::Command;

use super::cgroup::{self, Controller};
use super::{Identity, NoSandbox, TASKS, filter, find, identities};
use crate::hosting::Hosting;

/// One protection: what it is about and how it is done here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What is protected.
    pub topic: &'static str,
    /// How.
    pub text: String,
}

/// The protection that is in force on this machine for programs that are run in a certain way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Protection {
    lines: Vec<Line>,
    summary: String,
}

impl Protection {
    /// The protection of programs that are run like this.
    ///
    /// # Errors
    /// If there is no sandbox here.
    pub fn new(hosting: &Hosting) -> Result<Self, NoSandbox> {
        let identity = identities()?.first().copied().unwrap_or(Identity::Own { limited: false });
        let [memory, tasks, freezer] =
            [Controller::Memory, Controller::Tasks, Controller::Freezer].map(cgroup::version_with);
        let kept =
            |version: Option<cgroup::Version>| version.map(|version| format!("kept by the kernel (cgroup {version})"));
        let megabytes = hosting.ceiling() / 1_000_000;
        let processes = hosting.processes;
        let uid = match identity {
            Identity::Nobody => "each program has a uid of its own",
            Identity::Own { .. } => "your own uid, without any rights, in a user namespace",
        };
        let limited = identity != Identity::Own { limited: false };
        let watched = "counted 100 times a second, shared memory once";
        let lines = vec![
            Line {
                topic: "namespaces",
                text: format!("processes, network, mounts, IPC, host name ({})", bubblewrap()),
            },
            Line { topic: "user", text: uid.to_owned() },
            Line { topic: "files", text: "read-only; 64 MiB of scratch in /tmp and in /dev/shm".to_owned() },
            Line {
                topic: "system calls",
                text: filter::refused().map_or_else(
                    || "not filtered: there is no filter for this architecture".to_owned(),
                    |number| format!("{number} are refused (seccomp)"),
                ),
            },
            Line {
                topic: "memory",
                text: format!(
                    "at most {megabytes} MB a program, {}",
                    kept(memory).map_or_else(|| watched.to_owned(), |kept| format!("{kept} and {watched}"))
                ),
            },
            Line {
                topic: "processes",
                text: match kept(tasks) {
                    Some(kept) => format!("at most {processes}, counted; at most {TASKS} with threads, {kept}"),
                    None if limited => format!("at most {processes}, counted; at most {TASKS} with threads (ulimit)"),
                    None => format!("at most {processes}, counted; threads are not limited"),
                },
            },
            Line {
                topic: "opponent's turn",
                text: freezer.map_or_else(
                    || "stopped by signals (no freezer of cgroup v2)".to_owned(),
                    |version| format!("frozen (cgroup {version})"),
                ),
            },
            Line {
                topic: "one CPU",
                text: match find("taskset".as_ref()) {
                    Some(_) => "under --profile course; the program cannot change it".to_owned(),
                    None => "not kept: taskset is not installed (Debian: apt install util-linux)".to_owned(),
                },
            },
        ];
        let cgroup =
            memory.map_or_else(|| "no cgroup: memory is watched".to_owned(), |version| format!("cgroup {version}"));
        let short = if identity == Identity::Nobody { "own uid" } else { "user namespace" };
        let seccomp = if filter::refused().is_some() { "seccomp" } else { "no seccomp" };
        let stopped = if freezer.is_some() { "frozen" } else { "stopped" };
        let summary = format!(
            "foreign programs run in a sandbox ({short}, {seccomp}, {cgroup}, at most {megabytes} MB), {stopped} while the \
             other side thinks"
        );
        Ok(Self { lines, summary })
    }

    /// Each protection in a line.
    pub fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The whole in one line.
    pub fn summary(&self) -> &str {
        &self.summary
    }
}

/// What bubblewrap calls itself, with its version.
fn bubblewrap() -> String {
    let output = find("bwrap".as_ref()).and_then(|path| Command::new(path).arg("--version").output().ok());
    output.map_or_else(|| "bubblewrap".to_owned(), |output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
