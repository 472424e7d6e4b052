//! The built-in players by name.

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::classic::{Parameters, Schema};

use crate::classic;
use crate::flagship;
use crate::greedy::Greedy;
use crate::random::Random;
use crate::{Options, Player, Spec, SpecError};

/// What a player is built for.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The game it will play.
    pub variant: VariantKind,
    /// The size of board it will play on.
    pub geometry: Geometry,
    /// Where its random choices come from.
    pub seed: u64,
}

/// Makes a player of its options, which it takes.
type Make = fn(&mut Options, Setting) -> Result<Box<dyn Player>, SpecError>;

/// The parameters of a player with these options, which it takes.
type TakeParameters = fn(&mut Options) -> Result<(Schema, Parameters), SpecError>;

/// A kind of built-in player.
pub struct Kind {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    /// The games it plays.
    pub variants: &'static [VariantKind],
    /// The sizes it plays on, in squares a side.
    pub sides: &'static [u8],
    /// Its options.
    pub options: &'static [OptionHelp],
    pub(crate) make: Make,
    pub(crate) parameters: Option<TakeParameters>,
}

/// An option of a player.
#[derive(Debug)]
pub struct OptionHelp {
    /// What stands before the `=`.
    pub key: &'static str,
    /// What may stand after it.
    pub value: &'static str,
    /// What it does.
    pub about: &'static str,
}

pub(crate) const ALL_SIDES: &[u8] = &[8, 6, 4];

const YARDSTICKS: [Kind; 2] = [
    Kind {
        name: "random",
        about: "any legal move with equal chance",
        variants: &VariantKind::BOTH,
        sides: ALL_SIDES,
        options: &[],
        make: |_, setting| Ok(Box::new(Random::new(setting.seed))),
        parameters: None,
    },
    Kind {
        name: "greedy",
        about: "the fewest discs after the move (the most in Reversi)",
        variants: &VariantKind::BOTH,
        sides: ALL_SIDES,
        options: &[],
        make: |_, setting| Ok(Box::new(Greedy::new(setting.variant))),
        parameters: None,
    },
];

/// All built-in players.
pub fn kinds() -> impl Iterator<Item = &'static Kind> {
    const FLAGSHIP: [Kind; 1] = [flagship::KIND];
    YARDSTICKS.iter().chain(&classic::KINDS).chain(&FLAGSHIP)
}

fn kind_of(spec: &Spec) -> Result<&'static Kind, BuildError> {
    let name = || spec.name().chars().take(40).collect();
    kinds().find(|kind| kind.name == spec.name()).ok_or_else(|| BuildError::Unknown { name: name() })
}

fn finish(options: Options, kind: &Kind) -> Result<(), SpecError> {
    options.finish(&kind.options.iter().map(|option| option.key).collect::<Vec<_>>())
}

/// Whether a description makes a player of some game.
///
/// # Errors
/// If it does not.
pub fn check(spec: &Spec) -> Result<(), BuildError> {
    let kind = kind_of(spec)?;
    let setting = Setting { variant: kind.variants[0], geometry: Geometry::EIGHT, seed: 0 };
    build(spec, setting).map(|_| ())
}

/// The parameters of the player of this description, and what they are.
///
/// # Errors
/// If there is no such player, it has no parameters, or an option does not fit.
pub fn parameters(spec: &Spec) -> Result<(Schema, Parameters), BuildError> {
    let kind = kind_of(spec)?;
    let take = kind.parameters.ok_or(BuildError::NoParameters { name: kind.name })?;
    // The whole description must make a player, though only some options change the parameters.
    check(spec)?;
    Ok(take(&mut spec.options()?)?)
}

/// The parameters of the player of this description as a file that `weights=` reads.
///
/// # Errors
/// As [`parameters`].
pub fn export(spec: &Spec) -> Result<String, BuildError> {
    let (schema, parameters) = parameters(spec)?;
    Ok(schema.write(&parameters))
}

/// Builds the player of this description for this setting.
///
/// # Errors
/// If there is no such player, it does not play this game, or an option does not fit.
pub fn build(spec: &Spec, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
    make(spec, spec.options()?, setting)
}

/// Builds the player of this description with these parameters in place of a file's.
///
/// # Errors
/// As [`build`], and if it has no parameters or these do not fit.
pub fn build_with(spec: &Spec, parameters: &Parameters, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
    let kind = kind_of(spec)?;
    if kind.parameters.is_none() {
        return Err(BuildError::NoParameters { name: kind.name });
    }
    make(spec, spec.options()?.with_parameters(parameters), setting)
}

fn make(spec: &Spec, mut options: Options, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
    let kind = kind_of(spec)?;
    if !kind.variants.contains(&setting.variant) {
        let variant = setting.variant.title();
        return Err(BuildError::Variant { name: kind.name, variant });
    }
    if !kind.sides.contains(&setting.geometry.side()) {
        return Err(BuildError::Size { name: kind.name, geometry: setting.geometry });
    }
    let player = (kind.make)(&mut options, setting)?;
    finish(options, kind)?;
    Ok(player)
}

/// Why a player could not be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BuildError {
    /// No player has this name.
    #[error("no player is called {name:?}: there are {}", names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// The player does not play this game.
    #[error("{name} does not play {variant}")]
    Variant {
        /// Its name.
        name: &'static str,
        /// The game.
        variant: &'static str,
    },
    /// The player does not play on this size.
    #[error("{name} does not play on a board of {geometry}")]
    Size {
        /// Its name.
        name: &'static str,
        /// The size.
        geometry: Geometry,
    },
    /// The player has no parameters.
    #[error("{name} has no parameters")]
    NoParameters {
        /// Its name.
        name: &'static str,
    },
    /// The description or an option is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// A program that is not built in cannot be run, and why.
    #[error("{0}")]
    Foreign(String),
}

fn names() -> String {
    kinds().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}
