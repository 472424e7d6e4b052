//! What comes into an analysis and what leaves it: addresses, texts, files, kept games, Share; and what can be undone.

use std::fs;

use serde_json::json;
use turncoat_server::Access;

use crate::chromium::Page;
use crate::client::Server;
use crate::{page, server_page};

const MOVES: &str = "document.querySelectorAll('.analyse .move').length";
const STATUS: &str = "(document.querySelector('.analyse .status')?.textContent ?? '')";

/// All that an analysis shows but its marks and scores, which come with time.
const SHOWN: &str = "document.querySelector('.moves').textContent.replace(/[?!]/g, '') \
                     + [...document.querySelectorAll('.analyse .cell')].map((it) => it.dataset.disc) \
                     + document.querySelector('.analyse .moves [aria-current=step]')?.dataset.place \
                     + document.querySelector('[data-variant][aria-pressed=true]').dataset.variant";

fn opened(at: &str) -> Option<(Server, Page)> {
    let (server, mut page) = server_page(at)?;
    page.until("document.querySelector('.analyse .cell')");
    Some((server, page))
}

/// Pastes a text where the focus is.
fn paste(page: &mut Page, text: &str) {
    page.value(&format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {text:?}); \
         document.activeElement.dispatchEvent(new ClipboardEvent('paste', \
         {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()"
    ));
}

/// Drops a file on the page.
fn drop_file(page: &mut Page, name: &str, content: &str) {
    page.value(&format!(
        "(() => {{ const data = new DataTransfer(); data.items.add(new File([{content}], {name:?})); \
         document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }})); \
         }})()"
    ));
}

#[test]
fn every_address_that_the_page_writes_shows_the_same_again() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    for address in [
        "#/analyse",
        "#/analyse?size=8",
        "#/analyse?game=reversed&size=8",
        "#/analyse?game=reversi",
        "#/analyse?size=6",
        "#/analyse?game=reversi&size=4",
        "#/analyse?line=d3c3c4",
        "#/analyse?game=reversed&size=8&line=d3c3c4&at=2",
        "#/analyse?game=reversed&size=8&line=d3c3(e3f3)c4&at=d3e3",
        "#/analyse?size=4&start=-----OX--XO-----_X&line=a2",
        // Black must pass at once, or after the branch; before and after the pass.
        "#/analyse?size=4&start=XXXXXXXXXXXXXXO-_O",
        "#/analyse?size=4&start=XXXXXXXXXXXXXXO-_O&at=1",
        "#/analyse?size=4&start=XXXXXXXXXXXXXXO-_O&line=d4&at=2",
    ] {
        page.go(&format!("http://{}/{address}", server.address()));
        page.until("document.querySelector('.analyse .cell')");
        page.until("location.hash.includes('game=')");
        page.until("document.querySelector('.moves').textContent !== ''");
        let shown = page.value(SHOWN);
        let written = page.value("location.href");
        page.go(written.as_str().unwrap());
        page.until(&format!("document.querySelector('.analyse .cell') && {SHOWN} === {shown}"));
        // It is alive.
        page.click("[data-action=set-up]");
        page.until("!document.querySelector('.editor').hidden");
        // What is being set up would outlast the next load of the same address.
        page.click("[data-action=cancel]");
    }
    page.is_well();
}

#[test]
fn a_deleted_branch_and_a_replaced_game_come_back() {
    let Some((_server, mut page)) = opened("#/analyse?line=d3c3c4(e3)c5b3&at=3") else {
        return;
    };
    page.until(&format!("{MOVES} === 6"));
    let before = page.value(SHOWN);
    page.click("[data-action=prune]");
    page.until(&format!("{MOVES} === 2"));
    page.click("[data-action=toast-undo]");
    page.until(&format!("{SHOWN} === {before}"));
    // Undoing can be undone too.
    page.click("[data-action=toast-redo]");
    page.until(&format!("{MOVES} === 2"));
    page.click("[data-action=toast-undo]");
    page.until(&format!("{SHOWN} === {before}"));
    paste(&mut page, "f5d6");
    page.until(&format!("{MOVES} === 2"));
    page.click("[data-action=toast-undo]");
    page.until(&format!("{SHOWN} === {before}"));
    page.click("[data-action=set-up]");
    page.click("[data-action=clear]");
    let discs = "document.querySelectorAll('.analyse :is([data-disc=black], [data-disc=white])').length";
    page.until(&format!("{discs} === 0"));
    page.click("[data-action=toast-undo]");
    page.until(&format!("{discs} === 7"));
    page.is_well();
}

#[test]
fn a_reload_keeps_what_is_being_set_up() {
    let Some((_server, mut page)) = opened("#/analyse?line=d3c3&at=2") else {
        return;
    };
    page.until("location.hash.includes('game=')");
    let address = page.value("location.href");
    let address = address.as_str().unwrap();
    page.click("[data-action=set-up]");
    page.click(".analyse .cell[data-square=a1]");
    page.choose(".editor [name=side]", "white");
    let disc = "document.querySelector('.analyse .cell[data-square=a1]')?.dataset.disc === 'black'";
    page.until(disc);
    page.go(address);
    page.until(&format!("{disc} && !document.querySelector('.editor').hidden"));
    page.until("document.querySelector('.list').hidden");
    assert_eq!(page.value("document.querySelector('.editor [name=side]').value"), "white");
    // It stays when the game arrives that lies under it.
    page.until(&format!("{MOVES} === 2 && {disc} && !document.querySelector('.editor').hidden"));
    page.click("[data-action=cancel]");
    page.until(&format!("document.querySelector('.editor').hidden && !({disc})"));
    page.click("[data-action=toast-undo]");
    page.until(disc);
    page.click("[data-action=cancel]");
    page.until(&format!("!({disc})"));
    // What was cancelled does not come back, and another address is shown as it is.
    page.go(address);
    page.until(&format!("{MOVES} === 2"));
    assert_eq!(page.value("document.querySelector('.editor').hidden"), true);
    page.click("[data-action=set-up]");
    page.until("!document.querySelector('.editor').hidden");
    page.go(&address.replace("d3c3", "d3c3c4"));
    page.until(&format!("{MOVES} === 3"));
    assert_eq!(page.value("document.querySelector('.editor').hidden"), true);
    page.is_well();
}

#[test]
fn games_are_pasted_dropped_and_opened_from_files() {
    let Some((_server, mut page)) = opened("#/analyse") else {
        return;
    };
    let pressed = |variant: &str| format!("document.querySelector('[data-variant={variant}]').ariaPressed === 'true'");
    paste(&mut page, "f5d6c3");
    page.until(&format!("{MOVES} === 3 && {}", pressed("reversed")));
    paste(
        &mut page,
        "(;GM[Othello]PC[x]PB[a]PW[b]TY[8]BO[8 ---------------------------O*------*O--------------------------- *]B[d3//]W[c3//];)",
    );
    page.until(&format!("{MOVES} === 2 && {}", pressed("reversi")));
    // An address of this page is one too, on whatever host.
    paste(&mut page, "https://example.org/#/analyse?game=reversed&size=8&line=d3c3c4&at=1");
    page.until(&format!("{MOVES} === 3 && {}", pressed("reversed")));
    page.click("[data-variant=reversi]");
    page.until(&pressed("reversi"));
    // A text that does not say its game keeps the one that is shown; its size is found out.
    paste(&mut page, "-----OX--XO----- X; A2:+4;");
    page.until("document.querySelectorAll('.analyse .cell').length === 16");
    page.until(&pressed("reversi"));
    paste(&mut page, "........\n........\n........\n...OX...\n...XO...\n........\n........\n........");
    page.until("document.querySelectorAll('.analyse .cell').length === 64");
    drop_file(&mut page, "chess_log.txt", "'[[[0,0,0,0],[-1,-1,-1,0],[0,-1,1,0],[0,0,0,0]]]'");
    page.until(&format!("{MOVES} === 1"));
    // What cannot be read is told, and changes nothing.
    paste(&mut page, "hello");
    page.until(&format!("{STATUS}.startsWith('Could not read this') && {STATUS}.includes('a transcript (f5d6c3)')"));
    for (name, content, fault) in [
        ("a.png", "new Uint8Array([137, 80, 78, 71, 0, 255])", "a.png is not a text file"),
        ("b.txt", "'f5'.repeat(40000)", "b.txt is larger than 60 KB"),
    ] {
        drop_file(&mut page, name, content);
        page.until(&format!("{STATUS}.includes({fault:?})"));
    }
    assert_eq!(page.value(MOVES), 1);
    // A text field is pasted into.
    page.click("[data-action=paste]");
    page.value("document.querySelector('textarea').focus()");
    paste(&mut page, "f5d6c3");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.txt");
    fs::write(&file, [0xff]).unwrap();
    page.choose_file("dialog [name=file]", &file);
    page.until("document.querySelector('dialog .fault').textContent.includes('game.txt is not a text file')");
    // It is told once.
    assert!(!page.text(".analyse .status").contains("game.txt"));
    assert_eq!(page.value(MOVES), 1);
    fs::write(&file, "\u{feff}f5d6c3d3\n").unwrap();
    page.choose_file("dialog [name=file]", &file);
    page.until(&format!("{MOVES} === 4 && !document.querySelector('dialog').open"));
    // A file on another view is opened here.
    page.value("location.hash = '#/learn'");
    page.until("document.querySelector('.learn')");
    drop_file(&mut page, "c.txt", "'f5d6'");
    page.until(&format!("{MOVES} === 2"));
    // So is a text that is pasted there, also one of several games; what cannot be read is told where one is.
    for view in ["play", "learn"] {
        page.value(&format!("location.hash = '#/{view}'"));
        page.until(&format!("document.querySelector('.{view}')"));
        paste(&mut page, "f5d6c3");
        page.until(&format!("{MOVES} === 3"));
        paste(&mut page, "f5d6");
        page.until(&format!("{MOVES} === 2"));
    }
    page.value("location.hash = '#/play'");
    page.until("document.querySelector('.play')");
    paste(&mut page, "f5d6c3\nf5d6\nf5f6");
    page.until("document.querySelectorAll('.collection .many li').length === 3");
    page.value("location.hash = '#/play'");
    page.until("document.querySelector('.play')");
    paste(&mut page, "hello");
    page.until("document.querySelector('.toast [role=status]').textContent.includes('a transcript (f5d6c3)')");
    assert_eq!(page.value("location.hash"), "#/play");
    page.is_well();
}

#[test]
fn what_cannot_be_read_is_told_wherever_one_looks() {
    let Some((_server, mut page)) = opened("#/analyse?line=f5d6c3") else {
        return;
    };
    page.resize(390, 844);
    page.until(&format!("{MOVES} === 3"));
    let toast = "document.querySelector('.toast [role=status]')";
    let in_sight = format!(
        "(({{ top, bottom, height }}) => height > 0 && top >= 0 && bottom <= innerHeight)({toast}.getBoundingClientRect())"
    );
    page.value("document.querySelector('.list').scrollIntoView()");
    paste(&mut page, "f5d6h8");
    page.until(&format!("{toast}.textContent.includes('move 3') && {in_sight}"));
    drop_file(&mut page, "a.png", "new Uint8Array([137, 80, 78, 71, 0, 255])");
    page.until(&format!("{toast}.textContent.includes('a.png is not a text file') && {in_sight}"));
    page.choose("#language", "ja");
    page.until(&format!("{toast}.textContent.includes('a.png') && !{toast}.textContent.includes('is not')"));
    // What is done next can be undone there again.
    paste(&mut page, "f5f6");
    page.until("!document.querySelector('[data-action=toast-undo]').hidden");
    page.is_well();
}

#[test]
fn the_game_that_is_analysed_is_shown_and_switched() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    page.choose(".choice [name=variant]", "reversi");
    page.choose(".choice [name=size]", "6");
    page.click(".choice [type=submit]");
    page.until("document.querySelectorAll('.play .cell').length === 36");
    page.click("#to-analyse");
    page.until("document.querySelectorAll('.analyse .cell').length === 36");
    page.until(&format!("{STATUS}.startsWith('Reversi')"));
    // The same moves under the other rules, branches too.
    page.value("location.hash = '#/analyse?game=reversed&size=8&line=e6(d6)f4e3f6g5d6e7f5c5&at=9'");
    page.until(&format!("{STATUS}.includes('White wins by 64')"));
    page.click("[data-variant=reversi]");
    page.until(&format!("{STATUS}.includes('Black wins by 64')"));
    assert_eq!(page.value(MOVES), 10);
    page.until("location.hash.includes('game=reversi')");
    // Analyse has something of its own now, and keeps it.
    page.click("#to-learn");
    page.click("#to-analyse");
    page.until(&format!("{STATUS}.includes('Black wins by 64')"));
    page.is_well();
}

#[test]
fn passes_have_no_number() {
    let Some((_server, mut page)) = opened("#/analyse?size=4&start=XXXXXXXXXXXXXXO-_O&line=d4") else {
        return;
    };
    page.until(&format!("{MOVES} === 2"));
    let names = "[...document.querySelectorAll('.analyse .move')].map((it) => it.textContent).join(' ')";
    assert_eq!(page.value(names), "– 1. d4");
    page.is_well();
}

#[test]
fn an_unfinished_game_can_be_resumed() {
    let Some((server, mut page)) = opened("#/analyse") else {
        return;
    };
    for (moves, loser) in [("f5d6", None), ("f5", Some("white"))] {
        let game = json!({"game": {"moves": moves}, "black": "human", "white": "human", "loser": loser});
        assert_eq!(server.ask("POST", "/api/games", &game).status, 201);
    }
    page.click("[data-action=paste]");
    page.until("document.querySelectorAll('.kept li').length === 2");
    assert_eq!(page.value("document.querySelectorAll('.kept [data-action=resume]').length"), 1);
    page.resize(320, 640);
    let dialog = "document.querySelector('dialog')";
    assert_eq!(page.value(&format!("{dialog}.scrollWidth <= {dialog}.clientWidth")), true);
    page.click(".kept [data-action=resume]");
    page.until("location.hash.startsWith('#/play') && document.querySelector('.play')");
    page.is_well();
}

#[test]
fn what_is_shared_can_be_opened() {
    let Some((_server, mut page)) = opened("#/analyse?line=d3c3c4&at=3") else {
        return;
    };
    page.until(&format!("{MOVES} === 3"));
    page.click("[data-action=share]");
    let link = "document.querySelector('.link').value";
    page.until(&format!("{link}.endsWith('at=3')"));
    assert!(page.text(".only-here").contains("Only this computer"));
    // It follows the position.
    page.click("[data-action=back]");
    page.until(&format!("{link}.endsWith('at=2')"));
    page.click("[data-action=copy-game]");
    page.until(&format!("{link} === 'd3c3c4'"));
    let hidden = "document.querySelector('.sharing').hidden";
    page.press("Escape");
    page.until(hidden);
    for state in [format!("!{hidden}"), hidden.to_owned()] {
        page.click("[data-action=share]");
        page.until(&state);
    }
    page.is_well();
    let server = Server::with(|config| {
        config.public = "https://example.org".parse().ok();
        config.access = Access::Open;
    });
    page.go(&format!("http://{}/#/analyse?line=d3", server.address()));
    page.until(&format!("document.querySelector('.analyse') && {MOVES} === 1"));
    page.click("[data-action=share]");
    page.until(&format!("{link}.startsWith('https://example.org/#/analyse?')"));
    assert_eq!(page.value("document.querySelector('.only-here').hidden"), true);
    page.is_well();
}
