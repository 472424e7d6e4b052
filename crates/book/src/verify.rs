//! Exact scores proven again by a search of its own. It shares nothing with the solver: not its search, its table or its order
//! of moves, and not even the rules, which are written here once more, as plainly as they can be.

use turncoat_board::{Geometry, VariantKind};
use turncoat_util::SplitMix64;

use crate::book::Book;
use crate::entry::Entry;

/// Positions with fewer empties are not worth a place in the table.
const REMEMBERED: u32 = 7;
/// From so many empties on, moves are ordered by the replies that they leave.
const ORDERED: u32 = 5;
const NO_MOVE: u8 = 255;
/// The columns that a run of discs can cross sideways: not the outermost of the word.
const INNER: u64 = 0x7e7e_7e7e_7e7e_7e7e;

/// A plain search that answers whether a side reaches a score.
pub struct Verifier {
    squares: u64,
    /// 1 where many discs win, -1 where few do.
    sign: i32,
    table: Vec<Slot>,
    nodes: u64,
}

/// What is known of a position: its score is `lower` to `upper`.
#[derive(Clone, Copy)]
struct Slot {
    mover: u64,
    other: u64,
    lower: i8,
    upper: i8,
    best: u8,
}

/// A move: its square, the discs after it from the opponent's view, and the replies to it.
#[derive(Clone, Copy)]
struct Step {
    square: u8,
    mover: u64,
    other: u64,
    replies: u32,
}

impl Book {
    /// Exact scores of the positions after so many plies, the latest ones that have any if none are named: so many of them,
    /// drawn by the seed.
    pub fn sample_exact(&self, plies: Option<u32>, count: usize, seed: u64) -> Vec<Entry> {
        let exact = self.entries.iter().filter(|entry| entry.is_exact());
        let plies = plies.or_else(|| exact.clone().map(|entry| Self::ply(entry.board)).max());
        let mut layer: Vec<Entry> = exact.filter(|entry| Some(Self::ply(entry.board)) == plies).copied().collect();
        let mut random = SplitMix64::new(seed);
        for index in 0..layer.len().min(count) {
            let other = index + random.below(layer.len() - index);
            layer.swap(index, other);
        }
        layer.truncate(count);
        layer
    }
}

impl Verifier {
    /// A verifier with a table of about so many mebibytes.
    pub fn new(variant: VariantKind, geometry: Geometry, mebibytes: usize) -> Self {
        let slots = (mebibytes.max(1) << 20) / size_of::<Slot>();
        let empty = Slot { mover: 0, other: 0, lower: i8::MIN, upper: i8::MAX, best: NO_MOVE };
        Self { squares: geometry.squares().0, sign: variant.sign(), table: vec![empty; slots], nodes: 0 }
    }

    /// Positions entered so far.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Whether the mover of a position has exactly its score: it reaches it, and no more.
    pub fn holds(&mut self, entry: &Entry) -> bool {
        let (mover, other, score) = (entry.board.mover().0, entry.board.other().0, entry.score() as i32);
        self.reaches(mover, other, score) && !self.reaches(mover, other, score + 1)
    }

    /// Whether the mover reaches a score against anything that the other side does.
    fn reaches(&mut self, mover: u64, other: u64, score: i32) -> bool {
        self.nodes += 1;
        let moves = self.moves(mover, other);
        if moves == 0 {
            // A pass, or the end.
            return match self.moves(other, mover) {
                0 => self.final_score(mover, other) >= score,
                _ => !self.reaches(other, mover, 1 - score),
            };
        }
        let empties = (self.squares & !(mover | other)).count_ones();
        if empties < ORDERED {
            return squares(moves).any(|square| {
                let (next, against) = after(mover, other, square);
                !self.reaches(next, against, 1 - score)
            });
        }
        if empties < REMEMBERED {
            return self.best(mover, other, moves, NO_MOVE, score).is_some();
        }
        let known = self.known(mover, other);
        if let Some(answer) = known.and_then(|known| known.answer(score)) {
            return answer;
        }
        let first = known.map_or(NO_MOVE, |known| known.best);
        let best = self.best(mover, other, moves, first, score);
        self.remember(mover, other, score, best);
        best.is_some()
    }

    /// A move that reaches the score: the one that did it before is tried first, then those that leave few replies.
    fn best(&mut self, mover: u64, other: u64, moves: u64, first: u8, score: i32) -> Option<u8> {
        let is_kept = (self.squares & !(mover | other)).count_ones() > REMEMBERED;
        let mut steps = [Step { square: NO_MOVE, mover: 0, other: 0, replies: 0 }; 34];
        let mut count = 0;
        for square in squares(moves) {
            let (next, against) = after(mover, other, square);
            let replies = if square == first { 0 } else { 1 + self.moves(next, against).count_ones() };
            steps[count] = Step { square, mover: next, other: against, replies };
            count += 1;
        }
        let steps = &mut steps[..count];
        steps.sort_unstable_by_key(|step| step.replies);
        // One that is already known to do needs no search.
        let answer = |step: &Step| self.known(step.mover, step.other)?.answer(1 - score);
        if let Some(step) = steps.iter().find(|step| is_kept && answer(step) == Some(false)) {
            return Some(step.square);
        }
        steps.iter().find(|step| !self.reaches(step.mover, step.other, 1 - score)).map(|step| step.square)
    }

    /// Squares where a disc of the mover encloses some of the other.
    fn moves(&self, mover: u64, other: u64) -> u64 {
        let mut moves = 0;
        for (step, over) in directions(other) {
            let mut run = shifted(mover, step) & over;
            for _ in 0..5 {
                run |= shifted(run, step) & over;
            }
            moves |= shifted(run, step);
        }
        moves & self.squares & !(mover | other)
    }

    /// The mover's score at the end: empty squares go to the winner.
    fn final_score(&self, mover: u64, other: u64) -> i32 {
        let [own, opposing] = [mover, other].map(|discs| discs.count_ones() as i32);
        let empties = self.squares.count_ones() as i32 - own - opposing;
        self.sign * (own - opposing + (own - opposing).signum() * empties)
    }

    fn place(&self, mover: u64, other: u64) -> usize {
        let mixed = (mover ^ other.rotate_left(31)).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ other;
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        // A pair of slots.
        ((mixed >> 16) as usize % (self.table.len() / 2)) * 2
    }

    fn known(&self, mover: u64, other: u64) -> Option<Slot> {
        let place = self.place(mover, other);
        self.table[place..place + 2].iter().find(|slot| slot.mover == mover && slot.other == other).copied()
    }

    /// Keeps an answer. The first slot of a pair holds the position with more empties.
    fn remember(&mut self, mover: u64, other: u64, score: i32, best: Option<u8>) {
        let place = self.place(mover, other);
        let old = self.known(mover, other);
        let mut slot = old.unwrap_or(Slot { mover, other, lower: i8::MIN, upper: i8::MAX, best: NO_MOVE });
        match best {
            Some(square) => (slot.lower, slot.best) = (score as i8, square),
            None => slot.upper = (score - 1) as i8,
        }
        let discs = |slot: &Slot| (slot.mover | slot.other).count_ones();
        let first = self.table[place];
        let goes_first =
            (first.mover, first.other) == (mover, other) || discs(&first) == 0 || discs(&slot) <= discs(&first);
        self.table[if goes_first { place } else { place + 1 }] = slot;
    }
}

impl Slot {
    /// Whether the mover reaches a score, if that is known.
    fn answer(&self, score: i32) -> Option<bool> {
        if i32::from(self.lower) >= score {
            return Some(true);
        }
        (i32::from(self.upper) < score).then_some(false)
    }
}

/// The eight directions as steps in the word, and the discs that can be passed over in each.
const fn directions(other: u64) -> [(i32, u64); 8] {
    let side = other & INNER;
    [(1, side), (-1, side), (7, side), (-7, side), (9, side), (-9, side), (8, other), (-8, other)]
}

const fn shifted(discs: u64, step: i32) -> u64 {
    if step > 0 { discs << step } else { discs >> -step }
}

/// The discs after a move, seen from the opponent.
fn after(mover: u64, other: u64, square: u8) -> (u64, u64) {
    let placed = 1 << square;
    let mut turned = 0;
    for (step, over) in directions(other) {
        let mut run = shifted(placed, step) & over;
        for _ in 0..5 {
            run |= shifted(run, step) & over;
        }
        if shifted(run, step) & mover != 0 {
            turned |= run;
        }
    }
    (other & !turned, mover | placed | turned)
}

/// The squares of a set.
fn squares(mut set: u64) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros() as u8)?;
        set &= set - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests;
