//! The processes that descend from one: how many, how much memory they hold, and their end.
//!
//! Read from `/proc`; where there is none, only the first process is known.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::system::{self, Signal};

/// A process and its descendants at one moment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Tree {
    pids: BTreeSet<u32>,
}

impl Tree {
    /// The tree below a process, itself included.
    pub(crate) fn below(root: u32) -> Self {
        Self::up_to(root, 10_000)
    }

    /// The tree below a process, or so many of it: a bomb makes processes faster than they can be counted.
    pub(crate) fn up_to(root: u32, most: usize) -> Self {
        let mut tree = Self::default();
        let mut rest = vec![root];
        while let Some(pid) = rest.pop() {
            if tree.pids.len() < most && tree.pids.insert(pid) {
                rest.extend(children(pid));
            }
        }
        tree
    }

    /// Its processes.
    pub(crate) fn pids(&self) -> impl Iterator<Item = u32> {
        self.pids.iter().copied()
    }

    /// How many processes there are.
    pub(crate) fn count(&self) -> usize {
        self.pids.len()
    }

    /// Bytes of memory that they hold: private pages, pages that they share with each other, and what is swapped out. A
    /// shared page counts once. Files that are mapped do not count.
    pub(crate) fn memory(&self) -> u64 {
        let shared = |pid: &u32| {
            let words = ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"];
            sum(*pid, "smaps_rollup", &words).unwrap_or_else(|| private(*pid))
        };
        self.pids.iter().map(shared).sum()
    }

    /// An upper bound of that, which costs little: a shared page counts once for each process.
    pub(crate) fn memory_bound(&self) -> u64 {
        self.pids.iter().map(|pid| private(*pid)).sum()
    }

    /// Those that are neither stopped nor over. Threads go on when the first one of their process has ended.
    pub(crate) fn running(&self) -> Self {
        let runs = |thread: PathBuf| {
            let stat = fs::read_to_string(thread.join("stat")).unwrap_or_default();
            let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
            state.is_some_and(|state| !"TtZX".contains(state))
        };
        Self { pids: self.pids.iter().copied().filter(|pid| threads(*pid).into_iter().any(runs)).collect() }
    }

    /// Sends them all a signal, at once.
    pub(crate) fn signal(&self, signal: Signal) {
        for &pid in &self.pids {
            system::signal(pid, signal);
        }
    }
}

/// What a process holds of memory, shared or not.
fn private(pid: u32) -> u64 {
    sum(pid, "status", &["RssAnon:", "RssShmem:", "VmSwap:"]).unwrap_or(0)
}

/// The sum of these kilobytes in a file of a process, or of a thread if the process's first one has ended.
fn sum(pid: u32, file: &str, words: &[&str]) -> Option<u64> {
    let whole = PathBuf::from(format!("/proc/{pid}"));
    sum_of(&whole, file, words).or_else(|| threads(pid).iter().find_map(|thread| sum_of(thread, file, words)))
}

fn sum_of(folder: &Path, file: &str, words: &[&str]) -> Option<u64> {
    let text = fs::read_to_string(folder.join(file)).ok()?;
    let kilobytes = |line: &str| {
        let (word, rest) = line.split_once(char::is_whitespace)?;
        words.contains(&word).then(|| rest.trim().strip_suffix(" kB")?.parse::<u64>().ok()).flatten()
    };
    let found: Vec<u64> = text.lines().filter_map(kilobytes).collect();
    (!found.is_empty()).then(|| found.iter().sum::<u64>() << 10)
}

/// The children of a process; each of its threads has its own.
pub(crate) fn children(pid: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for thread in threads(pid) {
        let text = fs::read_to_string(thread.join("children")).unwrap_or_default();
        found.extend(text.split_whitespace().filter_map(|word| word.parse::<u32>().ok()));
    }
    found
}

/// The folders of a process's threads.
fn threads(pid: u32) -> Vec<PathBuf> {
    let entries = fs::read_dir(format!("/proc/{pid}/task"));
    entries.map_or_else(|_| Vec::new(), |entries| entries.flatten().map(|entry| entry.path()).collect())
}

/// Ends every process whose environment has this word, also those that have left their parents, until there are none:
/// while one looks, some may be made.
pub(crate) fn kill_marked(mark: &str) {
    for _ in 0..100 {
        let marked = marked(mark);
        if marked.is_empty() {
            return;
        }
        for pid in marked {
            Tree::below(pid).signal(Signal::Kill);
        }
    }
}

/// Processes whose environment has this word. Those that have ended have none.
fn marked(mark: &str) -> Vec<u32> {
    let Ok(processes) = fs::read_dir(Path::new("/proc")) else {
        return Vec::new();
    };
    let is_marked = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|&byte| byte == 0).any(|word| word == mark.as_bytes())
    };
    processes.flatten().filter_map(|process| process.file_name().to_str()?.parse().ok()).filter(is_marked).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;
    use std::thread::sleep;
    use std::time::Duration;

    #[test]
    fn descendants_are_found_and_ended() {
        let mut child = Command::new("sh").args(["-c", "sleep 1000 & sleep 1000 & wait"]).spawn().unwrap();
        let mut tree = Tree::below(child.id());
        while tree.count() < 3 {
            sleep(Duration::from_millis(5));
            tree = Tree::below(child.id());
        }
        // The shells become what they run, and hold less then: the two are not counted at one moment.
        while !(1..=tree.memory_bound()).contains(&tree.memory()) {
            sleep(Duration::from_millis(5));
        }
        tree.signal(Signal::Stop);
        while tree.running().count() > 0 {
            sleep(Duration::from_millis(5));
        }
        tree.signal(Signal::Kill);
        child.wait().unwrap();
        for pid in tree.pids.iter().filter(|&&pid| pid != child.id()) {
            // Their new parent may take a moment to reap them.
            while fs::read_to_string(format!("/proc/{pid}/stat")).is_ok_and(|stat| !stat.contains(") Z")) {
                sleep(Duration::from_millis(5));
            }
        }
    }
}
