//! The routes of the API, and its `OpenAPI` document.

mod about;
mod contest;
mod games;
mod learn;
mod matches;
mod play;
mod runs;
mod session;

use std::sync::Arc;
use std::time::Duration;

use axum::routing::{any, get, post};
use axum::{Json, Router, middleware};
use turncoat_api::{AnalysisAnswer, AnalysisRequest, Analysts, ApiFault, Code, Contests, LiveChange, Matches, Runs};
use turncoat_players::Roster;
use utoipa::openapi::{self, ContentBuilder, Ref, ResponseBuilder};
use utoipa::{Modify, OpenApi};

use crate::access::{Site, ask_for_token};
use crate::guard::{Guard, guard};
use crate::rates::{Rates, limit};
use crate::rejection::Rejection;
use crate::searches::SearchPool;
use crate::sockets::Sockets;
use crate::store::Store;
use crate::turns::{self, Turns};
use crate::watching::Watchers;
use crate::{body, files};

/// What all requests share.
#[derive(Debug, Clone)]
pub(crate) struct Shared {
    pub(crate) searches: SearchPool,
    pub(crate) analysts: Arc<Analysts>,
    pub(crate) players: Roster,
    pub(crate) store: Store,
    /// The open sockets.
    pub(crate) sockets: Sockets,
    /// The address of the page, and its token.
    pub(crate) site: Arc<Site>,
    /// The runs of the lab, if there are any to show.
    pub(crate) runs: Option<Arc<dyn Runs>>,
    /// The contest that is shown, if there is one.
    pub(crate) contests: Option<Arc<dyn Contests>>,
    /// Whoever plays matches for the page, on one's own machine.
    pub(crate) matches: Option<Arc<dyn Matches>>,
    /// Who watches its games under way.
    pub(crate) watchers: Option<Watchers>,
}

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Turncoat",
        description = "Reversed Reversi and Reversi: games, moves, analysis. Squares are written f5, scores are in \
                       discs for the mover."
    ),
    paths(
        about::about,
        play::players,
        play::game,
        play::count,
        play::choose,
        play::explain,
        play::book,
        play::book_at,
        play::export,
        play::analyze,
        learn::knowledge,
        games::latest,
        games::add,
        games::one,
        games::replace,
        games::remove,
        runs::all,
        runs::one,
        runs::report,
        contest::table,
        contest::live,
        contest::watch,
        contest::player,
        contest::games,
        contest::games_of,
        contest::game,
        contest::game_of,
        matches::state,
        matches::start,
        matches::stop,
        session::open
    ),
    components(schemas(ApiFault, AnalysisRequest, AnalysisAnswer, LiveChange)),
    modifiers(&CommonFaults)
)]
struct Description;

/// Faults that any request may be refused with; the last ones only if it has a body.
struct CommonFaults;

impl CommonFaults {
    const ALL: [(&str, &str, bool); 6] = [
        ("401", "the token of the server is missing or wrong", false),
        ("403", "another site's page, or a host that is not ours", false),
        ("429", "too many requests", false),
        ("408", "the body did not come in time", true),
        ("413", "the body is too long", true),
        ("415", "the body is not application/json", true),
    ];
}

impl Modify for CommonFaults {
    fn modify(&self, api: &mut openapi::OpenApi) {
        let fault = ContentBuilder::new().schema(Some(Ref::from_schema_name("ApiFault"))).build();
        for item in api.paths.paths.values_mut() {
            let all = [&mut item.get, &mut item.post, &mut item.put, &mut item.delete];
            for operation in all.into_iter().flatten() {
                let has_body = operation.request_body.is_some();
                for (status, about, of_body) in Self::ALL {
                    if of_body && !has_body {
                        continue;
                    }
                    let response = ResponseBuilder::new().description(about);
                    let response = response.content("application/json", fault.clone()).build();
                    let responses = &mut operation.responses.responses;
                    responses.insert(status.to_owned(), response.into());
                }
            }
        }
    }
}

/// The document at `/api/openapi.json`.
pub fn openapi() -> openapi::OpenApi {
    Description::openapi()
}

/// Everything that is served.
pub(crate) fn router(shared: Shared, guarded: Guard, rates: Rates, body_patience: Duration) -> Router {
    let in_turn = middleware::from_fn_with_state(Turns::default(), turns::wait);
    let quick = Router::new()
        .route("/openapi.json", get(async || Json(openapi())))
        .route("/about", get(about::about))
        .route("/players", get(play::players))
        .route("/game", post(play::game))
        .route("/count", post(play::count))
        .route("/explain", post(play::explain))
        .route("/book", post(play::book))
        .route("/book/{variant}/{size}/{position}", get(play::book_at))
        .route("/export", post(play::export))
        .route("/session", post(session::open))
        .route("/knowledge/{variant}", get(learn::knowledge))
        .route("/games", get(games::latest).post(games::add))
        .route("/games/{id}", get(games::one).put(games::replace).delete(games::remove))
        .route("/runs", get(runs::all))
        .route("/runs/{name}", get(runs::one))
        .route("/runs/{name}/report", get(runs::report))
        .route("/contest", get(contest::table))
        .route("/contest/live", get(contest::live))
        .route("/contest/players/{name}", get(contest::player))
        .route("/contest/before/{number}", get(contest::games))
        .route("/contest/players/{name}/before/{number}", get(contest::games_of))
        .route("/contest/games/{number}", get(contest::game).post(contest::game_of))
        .route("/match", get(matches::state).post(matches::start).delete(matches::stop))
        // No fallback: the page's files would come before it.
        .route("/", any(nothing))
        .route("/{*path}", any(nothing))
        .layer(in_turn.clone());
    // Searches have places and turns of their own.
    let api = quick
        .route("/move", post(play::choose))
        .route("/analyze", get(play::analyze))
        .route("/contest/watch", get(contest::watch))
        .method_not_allowed_fallback(async || Rejection::new(Code::WrongMethod, "not with this method"))
        .layer(middleware::from_fn_with_state(body_patience, body::collect))
        .layer(middleware::from_fn_with_state(rates, limit));
    let page = Router::new()
        .route("/", get(files::index))
        .route("/door", get(files::door))
        .route("/{*path}", get(files::file))
        .layer(in_turn);
    Router::new()
        .nest("/api", api)
        .route("/api/", any(nothing))
        .merge(page)
        .layer(middleware::from_fn_with_state(Arc::clone(&shared.site), ask_for_token))
        .layer(middleware::from_fn_with_state(guarded, guard))
        .with_state(shared)
}

async fn nothing() -> Rejection {
    Rejection::new(Code::NoAddress, "the API has no such address")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_address_is_described() {
        let text = serde_json::to_string(&openapi()).unwrap();
        for path in [
            "about",
            "players",
            "game",
            "count",
            "move",
            "explain",
            "book",
            "book/{variant}/{size}/{position}",
            "export",
            "analyze",
            "knowledge/{variant}",
            "games",
            "games/{id}",
            "runs",
            "runs/{name}",
            "runs/{name}/report",
            "contest",
            "contest/live",
            "contest/watch",
            "contest/players/{name}",
            "contest/before/{number}",
            "contest/players/{name}/before/{number}",
            "contest/games/{number}",
            "match",
            "session",
        ] {
            assert!(text.contains(&format!("\"/api/{path}\":")), "{path}");
        }
        let api = serde_json::to_value(openapi()).unwrap();
        let put = &api["paths"]["/api/games/{id}"]["put"]["responses"];
        for status in ["204", "400", "401", "403", "404", "408", "413", "415", "429"] {
            assert!(put[status].is_object(), "{status}");
        }
        let get = &api["paths"]["/api/players"]["get"]["responses"];
        assert!(get["403"].is_object() && get["413"].is_null());
    }
}
