//! A built-in player as one Python file: for the course's platform, and for Botzone.
//!
//! The file holds a search and an evaluation, and needs nothing but Python and numpy: our own player with the trained
//! weights of patterns ([`patterns`]), or a classic that plays as the original does ([`classic`]).

mod classic;
mod pack;
mod patterns;

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{BuildError, Setting, Spec};

pub use pack::Plan;

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The course's class.
    Course,
    /// A program for Botzone.
    Botzone,
}

impl Target {
    /// How large the file may be by default. Neither platform states a limit; these load quickly and can be
    /// pasted into a form.
    pub const fn usual_bytes(self) -> usize {
        match self {
            Self::Course => 3_000_000,
            Self::Botzone => 400_000,
        }
    }

    /// What the platform calls, the end of a file.
    const fn end(self) -> &'static str {
        match self {
            Self::Course => include_str!("course.py"),
            Self::Botzone => include_str!("botzone.py"),
        }
    }
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportFault {
    /// The player cannot be built.
    #[error(transparent)]
    Player(#[from] BuildError),
    /// No file would play as this player does.
    #[error("{player} cannot be exported: {why}")]
    Refused {
        /// The player.
        player: String,
        /// Why not.
        why: String,
    },
    /// Even the coarsest weights do not fit.
    #[error("the player does not fit {most} bytes: the least is {least}")]
    TooSmall {
        /// What was allowed.
        most: usize,
        /// The size of the smallest file.
        least: usize,
    },
    /// This program was built with weights that cannot be read.
    #[error("the weights of this program are damaged")]
    Damaged,
}

/// The source of a player of this game, of at most so many bytes.
///
/// # Errors
/// If the player cannot be built, cannot be exported, or does not fit.
///
/// ```
/// use turncoat_board::VariantKind;
/// use turncoat_host::export::{Target, source};
///
/// let player = "gene45:depth=3".parse().unwrap();
/// let file = source(Target::Botzone, VariantKind::Reversed, &player, 400_000).unwrap();
/// assert!(file.contains("import numpy as np") && file.len() <= 400_000);
/// ```
pub fn source(target: Target, variant: VariantKind, player: &Spec, most: usize) -> Result<String, ExportFault> {
    if !player.is_built_in() {
        return Err(refused(player, "it is a program of its own"));
    }
    player.build(Setting { variant, geometry: Geometry::EIGHT, seed: 0 })?;
    if player.name() == "turncoat" {
        return patterns::source(target, variant, player, most);
    }
    let text = classic::source(target, variant, player)?;
    if text.len() > most {
        return Err(ExportFault::TooSmall { most, least: text.len() });
    }
    Ok(text)
}

fn refused(player: &Spec, why: impl Into<String>) -> ExportFault {
    ExportFault::Refused { player: player.to_string(), why: why.into() }
}

/// The beginning of a file: what it is, its imports, and the game.
fn head(target: Target, variant: VariantKind, what: &str, how: &str, imports: &[&str]) -> String {
    let (first, own): (&str, &[&str]) = match target {
        Target::Course => ("", &["time"]),
        Target::Botzone => {
            ("import time\n\n# Before what takes long to load.\nLOADED = time.time()\n\n", &["json", "os", "sys"])
        }
    };
    let mut modules = [own, imports].concat();
    modules.sort_unstable();
    let imports: String = modules.iter().map(|module| format!("import {module}\n")).collect();
    let sign = match variant {
        VariantKind::Reversed => -1,
        VariantKind::Reversi => 1,
    };
    format!(
        "\"\"\"{what}, a player of {}, in one file.\n\n{how}\n\
         Written by: turncoat export. MIT OR Apache-2.0.\n\"\"\"\n\n{first}{imports}\nimport numpy as np\n\n\
         # Whether more discs win (1) or fewer (-1).\nSIGN = {sign}\n",
        variant.title(),
    )
}

/// A file of these parts.
fn joined(mut text: String, parts: &[&str], target: Target) -> String {
    for part in parts {
        text += part.trim_end();
        text += "\n\n";
    }
    text + target.end()
}
