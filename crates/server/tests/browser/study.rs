//! Studying a game: the engine's controls, guessing, notes, branches, lessons, files of many games, animations.

use std::fs;

use crate::page;

const GAME: &str = "#/analyse?game=reversed&size=8&line=d3e3f2c5f4c3b3f3g3g1e1g5&at=12";

/// How many squares show a score.
const SCORES: &str = "[...document.querySelectorAll('.analyse .score')].filter((it) => it.textContent).length";

#[test]
fn the_engine_is_turned_off_and_limited() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    page.until("document.querySelectorAll('.lines li').length === 3");
    page.choose("[name=lines]", "1");
    page.until("document.querySelectorAll('.lines li').length === 1");
    page.choose("[name=limit]", "d8");
    page.until("document.querySelector('.depth').textContent === 'Depth 8'");
    page.press("l");
    page.until("document.querySelector('.depth').textContent === 'Off'");
    page.press("ArrowLeft");
    page.until(&format!("{SCORES} === 0"));
    page.press("l");
    page.until(&format!("{SCORES} > 0"));
    // The best line lies on the board while it is pointed at.
    page.value("document.querySelector('.lines li').dispatchEvent(new PointerEvent('pointerover', { bubbles: true }))");
    page.until("document.querySelectorAll('.expected circle').length > 1");
    page.press("f");
    page.until(
        "document.querySelector('[data-square=a1]').getBoundingClientRect().left \
         > document.querySelector('[data-square=h8]').getBoundingClientRect().left",
    );
    page.is_well();
}

#[test]
fn a_guess_is_answered_by_what_it_costs() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    page.until(&format!("{SCORES} > 0"));
    page.click("[name=shown]");
    page.until(&format!("{SCORES} === 0"));
    page.click(".analyse .cell.legal");
    page.until("/costs|best move|as good/.test(document.querySelector('.guess').textContent)");
    page.is_well();
}

#[test]
fn notes_and_the_main_line_are_in_the_address() {
    let Some((_server, mut page)) = page(&GAME.replace("at=12", "at=10")) else {
        return;
    };
    page.until("document.querySelectorAll('.analyse .move').length === 12");
    page.click("[data-square=d2]");
    page.until("document.querySelectorAll('.analyse .branch .move').length === 1");
    page.value("(() => { const it = document.querySelector('[name=comment]'); it.value = 'a & b'; it.dispatchEvent(new Event('input')); })()");
    page.click("[data-action=symbol]:nth-child(3)");
    page.click("[data-action=promote]");
    page.until("document.querySelector('.branch').textContent.includes('e1')");
    page.until("location.hash.includes('notes=')");
    page.value("location.reload()");
    page.until("document.querySelector('.moves')?.textContent.includes('!?a & b')");
    page.click("[data-action=play-here]");
    page.until("location.hash === '#/play' && document.querySelector('.play .cell.legal')");
    page.until("document.querySelectorAll('.play .cell:not([data-disc=none])').length === 15");
    page.is_well();
}

#[test]
fn a_lesson_asks_before_it_answers() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    page.until("!document.querySelector('[data-action=lesson]').disabled");
    assert!(page.text(".accuracy").contains("accuracy"));
    page.click("[data-action=lesson]");
    page.until("document.querySelector('.lesson').textContent.includes('Find a better move')");
    page.until(&format!("{SCORES} === 0"));
    page.click(".analyse .cell.legal");
    page.until("/Try another|is right/.test(document.querySelector('.lesson').textContent)");
    page.value("document.querySelector('[data-action=lesson-answer]').click()");
    page.until("document.querySelector('.lesson').textContent.includes('Better was')");
    page.picture("lesson");
    page.click("[data-action=lesson-next]");
    page.click("[data-action=lesson-stop]");
    page.until("document.querySelector('.lesson').hidden");
    page.is_well();
}

#[test]
fn a_file_of_games_is_listed_searched_and_opened() {
    let Some((_server, mut page)) = page("#/analyse") else {
        return;
    };
    page.until("document.querySelector('.analyse .cell.legal')");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.ggf");
    let game = |black: &str, moves: &str| {
        format!(
            "(;GM[Othello]PB[{black}]PW[Bo]RE[+4]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]{moves};)\n"
        )
    };
    fs::write(&file, game("Ann", "B[f5]W[d6]") + &game("Cy", "B[f5]W[f6]B[e6]")).unwrap();
    page.click("[data-action=paste]");
    page.choose_file("[name=file]", &file);
    page.until("document.querySelectorAll('.many li').length === 2");
    page.value("(() => { const it = document.querySelector('[name=search]'); it.value = 'cy'; it.dispatchEvent(new Event('input')); })()");
    page.until("document.querySelectorAll('.many li').length === 1");
    page.click(".many button");
    page.until("document.querySelectorAll('.analyse .move').length === 3");
    let downloads = page.downloads();
    page.choose("[name=save]", "gif");
    let animation = downloads.join("turncoat.gif");
    while fs::read(&animation).map_or(0, |bytes| bytes.len()) == 0 {
        page.value("0");
    }
    let bytes = fs::read(&animation).unwrap();
    assert!(bytes.starts_with(b"GIF89a") && bytes.ends_with(b";"), "{} bytes", bytes.len());
    page.is_well();
}

#[test]
fn keys_are_listed() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    page.press("?");
    page.until("document.querySelector('.help[open]')");
    page.click("[data-action=help-close]");
    page.until("!document.querySelector('.help[open]')");
    page.is_well();
}
