//! The discs on the board, seen from the side to move.

use crate::isa::Backend;
use crate::{Bitboard, Geometry, Score, Square, Symmetry, Variant, VariantKind};

/// The discs of the side to move and of the other side: 16 bytes, always disjoint.
///
/// A board does not know its size or whose colour moves; a [`Position`](crate::Position) does. Whatever it is made
/// from (the start, a [`Setup`](crate::Setup), a move, two sets of squares), no square holds two discs.
///
/// ```
/// use turncoat_board::{Board, Geometry, VariantKind};
///
/// let board = Board::start(Geometry::EIGHT);
/// let d3 = Geometry::EIGHT.square("d3").unwrap();
/// let next = board.play(d3, Geometry::EIGHT).unwrap();
/// assert_eq!((next.mover().count(), next.other().count()), (1, 4));
/// assert!(next.play(d3, Geometry::EIGHT).is_none());
/// assert!(!next.is_over(Geometry::EIGHT));
/// assert_eq!(Board::new(next.mover(), next.other()), Some(next));
/// assert_eq!(Board::new(next.mover(), next.mover()), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Board {
    mover: Bitboard,
    other: Bitboard,
}

impl Board {
    /// The start of a game: black, to move, has d5 and e4 (of an 8x8 board), white d4 and e5.
    pub const fn start(_geometry: Geometry) -> Self {
        // Small boards are centred in the word, so all sizes have the same four squares.
        Self { mover: Bitboard(0x0000_0008_1000_0000), other: Bitboard(0x0000_0010_0800_0000) }
    }

    /// A board of these discs; `None` if a square is in both sets.
    pub const fn new(mover: Bitboard, other: Bitboard) -> Option<Self> {
        if mover.0 & other.0 == 0 { Some(Self { mover, other }) } else { None }
    }

    /// A board of these discs; the caller has checked that the two sets are disjoint.
    pub(crate) const fn new_disjoint(mover: Bitboard, other: Bitboard) -> Self {
        debug_assert!(mover.0 & other.0 == 0);
        Self { mover, other }
    }

    /// The discs of the side to move.
    #[inline(always)]
    pub const fn mover(self) -> Bitboard {
        self.mover
    }

    /// The discs of the side that does not move.
    #[inline(always)]
    pub const fn other(self) -> Bitboard {
        self.other
    }

    /// All discs.
    #[inline(always)]
    pub const fn discs(self) -> Bitboard {
        Bitboard(self.mover.0 | self.other.0)
    }

    /// The empty squares of a board of this size.
    #[inline(always)]
    pub const fn empties(self, geometry: Geometry) -> Bitboard {
        Bitboard(geometry.squares().0 & !self.discs().0)
    }

    /// The mover's legal moves, by the best instruction set of this machine. Hot loops that already run
    /// inside an instruction set call [`Isa::legal_moves`](crate::isa::Isa::legal_moves).
    pub fn legal_moves(self, geometry: Geometry) -> Bitboard {
        Backend::best().legal_moves(self, self.empties(geometry))
    }

    /// The discs that a move to this square flips; empty if the move is illegal.
    pub fn flips(self, square: Square) -> Bitboard {
        if self.discs().contains(square) { Bitboard::EMPTY } else { Backend::best().flips(self, square) }
    }

    /// The board after a move to this square, seen from the opponent, if the move is legal.
    #[must_use]
    pub fn play(self, square: Square, geometry: Geometry) -> Option<Self> {
        if !geometry.squares().contains(square) {
            return None;
        }
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.after(square, flips))
    }

    /// The board after a move to this square that flips these discs, seen from the opponent.
    ///
    /// For hot loops that have the flips at hand. Whatever the arguments, the result's two sets are
    /// disjoint; it follows the rules when the flips are those of a legal move.
    #[inline(always)]
    #[must_use]
    pub const fn after(self, square: Square, flips: Bitboard) -> Self {
        let gained = flips.0 | Bitboard::from_square(square).0;
        Self { mover: Bitboard(self.other.0 & !gained), other: Bitboard(self.mover.0 | gained) }
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    #[must_use]
    pub const fn pass(self) -> Self {
        Self { mover: self.other, other: self.mover }
    }

    /// Whether neither side can move.
    pub fn is_over(self, geometry: Geometry) -> bool {
        self.legal_moves(geometry).is_empty() && self.pass().legal_moves(geometry).is_empty()
    }

    /// The mover's score if the game ended here: own minus opposing discs (Reversi) or the reverse
    /// (Reversed), with the empty squares counted for the winner.
    ///
    /// ```
    /// use turncoat_board::{Geometry, Position, Reversed, Reversi};
    ///
    /// // White has nothing left: Black's win in Reversi, White's in Reversed.
    /// let text = format!("{}X{} X", "-".repeat(20), "-".repeat(43));
    /// let board = Position::parse(&text, Geometry::EIGHT).unwrap().board();
    /// assert_eq!(board.final_score::<Reversi>(Geometry::EIGHT).discs(), 64);
    /// assert_eq!(board.final_score::<Reversed>(Geometry::EIGHT).discs(), -64);
    /// ```
    #[inline(always)]
    pub fn final_score<V: Variant>(self, geometry: Geometry) -> Score {
        Score::clamped(V::SIGN * self.othello_margin(geometry))
    }

    /// [`final_score`](Self::final_score) for a variant chosen at run time.
    pub fn final_score_of(self, variant: VariantKind, geometry: Geometry) -> Score {
        Score::clamped(variant.sign() * self.othello_margin(geometry))
    }

    /// Own minus opposing discs, the empty squares counted for the side with more discs.
    #[inline(always)]
    fn othello_margin(self, geometry: Geometry) -> i32 {
        let difference = self.mover.count() as i32 - self.other.count() as i32;
        let unplayed = self.empties(geometry).count() as i32;
        difference + difference.signum() * unplayed
    }

    /// A well-mixed hash of the 128 bits, the same on every machine. `salt` keeps the entries of different
    /// variants and sizes apart in one table.
    #[inline(always)]
    pub const fn salted_hash(self, salt: u64) -> u64 {
        // Two rounds of multiply and fold: the product's high half carries every input bit.
        let first = folded_product(self.mover.0 ^ salt ^ 0x9e37_79b9_7f4a_7c15, 0xa076_1d64_78bd_642f);
        folded_product(first ^ self.other.0.rotate_left(32), 0xe703_7ed1_a0b4_28db) ^ self.other.0
    }

    /// The least of the eight symmetric boards, and the symmetry that maps this board to it.
    ///
    /// ```
    /// use turncoat_board::{Board, Geometry, Symmetry};
    ///
    /// let board = Board::start(Geometry::EIGHT);
    /// for symmetry in Symmetry::ALL {
    ///     assert_eq!(symmetry.board(board).canonical().0, board.canonical().0);
    /// }
    /// ```
    pub fn canonical(self) -> (Self, Symmetry) {
        let mut best = (self, Symmetry::IDENTITY);
        for symmetry in &Symmetry::ALL[1..] {
            let image = symmetry.board(self);
            if image < best.0 {
                best = (image, *symmetry);
            }
        }
        best
    }

    pub(crate) const fn transformed(self, symmetry: Symmetry) -> Self {
        Self { mover: symmetry.bitboard(self.mover), other: symmetry.bitboard(self.other) }
    }
}

#[inline(always)]
const fn folded_product(a: u64, b: u64) -> u64 {
    let product = (a as u128).wrapping_mul(b as u128);
    (product as u64) ^ ((product >> 64) as u64)
}
