//! Moves with what a player knows of them.

use serde::{Deserialize, Serialize};
use turncoat_board::{Geometry, Move};
use turncoat_players::{Explanation, Limits, MoveInfo, Roster};

use crate::{ApiFault, Code, GameText, opponent};

/// A move with what a player knows of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ScoredMove {
    /// The move: a square, or `pass`.
    #[serde(rename = "move")]
    pub label: String,
    /// In discs for the mover.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub score: Option<f64>,
    /// Plies searched.
    pub depth: u32,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions searched.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The expected line, as a transcript.
    pub line: String,
}

impl ScoredMove {
    /// A player's answer after so many seconds; `None` is a pass.
    pub fn new(info: Option<&MoveInfo>, geometry: Geometry, seconds: f64) -> Self {
        Self {
            label: info.map_or(Move::Pass, |info| Move::Place(info.best)).label(geometry),
            score: info.and_then(|info| info.score),
            depth: info.map_or(0, |info| info.depth),
            exact: info.is_some_and(|info| info.exact),
            nodes: info.map_or(0, |info| info.nodes),
            seconds,
            line: info.map_or_else(String::new, |info| line(info, geometry)),
        }
    }

    /// The pass that this move answers.
    pub(crate) fn after_pass(self, geometry: Geometry) -> Self {
        Self { label: Move::Pass.label(geometry), score: self.score.map(|score| -score), ..self }
    }
}

/// The expected line as a transcript, which leaves passes out.
pub(crate) fn line(info: &MoveInfo, geometry: Geometry) -> String {
    let squares = info.line.iter().filter_map(|played| played.square());
    squares.map(|square| geometry.label(square)).collect()
}

/// Who is asked for a move, and in which game.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MoveRequest {
    /// The game; the move is for its last position.
    pub game: GameText,
    /// As in `turncoat:level=3`.
    pub player: String,
    /// The seed of its random choices.
    #[serde(default)]
    pub seed: u64,
}

/// The move that a player chooses.
///
/// # Errors
/// If the game cannot be read or is over, or the player may not be asked or fails.
pub fn choose_move(request: &MoveRequest, roster: &Roster, limits: &Limits) -> Result<ScoredMove, ApiFault> {
    let game = request.game.parse()?;
    if game.position().is_over() {
        return Err(ApiFault::new(Code::NothingToChoose, "the game is over: there is nothing to choose"));
    }
    let mut player = opponent(roster, &request.player, &game, request.seed)?;
    let started = limits.clock.now();
    let info = player.choose(game.position(), limits, &mut |_| {})?;
    let seconds = limits.clock.now().saturating_sub(started).as_secs_f64();
    Ok(ScoredMove::new(info.as_ref(), game.geometry(), seconds))
}

/// Whose evaluation is asked for, and of which position.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The game; its last position is evaluated.
    pub game: GameText,
    /// As in `gene45`.
    pub player: String,
}

/// What a player sees in a position, feature by feature.
///
/// # Errors
/// If the game cannot be read, or the player may not be asked or has no evaluation.
pub fn explain(request: &ExplainRequest, roster: &Roster) -> Result<ExplanationView, ApiFault> {
    let game = request.game.parse()?;
    let explained = opponent(roster, &request.player, &game, 1)?.explain(game.position());
    let none = || ApiFault::new(Code::CannotExplain, "this player has no static evaluation");
    explained.map(ExplanationView::from).ok_or_else(none)
}

/// A static evaluation, feature by feature.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ExplanationView {
    /// The value of the whole, in the player's own unit.
    pub value: f64,
    /// The features; their products add up to the value.
    pub features: Vec<FeatureView>,
}

/// A feature of an evaluation.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FeatureView {
    /// What it measures.
    pub name: String,
    /// What of it is on the board, where a number does not say it: the squares of a pattern, a number of moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// How much of it there is.
    pub value: f64,
    /// What one of it is worth.
    pub weight: f64,
    /// Value times weight.
    pub product: f64,
}

impl From<Explanation> for ExplanationView {
    fn from(Explanation { value, terms }: Explanation) -> Self {
        let features = terms.into_iter().map(|term| FeatureView {
            product: term.product(),
            name: term.name,
            detail: term.detail,
            value: term.value,
            weight: term.weight,
        });
        Self { value, features: features.collect() }
    }
}
