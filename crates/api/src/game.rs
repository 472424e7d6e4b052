//! Games: as they are asked about, and with everything that a board shows.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_board::{Color, Game, Geometry, Position, UnknownSize, UnknownVariant, VariantKind};
use turncoat_record::input::{self, InputError};
use turncoat_record::transcript::{self, TranscriptError};

use crate::{ApiFault, SavedGame};

/// A colour, as schemas describe it.
#[cfg(feature = "openapi")]
#[derive(utoipa::ToSchema)]
#[schema(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is used")]
pub(crate) enum Side {
    Black,
    White,
}

/// A game as text: variant, size, where it begins, and its moves.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GameText {
    /// `reversed` or `reversi`.
    pub variant: String,
    /// Squares a side: 8, 6 or 4.
    pub size: u8,
    /// `start`, or a position, a transcript, GGF or the course's log.
    pub start: String,
    /// The moves from there on, as a transcript.
    pub moves: String,
}

impl Default for GameText {
    fn default() -> Self {
        Self {
            variant: VariantKind::default().name().to_owned(),
            size: Geometry::EIGHT.side(),
            start: "start".to_owned(),
            moves: String::new(),
        }
    }
}

impl From<&SavedGame> for GameText {
    fn from(saved: &SavedGame) -> Self {
        let SavedGame { variant, size, start, moves, .. } = saved;
        Self { variant: variant.clone(), size: *size, start: start.clone(), moves: moves.clone() }
    }
}

impl GameText {
    /// The game, with every move checked.
    ///
    /// # Errors
    /// If there is no such variant or size, the start is in no known format, or a move is illegal.
    pub fn parse(&self) -> Result<Game, GameTextError> {
        let variant = self.variant.parse()?;
        let mut game = input::parse(&self.start, variant, Geometry::from_side(self.size)?)?;
        if self.moves.trim().is_empty() {
            return Ok(game);
        }
        let rest = transcript::parse(&self.moves, game.variant(), game.position())?;
        for &played in rest.moves() {
            // Legal: the transcript was parsed from this very position.
            let _ = game.play(played);
        }
        Ok(game)
    }
}

/// Why a text is not a game.
#[derive(Debug, Error)]
pub enum GameTextError {
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct GameView {
    /// `reversed` or `reversi`.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    pub variant: VariantKind,
    /// Squares a side.
    #[cfg_attr(feature = "openapi", schema(value_type = u8))]
    pub size: Geometry,
    /// The start and the position after each move.
    pub positions: Vec<PositionView>,
    /// The moves, `pass` among them.
    pub moves: Vec<String>,
    /// The moves without passes.
    pub transcript: String,
    /// The position after the pass that the side to move must make, if it must.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub passed: Option<PositionView>,
    /// How the game ended, if it is over.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<OutcomeView>,
}

/// A position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct PositionView {
    /// The position as text: its cells and the side to move.
    pub position: String,
    /// The side to move.
    #[cfg_attr(feature = "openapi", schema(value_type = Side))]
    pub side: Color,
    /// Black's discs.
    pub black: u32,
    /// White's discs.
    pub white: u32,
    /// The legal moves, in the order of squares.
    pub legal: Vec<LegalMove>,
    /// Whether the side to move must pass.
    pub pass: bool,
    /// Whether neither side can move.
    pub over: bool,
    /// How the game ended, if it is over.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub outcome: Option<OutcomeView>,
}

/// A legal move and the discs that it flips.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct LegalMove {
    /// The square.
    #[serde(rename = "move")]
    pub label: String,
    /// The squares of the flipped discs.
    pub flips: Vec<String>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct OutcomeView {
    /// Who won; nobody in a draw.
    #[cfg_attr(feature = "openapi", schema(required, value_type = Option<Side>))]
    pub winner: Option<Color>,
    /// The difference in discs, with the empty squares in the winner's favour.
    pub margin: i32,
}

impl OutcomeView {
    /// How a game ended that is at this position, if it has.
    pub fn new(position: Position, variant: VariantKind) -> Option<Self> {
        let score = position.final_score(variant, Color::Black)?.discs();
        let winner = match score.signum() {
            1 => Some(Color::Black),
            -1 => Some(Color::White),
            _ => None,
        };
        Some(Self { winner, margin: score.abs() })
    }
}

impl From<&Game> for GameView {
    fn from(game: &Game) -> Self {
        let (geometry, last) = (game.geometry(), game.position());
        Self {
            variant: game.variant(),
            size: geometry,
            positions: game.positions().iter().map(|&p| PositionView::new(p, game.variant())).collect(),
            moves: game.moves().iter().map(|m| m.label(geometry)).collect(),
            transcript: transcript::write(game),
            passed: last.must_pass().then(|| PositionView::new(last.pass(), game.variant())),
            outcome: OutcomeView::new(last, game.variant()),
        }
    }
}

impl PositionView {
    /// A position of this game.
    pub fn new(position: Position, variant: VariantKind) -> Self {
        let geometry = position.geometry();
        let legal = position.legal_moves().into_iter().filter_map(|square| {
            let after = position.play(square)?;
            let flipped = after.board().other() & position.board().other();
            Some(LegalMove {
                label: geometry.label(square),
                flips: flipped.into_iter().map(|s| geometry.label(s)).collect(),
            })
        });
        Self {
            position: position.to_string(),
            side: position.side(),
            black: position.discs(Color::Black).count(),
            white: position.discs(Color::White).count(),
            legal: legal.collect(),
            pass: position.must_pass(),
            over: position.is_over(),
            outcome: OutcomeView::new(position, variant),
        }
    }
}

/// Reads a game in any format, with all its positions.
///
/// # Errors
/// If the text is not a game.
pub fn read_game(text: &GameText) -> Result<GameView, ApiFault> {
    Ok(GameView::from(&text.parse()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(start: &str, moves: &str) -> GameText {
        GameText { start: start.to_owned(), moves: moves.to_owned(), ..GameText::default() }
    }

    #[test]
    fn a_game_is_its_start_and_the_moves_from_there() {
        let whole = text("start", "f5d6c3").parse().unwrap();
        let parted = text("f5d6", "c3").parse().unwrap();
        assert_eq!(whole.moves(), parted.moves());
        let view = GameView::from(&whole);
        assert_eq!(view.positions.len(), 4);
        assert_eq!(view.positions[0].legal[0].label, "d3");
        assert_eq!(view.positions[0].legal[0].flips, ["d4"]);
        assert_eq!((view.positions[1].black, view.positions[1].white), (4, 1));
        let error = text("start", "f5a1").parse().unwrap_err();
        assert!(error.to_string().contains("move 2"), "{error}");
    }

    #[test]
    fn a_pass_that_must_be_made_is_looked_through() {
        // White has no move; Black has.
        let view = GameView::from(&text(&format!("XO{} O", "-".repeat(62)), "").parse().unwrap());
        let passed = view.passed.unwrap();
        assert!(view.positions[0].pass && !passed.pass);
        assert_eq!((passed.side, passed.legal[0].label.as_str()), (Color::Black, "c1"));
        assert_eq!(GameView::from(&text("start", "f5").parse().unwrap()).passed, None);
    }

    #[test]
    fn unknown_names_are_refused() {
        for bad in [r#"{"variant":"chess"}"#, r#"{"size":5}"#, r#"{"size":-1}"#, r#"{"colour":"black"}"#, "[1]"] {
            let read = serde_json::from_str::<GameText>(bad).ok();
            assert!(read.is_none_or(|text| text.parse().is_err()), "{bad}");
        }
    }
}
