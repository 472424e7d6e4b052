//! The two games: the same moves, opposite aims.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt;
use core::str::FromStr;

/// A variant known at compile time. Searches are generic over it, and [`VariantKind::run`] selects it once, at
/// the root.
///
/// The variant is a sign at the end of the game and nothing else: if the Reversi score of a final board is
/// `N`, its Reversed score is `-N`.
pub trait Variant: Copy + Send + Sync + Default + 'static {
    /// The same variant at run time.
    const KIND: VariantKind;
    /// The factor of the Reversi score: 1 or -1.
    const SIGN: i32;
}

/// Reversi (Othello): most discs win.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reversi;

/// Reversed Reversi (anti-Othello, misère): fewest discs win.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reversed;

impl Variant for Reversi {
    const KIND: VariantKind = VariantKind::Reversi;
    const SIGN: i32 = 1;
}

impl Variant for Reversed {
    const KIND: VariantKind = VariantKind::Reversed;
    const SIGN: i32 = -1;
}

/// A variant chosen at run time.
///
/// ```
/// use turncoat_board::VariantKind;
///
/// assert_eq!("reversed".parse(), Ok(VariantKind::Reversed));
/// assert_eq!(VariantKind::Reversi.sign(), 1);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "lowercase"))]
pub enum VariantKind {
    /// Fewest discs win.
    #[default]
    Reversed,
    /// Most discs win.
    Reversi,
}

/// A computation that is generic over the variant, run by [`VariantKind::run`].
pub trait VariantTask {
    /// The result.
    type Output;
    /// Computes it for the variant `V`.
    fn run<V: Variant>(self, variant: V) -> Self::Output;
}

impl VariantKind {
    /// Both variants, the project's own first.
    pub const BOTH: [Self; 2] = [Self::Reversed, Self::Reversi];

    /// Runs a generic computation with this variant: the one switch at the root.
    pub fn run<T: VariantTask>(self, task: T) -> T::Output {
        match self {
            Self::Reversed => task.run(Reversed),
            Self::Reversi => task.run(Reversi),
        }
    }

    /// The factor of the Reversi score: 1 or -1.
    pub const fn sign(self) -> i32 {
        match self {
            Self::Reversed => Reversed::SIGN,
            Self::Reversi => Reversi::SIGN,
        }
    }

    /// The name in commands and files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Reversed => "reversed",
            Self::Reversi => "reversi",
        }
    }

    /// The name in prose.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Reversed => "Reversed Reversi",
            Self::Reversi => "Reversi",
        }
    }
}

impl fmt::Display for VariantKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for VariantKind {
    type Err = UnknownVariant;
    fn from_str(name: &str) -> Result<Self, UnknownVariant> {
        Self::BOTH.into_iter().find(|v| v.name() == name).ok_or_else(|| UnknownVariant(name.to_owned()))
    }
}

/// The name of an unknown variant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownVariant(pub String);

impl fmt::Display for UnknownVariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no variant is called {:?}: variants are \"reversed\" and \"reversi\"", self.0)
    }
}

impl core::error::Error for UnknownVariant {}
