//! Control groups: limits that the kernel keeps for all processes of a program together, and its freezer.
//!
//! A group is a folder in each hierarchy that has one of the controllers. Version 1 has a hierarchy per controller and is
//! open to root alone; version 2 has one for all, of which systemd gives users a part. Machines that have both, as this
//! module allows, use each for what it has. Version 1's freezer is not used: what it has frozen cannot even be killed, so
//! that a killed arena would leave programs behind.

mod homes;

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::system::is_busy;

pub(super) use self::homes::{homes, version_with};

/// What a hierarchy can do for a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Controller {
    Memory,
    Tasks,
    Freezer,
}

/// The two interfaces of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Version {
    One,
    Two,
}

/// A folder of a hierarchy in which groups are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Home {
    pub(super) version: Version,
    pub(super) folder: PathBuf,
    pub(super) controllers: Vec<Controller>,
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "v1",
            Self::Two => "v2",
        })
    }
}

/// How long the kernel may take to empty a group whose processes were killed.
const EMPTYING: Duration = Duration::from_secs(2);
/// Groups are called by this, the arena's process id and a number.
const PREFIX: &str = "turncoat-";

const fn memory_limit(version: Version) -> &'static str {
    match version {
        Version::One => "memory.limit_in_bytes",
        Version::Two => "memory.max",
    }
}

/// Writes a file that the kernel has made.
fn write(folder: &Path, name: &str, value: &str) -> io::Result<()> {
    io::Write::write_all(&mut fs::OpenOptions::new().write(true).open(folder.join(name))?, value.as_bytes())
}

/// The number after this word in a text of words and numbers.
fn number(text: &str, word: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(word)?.strip_prefix(' '))?;
    line.trim().parse().ok()
}

/// The group of one program; removed on drop, when its processes are gone.
#[derive(Debug)]
pub(crate) struct Group {
    parts: Vec<Home>,
}

impl Group {
    /// Makes a group that may hold so many bytes and tasks.
    ///
    /// # Errors
    /// If the kernel refuses it.
    pub(super) fn new(homes: &[Home], bytes: u64, tasks: u64) -> io::Result<Self> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        let name = format!("{PREFIX}{}-{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed));
        let mut group = Self { parts: Vec::new() };
        for home in homes {
            let folder = home.folder.join(&name);
            fs::create_dir(&folder)?;
            group.parts.push(Home { folder, ..home.clone() });
        }
        group.limit_memory(bytes)?;
        for (part, _) in group.parts_with(Controller::Memory) {
            // No swap: it would hide how much is held. Kernels without swap accounting lack these files.
            let _ = write(part, "memory.swap.max", "0");
            let _ = write(part, "memory.oom.group", "1");
            let _ = write(part, "memory.swappiness", "0");
        }
        for (part, _) in group.parts_with(Controller::Tasks) {
            write(part, "pids.max", &tasks.to_string())?;
        }
        Ok(group)
    }

    fn parts_with(&self, controller: Controller) -> impl Iterator<Item = (&Path, Version)> {
        let parts = self.parts.iter().filter(move |part| part.controllers.contains(&controller));
        parts.map(|part| (part.folder.as_path(), part.version))
    }

    fn part(&self, controller: Controller) -> Option<(&Path, Version)> {
        self.parts_with(controller).next()
    }

    /// Whether the kernel does this for the group.
    pub(crate) fn has(&self, controller: Controller) -> bool {
        self.part(controller).is_some()
    }

    /// The files that a process writes its id to in order to join.
    pub(super) fn doors(&self) -> Vec<PathBuf> {
        self.parts.iter().map(|part| part.folder.join("cgroup.procs")).collect()
    }

    /// Sets the memory that it may hold, page tables, pipes and sockets included.
    pub(crate) fn limit_memory(&self, bytes: u64) -> io::Result<()> {
        for (part, version) in self.parts_with(Controller::Memory) {
            write(part, memory_limit(version), &bytes.to_string())?;
            // Version 1's limit of memory and swap together, where swap is accounted for.
            let _ = write(part, "memory.memsw.limit_in_bytes", &bytes.to_string());
        }
        Ok(())
    }

    /// Bytes that it holds: private and shared memory and files in memory, each page once; not what is cached of files.
    pub(crate) fn memory(&self) -> Option<u64> {
        let (part, version) = self.part(Controller::Memory)?;
        let word = if version == Version::One { "rss" } else { "anon" };
        // Read once: the kernel adds it all up for every reader.
        let stat = fs::read_to_string(part.join("memory.stat")).ok()?;
        Some(number(&stat, word)? + number(&stat, "shmem")? + number(&stat, "swap").unwrap_or(0))
    }

    /// Bytes that the kernel counts towards the limit.
    pub(crate) fn charged(&self) -> Option<u64> {
        let (part, version) = self.part(Controller::Memory)?;
        let name = if version == Version::One { "memory.usage_in_bytes" } else { "memory.current" };
        fs::read_to_string(part.join(name)).ok()?.trim().parse().ok()
    }

    /// Whether the kernel has killed a process of it for its memory.
    pub(crate) fn ran_out(&self) -> bool {
        let kills = self.part(Controller::Memory).and_then(|(part, version)| {
            let name = if version == Version::One { "memory.oom_control" } else { "memory.events" };
            number(&fs::read_to_string(part.join(name)).ok()?, "oom_kill")
        });
        kills.unwrap_or(0) > 0
    }

    /// Freezes or thaws all of its processes; they can be killed in either state.
    pub(crate) fn set_frozen(&self, frozen: bool) -> io::Result<()> {
        for (part, _) in self.parts_with(Controller::Freezer) {
            write(part, "cgroup.freeze", if frozen { "1" } else { "0" })?;
        }
        Ok(())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        for part in &self.parts {
            remove(&part.folder);
        }
    }
}

/// Removes a group, when its processes are gone.
fn remove(folder: &Path) -> bool {
    let patience = Instant::now() + EMPTYING;
    while let Err(error) = fs::remove_dir(folder) {
        if !is_busy(&error) || Instant::now() > patience {
            return false;
        }
        thread::sleep(Duration::from_millis(1));
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with the files that the kernel would make.
    fn with_files(folder: &Path, files: &[(&str, &str)]) {
        for (name, text) in files {
            fs::write(folder.join(name), text).unwrap();
        }
    }

    fn read(folder: &Path, name: &str) -> String {
        fs::read_to_string(folder.join(name)).unwrap()
    }

    #[test]
    fn both_versions_are_written_and_read_alike() {
        let tree = tempfile::tempdir().unwrap();
        let one = tree.path().join("one");
        let two = tree.path().join("two");
        let files: [&[_]; 2] = [
            &[
                ("memory.limit_in_bytes", ""),
                ("pids.max", "max"),
                ("memory.stat", "cache 7\nrss 1000\nrss_huge 0\nshmem 200\n"),
                ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"),
                ("memory.usage_in_bytes", "4096\n"),
            ],
            &[
                ("memory.max", ""),
                ("memory.swap.max", "max"),
                ("memory.oom.group", "0"),
                ("pids.max", "max"),
                ("cgroup.freeze", "0"),
                ("memory.stat", "anon 1000\nfile 7\nshmem 200\n"),
                ("memory.events", "low 0\noom 3\noom_kill 0\n"),
                ("memory.current", "4096\n"),
            ],
        ];
        for (version, folder, files) in [(Version::One, &one, files[0]), (Version::Two, &two, files[1])] {
            fs::create_dir(folder).unwrap();
            with_files(folder, files);
            let controllers = vec![Controller::Memory, Controller::Tasks, Controller::Freezer];
            let part = Home { version, folder: folder.clone(), controllers };
            let group = Group { parts: vec![part] };
            group.limit_memory(5000).unwrap();
            assert_eq!(read(folder, memory_limit(version)), "5000");
            assert_eq!((group.memory(), group.charged()), (Some(1200), Some(4096)));
            assert_eq!(group.ran_out(), version == Version::One);
            assert_eq!(group.set_frozen(true).is_ok(), version == Version::Two);
            assert_eq!(group.doors(), [folder.join("cgroup.procs")]);
        }
        assert_eq!(read(&two, "cgroup.freeze"), "1");
    }

    #[test]
    fn where_groups_can_be_made_they_are_and_go_with_their_owner() {
        let homes = homes();
        if homes.is_empty() {
            return;
        }
        let group = Group::new(homes, 64 << 20, 16).unwrap();
        let doors = group.doors();
        assert!(doors.iter().all(|door| door.exists()), "{doors:?}");
        drop(group);
        assert!(doors.iter().all(|door| !door.exists()), "{doors:?}");
    }
}
