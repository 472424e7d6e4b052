//! A player as it was asked for, parsed once: from here it is built as often as needed.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use thiserror::Error;
use turncoat_board::Geometry;
use turncoat_eval::classic::{Parameters, Schema};
use turncoat_util::digest;

use crate::options::Files;
use crate::registry::kinds;
use crate::roster::{Program, Roster};
use crate::{Kind, Options, Player, Setting, SpecError};

/// A player as it was asked for: `name`, `name:key=value,…` or, of a program, `protocol:command`.
///
/// Files that it names have been read, so whatever is built from it is the same, even if a file changes meanwhile.
/// `parse` finds the built-in players; a [`Roster`] may know more.
///
/// ```
/// use turncoat_players::Spec;
///
/// let spec: Spec = "turncoat:level=3".parse().unwrap();
/// assert_eq!((spec.name(), spec.is_built_in()), ("turncoat", true));
/// let error = ":depth=3".parse::<Spec>().unwrap_err();
/// assert_eq!(error.to_string(), "\":depth=3\": the name of the player is missing");
/// ```
#[derive(Clone)]
pub struct Spec {
    text: Arc<str>,
    origin: Origin,
}

/// Levels from this one on play from a book where people meet them.
const LOWEST_WITH_BOOK: u8 = 15;

#[derive(Clone)]
enum Origin {
    BuiltIn { kind: &'static Kind, options: Arc<Options> },
    Program(Arc<dyn Program>),
}

impl Spec {
    pub(crate) fn from_kind(text: &str, kind: &'static Kind, options: Options) -> Self {
        Self { text: text.into(), origin: Origin::BuiltIn { kind, options: Arc::new(options) } }
    }

    pub(crate) fn from_program(text: &str, program: Arc<dyn Program>) -> Self {
        Self { text: text.into(), origin: Origin::Program(program) }
    }

    /// The part before the first colon: the name of a built-in player, or the protocol of a program.
    pub fn name(&self) -> &str {
        split(&self.text).0
    }

    /// The part after the first colon.
    pub fn rest(&self) -> Option<&str> {
        split(&self.text).1
    }

    /// Whether the player is built in; all others are programs.
    pub const fn is_built_in(&self) -> bool {
        matches!(self.origin, Origin::BuiltIn { .. })
    }

    /// Whether an option is given.
    pub fn has_option(&self, key: &str) -> bool {
        matches!(&self.origin, Origin::BuiltIn { options, .. } if options.has(key))
    }

    /// Whether it decides by itself how far it looks ahead, though it could be told.
    pub fn is_without_depth(&self) -> bool {
        let limits = ["depth", "level", "nodes"];
        matches!(&self.origin, Origin::BuiltIn { kind, options }
            if kind.has_option("depth") && !limits.iter().any(|limit| options.has(limit)))
    }

    /// The options that are given, by their keys.
    pub fn options(&self) -> impl Iterator<Item = (&str, &str)> {
        let options = match &self.origin {
            Origin::BuiltIn { options, .. } => Some(options),
            Origin::Program(_) => None,
        };
        options.into_iter().flat_map(|options| options.pairs())
    }

    /// The same with the default of an option changed: it holds if the player has such an option and it is not given.
    #[must_use]
    pub fn with_default(mut self, key: &str, value: impl fmt::Display) -> Self {
        if let Origin::BuiltIn { kind, options } = &mut self.origin
            && kind.has_option(key)
            && !options.has(key)
        {
            Arc::make_mut(options).set(key, value);
        }
        self
    }

    /// The same with the book that comes with the program, as those play that people meet: from level 15 on; what is proven
    /// in it where no level is given.
    #[must_use]
    pub fn with_usual_book(self) -> Self {
        let level = self.options().find(|(key, _)| *key == "level").map(|(_, level)| level.parse::<u8>());
        match level {
            None => self.with_default("book", "exact"),
            Some(Ok(level)) if level >= LOWEST_WITH_BOOK => self.with_default("book", "on"),
            Some(_) => self,
        }
    }

    /// The same with these parameters in place of a file's or the published ones.
    ///
    /// # Errors
    /// If the player has no parameters.
    pub fn with_parameters(mut self, parameters: &Parameters) -> Result<Self, BuildError> {
        match &mut self.origin {
            Origin::BuiltIn { kind, options } if kind.parameters.is_some() => {
                Arc::make_mut(options).set_parameters(parameters);
                Ok(self)
            }
            _ => Err(self.no_parameters()),
        }
    }

    /// The files that it depends on, for [`Roster::with_files`]: as they were read, by their paths; of a program, its
    /// fingerprint, by its text.
    pub fn files(&self) -> Files {
        match &self.origin {
            Origin::BuiltIn { options, .. } => options.files(),
            Origin::Program(_) => vec![(self.to_string(), self.fingerprint().unwrap_or_default())],
        }
    }

    /// Tells versions of the player apart: a checksum of its parameters or of the program's files. `None` if there
    /// are none.
    pub fn fingerprint(&self) -> Option<String> {
        let contents = match &self.origin {
            // Where it has none of its own, those of its base are in the file that it names.
            Origin::BuiltIn { options, .. } => {
                self.export().ok().or_else(|| options.files().pop().map(|(_, contents)| contents))?
            }
            Origin::Program(program) => program.contents()?,
        };
        Some(digest(contents))
    }

    /// Builds the player. A program is started when it is first needed.
    ///
    /// # Errors
    /// If it does not play the variant or the size, an option is wrong, its file cannot be read, or the program cannot
    /// be run here.
    pub fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        match &self.origin {
            Origin::BuiltIn { kind, options } => kind.build(Options::clone(options), setting),
            Origin::Program(program) => program.build(setting),
        }
    }

    /// Checks that the player can be built for some variant and size.
    ///
    /// # Errors
    /// If it cannot, as [`Self::build`].
    pub fn check(&self) -> Result<(), BuildError> {
        let Origin::BuiltIn { kind, .. } = &self.origin else { return Ok(()) };
        let mut result = Ok(());
        // The full board first, so that its fault is told.
        for geometry in Geometry::ALL {
            for &variant in kind.variants {
                match self.build(Setting { variant, geometry, seed: 0 }) {
                    Ok(_) => return Ok(()),
                    Err(error) => result = result.and(Err(error)),
                }
            }
        }
        result
    }

    /// The player's parameters and what they are.
    ///
    /// # Errors
    /// If it has no parameters, or an option is wrong.
    pub fn parameters(&self) -> Result<(Schema, Parameters), BuildError> {
        match &self.origin {
            Origin::BuiltIn { kind: Kind { parameters: Some(take), .. }, options } => {
                // All options must be right, though only some change the parameters.
                self.check()?;
                Ok(take(&mut Options::clone(options))?)
            }
            _ => Err(self.no_parameters()),
        }
    }

    /// The player's parameters as a file that `weights=` reads.
    ///
    /// # Errors
    /// As [`Self::parameters`].
    pub fn export(&self) -> Result<String, BuildError> {
        let (schema, parameters) = self.parameters()?;
        Ok(schema.write(&parameters))
    }

    fn no_parameters(&self) -> BuildError {
        BuildError::NoParameters { name: self.name().to_owned() }
    }
}

/// Name and rest of a text.
pub(crate) fn split(text: &str) -> (&str, Option<&str>) {
    text.split_once(':').map_or((text, None), |(name, rest)| (name, Some(rest)))
}

impl FromStr for Spec {
    type Err = BuildError;

    fn from_str(text: &str) -> Result<Self, BuildError> {
        Roster::default().parse(text)
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Spec").field(&self.text).finish()
    }
}

/// Why a player cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum BuildError {
    /// No player has this name.
    #[error("no player is called {name:?}: there are {}", names())]
    Unknown {
        /// The name.
        name: String,
    },
    /// The text is a path of Windows at which nothing lies.
    #[error("there is no file {file:?}")]
    NoFile {
        /// The path.
        file: String,
    },
    /// The text is that of a file, which is no player without a protocol.
    #[error("{file:?} is a file: a program is written with its protocol, as in {protocol}:{file}")]
    NoProtocol {
        /// The file.
        file: String,
        /// A protocol that it may speak.
        protocol: &'static str,
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
        name: String,
    },
    /// The roster does not allow this option.
    #[error("the option {key:?} cannot be set here")]
    Forbidden {
        /// The option.
        key: String,
    },
    /// The text or an option is wrong.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The program cannot be run.
    #[error("{0}")]
    Program(String),
    /// The program's files have changed since its fingerprint was taken.
    #[error("{spec:?} is not the program that the run began with")]
    Changed {
        /// The player's text.
        spec: String,
    },
}

fn names() -> String {
    kinds().map(|kind| kind.name).collect::<Vec<_>>().join(", ")
}
