//! The walk of the game tree that all the other crates share, of the same shape as Turncoat's own: the
//! last ply is counted, not played, and the ply before it does not recurse.

/// A position of another crate, seen through its fastest public functions.
///
/// A set of squares is a word with one bit a square, in the crate's own order.
pub trait Rules: Sized {
    /// The start of a game.
    fn start() -> Self;
    /// The legal moves. Mutable, since a crate may cache them.
    fn moves(&mut self) -> u64;
    /// The position after a legal move to the square of this number.
    fn after(&self, square: u32) -> Self;
    /// The position after a pass.
    fn pass(&self) -> Self;
}

/// The number of positions `depth` plies after the start. A pass is a ply; a game that ends earlier is
/// one leaf.
pub fn perft<R: Rules>(depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => leaves(R::start(), depth),
    }
}

fn leaves<R: Rules>(mut position: R, depth: u32) -> u64 {
    let moves = position.moves();
    match (moves, depth) {
        (0, _) => leaves_without_move(&position, depth),
        (_, 1) => u64::from(moves.count_ones()),
        (_, 2) => squares(moves).map(|square| last_ply(position.after(square))).sum(),
        _ => squares(moves).map(|square| leaves(position.after(square), depth - 1)).sum(),
    }
}

/// A pass, unless the game or the count ends here.
fn leaves_without_move<R: Rules>(position: &R, depth: u32) -> u64 {
    let mut passed = position.pass();
    if depth == 1 || passed.moves() == 0 { 1 } else { leaves(passed, depth - 1) }
}

/// Leaves one ply on: without a move there is one, a pass or the end of the game.
#[inline(always)]
fn last_ply<R: Rules>(mut position: R) -> u64 {
    u64::from(position.moves().count_ones().max(1))
}

/// The numbers of the squares of a set.
#[inline(always)]
fn squares(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let square = (set != 0).then(|| set.trailing_zeros());
        set &= set.wrapping_sub(1);
        square
    })
}
