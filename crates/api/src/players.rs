//! The players, and which of them a request may ask, with which options.
//!
//! A player's text can name files and any amount of memory or threads; a request may not.

use std::borrow::Cow;

use serde::Serialize;
use turncoat_board::{Game, VariantKind};
use turncoat_players::flagship::{LevelRating, level_rating};
use turncoat_players::{BuildError, FilePlayer, Kind, Player, Roster, Setting, Spec};

/// Options that change how a player plays and nothing else.
const HARMLESS: [&str; 10] =
    ["level", "nodes", "depth", "selectivity", "solve", "final", "signs", "form", "mobility", "set"];
/// Mebibytes of the transposition table of a player that moves, and of one that analyses: it is kept and shared by a client's
/// searches, and with 4 the review of a game takes half as long again.
const HASH: u32 = 4;
const ANALYST_HASH: u32 = 16;
/// The boldness of level 20's cuts by probability.
const CAREFUL: u32 = 2;

/// A kind of player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PlayerView {
    /// Its name.
    pub name: Cow<'static, str>,
    /// One line about it.
    pub about: &'static str,
    /// Whether it analyses: it thinks in discs.
    pub analyses: bool,
    /// Whether it has an evaluation to explain.
    pub explains: bool,
    /// The games it plays.
    pub variants: Vec<&'static str>,
    /// The sizes it plays on.
    pub sizes: &'static [u8],
    /// Its options.
    pub options: Vec<OptionView>,
    /// How strong its levels are, as far as that was measured: game by game, the lowest first.
    pub ratings: Vec<RatingView>,
}

/// An option of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OptionView {
    /// What stands before the `=`.
    pub key: &'static str,
    /// What may stand after it.
    pub value: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// The measured strength of a level on 8x8.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct RatingView {
    /// The game.
    pub variant: &'static str,
    /// The level.
    pub level: u8,
    /// Elo above the player `random`.
    pub elo: i32,
    /// Half the width of the 95 % interval.
    pub error: i32,
}

impl PlayerView {
    fn new(kind: &'static Kind, roster: &Roster) -> Self {
        let options = roster.options(kind);
        let analyses = kind.has_option("eval");
        Self {
            name: kind.name.into(),
            about: kind.about,
            analyses,
            explains: analyses || kind.has_parameters(),
            variants: kind.variants.iter().map(|variant| variant.name()).collect(),
            sizes: kind.sides,
            options: options.map(|o| OptionView { key: o.key, value: o.value, about: o.about }).collect(),
            ratings: if kind.has_option("level") { ratings(kind.variants) } else { Vec::new() },
        }
    }

    fn of_file(file: &FilePlayer, roster: &Roster) -> Self {
        Self {
            name: file.name.clone().into(),
            variants: vec![file.variant.name()],
            sizes: file.sides,
            ratings: Vec::new(),
            ..Self::new(file.kind, roster)
        }
    }
}

impl PlayerView {
    /// A program, of which nothing is known but its name.
    fn of_program(name: String) -> Self {
        Self {
            name: name.into(),
            about: "a program of the server's folder",
            analyses: false,
            explains: false,
            variants: [VariantKind::Reversed, VariantKind::Reversi].map(VariantKind::name).to_vec(),
            sizes: &[8],
            options: Vec::new(),
            ratings: Vec::new(),
        }
    }
}

/// The ratings of all levels in these games.
fn ratings(variants: &[VariantKind]) -> Vec<RatingView> {
    let rating = |variant: VariantKind, level| {
        let LevelRating { elo, error } = level_rating(level, variant)?;
        Some(RatingView { variant: variant.name(), level, elo, error })
    };
    variants.iter().flat_map(|&variant| (1..).map_while(move |level| rating(variant, level))).collect()
}

/// The players of a roster with the options that it allows: those that are built in, those that are files,
/// and programs.
pub fn players(roster: &Roster) -> Vec<PlayerView> {
    let built_in = roster.kinds().map(|kind| PlayerView::new(kind, roster));
    let files = roster.file_players();
    let files = files.iter().map(|file| PlayerView::of_file(file, roster));
    built_in.chain(files).chain(roster.programs().into_iter().map(PlayerView::of_program)).collect()
}

/// The players that a request may ask, with the options that it may set.
pub fn opponents() -> Roster {
    Roster::default().with_options(&HARMLESS)
}

/// Builds the player of a request for this game, one of a roster of [`opponents`].
///
/// # Errors
/// If there is no such player for this game, or a request may not set one of its options.
pub fn opponent(roster: &Roster, text: &str, game: &Game, seed: u64) -> Result<Box<dyn Player>, BuildError> {
    build(roster.parse(text)?, HASH, game, seed)
}

/// The same for one who analyses.
pub(crate) fn analyst(roster: &Roster, text: &str, careful: bool, game: &Game) -> Result<Box<dyn Player>, BuildError> {
    let spec = roster.parse(text)?;
    build(if careful { spec.with_default("selectivity", CAREFUL) } else { spec }, ANALYST_HASH, game, 1)
}

fn build(spec: Spec, hash: u32, game: &Game, seed: u64) -> Result<Box<dyn Player>, BuildError> {
    spec.with_default("hash", hash).with_usual_book().build(Setting::from_game(game, seed))
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
            assert!(opponent(&opponents(), bad, &game, 1).is_err(), "{bad}");
        }
        for good in ["turncoat", "turncoat:level=3", "greedy", "gene45:depth=2"] {
            assert!(opponent(&opponents(), good, &game, 1).is_ok(), "{good}");
        }
    }

    #[test]
    fn levels_have_ratings() {
        for player in players(&opponents()) {
            let first: Vec<_> = player.ratings.iter().filter(|rating| rating.level == 1).collect();
            assert_eq!(first.len(), if player.name == "turncoat" { 2 } else { 0 }, "{}", player.name);
            assert!(player.ratings.iter().all(|rating| rating.elo > 0 && rating.error > 0));
        }
    }

    #[test]
    fn every_player_can_be_made_for_what_it_says() {
        for kind in opponents().kinds() {
            for &variant in kind.variants {
                for &side in kind.sides {
                    let game = Game::new(variant, Geometry::from_side(side).unwrap());
                    assert!(opponent(&opponents(), kind.name, &game, 1).is_ok(), "{}", kind.name);
                }
            }
        }
    }
}
