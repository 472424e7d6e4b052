//! One CPU for one program: the one that the fewest programs of this process were given.

use std::collections::BTreeMap;
use std::fs;
use std::sync::{Mutex, PoisonError};

static TAKEN: Mutex<BTreeMap<usize, usize>> = Mutex::new(BTreeMap::new());

/// A CPU that a program is held to, for as long as it runs.
#[derive(Debug)]
pub(crate) struct Cpu(usize);

impl Cpu {
    /// The least used CPU of those that this process may use, if that is known.
    pub(crate) fn take() -> Option<Self> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"))?;
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        let cpu = numbers(list).into_iter().min_by_key(|cpu| taken.get(cpu).copied().unwrap_or(0))?;
        *taken.entry(cpu).or_default() += 1;
        Some(Self(cpu))
    }

    /// Its number, as the system counts.
    pub(crate) const fn number(&self) -> usize {
        self.0
    }
}

impl Drop for Cpu {
    fn drop(&mut self) {
        let mut taken = TAKEN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.0) {
            *count = count.saturating_sub(1);
        }
    }
}

/// The numbers of a list such as `0-3,8`.
fn numbers(list: &str) -> Vec<usize> {
    let range = |part: &str| {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        Some(first.trim().parse().ok()?..=last.trim().parse().ok()?)
    };
    list.split(',').filter_map(range).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_cpus_are_read() {
        assert_eq!(numbers("\t0-3,8"), [0, 1, 2, 3, 8]);
        assert_eq!(numbers("5"), [5]);
        assert_eq!(numbers(""), [0; 0]);
    }
}
