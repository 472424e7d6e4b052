//! Which players may be asked over the network, and with which options.
//!
//! The descriptions of players can name files and any amount of memory or threads; a request may not.

use serde::Serialize;
use thiserror::Error;
use turncoat_board::Game;
use turncoat_players::{BuildError, Player, Setting, Spec, SpecError, build, kinds};
use utoipa::ToSchema;

/// Options that change how a player plays and nothing else.
const HARMLESS: [&str; 10] =
    ["level", "nodes", "depth", "selectivity", "solve", "final", "signs", "form", "mobility", "set"];
/// Mebibytes that a search remembers its positions in.
const HASH: u32 = 4;

/// A player that can be asked for.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct PlayerView {
    name: &'static str,
    about: &'static str,
    variants: Vec<&'static str>,
    sizes: &'static [u8],
    options: Vec<OptionView>,
}

/// An option of a player.
#[derive(Debug, Serialize, ToSchema)]
struct OptionView {
    key: &'static str,
    value: &'static str,
    about: &'static str,
}

/// All players with the options that a request may set.
pub(crate) fn list() -> Vec<PlayerView> {
    let options = |kind: &turncoat_players::Kind| {
        let harmless = kind.options.iter().filter(|o| HARMLESS.contains(&o.key));
        harmless.map(|option| OptionView { key: option.key, value: option.value, about: option.about }).collect()
    };
    kinds()
        .map(|kind| PlayerView {
            name: kind.name,
            about: kind.about,
            variants: kind.variants.iter().map(|v| v.name()).collect(),
            sizes: kind.sides,
            options: options(kind),
        })
        .collect()
}

/// The player of a request, for this game.
pub(crate) fn make(text: &str, game: &Game, seed: u64) -> Result<Box<dyn Player>, OpponentError> {
    let mut spec: Spec = text.parse()?;
    let kind = kinds().find(|kind| kind.name == spec.name());
    for pair in spec.rest().into_iter().flat_map(|rest| rest.split(',')) {
        let key = pair.split('=').next().unwrap_or_default().trim();
        if !HARMLESS.contains(&key) {
            return Err(OpponentError::Option { key: key.chars().take(40).collect() });
        }
    }
    if kind.is_some_and(|kind| kind.options.iter().any(|option| option.key == "hash")) {
        spec = spec.or_option("hash", HASH)?;
    }
    let setting = Setting { variant: game.variant(), geometry: game.geometry(), seed };
    Ok(build(&spec, setting)?)
}

/// Why a player cannot be asked.
#[derive(Debug, Error)]
pub(crate) enum OpponentError {
    /// The option is none that a request may set.
    #[error("the option {key:?} cannot be set here")]
    Option { key: String },
    /// It is no description of a player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// There is no such player for this game.
    #[error(transparent)]
    Build(#[from] BuildError),
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Geometry, VariantKind};

    use super::*;

    #[test]
    fn files_memory_and_threads_are_not_for_requests() {
        let game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        for bad in [
            "turncoat:eval=/etc/passwd",
            "gene45:weights=/etc/passwd",
            "turncoat:hash=100000",
            "turncoat:level=1, threads=9",
            "turncoat:time=1h",
            "turncoat:level",
            "turncoat:=",
            "py:ai.py",
            "nobody",
            "",
        ] {
            assert!(make(bad, &game, 1).is_err(), "{bad}");
        }
        for good in ["turncoat", "turncoat:level=3", "greedy", "gene45:depth=2"] {
            assert!(make(good, &game, 1).is_ok(), "{good}");
        }
    }

    #[test]
    fn every_player_can_be_made_for_what_it_says() {
        for kind in kinds() {
            for &variant in kind.variants {
                for &side in kind.sides {
                    let game = Game::new(variant, Geometry::from_side(side).unwrap());
                    assert!(make(kind.name, &game, 1).is_ok(), "{}", kind.name);
                }
            }
        }
    }
}
