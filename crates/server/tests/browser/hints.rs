//! A hint gives a reason that holds on the board, and nothing moves when it comes.

use serde_json::{Value, json};
use turncoat_board::{Game, Geometry, Move, VariantKind};

use crate::chromium::Page;
use crate::client::Server;
use crate::keeping::{TWO_PEOPLE, play};
use crate::play::begin;
use crate::server_page;

const STATUS: &str = "document.querySelector('.play .status').textContent";

/// What can be clicked below the words of the game.
const BELOW: [&str; 4] = [".choice", ".choice .main", ".transcript", ".ladder [data-action=first]"];

/// Notes every place at which these elements are seen from now on.
fn watch(page: &mut Page, selectors: &[&str]) {
    page.value(&format!(
        "(() => {{ const mine = globalThis.places = new Set(); \
         const look = () => {{ if (places === mine) requestAnimationFrame(look); \
           for (const selector of {}) {{ const it = document.querySelector(selector); \
             if (it?.offsetHeight) mine.add(`${{selector}} ${{it.getBoundingClientRect().y + scrollY}}`); }} }}; \
         look(); }})()",
        json!(selectors)
    ));
}

/// Checks that each was seen at one place.
fn all_stayed(page: &mut Page, when: &str) {
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    let places = page.value("[...places].sort()");
    let mut seen: Vec<&str> = places.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect();
    assert!(!seen.is_empty(), "{when}");
    seen.dedup_by_key(|place| place.rsplit_once(' ').unwrap().0);
    assert_eq!(seen.len(), places.as_array().unwrap().len(), "{when}: {places}");
}

/// The hint of this position: its move, and what is said of it.
fn hint(page: &mut Page) -> (String, String) {
    page.click("[data-action=hint]");
    page.until(&format!("/would play [a-h][1-8]\\. \\S/.test({STATUS})"));
    let said = page.value(STATUS);
    let (_, after) = said.as_str().unwrap().split_once("would play ").unwrap();
    let (square, reason) = after.split_once(". ").unwrap();
    (square.to_owned(), reason.to_owned())
}

/// The positions of a game, as the server tells them.
fn positions(server: &Server, variant: &str, moves: &str) -> Vec<Value> {
    let game = json!({"variant": variant, "size": 8, "start": "start", "moves": moves});
    server.ask("POST", "/api/game", &game).json()["positions"].as_array().unwrap().clone()
}

/// The number in a sentence.
fn number(sentence: &str) -> usize {
    sentence.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty()).unwrap().parse().unwrap()
}

/// Checks a reason against the board that it speaks of.
fn holds(server: &Server, variant: &str, moves: &str, square: &str, reason: &str) {
    let now = positions(server, variant, moves).pop().unwrap();
    let legal = now["legal"].as_array().unwrap();
    let facts = |one: &Value| {
        let label = one["move"].as_str().unwrap();
        let after = positions(server, variant, &format!("{moves}{label}")).pop().unwrap();
        (one["flips"].as_array().unwrap().len(), after["legal"].as_array().unwrap().len())
    };
    let all: Vec<(usize, usize)> = legal.iter().map(facts).collect();
    let own = all[legal.iter().position(|one| one["move"] == square).unwrap()];
    if reason.contains("Discs it turns") {
        assert!(
            reason.contains(&format!("turns: {}.", own.0)) && reason.ends_with(&format!(": {}.", own.1)),
            "{reason}"
        );
    } else if reason.contains("repl") {
        assert_eq!(number(reason), own.1, "{moves} {square}: {reason}");
        assert!(all.iter().all(|one| one.1 >= own.1), "{moves} {square}: {reason}");
    } else if reason.contains("turn") && !reason.contains("corner") {
        assert_eq!(number(reason), own.0, "{moves} {square}: {reason}");
        assert!(all.iter().all(|one| one.0 >= own.0), "{moves} {square}: {reason}");
    }
}

#[test]
fn every_hint_has_a_reason_that_holds() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    // The words are longest where the column is narrow.
    page.resize(1024, 768);
    for variant in ["reversed", "reversi"] {
        begin(&mut page, &[TWO_PEOPLE, ("variant", variant)]);
        let mut line = String::new();
        for _ in 0..7 {
            page.until("document.querySelector('.play .cell.legal')");
            watch(&mut page, &BELOW);
            let (square, reason) = hint(&mut page);
            all_stayed(&mut page, &reason);
            holds(&server, variant, &line, &square, &reason);
            play(&mut page, &[&square]);
            line.push_str(&square);
        }
    }
    page.is_well();
}

#[test]
fn a_hint_moves_nothing_that_can_be_clicked() {
    let Some((_server, mut page)) = server_page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    for (width, height) in [(1280, 800), (1280, 860), (390, 844)] {
        page.resize(width, height);
        // Before the first move, where the ladder has the word, and after it; and a game that is none of the ladder.
        for (line, white) in [
            (&[] as &[&str], "turncoat:level=3"),
            (&["d3"], "turncoat:level=3"),
            (&[], "human"),
            (&["d3", "c3"], "human"),
        ] {
            begin(&mut page, &[("white", white)]);
            play(&mut page, line);
            page.until("document.querySelector('.play .cell.legal')");
            watch(&mut page, &BELOW);
            hint(&mut page);
            all_stayed(&mut page, &format!("{width} x {height}, {white} after {line:?}"));
        }
    }
    page.is_well();
}

/// A whole game, each side playing its first legal move.
fn whole_game() -> String {
    let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    let mut text = String::new();
    loop {
        let square = game.position().legal_moves().into_iter().next();
        match square {
            Some(square) => {
                text.push_str(&Geometry::EIGHT.label(square));
                game.play(Move::Place(square)).unwrap();
            }
            None if game.position().must_pass() => game.play(Move::Pass).unwrap(),
            None => return text,
        }
    }
}

#[test]
fn sharing_a_result_moves_nothing_that_can_be_clicked() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    let game = json!({"variant": "reversed", "size": 8, "start": "start", "moves": whole_game()});
    let kept = json!({"game": game, "black": "human", "white": "turncoat:level=1", "loser": null});
    server.ask("POST", "/api/games", &kept);
    // One that lets the page write, and one that does not.
    for clipboard in ["async () => {}", "async () => { throw new Error('no'); }"] {
        page.go(&format!("http://{}/#/play?resume=1", server.address()));
        page.until("document.querySelector('[data-action=share-result]')?.offsetHeight > 0");
        page.value(&format!(
            "for (const name of ['write', 'writeText']) Object.defineProperty(navigator.clipboard, name, {{ value: {clipboard} }})"
        ));
        page.until("document.querySelectorAll('.costly li').length > 0");
        watch(&mut page, &[".transcript", ".transcript + *", ".choice"]);
        // The same button shows it, puts it away and shows it again, and so does Escape put it away.
        for state in ["!== ''", "=== ''", "!== ''"] {
            page.click("[data-action=share-result]");
            page.until(&format!("document.querySelector('.ladder .said [role=status]').textContent {state}"));
        }
        page.press("Escape");
        page.until("document.querySelector('.ladder .said [role=status]').textContent === ''");
        all_stayed(&mut page, clipboard);
    }
    page.is_well();
}
