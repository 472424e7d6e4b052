//! The objects of the API and of `--json`, and the handlers that answer them.
//!
//! A handler takes a request and returns an answer or an [`ApiFault`]. It knows no server, starts no thread and opens no
//! file: the command line, the server and Python share it. Searches run under the [`Limits`](turncoat_players::Limits)
//! that the caller passes, so that the caller alone decides about clocks and cancellation.
//!
//! ```
//! use turncoat_api::{GameText, read_game};
//!
//! let text: GameText = serde_json::from_str(r#"{"moves": "f5d6"}"#).unwrap();
//! let game = read_game(&text).unwrap();
//! assert_eq!(game.moves, ["f5", "d6"]);
//! let text: GameText = serde_json::from_str(r#"{"moves": "f5f5"}"#).unwrap();
//! assert_eq!(serde_json::to_value(read_game(&text).unwrap_err()).unwrap()["code"], "occupied");
//! ```

mod analysis;
mod analysts;
mod arena;
mod book;
mod checks;
mod codes;
mod count;
mod export;
mod fault;
mod game;
mod keeping;
mod knowledge;
mod matches;
mod moves;
mod players;
mod results;
mod review;
mod runs;

pub use analysis::{
    Analysis, AnalysisAnswer, AnalysisError, AnalysisRequest, analyze, compare_move, review_game, review_move,
};
pub use analysts::Analysts;
pub use arena::{
    ContestGame, ContestGameDetails, ContestKind, ContestRow, ContestView, ContestantDetails, ContestantState,
    ContestantVersion, Contests, LiveBoard, LiveChange, LiveView, StandingPoint, Viewer,
};
pub use book::{BookMoveView, BookRequest, BookView, OpeningNameView, book_view, look_up};
pub use checks::{CheckReport, CheckSummary, CheckedCase};
pub use codes::{Code, Coded, Params};
pub use count::{CountAnswer, CountRequest, CountedGame, count_games};
pub use export::{ExportFormat, ExportRequest, Exported, export_game};
pub use fault::{ApiFault, parse_json, parse_object};
pub use game::{GameText, GameTextError, GameView, LegalMove, OutcomeView, PositionView, read_game};
pub use keeping::{KeepRequest, KeptGame, LastSeen, ListedGame, SavedGame};
pub use knowledge::{CornerKnowledge, Knowledge, StageKnowledge, knowledge};
pub use matches::{MatchRequest, MatchView, Matches};
pub use moves::{ExplainRequest, ExplanationView, FeatureView, MoveRequest, ScoredMove, choose_move, explain};
pub use players::{OptionView, PlayerView, RatingView, opponent, opponents, players};
pub use results::{CrossCell, Decision, GameObject, LadderRow, MatchSummary, SprtObject, TableRow, TournamentSummary};
pub use review::{Mark, MoveFacts, ReviewedMove};
pub use runs::{FitnessPoint, GenePoint, GeneView, RunDetails, RunKindView, RunState, RunView, Runs, YardstickView};
