//! Games by mouse, by keyboard, by two people; passes, undo, hints, the clock, a server that is gone.

use std::time::Duration;

use serde_json::Value;
use turncoat_board::{Game, Geometry, Move, VariantKind};

use crate::chromium::Page;
use crate::{page, server_page};

/// Holds the questions for a move until `release` is called.
pub(crate) const HOLD_QUESTION: &str = "(() => { const ask = fetch; const held = new Promise((done) => { globalThis.release = done; }); \
    globalThis.fetch = async (path, options) => { if (path === '/api/move') await held; return ask(path, options); }; })()";

/// Waits until a person is to move or the game is over; tells whether it goes on.
fn goes_on(page: &mut Page) -> bool {
    page.until(
        "document.querySelector('.play .cell.legal') \
         || /wins by|A draw/.test(document.querySelector('.play .status').textContent)",
    );
    page.value("Boolean(document.querySelector('.play .cell.legal'))") == true
}

/// Waits until a move with this number has been made.
pub(crate) fn made(page: &mut Page, moves: usize) {
    page.until(&format!(
        "document.querySelector('.transcript').textContent.split(' ').filter(Boolean).length >= {moves}"
    ));
}

pub(crate) fn moves(page: &mut Page) -> usize {
    page.text(".transcript").split_whitespace().count()
}

/// Begins a game by the form.
pub(crate) fn begin(page: &mut Page, choices: &[(&str, &str)]) {
    page.until("document.querySelector('.play .cell.legal')");
    for (field, value) in choices {
        page.choose(&format!(".choice [name={field}]"), value);
    }
    page.click(".choice button");
    page.until("document.querySelector('.transcript').textContent === ''");
}

fn ended(page: &mut Page) {
    let status = page.text(".play .status");
    assert!(status.contains("wins by") || status.contains("A draw"), "{status}");
    page.is_well();
}

#[test]
fn a_whole_game_by_mouse() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[("white", "turncoat:level=1")]);
    page.until("document.querySelector('.player.white .name').textContent.includes('Level 1')");
    while goes_on(&mut page) {
        let before = moves(&mut page);
        page.click(".play .cell.legal");
        made(&mut page, before + 1);
        if before == 16 {
            page.until("document.querySelector('.play .cell.legal')");
            page.picture("play");
        }
    }
    ended(&mut page);
    page.until("/costliest|lost much/.test(document.querySelector('.finish').textContent)");
    page.picture("end");
    let discs = "[...document.querySelectorAll('.player .count')].map((it) => Number(it.textContent))";
    let counted = "['black', 'white'].map((side) => document.querySelectorAll(`.cell[data-disc=${side}]`).length)";
    assert_eq!(page.value(discs), page.value(counted));
}

#[test]
fn levels_are_listed_with_their_ratings_where_they_have_one() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let third = "document.querySelector('.choice [name=white] [value=\"turncoat:level=3\"]').textContent";
    let says = |pattern: &str| format!("{pattern}.test({third})");
    page.until(&says("/^Level 3 · \\d+ Elo$/"));
    let reversed = page.value(third);
    page.choose(".choice [name=variant]", "reversi");
    page.until(&says("/^Level 3 · \\d+ Elo$/"));
    assert_ne!(page.value(third), reversed);
    page.choose(".choice [name=size]", "6");
    page.until(&says("/^Level 3$/"));
    page.choose(".choice [name=size]", "8");
    page.choose("#language", "zh-Hans");
    page.until(&says("/^级别 3 · Elo \\d+$/"));
    page.is_well();
}

#[test]
fn another_by_keyboard_alone() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    let focus = "document.activeElement?.dataset?.square ?? ''";
    for _ in 0..40 {
        if page.value(focus) != "" {
            break;
        }
        page.press("Tab");
    }
    while goes_on(&mut page) {
        let before = moves(&mut page);
        let square = page.value("document.querySelector('.play .cell.legal').dataset.square");
        let square = square.as_str().unwrap().as_bytes();
        loop {
            let now = page.value(focus);
            let now = now.as_str().unwrap().as_bytes();
            assert_eq!(now.len(), 2, "the focus stays on the board");
            page.press(match (now[0].cmp(&square[0]), now[1].cmp(&square[1])) {
                (std::cmp::Ordering::Less, _) => "ArrowRight",
                (std::cmp::Ordering::Greater, _) => "ArrowLeft",
                (_, std::cmp::Ordering::Less) => "ArrowDown",
                (_, std::cmp::Ordering::Greater) => "ArrowUp",
                _ => break,
            });
        }
        let label = page.value("document.activeElement.getAttribute('aria-label')");
        assert!(label.as_str().unwrap().contains("you can play here"));
        page.press("Enter");
        made(&mut page, before + 1);
    }
    ended(&mut page);
}

/// The shortest beginning of a small game after which a side must pass and the game goes on.
pub(crate) fn line_to_pass() -> Vec<String> {
    let mut lines = vec![Game::new(VariantKind::Reversed, Geometry::FOUR)];
    loop {
        let mut next = Vec::new();
        for game in &lines {
            for square in game.position().legal_moves() {
                let mut longer = game.clone();
                longer.play(Move::Place(square)).unwrap();
                if longer.position().must_pass() {
                    let labels = longer.moves().iter();
                    return labels.map(|m| m.label(Geometry::FOUR)).collect();
                }
                next.push(longer);
            }
        }
        lines = next;
    }
}

#[test]
fn two_people_with_a_pass_undo_and_redo() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    // Discs turn over before the eyes.
    page.allow_motion();
    begin(&mut page, &[("white", "human"), ("size", "4")]);
    page.until("document.querySelectorAll('.play .cell').length === 16");
    let line = line_to_pass();
    for (played, square) in line.iter().enumerate() {
        page.click(&format!(".play .cell.legal[data-square={square}]"));
        made(&mut page, played + 1);
    }
    // The pass is explained, then made.
    page.until("document.querySelector('.status').textContent.includes('no legal move: no square would turn')");
    made(&mut page, line.len() + 1);
    page.until("document.querySelector('.status').textContent.includes('passed')");
    assert!(page.text(".transcript").ends_with('–'));
    page.click("[data-action=undo]");
    page.until(&format!("document.querySelector('.transcript').textContent.split(' ').length === {}", line.len() - 1));
    page.click("[data-action=undo]");
    page.until(&format!("document.querySelector('.transcript').textContent.split(' ').length === {}", line.len() - 2));
    page.click("[data-action=redo]");
    made(&mut page, line.len() - 1);
    assert_eq!(moves(&mut page), line.len() - 1);
    page.click("[data-action=redo]");
    made(&mut page, line.len() + 1);
    page.is_well();
}

#[test]
fn a_hint_a_resignation_and_the_game_after_a_reload() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    page.click("[data-action=hint]");
    page.until("document.querySelector('.cell.hinted')");
    // It is told before the first move too.
    page.until("document.querySelector('.play .status').textContent.includes('would play')");
    assert_eq!(page.value("document.querySelector('.play .status').classList.contains('unseen')"), false);
    page.click(".cell.hinted");
    made(&mut page, 2);
    let before = page.text(".transcript");
    let kept = || server.ask("GET", "/api/games/1", &Value::Null).json();
    while kept()["moves"] != before.replace(' ', "") {}
    page.go(&format!("http://{}/", server.address()));
    page.until("document.querySelector('.play .cell.legal')");
    assert_eq!(page.text(".transcript"), before);
    page.click("[data-action=resign]");
    page.until("document.querySelector('.status').textContent.includes('Black has resigned')");
    page.click("[data-action=analyse-game]");
    page.until("document.querySelectorAll('.analyse .move').length === 2");
    page.is_well();
}

#[test]
fn who_runs_out_of_time_loses() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    page.stop_clock();
    page.go(&format!("http://{}/", server.address()));
    begin(&mut page, &[("white", "human"), ("clock", "1+0")]);
    assert_eq!(page.text(".player.white .clock"), "1:00");
    page.click(".play .cell.legal");
    made(&mut page, 1);
    page.advance(Duration::from_secs(1));
    page.until("document.querySelector('.player.white .clock').textContent === '0:59'");
    page.advance(Duration::from_secs(59));
    page.until("document.querySelector('.status').textContent.includes('White has run out of time')");
    page.is_well();
}

#[test]
fn a_server_that_is_gone_is_told() {
    let Some((mut server, mut page)) = server_page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    // It comes back elsewhere.
    server.restart();
    page.click(".play .cell.legal");
    page.until("document.querySelector('.status').textContent.includes('is not responding')");
    page.until("!document.querySelector('[data-action=retry]').hidden");
}

#[test]
fn a_server_that_comes_back_is_played_with_again() {
    let Some((mut server, mut page)) = server_page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    let address = server.address();
    server.end();
    page.click(".play .cell.legal");
    let told = "document.querySelector('.play .status').textContent";
    page.until(&format!("{told}.includes('is not responding')"));
    server.start_again(address);
    page.until(&format!("{told}.includes('to move')"));
    page.click(".play .cell.legal");
    made(&mut page, 1);
    page.is_well();
}
