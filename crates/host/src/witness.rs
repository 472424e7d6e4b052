//! What the machine gave a program: how long it ran, and how long it waited for a CPU.
//!
//! Read from `/proc`; where there is none, nothing is known and nothing is forgiven.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use crate::system::clock_ticks_per_second;
use crate::tree::Tree;

/// What a program and its descendants have had so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Usage {
    /// CPU time of all of them, also of those that have ended.
    ran: Duration,
    /// How long each thread was ready to run and did not.
    waited: BTreeMap<u32, Duration>,
}

impl Usage {
    /// What the processes of a tree have had.
    pub(crate) fn of(tree: &Tree) -> Self {
        let mut usage = Self::default();
        for pid in tree.pids() {
            usage.ran += ran(pid).unwrap_or_default();
            for thread in fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten() {
                let number = thread.file_name().to_str().and_then(|name| name.parse().ok());
                let schedule = fs::read_to_string(thread.path().join("schedstat")).ok();
                let waited = schedule.and_then(|text| text.split_whitespace().nth(1)?.parse().ok());
                if let (Some(number), Some(waited)) = (number, waited) {
                    usage.waited.insert(number, Duration::from_nanos(waited));
                }
            }
        }
        usage
    }

    /// Whether the machine withheld the CPU since then, during this time: one of the program's threads waited for it for
    /// a tenth of the time, and the whole program did not get what one thread can use. A program that waits for its own
    /// threads has used at least as much, and one that sleeps does not wait for a CPU.
    pub(crate) fn was_withheld_since(&self, before: &Self, time: Duration) -> bool {
        let missing = time.saturating_sub(self.ran.saturating_sub(before.ran));
        let known = |thread: &u32| before.waited.get(thread).copied().unwrap_or_default();
        let waits = self.waited.iter().map(|(thread, waited)| waited.saturating_sub(known(thread)));
        let withheld = waits.max().unwrap_or_default().min(missing);
        !time.is_zero() && withheld >= time / 10
    }
}

/// The CPU time of a process and of its children that have ended.
fn ran(pid: u32) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // Its name may contain anything, and ends with the last bracket.
    let (_, fields) = stat.rsplit_once(')')?;
    let ticks = fields.split_whitespace().skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum::<u64>();
    Some(Duration::from_secs_f64(ticks as f64 / clock_ticks_per_second().max(1) as f64))
}

#[cfg(test)]
mod tests {
    use std::process::{Child, Command};
    use std::thread::{available_parallelism, sleep};
    use std::time::Instant;

    use super::*;

    fn usage(ran: u64, waited: &[(u32, u64)]) -> Usage {
        let waited = waited.iter().map(|&(thread, millis)| (thread, Duration::from_millis(millis)));
        Usage { ran: Duration::from_millis(ran), waited: waited.collect() }
    }

    #[test]
    fn only_waiting_for_others_is_forgiven() {
        let second = Duration::from_secs(1);
        let before = usage(5000, &[(1, 300), (2, 0)]);
        let withheld = |ran, waited: &[(u32, u64)]| usage(ran, waited).was_withheld_since(&before, second);
        // It worked all the time, or slept, or did half and half.
        assert!(!withheld(6000, &[(1, 305)]));
        assert!(!withheld(5000, &[(1, 300)]));
        assert!(!withheld(5500, &[(1, 350)]));
        // Others worked meanwhile.
        assert!(withheld(5400, &[(1, 900)]));
        assert!(withheld(5100, &[(1, 300), (7, 800)]));
        // Its own 64 threads stood in each other's way.
        let many: Vec<(u32, u64)> = (10..74).map(|thread| (thread, 970)).collect();
        assert!(!withheld(7000, &many));
        // One thread of it slept while the others waited for each other on a single CPU.
        assert!(!withheld(5990, &many));
        assert!(!usage(9000, &[(1, 9000)]).was_withheld_since(&before, Duration::ZERO));
    }

    struct Busy(Child);

    impl Busy {
        fn new() -> Self {
            Self(Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap())
        }
    }

    impl Drop for Busy {
        fn drop(&mut self) {
            self.0.kill().unwrap();
            self.0.wait().unwrap();
        }
    }

    #[test]
    fn a_busy_machine_is_noticed() {
        let cores = available_parallelism().unwrap().get();
        let busy: Vec<Busy> = (0..4 * cores).map(|_| Busy::new()).collect();
        let usage = || Usage::of(&Tree::below(busy[0].0.id()));
        let (before, began) = (usage(), Instant::now());
        // With four times as many loops as cores, each gets a quarter of one; how soon is the machine's affair.
        let is_noticed = |now: &Usage| now.was_withheld_since(&before, began.elapsed()) && now.ran > before.ran;
        while !is_noticed(&usage()) || began.elapsed() < Duration::from_millis(200) {
            sleep(Duration::from_millis(20));
        }
    }
}
