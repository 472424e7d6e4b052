//! Exact results in discs.

use core::fmt;
use core::ops::Neg;

/// An exact score in discs from the mover's view, positive when good for the mover.
///
/// It is the margin of a finished game with the empty squares counted for the winner, so it is at most the
/// area of the board. An evaluation's estimate deserves a type of its own.
///
/// ```
/// use turncoat_board::Score;
///
/// let score = Score::new(-4).unwrap();
/// assert_eq!(score.to_string(), "-4");
/// assert_eq!((-score).to_string(), "+4");
/// assert!(Score::new(65).is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "i32", into = "i32"))]
pub struct Score(i8);

impl Score {
    /// A draw.
    pub const DRAW: Self = Self(0);
    /// The highest score of the largest board.
    pub const MAX: Self = Self(64);
    /// The lowest score of the largest board.
    pub const MIN: Self = Self(-64);

    /// The score of this many discs.
    ///
    /// # Errors
    /// [`ScoreOutOfRange`] if there are more than 64.
    pub const fn new(discs: i32) -> Result<Self, ScoreOutOfRange> {
        if discs >= -64 && discs <= 64 { Ok(Self(discs as i8)) } else { Err(ScoreOutOfRange(discs)) }
    }

    /// The score of this many discs, clamped to the range of scores.
    #[inline(always)]
    pub(crate) const fn clamped(discs: i32) -> Self {
        Self(if discs < -64 {
            -64
        } else if discs > 64 {
            64
        } else {
            discs as i8
        })
    }

    /// The number of discs.
    #[inline(always)]
    pub const fn discs(self) -> i32 {
        self.0 as i32
    }
}

impl TryFrom<i32> for Score {
    type Error = ScoreOutOfRange;
    fn try_from(discs: i32) -> Result<Self, ScoreOutOfRange> {
        Self::new(discs)
    }
}

impl From<Score> for i32 {
    fn from(score: Score) -> Self {
        score.discs()
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Score({self})")
    }
}

impl fmt::Display for Score {
    /// Always with a sign: `+4`, `+0`, `-12`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+}", self.0)
    }
}

/// A margin of more than 64 discs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoreOutOfRange(pub i32);

impl fmt::Display for ScoreOutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a score: scores are -64 to +64", self.0)
    }
}

impl core::error::Error for ScoreOutOfRange {}
