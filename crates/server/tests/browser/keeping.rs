//! Games are kept as they were played: each in its own place, with its clock, also when one is quick or reloads.

use std::thread;
use std::time::Duration;

use serde_json::Value;

use crate::chromium::Page;
use crate::client::Server;
use crate::play::{begin, made, moves};
use crate::{page, server_page};

pub(crate) const TWO_PEOPLE: (&str, &str) = ("white", "human");

/// All games that are kept, the first one first.
fn kept(server: &Server) -> Vec<Value> {
    let games = server.ask("GET", "/api/games", &Value::Null).json();
    let mut games = games.as_array().unwrap().clone();
    games.sort_by_key(|game| game["id"].as_i64());
    games
}

/// Waits until the kept games are these, as their moves and who gave them up.
pub(crate) fn keeps(server: &Server, wanted: &[(&str, Option<&str>)]) {
    let told = |games: &[Value]| -> Vec<(String, Option<String>)> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        games.iter().map(|game| (text(&game["moves"]).unwrap(), text(&game["loser"]))).collect()
    };
    let wanted: Vec<_> = wanted.iter().map(|(moves, loser)| ((*moves).to_owned(), loser.map(str::to_owned))).collect();
    for _ in 0..200 {
        if told(&kept(server)) == wanted {
            // Nothing comes after it.
            thread::sleep(Duration::from_millis(200));
            break;
        }
        thread::sleep(Duration::from_millis(25));
    }
    assert_eq!(told(&kept(server)), wanted);
}

/// Plays these squares, each as soon as it can be.
pub(crate) fn play(page: &mut Page, squares: &[&str]) {
    for square in squares {
        let before = moves(page);
        page.click(&format!(".play .cell.legal[data-square={square}]"));
        made(page, before + 1);
    }
}

pub(crate) fn reload(server: &Server, page: &mut Page) {
    page.go(&format!("http://{}/", server.address()));
    page.until("document.querySelector('.play .cell[data-disc=black]')");
}

/// Lets a button be clicked in the moment in which a move is shown: sooner than any hand could.
fn as_soon_as_shown(page: &mut Page, square: &str, button: &str) {
    page.value(&format!(
        "(() => {{ const moves = document.querySelector('.transcript'); \
         new MutationObserver((_, it) => {{ \
           if (!moves.textContent.endsWith({square:?})) return; \
           it.disconnect(); document.querySelector({button:?}).click(); \
         }}).observe(moves, {{ childList: true }}); }})()"
    ));
}

/// Seconds on a clock, as it is shown.
pub(crate) fn seconds(page: &mut Page, side: &str) -> f64 {
    let text = page.text(&format!(".player.{side} .clock"));
    let (minutes, seconds) = text.split_once(':').unwrap();
    minutes.parse::<f64>().unwrap() * 60.0 + seconds.parse::<f64>().unwrap()
}

#[test]
fn a_new_game_leaves_the_one_before_as_it_was() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3", "c3"]);
    // In one breath: the last move is shown, and the next game begun.
    as_soon_as_shown(&mut page, "c4", ".choice button");
    page.click(".play .cell.legal[data-square=c4]");
    page.until("document.querySelector('.transcript').textContent === ''");
    page.until("document.querySelector('.play .cell.legal[data-square=f5]')");
    keeps(&server, &[("d3c3c4", None)]);
    play(&mut page, &["f5"]);
    keeps(&server, &[("d3c3c4", None), ("f5", None)]);
    page.click("[data-action=resign]");
    keeps(&server, &[("d3c3c4", None), ("f5", Some("white"))]);
    page.is_well();
}

#[test]
fn a_game_that_is_given_up_at_once_is_kept_once() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    as_soon_as_shown(&mut page, "d3", "[data-action=resign]");
    page.click(".play .cell.legal[data-square=d3]");
    keeps(&server, &[("d3", Some("white"))]);
    // Undo takes back what was done last: the resignation, not the move.
    page.click("[data-action=undo]");
    page.until("document.querySelector('.status').textContent.includes('White to move')");
    assert_eq!(moves(&mut page), 1);
    keeps(&server, &[("d3", None)]);
    page.is_well();
}

#[test]
fn nothing_is_taken_back_before_ones_first_move() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[("black", "turncoat:level=1"), ("white", "human")]);
    made(&mut page, 1);
    page.until("document.querySelector('.play .cell.legal')");
    let undo = "document.querySelector('[data-action=undo]').disabled";
    assert_eq!(page.value(undo), true);
    page.click(".play .cell.legal");
    page.until(&format!("!{undo}"));
    page.is_well();
}

#[test]
fn the_clock_goes_on_over_a_reload() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    page.stop_clock();
    page.go(&format!("http://{}/", server.address()));
    begin(&mut page, &[TWO_PEOPLE, ("clock", "1+0")]);
    play(&mut page, &["d3"]);
    keeps(&server, &[("d3", None)]);
    page.advance(Duration::from_secs(3));
    page.until("document.querySelector('.player.white .clock').textContent === '0:57'");
    reload(&server, &mut page);
    page.until("document.querySelector('.player.white .clock').textContent === '0:57'");
    assert_eq!(page.value("document.querySelector('.choice [name=clock]').value"), "1+0");
    page.advance(Duration::from_secs(58));
    let lost = "document.querySelector('.status').textContent.includes('White has run out of time')";
    page.until(lost);
    keeps(&server, &[("d3", Some("white"))]);
    reload(&server, &mut page);
    page.until(lost);
    // With the turn, its time comes back.
    page.click("[data-action=undo]");
    page.until("document.querySelector('.transcript').textContent === ''");
    assert_eq!(page.text(".player.white .clock"), "1:00");
    page.is_well();
}

#[test]
fn nobody_gains_time_by_going_back_and_on() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    page.stop_clock();
    page.go(&format!("http://{}/", server.address()));
    begin(&mut page, &[TWO_PEOPLE, ("clock", "3+2")]);
    play(&mut page, &["d3"]);
    page.advance(Duration::from_secs(10));
    play(&mut page, &["c3"]);
    // The clocks start with the first move. White thought for ten seconds and got two.
    for _ in 0..3 {
        page.click("[data-action=undo]");
        page.until("document.querySelector('.transcript').textContent === 'd3'");
        page.until("document.querySelector('.player.white .clock').textContent === '3:00'");
        page.click("[data-action=redo]");
        made(&mut page, 2);
        assert_eq!(page.text(".player.white .clock"), "2:52");
        assert_eq!(page.text(".player.black .clock"), "3:00");
    }
    page.is_well();
}
