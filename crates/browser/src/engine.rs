//! Questions and their answers.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use turncoat_api::{
    AnalysisAnswer, AnalysisRequest, Analysts, ApiFault, BookRequest, Code, CountRequest, ExplainRequest,
    ExportRequest, GameText, KeepRequest, KeptGame, ListedGame, MoveRequest, SavedGame, choose_move, count_games,
    explain, export_game, knowledge, look_up, opponents, parse_object, players, read_game,
};
use turncoat_board::isa::Backend;
use turncoat_board::{Board, Game, Geometry, Move, VariantKind};
use turncoat_players::Limits;

/// The longest that a player may search for a move, and that an analysis may search.
const LONGEST_MOVE: Duration = Duration::from_mins(2);
const LONGEST_ANALYSIS: Duration = Duration::from_mins(10);
/// The name of a person among players.
const HUMAN: &str = "human";
/// Who asks: there is one client.
const CLIENT: &str = "page";

/// A question, as the server would be asked it.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// As in `POST`.
    pub method: String,
    /// Below `/api/`.
    pub path: String,
    /// What is sent, if anything.
    #[serde(default)]
    pub body: Value,
}

/// An answer, as the server would give it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The status of HTTP: 200, or 400 with a fault.
    pub status: u16,
    /// The media type, where it is not JSON.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub media_type: Option<&'static str>,
    /// The object, or the text.
    pub body: Value,
}

/// Answers anything but an analysis.
pub fn answer(question: &Question, limits: &Limits) -> Answer {
    let refused = |fault: ApiFault| Answer { status: 400, media_type: None, body: json(&fault) };
    find(question, limits).unwrap_or_else(refused)
}

fn find(question: &Question, limits: &Limits) -> Result<Answer, ApiFault> {
    let body = || question.body.clone();
    let found = match (question.method.as_str(), question.path.as_str()) {
        ("GET", "about") => {
            let threads = limits.threads.unwrap_or(1);
            serde_json::json!({ "version": env!("CARGO_PKG_VERSION"), "public": null, "threads": threads })
        }
        ("GET", "players") => json(&players(&opponents())),
        ("POST", "game") => json(&read_game(&parse_object::<GameText>(body())?)?),
        ("POST", "count") => json(&count_games(&parse_object::<CountRequest>(body())?)?),
        ("POST", "move") => {
            let request: MoveRequest = parse_object(body())?;
            let time = Some(limits.time.map_or(LONGEST_MOVE, |time| time.min(LONGEST_MOVE)));
            json(&choose_move(&request, &opponents(), &Limits { time, ..limits.clone() })?)
        }
        ("POST", "book") => json(&look_up(&parse_object::<BookRequest>(body())?)?),
        ("POST", "explain") => json(&explain(&parse_object::<ExplainRequest>(body())?, &opponents())?),
        ("POST", "export") => {
            let exported = export_game(&parse_object::<ExportRequest>(body())?)?;
            let media_type = Some(exported.media_type);
            return Ok(Answer { status: 200, media_type, body: exported.text.into() });
        }
        // The page keeps the games; this says whether they are any, and how they are kept.
        ("POST", "check") => {
            let game = SavedGame::try_from(parse_object::<KeepRequest>(body())?)?;
            for player in [&game.black, &game.white].into_iter().filter(|player| *player != HUMAN) {
                opponents().parse(player)?;
            }
            json(&ListedGame::from(KeptGame { id: 0, changed: 0, game }))
        }
        ("GET", "twins") => twins(),
        ("GET", path) if path.starts_with("knowledge/") => json(knowledge(path.trim_start_matches("knowledge/"))?),
        _ => return Err(ApiFault::new(Code::NoAddress, "the API has no such address")),
    };
    Ok(Answer { status: 200, media_type: None, body: found })
}

/// Analyses what a text asks for, with deeper and deeper answers, the last of which says that it is done.
pub fn analyze(analysts: &Analysts, text: &str, limits: &Limits, report: &mut dyn FnMut(AnalysisAnswer)) {
    let request = match AnalysisRequest::parse(text) {
        Ok(request) => request,
        Err(refusal) => return report(refusal),
    };
    let id = request.id;
    let limits = Limits { time: Some(LONGEST_ANALYSIS), ..limits.clone() };
    let ran = request.prepare(analysts, CLIENT);
    let ran = ran.and_then(|analysis| analysis.run(&limits, report).map_err(ApiFault::from));
    report(match ran {
        Ok(()) => AnalysisAnswer::Done { id, done: true },
        Err(fault) => AnalysisAnswer::Fault { id, fault },
    });
}

/// How many moves and flips of random games the instruction sets agree on, and the names of the sets; for the tests, since
/// those of the crates do not run in a browser.
fn twins() -> Value {
    let sets = Backend::all();
    let (mut seed, mut agreed, mut differed) = (1_u64, 0_u64, 0_u64);
    for _ in 0..200 {
        let random = |legal: u32| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as u32 % legal
        };
        for board in random_game(random) {
            let empties = board.empties(Geometry::EIGHT);
            let moves = sets[0].legal_moves(board, empties);
            for set in &sets {
                let mut note = |is_same: bool| if is_same { agreed += 1 } else { differed += 1 };
                note(set.legal_moves(board, empties) == moves);
                for square in empties {
                    note(set.flips(board, square) == sets[0].flips(board, square));
                }
            }
        }
    }
    let names: Vec<_> = sets.iter().map(|set| set.name()).collect();
    serde_json::json!({ "sets": names, "agreed": agreed, "differed": differed })
}

/// The boards of a game in which the function chooses among so many moves.
fn random_game(mut choose: impl FnMut(u32) -> u32) -> Vec<Board> {
    let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    while !game.position().is_over() {
        let legal = game.position().legal_moves();
        let chosen = choose(legal.count().max(1)) as usize;
        let played = legal.into_iter().nth(chosen).map_or(Move::Pass, Move::Place);
        if game.play(played).is_err() {
            break;
        }
    }
    game.positions().iter().map(|position| position.board()).collect()
}

/// What is written as JSON; `null` if it cannot be, which no object of the API is.
fn json(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(method: &str, path: &str, body: &str) -> Answer {
        let body = serde_json::from_str(body).unwrap();
        let question = Question { method: method.to_owned(), path: path.to_owned(), body };
        answer(&question, &Limits::default())
    }

    #[test]
    fn questions_are_answered_as_by_a_server() {
        assert_eq!(asked("GET", "players", "null").body, json(&players(&opponents())));
        let game = asked("POST", "game", r#"{"moves": "f5d6"}"#);
        assert_eq!((game.status, &game.body["moves"]), (200, &serde_json::json!(["f5", "d6"])));
        let chosen = asked("POST", "move", r#"{"game": {"moves": "f5d6"}, "player": "turncoat:level=4", "seed": 3}"#);
        assert_eq!(chosen.status, 200, "{}", chosen.body);
        let text = asked("POST", "export", r#"{"game": {"moves": "f5"}, "to": "transcript"}"#);
        assert_eq!((text.status, text.body.as_str().map(str::trim)), (200, Some("f5")));
        let kept = asked("POST", "check", r#"{"game": {"moves": "f5"}, "black": "human", "white": "greedy"}"#);
        assert_eq!((kept.status, &kept.body["moves"], &kept.body["outcome"]), (200, &"f5".into(), &Value::Null));
    }

    #[test]
    fn a_limit_of_time_does_not_change_what_a_depth_finds() {
        let start = "OOOOOO--OOXXOX--OXXOXXX-XOOXX-X--OOXOXXXOXOOXOXXXXXXXXOXOOOOOX-- X";
        let body = serde_json::json!({"game": {"start": start}, "player": "turncoat:depth=6", "seed": 45});
        let request: MoveRequest = parse_object(body.clone()).unwrap();
        let unhurried = json(&choose_move(&request, &opponents(), &Limits::default()).unwrap());
        let hurried = asked("POST", "move", &body.to_string()).body;
        assert_eq!((&hurried["nodes"], &hurried["line"]), (&unhurried["nodes"], &unhurried["line"]));
    }

    #[test]
    fn bad_questions_are_refused_with_their_code() {
        for (method, path, body, code) in [
            ("GET", "nothing", "null", "no-address"),
            ("DELETE", "game", "null", "no-address"),
            ("POST", "game", "[]", "not-object"),
            ("POST", "game", r#"{"moves": "f5f5"}"#, "occupied"),
            ("POST", "move", r#"{"game": {}, "player": "nobody"}"#, "unknown-player"),
            ("POST", "move", r#"{"game": {}, "player": "turncoat:hash=4000"}"#, "player-option"),
            ("POST", "check", r#"{"game": {"moves": "a1"}, "black": "human", "white": "human"}"#, "flips-nothing"),
            ("POST", "check", r#"{"game": {"moves": "f5"}, "black": "human", "white": "foo"}"#, "unknown-player"),
            (
                "POST",
                "check",
                r#"{"game": {"moves": "f5"}, "black": "human", "white": "human", "loser": 1}"#,
                "bad-field",
            ),
        ] {
            let answer = asked(method, path, body);
            assert_eq!((answer.status, &answer.body["code"]), (400, &code.into()), "{path} {body}: {answer:?}");
        }
    }

    #[test]
    fn an_analysis_deepens_and_says_when_it_is_done() {
        let analysts = Analysts::default();
        let mut answers = Vec::new();
        let limits = Limits { depth: Some(4), ..Limits::default() };
        analyze(&analysts, r#"{"id": 7, "game": {"moves": "f5"}}"#, &limits, &mut |answer| answers.push(json(&answer)));
        assert!(answers.len() > 2 && answers.iter().all(|answer| answer["id"] == 7), "{answers:?}");
        assert_eq!(answers.last().map(|last| &last["done"]), Some(&Value::Bool(true)));
        let mut refusals = Vec::new();
        for text in ["no JSON", r#"{"id": 8, "game": {"moves": "f5f5"}}"#] {
            analyze(&analysts, text, &limits, &mut |answer| refusals.push(json(&answer)));
        }
        assert_eq!(refusals.iter().map(|refusal| &refusal["code"]).collect::<Vec<_>>(), ["not-json", "occupied"]);
    }
}
