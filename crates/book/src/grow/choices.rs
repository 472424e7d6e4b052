//! Surer choices between moves that are nearly as good.

use std::collections::BTreeSet;

use super::{BATCH, Task};
use crate::book::Book;

/// The first moves that are not searched as deep as asked, although they lose no more than `within` to the best of their
/// position. What a move with answers in the book is worth follows from those.
pub(super) fn tasks(book: &Book, depth: u32, within: i32) -> BTreeSet<Task> {
    let mut tasks = BTreeSet::new();
    for entry in book.entries.iter().filter(|entry| entry.is_complete() && !entry.is_proven()) {
        for (board, worth) in book.worths(entry.board) {
            let is_near = worth.is_some_and(|worth| worth + within >= i32::from(entry.value));
            let is_shallow = |next: &crate::Entry| next.depth() < depth && !next.is_complete() && !next.is_exact();
            if is_near && book.get(board).is_some_and(is_shallow) {
                tasks.insert(Task { board, depth });
            }
        }
        if tasks.len() >= BATCH {
            break;
        }
    }
    tasks
}
