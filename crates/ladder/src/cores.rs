//! How many cores are really free: what other programs of the machine use is not ours to play on.

use std::fs;
use std::num::NonZero;
use std::thread;

/// A core that others use less than this of is free.
const FORGIVEN: f64 = 0.3;

/// The cores of this machine, looked at again and again.
#[derive(Debug, Default)]
pub(crate) struct Cores {
    last: Option<Ticks>,
}

/// What cores have done since the start of the machine.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Ticks {
    cores: usize,
    busy: u64,
    all: u64,
}

impl Cores {
    /// How many games may be played, of which `own` are being played: at least one. Where the system does not say what
    /// cores do, all are free.
    pub(crate) fn free(&mut self, own: usize) -> usize {
        let most = thread::available_parallelism().map_or(1, NonZero::get);
        let read = |path: &str| fs::read_to_string(path).unwrap_or_default();
        let Some(now) = ticks(&read("/proc/stat"), &read("/proc/self/status")) else { return most };
        let last = self.last.replace(now);
        last.map_or(most, |last| free(last, now, own)).clamp(1, most)
    }
}

fn free(last: Ticks, now: Ticks, own: usize) -> usize {
    let all = now.all.saturating_sub(last.all).max(1) as f64;
    let busy = now.busy.saturating_sub(last.busy) as f64 / all * now.cores as f64;
    // A game uses one core at most: its players think in turns.
    let others = (busy - own as f64).max(0.0);
    (now.cores as f64 - others + FORGIVEN) as usize
}

/// The ticks of the cores that this process may use.
fn ticks(stat: &str, status: &str) -> Option<Ticks> {
    let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
    let mut ticks = Ticks { cores: 0, busy: 0, all: 0 };
    for line in stat.lines() {
        let Some((number, rest)) = line.strip_prefix("cpu").and_then(|line| line.split_once(' ')) else { continue };
        let Ok(number) = number.parse() else { continue };
        if !contains(list, number) {
            continue;
        }
        let values: Vec<u64> = rest.split_whitespace().take(8).map_while(|value| value.parse().ok()).collect();
        let idle: u64 = values.get(3..5)?.iter().sum();
        let all: u64 = values.iter().sum();
        ticks = Ticks { cores: ticks.cores + 1, busy: ticks.busy + all - idle, all: ticks.all + all };
    }
    let each = |ticks: u64, cores: usize| ticks.checked_div(cores as u64);
    Some(Ticks { all: each(ticks.all, ticks.cores)?, busy: each(ticks.busy, ticks.cores)?, ..ticks })
}

/// Whether a number is in a list such as `0-3,8`.
fn contains(list: &str, number: usize) -> bool {
    list.split(',').any(|part| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        let bounds = (first.trim().parse(), last.trim().parse());
        matches!(bounds, (Ok(first), Ok(last)) if (first..=last).contains(&number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_allowed_cores_are_counted() {
        let stat =
            "cpu  9 9 9 9 9 9 9 9\ncpu0 10 0 10 70 10 0 0 0 5 5\ncpu1 50 0 0 50 0 0 0 0\ncpu2 1 1 1 1 1 1 1 1\nintr 5";
        let ticks = ticks(stat, "Name:\tx\nCpus_allowed_list:\t0-1\n").unwrap();
        assert_eq!(ticks, Ticks { cores: 2, busy: 35, all: 100 });
        assert!(super::ticks(stat, "").is_none() && super::ticks("", "Cpus_allowed_list: 0").is_none());
    }

    #[test]
    fn what_others_use_is_not_free() {
        let at = |busy, all| Ticks { cores: 4, busy, all };
        // Four cores, half of their time busy: two cores. One game of ours uses one of them.
        assert_eq!(free(at(0, 0), at(50, 100), 1), 3);
        assert_eq!(free(at(0, 0), at(50, 100), 2), 4);
        assert_eq!(free(at(0, 0), at(100, 100), 0), 0);
        assert_eq!(free(at(0, 0), at(5, 100), 0), 4, "a little is forgiven");
        assert_eq!(free(at(7, 7), at(7, 7), 0), 4);
        let free = Cores::default().free(0);
        assert!(free >= 1);
    }
}
