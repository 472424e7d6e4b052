//! Nothing that is played is lost: what was done by mistake is undone, games are resumed, two tabs do not diverge, and
//! earlier positions can be looked at.

use std::time::Duration;

use crate::chromium::Page;
use crate::client::Server;
use crate::keeping::{TWO_PEOPLE, keeps, play, reload, seconds};
use crate::play::{begin, line_to_pass, made};
use crate::{page, server_page};

/// A game of two people with a clock that only `advance` moves, and toasts that stay.
fn begin_with_stopped_clock(server: &Server, page: &mut Page) {
    page.stop_clock();
    page.go(&format!("http://{}/", server.address()));
    page.value(
        "(() => { const wait = setTimeout; \
         globalThis.setTimeout = (what, time) => time >= 10000 ? 0 : wait(what, time); })()",
    );
    begin(page, &[TWO_PEOPLE, ("clock", "3+2")]);
}

fn says(text: &str) -> String {
    format!("document.querySelector('.play .status').textContent.includes({text:?})")
}

fn clock(side: &str, time: &str) -> String {
    format!("document.querySelector('.player.{side} .clock').textContent === {time:?}")
}

fn shows(moves: &str) -> String {
    format!("document.querySelector('.transcript').textContent === {moves:?}")
}

#[test]
fn a_resignation_by_mistake_is_undone_with_its_clock() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_stopped_clock(&server, &mut page);
    play(&mut page, &["d3", "c3"]);
    page.advance(Duration::from_secs(7));
    page.until(&clock("black", "2:53"));
    let before = (seconds(&mut page, "black"), seconds(&mut page, "white"));
    page.click("[data-action=resign]");
    page.until(&says("Black has resigned"));
    keeps(&server, &[("d3c3", Some("black"))]);
    page.advance(Duration::from_mins(1));
    page.click("[data-action=toast-undo]");
    page.until(&says("Black to move"));
    assert_eq!((seconds(&mut page, "black"), seconds(&mut page, "white")), before);
    keeps(&server, &[("d3c3", None)]);
    assert_eq!(page.value("document.querySelector('.toast').hidden"), true);
    // The clock runs again.
    page.advance(Duration::from_secs(3));
    page.until(&clock("black", "2:50"));
    page.is_well();
}

#[test]
fn a_new_game_by_mistake_is_undone_and_leaves_nothing() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_stopped_clock(&server, &mut page);
    play(&mut page, &["d3", "c3", "c4"]);
    page.click("[data-action=undo]");
    page.until(&shows("d3 c3"));
    page.advance(Duration::from_secs(9));
    page.until(&clock("black", "2:51"));
    let before = (seconds(&mut page, "black"), seconds(&mut page, "white"));
    // The program begins the new game at once.
    for (field, value) in [("black", "turncoat:level=1"), ("size", "6")] {
        page.choose(&format!(".choice [name={field}]"), value);
    }
    page.click(".choice button");
    page.until("document.querySelectorAll('.play .cell').length === 36");
    made(&mut page, 1);
    page.advance(Duration::from_mins(1));
    page.click("[data-action=toast-undo]");
    page.until(&shows("d3 c3"));
    assert_eq!((seconds(&mut page, "black"), seconds(&mut page, "white")), before);
    assert_eq!(page.value("document.querySelector('.choice [name=black]').value"), "human");
    keeps(&server, &[("d3c3", None)]);
    page.click("[data-action=redo]");
    page.until(&shows("d3 c3 c4"));
    keeps(&server, &[("d3c3c4", None)]);
    // A person who goes on has settled it.
    page.click(".choice button");
    page.until("!document.querySelector('.toast').hidden");
    play(&mut page, &["f5"]);
    assert_eq!(page.value("document.querySelector('.toast').hidden"), true);
    keeps(&server, &[("d3c3c4", None), ("f5", None)]);
    reload(&server, &mut page);
    page.until(&shows("f5"));
    page.is_well();
}

#[test]
fn unfinished_games_are_resumed() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_stopped_clock(&server, &mut page);
    play(&mut page, &["d3"]);
    page.advance(Duration::from_secs(20));
    page.until(&clock("white", "2:40"));
    begin(&mut page, &[("size", "6"), ("clock", "none")]);
    play(&mut page, &["b3"]);
    page.until("document.querySelectorAll('.unfinished li').length === 1");
    page.advance(Duration::from_secs(1000));
    page.click(".unfinished [data-action=resume]");
    page.until(&shows("d3"));
    // The clock stood meanwhile.
    page.until(&clock("white", "2:40"));
    play(&mut page, &["c3"]);
    keeps(&server, &[("d3c3", None), ("b3", None)]);
    page.until("document.querySelector('.unfinished li').dataset.id === '2'");
    // By address too, whatever is shown; and one that is not there is told.
    page.value("location.hash = '#/learn'");
    page.until("document.querySelector('.learn')");
    page.value("location.hash = '#/play?resume=2'");
    page.until(&shows("b3"));
    page.until("location.hash === '#/play'");
    page.value("location.hash = '#/play?resume=99'");
    page.until(&says("99"));
    page.until(&shows("b3"));
    page.go(&format!("http://{}/#/play?resume=99", server.address()));
    page.until(&says("99"));
    page.until(&shows("b3"));
    page.go(&format!("http://{}/#/play?resume=1", server.address()));
    page.until(&shows("d3 c3"));
    play(&mut page, &["c4"]);
    page.click("[data-action=resign]");
    keeps(&server, &[("d3c3c4", Some("white")), ("b3", None)]);
    // What is finished is not offered.
    page.click(".unfinished [data-action=resume]");
    page.until(&shows("b3"));
    page.until("document.querySelector('.kept-games').hidden");
    page.is_well();
}

/// Holds the answers to a kind of request back until `release()` is called in the page, and counts them in `answered`.
fn hold_answers(page: &mut Page, method: &str) {
    page.value(&format!(
        "(() => {{ const ask = fetch, released = new Promise((go) => {{ globalThis.release = go; }}); \
         globalThis.answered = 0; \
         globalThis.fetch = async (path, options) => {{ const answer = await ask(path, options); \
         if (path !== '/api/games' || options.method !== {method:?}) return answer; \
         await released; answered++; return answer; }}; }})()"
    ));
}

#[test]
fn a_game_left_before_the_server_has_answered_keeps_its_clock() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_stopped_clock(&server, &mut page);
    hold_answers(&mut page, "POST");
    play(&mut page, &["d3"]);
    page.advance(Duration::from_secs(20));
    page.until(&clock("white", "2:40"));
    begin(&mut page, &[("size", "6"), ("clock", "none")]);
    page.value("release()");
    page.until("document.querySelectorAll('.unfinished li').length === 1");
    // A move takes the toast away.
    play(&mut page, &["b3"]);
    page.click(".unfinished [data-action=resume]");
    page.until(&shows("d3"));
    page.until(&clock("white", "2:40"));
    page.is_well();
}

#[test]
fn the_unfinished_games_stay_under_the_pointer() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin_with_stopped_clock(&server, &mut page);
    play(&mut page, &["d3"]);
    begin(&mut page, &[("size", "6")]);
    page.until("document.querySelectorAll('.unfinished li').length === 1");
    page.value("document.querySelector('.unfinished li').marked = true");
    hold_answers(&mut page, "GET");
    page.value("release()");
    play(&mut page, &["b3"]);
    page.until("answered > 0");
    // By the time of another answer that one has been read.
    page.value("fetch('/api/about').then((answer) => answer.text())");
    assert_eq!(page.value("document.querySelector('.unfinished li').marked"), true);
    page.is_well();
}

#[test]
fn two_tabs_on_one_game_do_not_diverge() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3"]);
    keeps(&server, &[("d3", None)]);
    let first = page.open_tab(&format!("http://{}/", server.address()));
    page.until(&shows("d3"));
    play(&mut page, &["c3"]);
    keeps(&server, &[("d3c3", None)]);
    // The first tab has lost the game, says so, and follows.
    let second = page.switch_to(&first);
    page.until(&says("in another tab"));
    assert_eq!(page.value("document.querySelector('.play .cell.legal')"), serde_json::Value::Null);
    page.click("[data-action=follow]");
    page.until(&shows("d3 c3"));
    play(&mut page, &["c4"]);
    keeps(&server, &[("d3c3c4", None)]);
    // So does the second one, which goes on with a game of its own.
    page.switch_to(&second);
    page.until(&says("in another tab"));
    page.click("[data-action=branch]");
    page.until(&says("Black to move"));
    play(&mut page, &["b3"]);
    keeps(&server, &[("d3c3c4", None), ("d3c3b3", None)]);
    // Each goes on with its own, also after a reload.
    page.switch_to(&first);
    reload(&server, &mut page);
    page.until(&shows("d3 c3 c4"));
    page.is_well();
}

#[test]
fn a_game_that_was_continued_by_another_browser_is_not_written_over() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3"]);
    keeps(&server, &[("d3", None)]);
    let mut other = Page::open(&format!("http://{}/#/play?resume=1", server.address())).unwrap();
    other.until(&shows("d3"));
    play(&mut other, &["c3"]);
    keeps(&server, &[("d3c3", None)]);
    page.click(".play .cell.legal[data-square=e3]");
    page.until(&says("in another tab"));
    keeps(&server, &[("d3c3", None)]);
    page.click("[data-action=branch]");
    keeps(&server, &[("d3c3", None), ("d3e3", None)]);
    page.is_well();
    other.is_well();
}

#[test]
fn earlier_positions_are_looked_at_and_passes_are_not_numbered() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE, ("size", "4")]);
    page.until("document.querySelectorAll('.play .cell').length === 16");
    let line = line_to_pass();
    let squares: Vec<&str> = line.iter().map(String::as_str).collect();
    play(&mut page, &squares);
    made(&mut page, line.len() + 1);
    let numbers = "[...document.querySelectorAll('.transcript .move')].map((it) => it.dataset.number).join('')";
    let wanted: String = (1..=line.len()).map(|number| format!("{number}.")).collect();
    assert_eq!(page.value(numbers), wanted);
    let discs = "document.querySelectorAll('.play .cell:not([data-disc=none])').length";
    page.click(".transcript .move:nth-of-type(2)");
    page.until(&says(&format!("after move 2, {}", line[1])));
    assert_eq!(page.value(discs), 6);
    assert_eq!(page.value("document.querySelectorAll('.play .cell.legal').length"), 0);
    page.click("[data-action=present]");
    page.until("document.querySelector('.play .cell.legal')");
    assert_eq!(page.value(discs), 4 + line.len());
    page.click(".transcript .move:nth-of-type(2)");
    page.until(&says("after move 2"));
    page.click("[data-action=undo]");
    page.until("document.querySelector('[data-action=present]').hidden");
    page.is_well();
}

#[test]
fn a_reload_before_the_server_has_answered_finds_the_game() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    begin(&mut page, &[("white", "human")]);
    play(&mut page, &["d3"]);
    page.until("JSON.parse(sessionStorage.getItem('game')).id !== null");
    // As if the answer with the game's number had been lost.
    let forget = "for (const storage of [sessionStorage, localStorage]) { \
         const game = JSON.parse(storage.getItem('game')); \
         storage.setItem('game', JSON.stringify({ ...game, id: null })); storage.removeItem('game:1'); }";
    page.value(forget);
    reload(&server, &mut page);
    page.until(&shows("d3"));
    keeps(&server, &[("d3", None)]);
    // As if the move had been lost too.
    page.value(forget);
    server.ask("DELETE", "/api/games/1", &serde_json::Value::Null);
    reload(&server, &mut page);
    page.until(&shows("d3"));
    keeps(&server, &[("d3", None)]);
    page.is_well();
}
