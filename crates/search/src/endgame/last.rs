//! The last four empty squares, where most positions of a solve are: no lists, no table, no bounds but those
//! of the last move.
//!
//! Every function answers whether the mover's score is above the bar (an odd number, which no score is): a
//! result above it is a lower bound of the score, one below it an upper bound.

use std::marker::PhantomData;

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Square, Variant};

use super::NO_SCORE;
use super::count::last_flips;
use super::parity;
use super::squares::{beside, squares_of};

/// What the solvers of the last squares share.
pub(super) struct LastSquares<V> {
    /// Positions entered.
    pub(super) nodes: u64,
    geometry: Geometry,
    /// Squares of the board.
    pub(super) area: i32,
    variant: PhantomData<V>,
}

impl<V: Variant> LastSquares<V> {
    /// A fresh count on a board of this size.
    pub(super) fn new(geometry: Geometry) -> Self {
        Self { nodes: 0, geometry, area: i32::from(geometry.area()), variant: PhantomData }
    }

    /// The score of a board on which nobody can move, for the mover.
    #[inline(always)]
    pub(super) fn final_score(&self, board: Board) -> i32 {
        board.final_score::<V>(self.geometry).discs()
    }
}

/// One empty square. The score when nobody can move there bounds the score when only the opponent can: from
/// above in Reversi, where flips cost the mover discs, and from below in Reversed, where they rid it of them.
#[inline(always)]
pub(super) fn last_one<V: Variant>(ending: &mut LastSquares<V>, board: Board, square: Square, bar: i32) -> i32 {
    ending.nodes += 1;
    let area = ending.area;
    let own = 2 * board.mover().count() as i32 - area;
    let flips = last_flips(board.mover(), square);
    if flips > 0 {
        return V::SIGN * (own + 2 * flips + 2);
    }
    // The square counts for the side with more discs; with one square left the counts differ.
    let unplayed = V::SIGN * (if own >= 0 { own + 2 } else { own });
    if V::SIGN * (unplayed - bar) < 0 {
        return unplayed;
    }
    let flips = last_flips(board.other(), square);
    if flips > 0 { V::SIGN * (own - 2 * flips) } else { unplayed }
}

/// Two empty squares.
#[inline(always)]
pub(super) fn last_two<I: Isa, V: Variant>(
    isa: I,
    ending: &mut LastSquares<V>,
    board: Board,
    [first, second]: [Square; 2],
    bar: i32,
) -> i32 {
    ending.nodes += 1;
    let mut best = NO_SCORE;
    if beside(first, board.other()) {
        let flips = isa.flips(board, first);
        if !flips.is_empty() {
            best = -last_one(ending, board.after(first, flips), second, -bar);
            if best > bar {
                return best;
            }
        }
    }
    if beside(second, board.other()) {
        let flips = isa.flips(board, second);
        if !flips.is_empty() {
            let score = -last_one(ending, board.after(second, flips), first, -bar);
            return score.max(best);
        }
    }
    if best != NO_SCORE {
        return best;
    }
    // The mover passes; the opponent seeks the lowest score.
    let passed = board.pass();
    let mut least = -NO_SCORE;
    if beside(first, passed.other()) {
        let flips = isa.flips(passed, first);
        if !flips.is_empty() {
            least = last_one(ending, passed.after(first, flips), second, bar);
            if least < bar {
                return least;
            }
        }
    }
    if beside(second, passed.other()) {
        let flips = isa.flips(passed, second);
        if !flips.is_empty() {
            let score = last_one(ending, passed.after(second, flips), first, bar);
            return score.min(least);
        }
    }
    if least == -NO_SCORE { ending.final_score(board) } else { least }
}

/// Three empty squares.
pub(super) struct LastThree<'e, V> {
    pub(super) ending: &'e mut LastSquares<V>,
    pub(super) board: Board,
    pub(super) empties: Bitboard,
    pub(super) bar: i32,
}

impl<V: Variant> Task for LastThree<'_, V> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { ending, board, empties, bar } = self;
        ending.nodes += 1;
        // The square that is alone in its quadrant comes first.
        let odd = if parity::pays::<V>() { empties & parity::odd_squares(empties) } else { empties };
        let [first] = squares_of(odd);
        let [second, third] = squares_of(empties & !Bitboard::from_square(first));
        let squares = [first, second, third];
        let score = best_of_three(isa, ending, board, empties, squares, bar);
        if score != NO_SCORE {
            return score;
        }
        let score = best_of_three(isa, ending, board.pass(), empties, squares, -bar);
        if score == NO_SCORE { ending.final_score(board) } else { -score }
    }
}

/// The mover's best of three squares, or no score if it cannot move.
#[inline(always)]
fn best_of_three<I: Isa, V: Variant>(
    isa: I,
    ending: &mut LastSquares<V>,
    board: Board,
    empties: Bitboard,
    squares: [Square; 3],
    bar: i32,
) -> i32 {
    let mut best = NO_SCORE;
    for square in squares {
        if !beside(square, board.other()) {
            continue;
        }
        let flips = isa.flips(board, square);
        if flips.is_empty() {
            continue;
        }
        let rest = squares_of(empties & !Bitboard::from_square(square));
        let score = -last_two(isa, ending, board.after(square, flips), rest, -bar);
        if score > bar {
            return score;
        }
        best = best.max(score);
    }
    best
}

/// Four empty squares.
pub(super) struct LastFour<'e, V> {
    pub(super) ending: &'e mut LastSquares<V>,
    pub(super) board: Board,
    pub(super) empties: Bitboard,
    pub(super) bar: i32,
}

impl<V: Variant> Task for LastFour<'_, V> {
    type Output = i32;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> i32 {
        let Self { ending, board, empties, bar } = self;
        ending.nodes += 1;
        let squares = squares_of(empties);
        let squares = if parity::pays::<V>() { parity::odd_first(squares) } else { squares };
        let score = best_of_four(isa, ending, board, empties, squares, bar);
        if score != NO_SCORE {
            return score;
        }
        let score = best_of_four(isa, ending, board.pass(), empties, squares, -bar);
        if score == NO_SCORE { ending.final_score(board) } else { -score }
    }
}

/// The mover's best of four squares, or no score if it cannot move.
#[inline(always)]
fn best_of_four<I: Isa, V: Variant>(
    isa: I,
    ending: &mut LastSquares<V>,
    board: Board,
    empties: Bitboard,
    squares: [Square; 4],
    bar: i32,
) -> i32 {
    let mut best = NO_SCORE;
    for square in squares {
        if !beside(square, board.other()) {
            continue;
        }
        let flips = isa.flips(board, square);
        if flips.is_empty() {
            continue;
        }
        let empties = empties & !Bitboard::from_square(square);
        let score = -isa.run(LastThree { ending, board: board.after(square, flips), empties, bar: -bar });
        if score > bar {
            return score;
        }
        best = best.max(score);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_board::isa::Backend;
    use turncoat_board::{Color, Reversed, Reversi, Setup};

    /// Perfect play, move by move.
    fn minimax<V: Variant>(board: Board, geometry: Geometry) -> i32 {
        let moves = board.legal_moves(geometry);
        if moves.is_empty() {
            return if board.is_over(geometry) {
                board.final_score::<V>(geometry).discs()
            } else {
                -minimax::<V>(board.pass(), geometry)
            };
        }
        let after = |square| board.play(square, geometry).expect("a legal move");
        let score = |square| -minimax::<V>(after(square), geometry);
        moves.into_iter().map(score).max().expect("a move")
    }

    struct Ask<V> {
        ending: LastSquares<V>,
        board: Board,
        empties: Bitboard,
        bar: i32,
    }

    impl<V: Variant> Task for Ask<V> {
        type Output = i32;
        #[inline(always)]
        fn run<I: Isa>(mut self, isa: I) -> i32 {
            let Self { ref mut ending, board, empties, bar } = self;
            match empties.count() {
                1 => last_one(ending, board, squares_of::<1>(empties)[0], bar),
                2 => last_two(isa, ending, board, squares_of(empties), bar),
                3 => isa.run(LastThree { ending, board, empties, bar }),
                4 => isa.run(LastFour { ending, board, empties, bar }),
                _ => panic!("one to four squares"),
            }
        }
    }

    /// The answer about every bar is on the right side of it, and a bound of the score.
    fn answers_every_bar<V: Variant>(board: Board, geometry: Geometry) {
        let score = minimax::<V>(board, geometry);
        let area = i32::from(geometry.area());
        for backend in Backend::all() {
            for bar in (-area - 1..=area + 1).step_by(2) {
                let answer = backend.run(Ask::<V> {
                    ending: LastSquares::new(geometry),
                    board,
                    empties: board.empties(geometry),
                    bar,
                });
                assert_eq!(answer > bar, score > bar, "{board:?} {geometry} {bar}");
                let is_bound = if answer > bar { answer <= score } else { answer >= score };
                assert!(is_bound, "{board:?} {geometry} {bar}: {answer}, {score}");
            }
        }
    }

    #[test]
    fn the_last_squares_agree_with_minimax_for_every_bar() {
        // A multiplicative generator: the bits of its high half are as good as any.
        let mut state = 0x1234_5678_9abc_def1_u64;
        let mut random = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            state.rotate_left(32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        for geometry in Geometry::ALL {
            for round in 0..1600 {
                let mut filled = geometry.squares();
                for _ in 0..=(round % 4) {
                    let left: Vec<Square> = filled.into_iter().collect();
                    filled &= !Bitboard::from_square(left[random() as usize % left.len()]);
                }
                // Balanced and lopsided boards: passes, double passes and wipe-outs are among them.
                let bits = match round / 4 % 4 {
                    0 => random() & random() & random(),
                    1 => random() | random() | random(),
                    _ => random(),
                };
                let black = filled & Bitboard(bits);
                let setup = Setup { geometry, black, white: filled & !black, side: Color::Black };
                let board = setup.check().expect("a board with discs").board();
                answers_every_bar::<Reversi>(board, geometry);
                answers_every_bar::<Reversed>(board, geometry);
            }
        }
    }
}
