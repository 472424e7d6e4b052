//! The built-in players by name.

use turncoat_board::{Game, Geometry, VariantKind};
use turncoat_eval::classic::{Parameters, Schema};

use crate::adaptive;
use crate::classic;
use crate::flagship;
use crate::greedy::Greedy;
use crate::random::Random;
use crate::{BuildError, Options, Player, SpecError};

/// What a player is built for.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// The game it will play.
    pub variant: VariantKind,
    /// The size of board it will play on.
    pub geometry: Geometry,
    /// The seed of its random choices.
    pub seed: u64,
}

impl Setting {
    /// The variant and size of a game.
    pub fn from_game(game: &Game, seed: u64) -> Self {
        Self { variant: game.variant(), geometry: game.geometry(), seed }
    }
}

/// Builds a player from its options.
type Make = fn(&mut Options, Setting) -> Result<Box<dyn Player>, SpecError>;

/// The parameters of a player with these options.
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
#[derive(Debug, Clone, Copy)]
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
pub(crate) fn kinds() -> impl Iterator<Item = &'static Kind> {
    const OURS: [Kind; 2] = [adaptive::KIND, flagship::KIND];
    YARDSTICKS.iter().chain(&classic::KINDS).chain(&OURS)
}

impl Kind {
    /// Whether it has an option with this key.
    pub fn has_option(&self, key: &str) -> bool {
        self.options.iter().any(|option| option.key == key)
    }

    /// Whether it has parameters, which a file may replace.
    pub const fn has_parameters(&self) -> bool {
        self.parameters.is_some()
    }

    /// Builds the player with these options.
    ///
    /// # Errors
    /// If it does not play the variant or the size, or an option is wrong.
    pub(crate) fn build(&self, mut options: Options, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        if !self.variants.contains(&setting.variant) {
            return Err(BuildError::Variant { name: self.name, variant: setting.variant.title() });
        }
        if !self.sides.contains(&setting.geometry.side()) {
            return Err(BuildError::Size { name: self.name, geometry: setting.geometry });
        }
        Ok((self.make)(&mut options, setting)?)
    }

    /// Refuses options that it does not have.
    ///
    /// # Errors
    /// If there is one; the error lists those it has.
    pub(crate) fn check_options(&self, options: &Options) -> Result<(), SpecError> {
        let Some(key) = options.keys().find(|key| !self.has_option(key)) else {
            return Ok(());
        };
        let known: Vec<&str> = self.options.iter().map(|option| option.key).collect();
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        Err(options.fault(format!("no option is called {key:?}: {known}")))
    }
}
