//! Quick hands: no click is lost before the server has answered, and one too many is undone.

use serde_json::json;

use crate::chromium::Page;
use crate::keeping::{TWO_PEOPLE, play};
use crate::play::begin;
use crate::{page, server_page};

const MOVES: &str = "document.querySelectorAll('.analyse .move').length";
/// The squares of the moves of an analysis, as they are listed.
const LISTED: &str =
    "[...document.querySelectorAll('.analyse .move')].map((it) => it.textContent.match(/[a-h][1-8]/)[0]).join('')";

/// Has every answer of the server come later.
const SLOW: &str = "(() => { const ask = window.fetch; window.fetch = async (...all) => { \
    const answer = await ask(...all); await new Promise((done) => setTimeout(done, 120)); return answer; }; })()";

/// Clicks elements one after the other, with a gap in between.
fn click_all(page: &mut Page, selectors: &[&str], gap: u64) {
    page.value(&format!(
        "(async () => {{ for (const it of {}) {{ document.querySelector(it).dispatchEvent(new MouseEvent('click', {{ bubbles: true }})); \
         await new Promise((done) => setTimeout(done, {gap})); }} }})()",
        json!(selectors)
    ));
}

/// Presses a letter with Ctrl.
pub(crate) fn control(page: &mut Page, letter: &str) {
    page.value(&format!(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: {letter:?}, ctrlKey: true, bubbles: true }}))"
    ));
}

#[test]
fn quick_moves_are_all_played_in_order() {
    let Some((server, mut page)) = server_page("#/analyse") else {
        return;
    };
    let line = "f5d6c3d3c4f4f6f3e6e7";
    let squares: [String; 10] =
        std::array::from_fn(|i| format!(".analyse .cell[data-square={}]", &line[2 * i..2 * i + 2]));
    for gap in [0, 30] {
        page.go(&format!("http://{}/#/analyse", server.address()));
        page.until("document.querySelector('.analyse .cell.legal')");
        page.value(SLOW);
        click_all(&mut page, &squares.each_ref().map(String::as_str), gap);
        page.until(&format!("{LISTED} === {line:?}"));
    }
    page.is_well();
}

#[test]
fn a_chip_means_the_position_that_it_was_shown_for() {
    let Some((_server, mut page)) = page("#/analyse?line=f5d6&at=2") else {
        return;
    };
    page.until("document.querySelectorAll('.lines li:first-child .chip').length > 2");
    page.value(SLOW);
    // A move on the board is under way, and the lines are still those before it.
    let clicked = page.value(
        "(() => { const chips = [...document.querySelectorAll('.lines li:first-child .chip')].slice(1, 3); \
         const other = [...document.querySelectorAll('.analyse .cell.legal')].map((it) => it.dataset.square) \
           .find((it) => !chips[0].dataset.line.startsWith(it)); \
         document.querySelector(`.analyse .cell[data-square=${other}]`).dispatchEvent(new MouseEvent('click', { bubbles: true })); \
         chips.forEach((it) => it.click()); return [other, chips[1].dataset.line]; })()",
    );
    let (other, line) = (clicked[0].as_str().unwrap(), clicked[1].as_str().unwrap());
    page.until(&format!("{LISTED} === 'f5d6{other}{line}'"));
    page.is_well();
}

#[test]
fn deletions_are_undone_step_by_step() {
    let Some((_server, mut page)) = page("#/analyse?line=d3c3c4c5b3&at=5") else {
        return;
    };
    page.until(&format!("{MOVES} === 5"));
    click_all(&mut page, &["[data-action=prune]"; 3], 0);
    page.until(&format!("{MOVES} === 2"));
    page.click("[data-action=toast-undo]");
    page.until(&format!("{MOVES} === 3"));
    page.click("[data-action=toast-undo]");
    page.until(&format!("{MOVES} === 4"));
    page.click("[data-action=toast-redo]");
    page.until(&format!("{MOVES} === 3"));
    // Also when nothing offers it any more.
    page.click("[data-action=toast-close]");
    for moves in [4, 5] {
        control(&mut page, "z");
        page.until(&format!("{MOVES} === {moves}"));
    }
    page.until("document.querySelector('[data-action=toast-undo]').disabled");
    control(&mut page, "y");
    page.until(&format!("{MOVES} === 4"));
    // Discs that are set up, too.
    page.click("[data-action=set-up]");
    page.click(".analyse .cell[data-square=a1]");
    let disc = "document.querySelector('.analyse .cell[data-square=a1]').dataset.disc";
    page.until(&format!("{disc} === 'black'"));
    control(&mut page, "z");
    page.until(&format!("{disc} !== 'black' && !document.querySelector('.editor').hidden"));
    control(&mut page, "z");
    page.until(&format!("document.querySelector('.editor').hidden && {MOVES} === 4"));
    page.is_well();
}

#[test]
fn quick_undos_and_redos_are_all_done() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["f5", "d6", "c3", "d3", "c4", "f4", "f6"]);
    page.value(SLOW);
    let shows = |moves: &str| format!("document.querySelector('.transcript').textContent.trim() === {moves:?}");
    click_all(&mut page, &["[data-action=undo]"; 5], 30);
    page.until(&shows("f5 d6"));
    click_all(&mut page, &["[data-action=redo]"; 9], 30);
    page.until(&shows("f5 d6 c3 d3 c4 f4 f6"));
    page.is_well();
}
