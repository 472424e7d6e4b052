//! A clock stays with its game through a reload at any moment, and stands while nobody can answer.

use std::time::Duration;

use crate::chromium::Page;
use crate::client::Server;
use crate::keeping::{TWO_PEOPLE, keeps, play, reload, seconds};
use crate::play::{HOLD_QUESTION, begin, moves};
use crate::server_page;

/// Has nothing that the page asks reach the server any more.
const CUT_OFF: &str = "globalThis.fetch = () => new Promise(() => {})";
/// Has the answer to a new game, with its number, never come.
const NO_NUMBER: &str = "(() => { const ask = fetch; globalThis.fetch = async (path, options) => { \
    const answer = await ask(path, options); \
    return path === '/api/games' && options.method === 'POST' ? new Promise(() => {}) : answer; }; })()";

fn shows(moves: &str) -> String {
    format!("document.querySelector('.transcript').textContent === {moves:?}")
}

fn clock(side: &str, time: &str) -> String {
    format!("document.querySelector('.player.{side} .clock').textContent === {time:?}")
}

/// A game with a clock that only `advance` moves.
fn begin_with_clock(server: &Server, page: &mut Page, white: (&str, &str)) {
    page.stop_clock();
    page.go(&format!("http://{}/", server.address()));
    begin(page, &[white, ("clock", "3+2")]);
}

#[test]
fn a_reload_before_the_game_has_a_number_keeps_its_clock() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_clock(&server, &mut page, TWO_PEOPLE);
    page.value(NO_NUMBER);
    play(&mut page, &["d3"]);
    page.advance(Duration::from_secs(20));
    page.until(&clock("white", "2:40"));
    keeps(&server, &[("d3", None)]);
    reload(&server, &mut page);
    page.until(&shows("d3"));
    page.until(&clock("white", "2:40"));
    assert_eq!(page.value("document.querySelector('.choice [name=clock]').value"), "3+2");
    // From here on its clock is known by its number.
    play(&mut page, &["c3"]);
    keeps(&server, &[("d3c3", None)]);
    assert!((seconds(&mut page, "white") - 162.0).abs() < 1e-9);
    page.is_well();
}

#[test]
fn a_reload_at_once_loses_no_move() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_clock(&server, &mut page, TWO_PEOPLE);
    // The first move, of which the server never hears.
    page.value(CUT_OFF);
    page.click(".play .cell.legal[data-square=d3]");
    reload(&server, &mut page);
    page.until(&shows("d3"));
    page.until(&clock("white", "3:00"));
    keeps(&server, &[("d3", None)]);
    // One of a game that is kept.
    page.advance(Duration::from_secs(20));
    page.until(&clock("white", "2:40"));
    page.value(CUT_OFF);
    page.click(".play .cell.legal[data-square=c3]");
    reload(&server, &mut page);
    page.until(&shows("d3 c3"));
    page.until(&clock("white", "2:42"));
    keeps(&server, &[("d3c3", None)]);
    // One that was taken back is no move any more.
    page.click("[data-action=undo]");
    page.until(&shows("d3"));
    keeps(&server, &[("d3", None)]);
    reload(&server, &mut page);
    page.until(&shows("d3"));
    page.is_well();
}

#[test]
fn a_clicked_move_that_another_browser_has_overtaken_is_let_go() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3"]);
    keeps(&server, &[("d3", None)]);
    page.value(CUT_OFF);
    page.click(".play .cell.legal[data-square=c3]");
    let mut other = Page::open(&format!("http://{}/#/play?resume=1", server.address())).unwrap();
    other.until(&shows("d3"));
    play(&mut other, &["e3"]);
    keeps(&server, &[("d3e3", None)]);
    reload(&server, &mut page);
    page.until(&shows("d3 e3"));
    keeps(&server, &[("d3e3", None)]);
    page.is_well();
}

#[test]
fn the_clock_stands_while_the_server_is_gone() {
    let Some((mut server, mut page)) = server_page("") else {
        return;
    };
    begin_with_clock(&server, &mut page, ("white", "turncoat:level=3"));
    page.value(HOLD_QUESTION);
    let address = server.address();
    page.click(".play .cell.legal[data-square=d3]");
    let told = "document.querySelector('.play .status').textContent";
    page.until(&format!("{told}.includes('thinking')"));
    server.end();
    page.value("release()");
    page.until(&format!("{told}.includes('is not responding')"));
    page.advance(Duration::from_mins(2));
    // The clocks are shown ten times a second.
    page.value("new Promise((done) => setTimeout(done, 300))");
    assert_eq!(page.text(".player.white .clock"), "3:00");
    server.start_again(address);
    page.until(&format!("{told}.includes('Black to move')"));
    assert_eq!(moves(&mut page), 2);
    // It is the person's time that runs now.
    page.advance(Duration::from_secs(5));
    page.until(&clock("black", "2:55"));
    page.is_well();
}
