//! Faults in words: every code in every language, and nothing English in Chinese and Japanese.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{page, server_page};

/// Texts that cannot be read, each with its code.
const TEXTS: [(&str, &str); 42] = [
    ("", "no-text"),
    ("hello", "unknown-form"),
    (
        "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *];)",
        "many-games",
    ),
    ("--------", "few-cells"),
    ("-----------------------------------------------------------------X", "many-cells"),
    ("--------z-", "no-cell"),
    ("----------------------------------------------------------------", "no-side"),
    ("---------------------------------------------------------------- z", "bad-side"),
    ("---------------------------------------------------------------- X z", "trailing"),
    ("---------------------------------------------------------------- X", "no-discs"),
    ("....\n.OX.\n.XO\n....", "row-width"),
    ("....\n.OX.", "board-size"),
    ("1 ....\n3 .OX.\n3 .XO.\n4 ....", "row-number"),
    ("....\n.OX.\n.XO.\n....\nhello", "no-row"),
    ("....\n.OX.\n.XO.\n....\nX\nO", "two-sides"),
    ("---------------------------OX------XO--------------------------- X; D3;", "score-form"),
    ("---------------------------OX------XO--------------------------- X; Z9:+4;", "score-move"),
    ("---------------------------OX------XO--------------------------- X; A1:+4;", "score-illegal"),
    ("---------------------------OX------XO--------------------------- X; D3:x;", "score-number"),
    ("---------------------------OX------XO--------------------------- X; D3:+99;", "score-range"),
    ("---------------------------OX------XO--------------------------- X; D3:+4; D3:+4;", "score-twice"),
    ("(;GM[Othello]x", "ggf-property"),
    ("(;GM[Othello", "ggf-bracket"),
    ("(;GM[Chess]TY[8];)", "ggf-other-game"),
    ("(;GM[Othello]TY[x];)", "ggf-type"),
    ("(;GM[Othello]TY[5];)", "ggf-size"),
    ("(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[z9];)", "ggf-move"),
    ("(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]W[d3];)", "ggf-turn"),
    ("(;GM[Othello]TY[8]BO[8 ---- *];)", "few-cells"),
    (
        "(;GM[Othello]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[a1];)",
        "flips-nothing",
    ),
    ("[1]", "log-form"),
    ("[[[0]]]", "log-size"),
    ("[[[0,0,0,0],[0,7,0,0],[0,0,0,0],[0,0,0,0]]]", "log-board"),
    ("[[[0,0,0,0],[0,1,-1,0],[0,-1,1,0],[0,0,0,0]]]", "log-move"),
    ("f5 x9", "no-move"),
    ("f5f5", "occupied"),
    ("a1", "flips-nothing"),
    ("f5pass", "may-not-pass"),
    ("e6f4e3f6g5d6e7f5c5a1", "game-over"),
    ("f5 é", "no-move"),
    ("....\n.OX.\n.ZO.\n....", "no-cell"),
    ("....\n....\n....\n....", "no-discs"),
];

/// Codes that no page can provoke, or not without a failure of the server, of the network or of the machine.
const UNPROVOKED: [&str; 23] = [
    "bad-match",
    "body-broken",
    "body-late",
    "busy",
    "ggf-game",
    "log-too-long",
    "match-running",
    "must-pass",
    "no-host",
    "no-run",
    "no-contestant",
    "no-contest-game",
    "no-token",
    "off-board",
    "player-failed",
    "search-failed",
    "server-failed",
    "too-many-requests",
    "too-many-sockets",
    "two-discs",
    "wrong-host",
    "wrong-origin",
    "wrong-token",
];

/// Requests that are refused, each with its code.
fn requests() -> Vec<(&'static str, &'static str, Value, &'static str)> {
    let over = "e6f4e3f6g5d6e7f5c5";
    let keep = |black: &str| json!({"game": {}, "black": black, "white": "human"});
    let choose = |player: &str| json!({"game": {}, "player": player});
    let mut all = vec![
        ("POST", "game", json!("text"), "not-object"),
        ("POST", "game", json!({"colour": 1}), "bad-field"),
        ("POST", "game", json!({"variant": "chess"}), "unknown-variant"),
        ("POST", "game", json!({"size": 5}), "unknown-size"),
        ("POST", "game", json!({"start": "f5".repeat(40_000)}), "body-too-long"),
        ("GET", "analyze", Value::Null, "no-upgrade"),
        ("GET", "nothing", Value::Null, "no-address"),
        ("GET", "move", Value::Null, "wrong-method"),
        ("GET", "games/x", Value::Null, "game-number"),
        ("GET", "games/7", Value::Null, "no-game"),
        ("GET", "runs", Value::Null, "no-lab"),
        ("GET", "contest", Value::Null, "no-arena"),
        ("GET", "match", Value::Null, "no-matches"),
        ("POST", "games", keep(&"x".repeat(300)), "name-too-long"),
        (
            "PUT",
            "games/1",
            json!({"game": {"moves": "d3c3"}, "black": "human", "white": "human", "seen": {"moves": "d3"}}),
            "game-changed",
        ),
        ("POST", "explain", choose("random"), "cannot-explain"),
        ("POST", "move", choose("nobody"), "unknown-player"),
        ("POST", "move", choose("turncoat:hash=1"), "player-option"),
        ("POST", "move", choose("turncoat:level=x"), "player-text"),
        ("POST", "move", json!({"game": {"size": 4}, "player": "shifting-weights"}), "player-size"),
        ("POST", "move", json!({"game": {"variant": "reversi"}, "player": "gene45"}), "player-variant"),
        ("POST", "move", json!({"game": {"moves": over}, "player": "greedy"}), "nothing-to-choose"),
    ];
    for (text, code) in TEXTS {
        all.push(("POST", "game", json!({"start": text}), code));
    }
    all
}

/// Whether a sentence has no English in it: squares, formats, cells and what was quoted are no words.
const NO_ENGLISH: &str = "window.noEnglish = (said) => !/[A-Za-z]{2,}/.test(said.replace(/“[^”]*”|「[^」]*」/g, '') \
    .replace(/GGF|OBF|chess_log|PB\\[\\]|--public|--runs|--store|Turncoat|gene45|shifting-weights/g, '') \
    .replace(/F5|[a-h][1-8]/g, ''))";

#[test]
fn every_fault_is_told_in_every_language() {
    let Some((server, mut page)) = server_page("#/learn") else {
        return;
    };
    let kept = json!({"game": {"moves": "f5"}, "black": "human", "white": "human"});
    assert_eq!(server.ask("POST", "/api/games", &kept).status, 201);
    page.value(NO_ENGLISH);
    page.value(
        "Promise.all(['faults', 'words'].map((name) => import(`/base/${name}.js`))).then(([faults, words]) => { \
         window.tell = (language, fault) => faults.wordFault(fault, (...all) => words.say(language, ...all)); \
         window.isPhrase = words.isPhrase; return Promise.all(['en', 'zh-Hans', 'ja'].map(words.learn)); })",
    );
    let mut provoked = BTreeSet::new();
    let mut check = |page: &mut crate::chromium::Page, ask: &str, code: &str| {
        let told = page.value(&format!(
            "(async () => {{ const fault = await {ask}; \
             const [en, zh, ja] = ['en', 'zh-Hans', 'ja'].map((it) => tell(it, fault)); \
             return [fault.code, en, zh, ja, noEnglish(zh + ja) && /[\\u4e00-\\u9fff]/.test(zh) && \
               /[\\u3040-\\u30ff]/.test(ja) && !/undefined|\\{{/.test(en + zh + ja)]; }})()"
        ));
        assert_eq!(told[0], code, "{ask}: {told}");
        assert_eq!(told[4], true, "{told}");
        provoked.insert(code.to_owned());
    };
    for (method, path, body, code) in requests() {
        let body = if body.is_null() {
            String::new()
        } else {
            format!(", headers: {{ 'Content-Type': 'application/json' }}, body: JSON.stringify({body})")
        };
        let ask = format!("fetch('/api/{path}', {{ method: '{method}'{body} }}).then((it) => it.json())");
        check(&mut page, &ask, code);
    }
    let plain = "fetch('/api/game', { method: 'POST', body: '{}' }).then((it) => it.json())";
    check(&mut page, plain, "wrong-type");
    let broken = "fetch('/api/game', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{' })\
                  .then((it) => it.json())";
    check(&mut page, broken, "not-json");
    for (question, code) in [
        (json!({"id": 1, "game": {}, "player": "random"}), "cannot-analyse"),
        (json!({"id": 1, "game": {"moves": "e6f4e3f6g5d6e7f5c5"}}), "nothing-to-analyse"),
    ] {
        let ask = format!(
            "new Promise((done) => {{ const socket = new WebSocket(`ws://${{location.host}}/api/analyze`); \
             socket.onopen = () => socket.send(JSON.stringify({question})); \
             socket.onmessage = (it) => {{ const told = JSON.parse(it.data); if (told.code) done(told); }}; }})"
        );
        check(&mut page, &ask, code);
    }
    let all =
        page.value("fetch('/api/openapi.json').then((it) => it.json()).then((it) => it.components.schemas.Code.enum)");
    let unworded = "(all) => all.filter((code) => !isPhrase(code))";
    assert_eq!(page.value(&format!("({unworded})({all})")), json!([]));
    for code in all.as_array().unwrap() {
        let code = code.as_str().unwrap();
        assert_ne!(provoked.contains(code), UNPROVOKED.contains(&code), "{code}");
    }
}

#[test]
fn a_fault_changes_its_language_with_the_page() {
    let Some((_server, mut page)) = page("#/analyse?line=d3d3") else {
        return;
    };
    let status = "document.querySelector('.analyse .status').textContent";
    page.until(&format!("{status}.includes('move 2')"));
    page.value(NO_ENGLISH);
    page.choose("#language", "zh-Hans");
    page.until(&format!("{status}.includes('第 2 手') && noEnglish({status})"));
    page.choose("#language", "ja");
    page.until(&format!("{status}.includes('2手目') && noEnglish({status})"));
    page.is_well();
}
