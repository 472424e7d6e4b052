//! Playing: who can play, what a game is, which move to make, and games in other formats.

use axum::Json;
use axum::extract::State;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use turncoat_board::Move;
use turncoat_players::Chosen;
use turncoat_record::Record;
use turncoat_record::{ggf, svg, transcript};
use utoipa::ToSchema;

use super::Shared;
use crate::analysis;
use crate::codes::Code;
use crate::fault::{ApiFault, Body, FaultView};
use crate::objects::{GameText, GameView};
use crate::opponents::{self, PlayerView};

/// The longest question on a socket.
const LONGEST_MESSAGE: usize = 16 << 10;

/// The players, with the options that can be set here.
#[utoipa::path(get, path = "/api/players", responses((status = 200, body = Vec<PlayerView>)))]
pub(super) async fn players() -> Json<Vec<PlayerView>> {
    Json(opponents::list())
}

/// Reads a game in any format and tells all about it.
#[utoipa::path(
    post,
    path = "/api/game",
    request_body = GameText,
    responses((status = 200, body = GameView), (status = 400, body = FaultView))
)]
pub(super) async fn game(Body(text): Body<GameText>) -> Result<Json<GameView>, ApiFault> {
    let game = text.read().map_err(ApiFault::bad)?;
    Ok(Json(GameView::of(&game)))
}

/// Who is asked for a move, and where.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct MoveQuestion {
    game: GameText,
    /// As in `turncoat:level=3`.
    player: String,
    /// Where its random choices come from.
    #[serde(default)]
    seed: u64,
}

/// The move that a player chooses.
#[utoipa::path(
    post,
    path = "/api/move",
    request_body = MoveQuestion,
    responses((status = 200, body = Chosen), (status = 400, body = FaultView), (status = 503, body = FaultView))
)]
pub(super) async fn choose(
    State(shared): State<Shared>,
    Body(question): Body<MoveQuestion>,
) -> Result<Json<Chosen>, ApiFault> {
    let game = question.game.read().map_err(ApiFault::bad)?;
    if game.position().is_over() {
        let told = "the game is over: there is nothing to choose";
        return Err(ApiFault::bad(FaultView::new(Code::NothingToChoose, told)));
    }
    let player = opponents::make(&question.player, &game, question.seed).map_err(ApiFault::bad)?;
    Ok(Json(shared.thinking.choose(game, player).await?))
}

/// A game and what it is to become.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ExportQuestion {
    game: GameText,
    to: Format,
    /// Who played black, for GGF.
    #[serde(default)]
    black: String,
    #[serde(default)]
    white: String,
}

/// A format to export to.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    Text,
    Transcript,
    Ggf,
    Svg,
}

/// A game or its position in a format to keep.
#[utoipa::path(
    post,
    path = "/api/export",
    request_body = ExportQuestion,
    responses((status = 200, body = String), (status = 400, body = FaultView))
)]
pub(super) async fn export(Body(question): Body<ExportQuestion>) -> Result<Response, ApiFault> {
    let game = question.game.read().map_err(ApiFault::bad)?;
    let plain = "text/plain; charset=utf-8";
    let (kind, text) = match question.to {
        Format::Text => (plain, game.position().to_string()),
        Format::Transcript => (plain, transcript::write(&game)),
        Format::Ggf => {
            let record = Record { black: question.black, white: question.white, ..Record::new(game) };
            (plain, ggf::write(&ggf::Ggf::new(record)))
        }
        Format::Svg => {
            let marks = svg::Marks { last: game.moves().last().copied().and_then(Move::square), legal: false };
            ("image/svg+xml", svg::draw(game.position(), marks))
        }
    };
    Ok(([(header::CONTENT_TYPE, kind)], text).into_response())
}

/// A WebSocket on which positions and games are analysed: questions go in, answers come out, ever deeper.
#[utoipa::path(
    get,
    path = "/api/analyze",
    responses((status = 101, description = "a socket for Question and Answer"), (status = 503, body = FaultView))
)]
pub(super) async fn analyze(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Result<Response, ApiFault> {
    let place = shared.sockets.try_acquire_owned().map_err(|_| {
        let fault = FaultView::new(Code::TooManySockets, "too many sockets are open");
        ApiFault::new(StatusCode::SERVICE_UNAVAILABLE, fault)
    })?;
    Ok(upgrade.max_message_size(LONGEST_MESSAGE).max_frame_size(LONGEST_MESSAGE).on_upgrade(async move |socket| {
        analysis::serve(socket, shared.thinking).await;
        drop(place);
    }))
}
