//! Studying a game: the engine's controls, guessing, notes, branches, lessons, files of many games, animations.

use std::fs;

use turncoat_board::{Color, Game, Geometry, Move, VariantKind};

use crate::chromium::Page;
use crate::haste::control;
use crate::keeping::{TWO_PEOPLE, play};
use crate::play::begin;
use crate::{page, server_page};

const GAME: &str = "#/analyse?game=reversed&size=8&line=d3e3f2c5f4c3b3f3g3g1e1g5&at=12";

/// How many squares show a score.
const SCORES: &str = "[...document.querySelectorAll('.analyse .score')].filter((it) => it.textContent).length";

/// The figure on the bar.
const BAR: &str = "document.querySelector('.bar .number').textContent";

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
    // In the browser itself one thread searches; where there are several, they can be fewer.
    let offers = "[...document.querySelector('[name=threads]').options].length";
    if page.value(offers).as_u64() > Some(1) {
        page.choose("[name=threads]", "1");
        page.until("document.querySelector('.depth').textContent === 'Depth 8'");
        assert_eq!(page.value("localStorage.getItem('engine')"), "1 d8 1");
    }
    page.press("l");
    page.until("document.querySelector('.depth').textContent === 'Off'");
    // What was found would soon be that of another position.
    page.until(&format!("{SCORES} === 0 && !document.querySelector('.lines li') && {BAR} === ''"));
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
    let marks = "document.querySelectorAll('.moves .mark:not([hidden])').length";
    page.until(&format!("{SCORES} > 0 && {marks} > 0"));
    page.click("[name=shown]");
    page.until(&format!("{SCORES} === 0"));
    // Nothing tells the answer before there is a guess: no mark, no graph, no list, no cost of a move that was there.
    page.until(&format!("{marks} === 0 && document.querySelector('.game').offsetHeight === 0"));
    page.until("document.querySelector('.guess').textContent.includes('Guess the move')");
    page.until("getComputedStyle(document.querySelector('.analyse .cell.legal .mark')).opacity > 0.3");
    page.click(".analyse .cell.legal");
    let answered = "/costs|best move|as good/.test(document.querySelector('.guess').textContent)";
    page.until(answered);
    // With the engine off nobody would look at the next one.
    page.click("[name=engine]");
    page.click(".analyse .cell.legal");
    page.until(&format!("document.querySelectorAll('.analyse .move').length === 14 && {answered}"));
    page.is_well();
}

/// Where everything is that can be pressed in the column.
const PLACES: &str = "[...document.querySelectorAll('.analyse aside :is(button, select, input)')] \
    .filter((it) => !it.closest('.lines, .moves, .mistakes')) \
    .map((it) => `${it.dataset.action ?? it.name} ${Math.round(it.getBoundingClientRect().top)}`).join()";

#[test]
fn hiding_the_scores_and_faults_move_nothing() {
    let Some((_host, mut page)) = page("#/analyse?line=f5d6c3&at=3") else {
        return;
    };
    let set = |limit: &str| format!("document.querySelector('[name=limit]').value === {limit:?}");
    page.choose("[name=limit]", "d8");
    page.until(&set("d8"));
    for size in [(1280, 860), (1920, 1080), (768, 1024), (390, 844)] {
        page.resize(size.0, size.1);
        page.until("document.querySelectorAll('.mistakes li, .accuracy p').length > 0");
        page.until("document.querySelector('.depth').textContent === 'Depth 8' && !document.querySelector('.coming')");
        page.value("document.querySelector('.toast').hidden = true");
        let top = "document.querySelector('.engine-controls').getBoundingClientRect().top + scrollY";
        let before = page.value(top);
        page.click("[name=shown]");
        page.until("document.querySelector('.guess').offsetHeight > 0");
        assert_eq!(page.value(top), before, "scores hidden at {size:?}");
        page.click("[name=shown]");
        page.until("document.querySelector('.guess').offsetHeight === 0");
        let places = page.value(PLACES);
        for text in ["hello", "f5d6h8"] {
            page.value(&format!(
                "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {text:?}); \
                 document.body.dispatchEvent(new ClipboardEvent('paste', \
                 {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()"
            ));
            page.until("document.querySelector('.analyse .status.fault')");
            assert_eq!(page.value(PLACES), places, "a fault at {size:?}");
        }
    }
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
    page.reload();
    page.until("document.querySelector('.moves')?.textContent.includes('!?a & b')");
    page.choose("[name=other]", "turncoat:level=2");
    page.click("[data-action=play-here]");
    page.until("location.hash === '#/play' && document.querySelector('.play .cell.legal')");
    page.until("document.querySelector('.players').textContent.includes('Level 2')");
    page.until("document.querySelectorAll('.play .cell:not([data-disc=none])').length === 15");
    page.is_well();
}

#[test]
fn notes_are_undone_and_moves_that_came_since_are_not() {
    let Some((_server, mut page)) = page("#/analyse?game=reversed&size=8&line=d3c3&at=2") else {
        return;
    };
    page.until("document.querySelectorAll('.analyse .move').length === 2");
    let noted = |text: &str| format!("document.querySelector('.moves').textContent.includes({text:?})");
    for text in ["a", "ab"] {
        page.value(&format!(
            "(() => {{ const it = document.querySelector('[name=comment]'); it.value = {text:?}; it.dispatchEvent(new Event('input')); }})()"
        ));
    }
    page.click("[data-action=symbol]:nth-child(3)");
    page.until(&noted("!?ab"));
    page.click(".analyse .cell.legal");
    page.until("document.querySelectorAll('.analyse .move').length === 3");
    for (letter, shown, gone) in [("z", "ab", "!?"), ("z", "c3", "a"), ("y", "ab", "!?"), ("y", "!?ab", "none")] {
        control(&mut page, letter);
        page.until(&format!("{} && !{}", noted(shown), noted(gone)));
    }
    page.until("document.querySelectorAll('.analyse .move').length === 3");
    page.is_well();
}

#[test]
fn a_lesson_asks_before_it_answers() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    page.until("!document.querySelector('[data-action=lesson]').disabled");
    assert!(page.text(".accuracy").contains("accuracy"));
    page.resize(360, 740);
    page.click("[data-action=lesson]");
    page.until("document.querySelector('.lesson').textContent.includes('Find a better move')");
    page.until(&format!("{SCORES} === 0 && {BAR} === ''"));
    // Board and question are in sight, and nothing is where the answer would be.
    page.until("[document.querySelector('.analyse .board'), document.querySelector('.lesson')].every((it) => { const box = it.getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight; })");
    assert_eq!(page.value("[...document.querySelectorAll('.why')].every((it) => it.offsetHeight === 0)"), true);
    page.resize(1280, 860);
    page.click(".analyse .cell.legal");
    page.until("/Try another|is right/.test(document.querySelector('.lesson').textContent)");
    page.value("document.querySelector('[data-action=lesson-answer]').click()");
    page.until("document.querySelector('.lesson').textContent.includes('Better was')");
    page.picture("lesson");
    page.click("[data-action=lesson-next]");
    page.click("[data-action=lesson-stop]");
    page.until("document.querySelector('.lesson').hidden");
    // A side's own mistakes are had alone.
    for (side, name) in [("black", "Black played"), ("white", "White played")] {
        page.choose("[name=lesson-side]", side);
        if page.value("document.querySelector('[data-action=lesson]').disabled") == false {
            page.click("[data-action=lesson]");
            page.until(&format!("document.querySelector('.lesson').textContent.includes({name:?})"));
            page.click("[data-action=lesson-stop]");
        }
    }
    page.is_well();
}

#[test]
fn a_lesson_waits_for_who_steps_away_and_ends_with_its_game() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    let begin = |page: &mut Page| {
        page.until("!document.querySelector('[data-action=lesson]').disabled");
        page.click("[data-action=lesson]");
        page.until("document.querySelector('.lesson').textContent.includes('Find a better move')");
    };
    let shown = |name: &str| format!("!document.querySelector('[data-action=lesson-{name}]').hidden");
    begin(&mut page);
    page.press("ArrowRight");
    page.until(&format!("{} && !({})", shown("back"), shown("answer")));
    page.click("[data-action=lesson-back]");
    page.until(&format!("{} && !({})", shown("answer"), shown("back")));
    // A guess is looked at, though the engine was off.
    page.click("[name=engine]");
    page.click(".analyse .cell.legal");
    page.until("/Try another|is right/.test(document.querySelector('.lesson').textContent)");
    assert_eq!(page.value("document.querySelector('[name=engine]').checked"), true);
    let ended = "document.querySelector('.lesson').hidden";
    page.click("[data-variant=reversi]");
    page.until(ended);
    page.click("[data-variant=reversed]");
    begin(&mut page);
    page.press("Home");
    page.press("ArrowRight");
    page.click("[data-action=prune]");
    page.until(&format!("document.querySelectorAll('.analyse .move').length === 0 && {ended}"));
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
    // The list comes below the book.
    page.until("!document.querySelector('.coming')");
    page.click("[data-action=paste]");
    page.choose_file("[name=file]", &file);
    page.until("document.querySelectorAll('.many li').length === 2");
    // Openings are listed turned to begin with f5, and found however they were played.
    page.value("(() => { const it = document.querySelector('[name=search]'); it.value = 'c4e3'; it.dispatchEvent(new Event('input')); })()");
    page.until("document.querySelectorAll('.many li').length === 1 && document.querySelector('.many li').textContent.includes('Ann')");
    // A line that is searched for may have been played once.
    page.value("(() => { const it = document.querySelector('[name=search]'); it.value = 'f5f6'; it.dispatchEvent(new Event('input')); })()");
    page.until("document.querySelector('.openings').textContent.includes('f5f6e6 played 1×')");
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
fn a_game_or_a_file_that_cannot_be_right_is_refused_with_the_reason() {
    let Some((_server, mut page)) = page("#/analyse") else {
        return;
    };
    page.until("document.querySelector('.analyse .cell.legal')");
    let folder = tempfile::tempdir().unwrap();
    let open = |page: &mut Page, name: &str, bytes: &[u8]| {
        fs::write(folder.path().join(name), bytes).unwrap();
        page.click("[data-action=paste]");
        page.choose_file("[name=file]", &folder.path().join(name));
    };
    let noise = (0..5000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect::<Vec<_>>();
    open(&mut page, "noise.wtb", &noise);
    page.until("document.querySelector('dialog .fault').textContent.includes('header')");
    page.click("[data-action=paste-cancel]");
    // Of three games the second begins with a square that is none.
    let mut three = vec![0; 16 + 3 * 68];
    three[4] = 3;
    for (game, square) in [56, 107, 65].into_iter().enumerate() {
        three[16 + game * 68 + 8] = square;
    }
    open(&mut page, "three.wtb", &three);
    page.until("document.querySelectorAll('.many li').length === 2");
    assert!(page.text(".left-out").contains("1 (the first is game 2)"), "{}", page.text(".left-out"));
    let ggf =
        "(;GM[Othello]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[a1];)";
    open(&mut page, "two.ggf", format!("{ggf}{ggf}").as_bytes());
    page.until("document.querySelector('.many small').textContent === 'a1'");
    page.click(".many button");
    page.until("document.querySelector('.toast:not([hidden])')?.textContent.includes('Could not read this')");
    page.is_well();
}

/// A game at random to its end: its transcript without passes, and the discs of both sides.
fn random_game(mut seed: u64) -> (String, String) {
    let mut game = Game::new(VariantKind::Reversi, Geometry::EIGHT);
    let mut moves = String::new();
    while game.outcome().is_none() {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let legal: Vec<_> = game.position().legal_moves().into_iter().collect();
        let made =
            legal.get((seed >> 33) as usize % legal.len().max(1)).map_or(Move::Pass, |&square| Move::Place(square));
        moves.extend(made.square().map(|square| Geometry::EIGHT.label(square)));
        game.play(made).unwrap();
    }
    let discs = |color: Color| game.position().discs(color).count();
    (moves, format!("{}–{}", discs(Color::Black), discs(Color::White)))
}

#[test]
fn lists_count_their_games_and_say_what_they_leave_out() {
    let Some((_server, mut page)) = page("#/analyse") else {
        return;
    };
    page.until("document.querySelector('.analyse .cell.legal')");
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name);
    let games: Vec<_> = (0..40).map(random_game).collect();
    let lines: Vec<_> = games.iter().map(|(moves, _)| moves.as_str()).collect();
    fs::write(file("games.txt"), format!("{}\nhello\nf5f5\n", lines.join("\n"))).unwrap();
    page.click("[data-action=paste]");
    page.choose_file("[name=file]", &file("games.txt"));
    page.until("document.querySelectorAll('.many li').length === 40");
    assert!(page.text(".left-out").contains("2 (the first is line 41)"));
    let results = "[...document.querySelectorAll('.many span')].map((it) => it.textContent.split(' · ')[1])";
    assert_eq!(page.value(results), serde_json::json!(games.iter().map(|(_, discs)| discs).collect::<Vec<_>>()));
    // A file of WTHOR that is cut short says so; its names are in another one.
    let mut wthor = vec![0; 16];
    wthor[4] = 3;
    for score in [40, 24] {
        let mut game = vec![0; 68];
        (game[4], game[6], game[8], game[9]) = (1, score, 56, 64);
        wthor.extend(game);
    }
    fs::write(file("w.wtb"), wthor).unwrap();
    let mut names = vec![0; 16 + 2 * 20];
    names[4] = 2;
    names[16..19].copy_from_slice(b"Ann");
    names[36..38].copy_from_slice(b"Bo");
    fs::write(file("w.jou"), names).unwrap();
    for (name, says) in [("w.wtb", "0 – 1 · 40–24"), ("w.jou", "Ann – Bo · 40–24")] {
        page.click("[data-action=paste]");
        page.choose_file("[name=file]", &file(name));
        page.until(&format!("document.querySelector('.many span').textContent === {says:?}"));
    }
    assert!(page.text(".left-out").contains("2 of 3"));
    page.is_well();
}

#[test]
fn the_book_is_back_when_the_server_is() {
    let Some((mut server, mut page)) = server_page("#/analyse?game=reversed&size=8&line=f5f6&at=2") else {
        return;
    };
    let known = "document.querySelectorAll('.explorer:not([hidden]) .chip').length > 0";
    page.until(known);
    let address = server.address();
    server.end();
    page.press("ArrowLeft");
    page.until("document.querySelector('.explorer').hidden");
    server.start_again(address);
    page.until(known);
}

#[test]
fn the_book_is_explored_until_it_ends() {
    let Some((_server, mut page)) = page("#/analyse?game=reversi&size=8&line=f5f4c3e6&at=4") else {
        return;
    };
    page.until("document.querySelectorAll('.explorer tbody tr').length > 5");
    page.until("document.querySelectorAll('.analyse .move').length === 4");
    page.picture("explorer");
    for moves in 5..=7 {
        // Those of the position before would lead nowhere new.
        page.until("!document.querySelector('.explorer').ariaBusy");
        page.click(".explorer .chip");
        page.until(&format!("document.querySelectorAll('.analyse .move').length === {moves}"));
    }
    // The book has six plies of every line, and more of the best alone.
    page.until("document.querySelectorAll('.explorer tbody tr').length === 0");
    assert!(page.text(".explorer .head").contains("out of book"), "{}", page.text(".explorer .head"));
    page.is_well();
}

#[test]
fn after_a_click_on_the_board_the_keys_are_those_of_the_page() {
    let Some((_server, mut page)) = page("#/analyse?game=reversed&size=8&line=d3c3&at=2") else {
        return;
    };
    let discs =
        |count: u32| format!("document.querySelectorAll('.analyse .cell:not([data-disc=none])').length === {count}");
    page.click(".analyse .cell.legal[data-square=c4]");
    page.until(&discs(7));
    page.press("ArrowLeft");
    page.until(&format!("{} && {SCORES} > 0", discs(6)));
    page.press(" ");
    page.until(&discs(7));
    // A game that lies under what is set up stays where it is.
    page.click("[data-action=set-up]");
    page.click(".analyse .cell[data-square=a1]");
    page.until(&discs(8));
    page.press("ArrowLeft");
    page.click("[data-action=cancel]");
    page.until("document.querySelector('.editor').hidden");
    assert_eq!(page.value(&discs(7)), true);
    page.click("#to-play");
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3", "c3"]);
    page.press("ArrowLeft");
    page.until("document.querySelector('.play .status').textContent.includes('after move 1')");
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
