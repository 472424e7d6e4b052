//! Where groups of programs can be made: below the arena's own group, or the nearest above it that may be written to.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use super::{Controller, Home, PREFIX, Version, memory_limit, remove, write};

/// Where groups can be made on this machine; empty where none can.
pub(in super::super) fn homes() -> &'static [Home] {
    static FOUND: OnceLock<Vec<Home>> = OnceLock::new();
    FOUND.get_or_init(|| {
        let read = |name| fs::read_to_string(name).unwrap_or_default();
        let own = own_folders(&read("/proc/self/cgroup"), &read("/proc/self/mountinfo"));
        let homes = usable(&own);
        for home in &homes {
            sweep(&home.folder, |pid| Path::new("/proc").join(pid.to_string()).exists());
        }
        homes
    })
}

/// A hierarchy as this process sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Hierarchy {
    version: Version,
    /// The group of this process.
    own: PathBuf,
    /// Where the hierarchy is mounted.
    mount: PathBuf,
    /// The controllers of version 1.
    names: Vec<String>,
}

/// The hierarchies in which this process has a group, from `/proc/self/cgroup` and `/proc/self/mountinfo`.
fn own_folders(groups: &str, mounts: &str) -> Vec<Hierarchy> {
    let mut found = Vec::new();
    for line in mounts.lines() {
        let Some((before, after)) = line.split_once(" - ") else { continue };
        let (before, after): (Vec<&str>, Vec<&str>) = (before.split(' ').collect(), after.split(' ').collect());
        let ([_, _, _, root, mount, ..], [kind, _, options]) = (&before[..], &after[..]) else { continue };
        let version = match *kind {
            "cgroup" => Version::One,
            "cgroup2" => Version::Two,
            _ => continue,
        };
        let names: Vec<String> = options.split(',').map(str::to_owned).collect();
        let is_this = |line: &&str| {
            let controllers = line.split(':').nth(1).unwrap_or_default();
            match version {
                Version::Two => line.starts_with("0::"),
                Version::One => !controllers.is_empty() && controllers.split(',').all(|c| names.iter().any(|n| n == c)),
            }
        };
        let Some(path) = groups.lines().find(is_this).and_then(|line| line.splitn(3, ':').nth(2)) else { continue };
        let Ok(inner) = Path::new(path).strip_prefix(root) else { continue };
        let mount = PathBuf::from(mount);
        found.push(Hierarchy { version, own: mount.join(inner), mount, names });
    }
    found
}

/// The homes among these hierarchies: a group was made in each of them, and could be removed.
fn usable(hierarchies: &[Hierarchy]) -> Vec<Home> {
    let mut homes: Vec<Home> = Vec::new();
    for hierarchy in hierarchies {
        match hierarchy.version {
            Version::One => {
                let is_there = |name: &str| hierarchy.names.iter().any(|known| known == name);
                let all = [("memory", Controller::Memory), ("pids", Controller::Tasks)];
                let controllers: Vec<_> = all.iter().filter(|(name, _)| is_there(name)).map(|(_, c)| *c).collect();
                let home = Home { version: Version::One, folder: hierarchy.own.clone(), controllers };
                if !home.controllers.is_empty() && home.works() {
                    homes.push(home);
                }
            }
            Version::Two => homes.extend(second(hierarchy)),
        }
    }
    homes
}

/// The nearest group of version 2, from this process's own upwards, in which groups can be made.
fn second(hierarchy: &Hierarchy) -> Option<Home> {
    let above = hierarchy.own.ancestors().take_while(|folder| folder.starts_with(&hierarchy.mount));
    let available = fs::read_to_string(hierarchy.mount.join("cgroup.controllers")).unwrap_or_default();
    let wanted: Vec<(&str, Controller)> = [("memory", Controller::Memory), ("pids", Controller::Tasks)]
        .into_iter()
        .filter(|(name, _)| available.split_whitespace().any(|known| known == *name))
        .collect();
    for folder in above {
        if !wanted.is_empty() {
            leave(folder);
            let order: Vec<String> = wanted.iter().map(|(name, _)| format!("+{name}")).collect();
            // Refused where processes are in the group itself, or where it belongs to somebody else.
            let _ = fs::write(folder.join("cgroup.subtree_control"), order.join(" "));
        }
        let enabled = fs::read_to_string(folder.join("cgroup.subtree_control")).unwrap_or_default();
        let is_enabled = |name: &str| enabled.split_whitespace().any(|known| known == name);
        let mut controllers: Vec<Controller> =
            wanted.iter().filter(|(name, _)| is_enabled(name)).map(|(_, controller)| *controller).collect();
        if controllers.len() < wanted.len() {
            continue;
        }
        controllers.push(Controller::Freezer);
        let home = Home { version: Version::Two, folder: folder.to_owned(), controllers };
        if home.works() {
            return Some(home);
        }
    }
    None
}

/// Moves this process into a group below its own if it is alone there, as in a scope of systemd: a group with processes
/// passes no controllers on.
fn leave(folder: &Path) {
    let alone = format!("{}\n", std::process::id());
    if fs::read_to_string(folder.join("cgroup.procs")).is_ok_and(|procs| procs == alone) {
        let below = folder.join(format!("{PREFIX}{}-arena", std::process::id()));
        if fs::create_dir(&below).is_ok() {
            let _ = fs::write(below.join("cgroup.procs"), alone);
        }
    }
}

/// Removes the empty groups of arenas that are no longer there.
fn sweep(folder: &Path, is_alive: impl Fn(u32) -> bool) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let pid = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.split_once('-')?.0.parse().ok());
        if pid.is_some_and(|pid| !is_alive(pid)) {
            // Refused as long as a process is in it.
            let _ = fs::remove_dir(entry.path());
        }
    }
}

impl Home {
    /// Whether a group can be made here with all that it needs.
    fn works(&self) -> bool {
        let trial = self.folder.join(format!("{PREFIX}{}-trial", std::process::id()));
        if fs::create_dir(&trial).is_err() {
            return false;
        }
        // To be allowed to open the file is not yet to be allowed to move a process there.
        let joins = Command::new("/bin/sh")
            .args(["-c", "echo $$ >\"$0\""])
            .arg(trial.join("cgroup.procs"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let joined = joins.is_ok_and(|status| status.success());
        let limited = !self.controllers.contains(&Controller::Memory)
            || write(&trial, memory_limit(self.version), &(1_u64 << 40).to_string()).is_ok();
        let frozen = !self.controllers.contains(&Controller::Freezer) || trial.join("cgroup.freeze").exists();
        remove(&trial) && joined && limited && frozen
    }
}

/// Which version does this for programs here.
pub(in super::super) fn version_with(controller: Controller) -> Option<Version> {
    let home = homes().iter().find(|home| home.controllers.contains(&controller));
    home.map(|home| home.version)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "32 31 0:29 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n\
                          35 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n\
                          40 31 0:37 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n\
                          42 31 0:39 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

    #[test]
    fn the_own_groups_are_read_from_proc() {
        let groups = "8:pids:/\n4:memory:/jobs/f9:7\n1:cpu:/\n0::/user.slice\n";
        let own = own_folders(groups, MOUNTS);
        let folder = |n: usize| own[n].own.to_str().unwrap();
        assert_eq!((own.len(), folder(1)), (4, "/sys/fs/cgroup/memory/jobs/f9:7"));
        assert_eq!((folder(3), own[3].version), ("/sys/fs/cgroup/unified/user.slice", Version::Two));
        // A container may see a part of the hierarchy alone.
        let mounts = "30 25 0:26 /docker/4 /sys/fs/cgroup ro - cgroup2 cgroup rw,nsdelegate";
        assert_eq!(own_folders("0::/docker/4/x", mounts)[0].own, Path::new("/sys/fs/cgroup/x"));
        assert_eq!(own_folders("0::/other", mounts), []);
        assert_eq!(own_folders("", "nonsense"), []);
    }

    #[test]
    fn groups_of_dead_arenas_are_swept() {
        let tree = tempfile::tempdir().unwrap();
        for name in ["turncoat-7-0", "turncoat-8-3", "turncoat-x", "other-7-0"] {
            fs::create_dir(tree.path().join(name)).unwrap();
        }
        sweep(tree.path(), |pid| pid == 8);
        let mut left: Vec<_> = fs::read_dir(tree.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["other-7-0", "turncoat-8-3", "turncoat-x"]);
    }
}
