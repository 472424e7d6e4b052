//! Two books as one.

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};

use crate::book::Book;
use crate::entry::{Entry, STALE, in_order};

/// Why two books cannot be one.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("the books are for {} on {} and for {} on {}", .ours.0, .ours.1, .theirs.0, .theirs.1)]
pub struct MergeError {
    /// Game and size of the first.
    pub ours: (VariantKind, Geometry),
    /// Game and size of the second.
    pub theirs: (VariantKind, Geometry),
}

impl Book {
    /// Adds the positions and games of another book. Of a position that both have, an exact score counts, then one of this
    /// book's evaluation, then the deeper one. Scores of another evaluation are to be searched again.
    ///
    /// # Errors
    /// If it is of another game or size.
    pub fn merge(&mut self, other: &Self) -> Result<(), MergeError> {
        let (ours, theirs) = ((self.variant, self.geometry), (other.variant, other.geometry));
        if ours != theirs {
            return Err(MergeError { ours, theirs });
        }
        let is_foreign = self.evaluation.checksum != other.evaluation.checksum;
        self.entries.extend(other.entries.iter().map(|&entry| {
            let mut entry = entry;
            entry.set(STALE, entry.is_stale() || is_foreign && !entry.is_exact());
            entry
        }));
        let rank = |entry: &Entry| (entry.is_exact(), !entry.is_stale(), entry.depth);
        // Stable: of equals this book's comes first.
        self.entries.sort_by(|one, other| in_order(one.board, other.board).then(rank(other).cmp(&rank(one))));
        self.entries.dedup_by_key(|entry| entry.board);
        self.add_counts(other.games.iter().copied());
        self.settle();
        Ok(())
    }
}
