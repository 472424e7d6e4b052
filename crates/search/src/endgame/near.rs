//! A small table of each thread for positions near the end, of which there are most: it stays in the cache, while the
//! large one is reached by a trip to memory that takes as long as part of their search.

use crate::transposition::{Entry, Key};

/// Positions with at most this many empties are kept here.
pub(super) const MOST_NEAR: u32 = 10;
/// One mebibyte.
const SLOTS: usize = 1 << 16;

/// The table: each position has one place, and the latest one keeps it.
pub(super) struct NearTable(Box<[(u64, u64)]>);

impl NearTable {
    /// An empty table.
    pub(super) fn new() -> Self {
        Self(vec![(0, 0); SLOTS].into_boxed_slice())
    }

    /// What is known of this position.
    #[inline(always)]
    pub(super) fn probe(&self, key: Key) -> Option<Entry> {
        let (check, word) = self.0[key.place() % SLOTS];
        (check == key.check() && word != 0).then(|| Entry::unpack(word))
    }

    /// Stores what is known of a position.
    #[inline(always)]
    pub(super) fn store(&mut self, key: Key, entry: Entry) {
        self.0[key.place() % SLOTS] = (key.check(), entry.pack(1));
    }
}
