//! Analysis: ever deeper, proven at last, a game's mistakes, branches, set-ups, links, files.

use std::fs;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use turncoat_players::{BuildError, Player, Program, Programs, Roster, Setting};

use crate::chromium::Page;
use crate::client::Server;
use crate::{is_static, page, server_page};

/// A game with a few mistakes in it.
const GAME: &str = "#/analyse?game=reversed&size=8&line=d3e3f2c5f4c3b3f3g3g1e1g5f5h3d2a3c2c1b1d1e2g6&at=13";
const SMALL: &str = "#/analyse?game=reversed&size=4";

#[test]
fn analysis_deepens_and_tells_why_moves_were_mistakes() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    let deeper_than = |depth: u32| format!("Number(document.querySelector('.depth')?.dataset.depth) > {depth}");
    page.until(&deeper_than(2));
    let legal = "document.querySelectorAll('.analyse .cell.legal').length";
    let scored = "document.querySelectorAll('.analyse .score:not(:empty)').length";
    assert_eq!(page.value(legal), page.value(scored));
    page.until(&deeper_than(6));
    page.until("document.querySelectorAll('.mistakes li').length > 7");
    page.until("document.querySelectorAll('.graph .blunder, .graph .mistake').length > 0");
    page.click(".mistakes li:nth-child(7) .to");
    page.until("document.querySelector('.why')?.textContent.includes('Better was')");
    page.until(&deeper_than(8));
    page.resize(1280, 1000);
    page.picture("analyse");
    // Steps into the best line make a branch.
    page.click(".lines li:first-child .chip:nth-child(2)");
    page.until("document.querySelector('.branch .move:nth-child(2)[aria-current]')");
    page.press("Home");
    page.until("document.querySelectorAll('.analyse [data-disc=black]').length === 2");
    page.is_well();
}

#[test]
fn a_mistake_that_is_chosen_brings_the_board_and_its_own_reasons() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    page.until("document.querySelectorAll('.mistakes li').length > 7");
    page.choose("[name=limit]", "d8");
    page.until("document.querySelector('.depth').textContent === 'Depth 8'");
    page.resize(360, 740);
    let mut after_another = false;
    for row in 1..=8 {
        let to = format!(".mistakes li:nth-child({row}) .to");
        page.value(&format!("document.querySelector({to:?}).click()"));
        let open = "[...document.querySelectorAll('.why')].map((it) => it.parentElement)";
        page.until(&format!("{open}.length === 1 && {open}[0] === document.querySelector({to:?}).parentElement"));
        page.until("(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector('.analyse .board').getBoundingClientRect())");
        after_another |= page.value("document.querySelector('.why').parentElement.dataset.ply - (document.querySelector('.why').parentElement.previousSibling?.dataset.ply ?? -9) === 1") == true;
        page.value(&format!("document.querySelector({to:?}).scrollIntoView({{ behavior: 'instant' }})"));
    }
    assert!(after_another, "no two mistakes in a row");
    page.is_well();
}

#[test]
fn a_set_up_counts_its_own_discs() {
    let Some((_server, mut page)) = page("#/analyse?game=reversed&size=8&line=f5f6d3f4g4&at=5") else {
        return;
    };
    page.until("document.querySelector('.analyse .status').textContent.includes('Black 6 · White 3')");
    page.until("document.querySelector('.game').offsetHeight > 0");
    page.click("[data-action=set-up]");
    for square in ["a1", "b1"] {
        page.click(&format!(".analyse .cell[data-square={square}]"));
    }
    page.until("document.querySelector('.analyse .status').textContent.includes('Black 8 · White 3')");
    page.until("document.querySelector('.game').offsetHeight === 0");
    page.is_well();
}

#[test]
fn small_games_are_proven() {
    let Some((_server, mut page)) = page(SMALL) else {
        return;
    };
    page.until("document.querySelectorAll('.score.exact').length === 4");
    assert_eq!(page.text(".score.exact"), "=+4");
    assert_eq!(page.text(".depth"), "Proven to the end");
    page.is_well();
}

#[test]
fn an_illegal_set_up_is_refused_and_a_legal_one_is_not() {
    let Some((_server, mut page)) = page(SMALL) else {
        return;
    };
    page.click("[data-action=set-up]");
    page.click("[data-action=clear]");
    page.click("[data-action=apply]");
    page.until("document.querySelector('.editor .fault').textContent.includes('no discs')");
    page.click(".cell[data-square=b1]");
    page.click("[data-tool=white]");
    page.click(".cell[data-square=c1]");
    page.click("[data-action=apply]");
    page.until("document.querySelectorAll('.analyse .cell.legal').length === 1");
    page.until("document.querySelector('[data-square=d1] .score').textContent !== ''");
    // What cannot be read is refused too, with its place.
    page.click("[data-action=paste]");
    page.value("document.querySelector('textarea').value = 'f5f5'");
    page.choose("dialog [name=size]", "8");
    page.click("[data-action=paste-read]");
    page.until("document.querySelector('dialog .fault').textContent.includes('move 2')");
    page.value("document.querySelector('textarea').value = '(;GM[Othello]PC[x]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[d3//]W[c3//];)'");
    page.click("[data-action=paste-read]");
    page.until("document.querySelectorAll('.analyse .move').length === 2");
    page.until("document.querySelector('.analyse .status').textContent.startsWith('Reversi')");
    page.is_well();
}

#[test]
fn a_shared_link_shows_the_same_again() {
    let Some((server, mut page)) = server_page("#/analyse?game=reversi&size=6&line=c2(d2)b2b3b4&at=c2d2") else {
        return;
    };
    page.until("document.querySelector('.branch [aria-current]')");
    page.click(".analyse .cell.legal");
    page.until("document.querySelectorAll('.branch .move').length === 2");
    page.click("[data-action=share]");
    page.until("document.querySelector('.link').value.includes('line=')");
    let link = page.value("document.querySelector('.link').value");
    // Marks come with time.
    let shown = "document.querySelector('.moves').textContent.replace(/[?!]/g, '') \
                 + [...document.querySelectorAll('.analyse .cell')].map((it) => it.dataset.disc) \
                 + document.querySelector('[aria-current=step]').dataset.place";
    let before = page.value(shown);
    let other = crate::chromium::Page::open(link.as_str().unwrap());
    let mut other = other.unwrap();
    other.until("document.querySelector('.branch [aria-current]')");
    assert_eq!(other.value(shown), before);
    // The address follows without being asked, so that a reload shows the same too.
    page.until("location.hash.includes('line=c2')");
    assert!(link.as_str().unwrap().contains(&server.address().to_string()));
    page.is_well();
    other.is_well();
}

#[test]
fn a_bad_link_shows_the_beginning_and_what_is_wrong() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    let many = format!("line=d3{}", "(".repeat(3000));
    for (link, fault) in [
        ("line=zz", "move 1"),
        ("line=d3c3&at=zz", "move 1"),
        ("size=5", "a size that is not known"),
        ("game=chess", "a game that is not known"),
        (&many, "more than 100 branches"),
    ] {
        page.go(&format!("http://{}/#/analyse?{link}", server.address()));
        page.until("document.querySelector('.analyse .status').textContent.includes('cannot be followed')");
        let told = page.text(".analyse .status");
        assert!(told.contains(fault) && !told.contains("JSON"), "{told}");
        // It is no dead end.
        page.until("document.querySelector('.analyse .score:not(:empty)')");
        page.click(".analyse .cell.legal");
        page.until("document.querySelector('.analyse [aria-current=step]')");
        page.until("document.querySelector('.analyse .status').textContent.includes('to move')");
    }
    page.is_well();
}

#[test]
fn the_end_of_a_game_is_told() {
    let Some((_server, mut page)) = page("#/analyse?game=reversed&size=8&line=e6f4e3f6g5d6e7f5c5&at=9") else {
        return;
    };
    page.until("document.querySelector('.analyse .status').textContent.includes('White wins by 64')");
    // So is what is wrong with a text, as long as the dialog is open.
    page.click("[data-action=paste]");
    page.value("document.querySelector('textarea').value = 'f5f5'");
    page.click("[data-action=paste-read]");
    page.until("document.querySelector('dialog .fault').textContent.includes('move 2')");
    page.click("[data-action=paste-cancel]");
    page.until("document.querySelector('.analyse .status').textContent.includes('White wins by 64')");
    // A position says its size by its length.
    page.click("[data-action=paste]");
    page.value("document.querySelector('textarea').value = '-----OX--XO----- X'");
    page.click("[data-action=paste-read]");
    page.until("document.querySelectorAll('.analyse .cell').length === 16");
    page.is_well();
}

#[test]
fn games_are_saved_as_files_and_pictures() {
    let Some((_server, mut page)) = page(GAME) else {
        return;
    };
    let folder = page.downloads();
    page.until("document.querySelectorAll('.analyse .move').length > 20");
    // Wherever one looks, the whole game is saved.
    page.press("Home");
    for (format, file, begins) in [
        ("svg", "turncoat.svg", &b"<svg "[..]),
        ("png", "turncoat.png", b"\x89PNG"),
        ("ggf", "turncoat.ggf", b"(;"),
        ("page", "turncoat.html", b"<!doctype html>"),
        ("transcript", "turncoat.txt", b"d3e3f2"),
    ] {
        page.choose("[name=save]", format);
        let path = folder.join(file);
        while !fs::read(&path).is_ok_and(|content| content.starts_with(begins)) {
            page.is_well();
            thread::sleep(Duration::from_millis(25));
        }
    }
    let moves = fs::read_to_string(folder.join("turncoat.txt")).unwrap();
    assert_eq!(moves.trim().len(), 2 * 22, "{moves}");
    // The page of its own needs nothing else.
    let own = serde_json::json!({"url": format!("file://{}", folder.join("turncoat.html").display())});
    page.call("Page.navigate", &own);
    page.until("document.querySelectorAll('#moves button').length === 23");
    page.press("Home");
    page.until("document.querySelectorAll('#board .X, #board .O').length === 4");
    page.press("ArrowRight");
    page.until("document.querySelector('#moves [aria-current]').textContent.startsWith('1. d3')");
    page.is_well();
}

#[test]
fn a_player_says_what_it_sees() {
    let Some((_server, mut page)) = page("#/analyse?game=reversed&size=8&line=d3e3f2&at=3") else {
        return;
    };
    page.until("document.querySelector('[name=explains]')?.options.length > 5");
    assert_eq!(page.value("document.querySelector('[name=analyst]').hidden"), true);
    // The book stands above it.
    page.until("!document.querySelector('.coming')");
    page.click(".explanation summary");
    page.until("document.querySelectorAll('.explanation tbody tr').length > 3");
    page.choose(".explanation [name=explains]", "gene45");
    let total = "document.querySelector('.explanation .total td:last-child').textContent";
    page.until(&format!("{total} === '968'"));
    page.click("[data-action=back]");
    page.until(&format!("{total} !== '968'"));
    // What `turncoat` sees has a name in every language, and what others see may have one.
    page.choose(".explanation [name=explains]", "turncoat");
    page.until("document.querySelector('.explanation').textContent.includes('corner triangle')");
    page.choose("#language", "zh-Hans");
    page.until("document.querySelector('.explanation tbody').textContent.includes('角上三角')");
    assert_eq!(page.value("/[a-z]{3}/.test(document.querySelector('.explanation tbody').textContent)"), false);
    page.choose("#language", "en");
    page.value("location.hash = '#/analyse?game=reversi&size=8&line=f5'");
    page.until("[...document.querySelector('[name=explains]').options].every((it) => it.value !== 'gene45')");
    page.is_well();
}

#[test]
fn a_file_of_weights_analyses() {
    if crate::is_static() {
        return;
    }
    let weights = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights");
    let folder = turncoat_players::PlayerFolder::open(&weights).unwrap();
    let server = crate::client::Server::with(|config| config.players = turncoat_api::opponents().with_folder(folder));
    let Some(mut page) = crate::chromium::Page::open(&format!("http://{}/", server.address())) else {
        return;
    };
    page.until("[...document.querySelector('[name=white]').options].some((it) => it.value === 'linear-reversed.toml')");
    page.value("location.hash = '#/analyse?game=reversed&size=8&line=d3'");
    page.until("document.querySelector('[name=analyst]')?.options.length === 2");
    page.choose("[name=analyst]", "patterns-reversed.weights");
    page.until("Number(document.querySelector('.depth').dataset.depth) > 3");
    page.click(".explanation summary");
    page.choose(".explanation [name=explains]", "linear-reversed.toml");
    page.until("document.querySelector('.explanation .total')");
    page.picture("explanation");
    page.is_well();
}

/// A folder of one program, which plays as `greedy` does.
struct Mine;

impl Programs for Mine {
    fn find(&self, text: &str) -> Option<Arc<dyn Program>> {
        (text == "program:mine.py").then(|| Arc::new(Self) as Arc<dyn Program>)
    }

    fn names(&self) -> Vec<String> {
        vec!["program:mine.py".to_owned()]
    }
}

impl Program for Mine {
    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        Roster::default().parse("greedy")?.build(setting)
    }

    fn contents(&self) -> Option<String> {
        None
    }
}

#[test]
fn a_program_is_a_second_engine_if_one_asks_for_it() {
    if is_static() {
        return;
    }
    let server = Server::with(|config| config.players = turncoat_api::opponents().with_programs(Mine));
    let Some(mut page) = Page::open(&format!("http://{}/{GAME}", server.address())) else {
        return;
    };
    page.until("document.querySelector('[name=second]')?.offsetParent");
    assert_eq!(page.value("document.querySelector('.second p').hidden"), true, "nothing is asked for by itself");
    page.choose("[name=second]", "program:mine.py");
    page.until(
        "/^mine.py plays [a-h][1-8], which scores [+−]?[0-9.]+$/.test(document.querySelector('.second p').textContent)",
    );
    let before = page.text(".second p");
    page.press("Home");
    page.until(&format!("document.querySelector('.second p').textContent !== {before:?}"));
    page.until("document.querySelector('.second p').textContent.startsWith('mine.py plays')");
    page.choose("[name=second]", "");
    page.until("document.querySelector('.second p').hidden");
    page.is_well();
}
