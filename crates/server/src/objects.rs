//! The JSON objects of the API: what is asked for, and games and moves as they are told.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_board::{Color, Game, Geometry, Position, UnknownSize, UnknownVariant, VariantKind};
use turncoat_record::input::{self, InputError};
use turncoat_record::transcript::{self, TranscriptError};
use utoipa::ToSchema;

use crate::store::Kept;

/// A game as the page names it: the variant, the size, and where it begins and how it goes, or any other format
/// that is read.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameText {
    /// `reversed` or `reversi`.
    #[serde(default = "variant")]
    pub(crate) variant: String,
    /// Squares a side: 8, 6 or 4.
    #[serde(default = "size")]
    pub(crate) size: u8,
    /// A position, a transcript, GGF, the course's log, or `start`.
    #[serde(default = "start")]
    pub(crate) start: String,
    /// The moves from there on, as a transcript.
    #[serde(default)]
    pub(crate) moves: String,
}

fn variant() -> String {
    VariantKind::default().name().to_owned()
}

fn size() -> u8 {
    Geometry::EIGHT.side()
}

fn start() -> String {
    "start".to_owned()
}

impl GameText {
    /// A game that was kept.
    pub(crate) fn of(kept: &Kept) -> Self {
        Self { variant: kept.variant.clone(), size: kept.size, start: kept.start.clone(), moves: kept.moves.clone() }
    }

    /// The game, with every move checked.
    pub(crate) fn read(&self) -> Result<Game, ReadError> {
        let variant = self.variant.parse()?;
        let mut game = input::parse(&self.start, variant, Geometry::from_side(self.size)?)?;
        if self.moves.trim().is_empty() {
            return Ok(game);
        }
        let rest = transcript::parse(&self.moves, game.variant(), game.position())?;
        for &played in rest.moves() {
            // Legal, since the rest begins where the game is.
            let _ = game.play(played);
        }
        Ok(game)
    }
}

/// Why a text is no game.
#[derive(Debug, Error)]
pub(crate) enum ReadError {
    /// The variant is unknown.
    #[error(transparent)]
    Variant(#[from] UnknownVariant),
    /// The size is unknown.
    #[error(transparent)]
    Size(#[from] UnknownSize),
    /// The start cannot be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The moves from there on cannot be read.
    #[error("not a transcript: {0}")]
    Moves(#[from] TranscriptError),
}

/// A game with everything that a board needs to show it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct GameView {
    variant: &'static str,
    size: u8,
    /// The start and the position after each move.
    positions: Vec<PositionView>,
    /// The moves, `pass` among them.
    moves: Vec<String>,
    /// The moves without passes.
    transcript: String,
    outcome: Option<OutcomeView>,
}

/// A position.
#[derive(Debug, Serialize, ToSchema)]
struct PositionView {
    position: String,
    side: String,
    black: u32,
    white: u32,
    legal: Vec<LegalMove>,
    /// Whether the side to move must pass.
    pass: bool,
    over: bool,
    /// How the game ended, if it is over.
    outcome: Option<OutcomeView>,
}

/// A legal move and what it turns.
#[derive(Debug, Serialize, ToSchema)]
struct LegalMove {
    #[serde(rename = "move")]
    label: String,
    flips: Vec<String>,
}

/// How a game ended.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct OutcomeView {
    winner: Option<String>,
    /// Discs of difference, with the unplayed squares in the winner's favour.
    margin: i32,
}

impl OutcomeView {
    /// How the game ended that is at this position, if it has.
    pub(crate) fn of(position: Position, variant: VariantKind) -> Option<Self> {
        let score = position.final_score(variant, Color::Black)?.discs();
        let winner = match score.signum() {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ => None,
        };
        Some(Self { winner: winner.map(|color| color.to_string()), margin: score.abs() })
    }
}

impl GameView {
    pub(crate) fn of(game: &Game) -> Self {
        let geometry = game.geometry();
        let positions = game.positions().iter();
        Self {
            variant: game.variant().name(),
            size: geometry.side(),
            positions: positions.map(|&p| view(p, game.variant())).collect(),
            moves: game.moves().iter().map(|m| m.label(geometry)).collect(),
            transcript: transcript::write(game),
            outcome: OutcomeView::of(game.position(), game.variant()),
        }
    }
}

fn view(position: Position, variant: VariantKind) -> PositionView {
    let geometry = position.geometry();
    let legal = position.legal_moves().into_iter().filter_map(|square| {
        let after = position.play(square)?;
        let flipped = after.board().other() & position.board().other();
        Some(LegalMove {
            label: geometry.label(square),
            flips: flipped.into_iter().map(|s| geometry.label(s)).collect(),
        })
    });
    PositionView {
        position: position.to_string(),
        side: position.side().to_string(),
        black: position.discs(Color::Black).count(),
        white: position.discs(Color::White).count(),
        legal: legal.collect(),
        pass: position.must_pass(),
        over: position.is_over(),
        outcome: OutcomeView::of(position, variant),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(start: &str, moves: &str) -> GameText {
        GameText { variant: variant(), size: size(), start: start.to_owned(), moves: moves.to_owned() }
    }

    #[test]
    fn a_game_is_its_start_and_the_moves_from_there() {
        let whole = text("start", "f5d6c3").read().unwrap();
        let parted = text("f5d6", "c3").read().unwrap();
        assert_eq!(whole.moves(), parted.moves());
        let view = GameView::of(&whole);
        assert_eq!(view.positions.len(), 4);
        assert_eq!(view.positions[0].legal[0].label, "d3");
        assert_eq!(view.positions[0].legal[0].flips, ["d4"]);
        assert_eq!((view.positions[1].black, view.positions[1].white), (4, 1));
        let error = text("start", "f5a1").read().unwrap_err();
        assert!(error.to_string().contains("move 2"), "{error}");
    }

    #[test]
    fn unknown_names_are_refused() {
        for bad in [r#"{"variant":"chess"}"#, r#"{"size":5}"#, r#"{"size":-1}"#, r#"{"colour":"black"}"#, "[1]"] {
            let read = serde_json::from_str::<GameText>(bad).ok();
            assert!(read.is_none_or(|text| text.read().is_err()), "{bad}");
        }
    }
}
