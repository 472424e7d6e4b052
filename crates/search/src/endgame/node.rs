//! The body of the search: a position with enough empties for the table.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Variant};

use super::judge::Judge;
use super::order;
use super::shallow::{SHALLOW, Shallow};
use super::worker::{Candidate, Worker};
use super::{NO_SCORE, final_score};
use crate::stability;
use crate::table::{Entry, Key};

/// Whether the mover's score is above the bar.
pub(super) struct Node<'w, 's, V, J> {
    pub(super) worker: &'w mut Worker<'s, V, J>,
    pub(super) board: Board,
    pub(super) key: Key,
    pub(super) bar: i32,
}

impl<V: Variant, J: Judge> Task for Node<'_, '_, V, J> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { worker, board, key, bar } = self;
        if worker.enter() {
            return 0;
        }
        let empties = worker.empties(board);
        let n = empties.count();
        let moves = isa.legal_moves(board, empties);
        if moves.is_empty() {
            let passed = board.pass();
            if isa.legal_moves(passed, empties).is_empty() {
                return final_score::<V>(board, worker.ending.area);
            }
            let key = worker.key(passed);
            return -isa.run(Node { worker, board: passed, key, bar: -bar });
        }
        if let Some(bound) = stability::decides::<V>(board, worker.shared.geometry, bar) {
            return bound;
        }
        let known = worker.shared.table.probe(key);
        if let Some(entry) = known.filter(|entry| entry.level >= worker.level) {
            if i32::from(entry.lower) > bar {
                return i32::from(entry.lower);
            }
            if i32::from(entry.upper) < bar {
                return i32::from(entry.upper);
            }
        }
        let start = worker.moves.len();
        for square in moves {
            let next = board.after(square, isa.flips(board, square));
            let key = worker.key(next);
            worker.moves.push(Candidate { board: next, key, square, rank: 0 });
        }
        let deep = n > SHALLOW + 1;
        if deep && n >= 11 {
            for i in start..worker.moves.len() {
                if let Some(entry) = worker.shared.table.probe(worker.moves[i].key)
                    && entry.level >= worker.level && i32::from(entry.upper) < -bar {
                        worker.moves.truncate(start);
                        return -i32::from(entry.upper);
                    }
            }
        }
        if worker.moves.len() > start + 1 {
            order::rank(isa, worker, board, start, n);
            if let Some(entry) = known {
                for i in start..worker.moves.len() {
                    let square = Some(worker.moves[i].square);
                    if square == entry.best { worker.moves[i].rank = i32::MAX; }
                    else if square == entry.second { worker.moves[i].rank = i32::MAX - 1; }
                }
            }
        }
        let (mut best, mut best_square) = (NO_SCORE, None);
        for i in start..worker.moves.len() {
            let mut pick = i;
            for j in i + 1..worker.moves.len() {
                if worker.moves[j].rank > worker.moves[pick].rank { pick = j; }
            }
            worker.moves.swap(i, pick);
            let Candidate { board: next, key, square, .. } = worker.moves[i];
            let score = -if deep {
                isa.run(Node { worker: &mut *worker, board: next, key, bar: -bar })
            } else {
                isa.run(Shallow { worker: &mut *worker, board: next, bar: -bar })
            };
            if worker.stopped { worker.moves.truncate(start); return 0; }
            if score > best {
                best = score;
                best_square = Some(square);
                if best > bar { break; }
            }
        }
        worker.moves.truncate(start);
        let _ = Bitboard::EMPTY;
        let mut entry = Entry::blank(n as u8, worker.level);
        if let Some(old) = known {
            if old.level >= worker.level {
                entry.lower = old.lower; entry.upper = old.upper;
            }
            if old.best != best_square { entry.second = old.best; } else { entry.second = old.second; }
        }
        entry.best = best_square;
        if best > bar { entry.lower = best as i8; } else { entry.upper = best as i8; }
        worker.shared.table.store(key, entry);
        best
    }
}
