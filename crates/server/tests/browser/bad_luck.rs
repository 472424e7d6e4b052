//! The page of static files where things go wrong: workers that die, storage that is full or damaged, browsers that lack
//! what the engine needs.

use std::time::Duration;
use std::{fs, thread};

use serde_json::json;

use crate::chromium::Page;
use crate::host::Site;
use crate::keeping::{TWO_PEOPLE, play};
use crate::play::{begin, made};

/// A site, and its page with a script that runs before it; `None` if the browser's tests are left out.
fn page_after(script: &str) -> Option<(Site, Page)> {
    let site = Site::start();
    let mut page = Page::open(&site.at("#/learn"))?;
    page.run_first(script);
    page.go(&site.at(""));
    Some((site, page))
}

/// The text of a notice, once it is there; what is done in the page does not take it away.
fn notice(page: &mut Page, code: &str) -> String {
    let selector = format!(".notice[data-code={code}] span");
    page.until(&format!("document.querySelector({selector:?})"));
    page.text(&selector)
}

/// Puts a record beside the games that are kept.
fn put(page: &mut Page, record: &serde_json::Value) {
    page.value(&format!(
        "new Promise((done) => {{ const open = indexedDB.open('turncoat', 1); open.onsuccess = () => {{ \
           const change = open.result.transaction('games', 'readwrite'); \
           change.objectStore('games').put({record}); change.oncomplete = () => (open.result.close(), done()); }}; }})"
    ));
}

#[test]
fn a_worker_that_dies_without_a_word_is_replaced() {
    let watch = "window.workers = []; \
                 window.Worker = class extends Worker { constructor(...all) { super(...all); workers.push(this); } };";
    let Some((_site, mut page)) = page_after(watch) else {
        return;
    };
    let end_all = "workers.splice(0).forEach((worker) => worker.terminate())";
    let status = "document.querySelector('.play .status').textContent";
    // The highest level thinks for long enough to be ended.
    begin(&mut page, &[("white", "turncoat:level=20")]);
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".play .cell.legal");
    page.until(&format!("{status}.includes('thinking')"));
    // Both are at work.
    page.until("navigator.locks.query().then(({ held }) => (window.held = held.length), 0) && window.held > 1");
    page.value(end_all);
    page.until(&format!("{status}.includes('The engine has stopped')"));
    page.until(&format!("{status}.includes('thinking')"));
    made(&mut page, 1);
    page.click("[data-action=undo]");
    // One that dies while it has nothing to do is not even missed.
    begin(&mut page, &[TWO_PEOPLE]);
    page.until("document.querySelector('.play .cell.legal')");
    page.value(end_all);
    page.value("navigator.locks.query()");
    play(&mut page, &["d3", "c3"]);
    page.is_well();
}

#[test]
fn a_game_goes_on_where_nothing_can_be_kept_and_that_is_said_until_it_is_read() {
    let forbid = "IDBFactory.prototype.open = () => { throw new DOMException('no', 'SecurityError'); };";
    let Some((site, mut page)) = page_after(forbid) else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3"]);
    assert!(notice(&mut page, "no-storage").contains("SecurityError"));
    play(&mut page, &["c3", "c4"]);
    assert!(notice(&mut page, "no-storage").contains("does not keep games"));
    page.click(".notice [data-action=notice-close]");
    page.until("!document.querySelector('.notice')");
    play(&mut page, &["e3"]);
    assert_eq!(page.value("document.querySelectorAll('.notice').length"), 0);
    // What this browser's other storage knows of it is enough to go on after a reload.
    page.go(&site.at("?again"));
    made(&mut page, 4);
    page.is_well();
}

#[test]
fn records_that_are_no_games_are_left_out_and_that_is_said() {
    let Some((site, mut page)) = page_after("") else {
        return;
    };
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3"]);
    begin(&mut page, &[TWO_PEOPLE]);
    play(&mut page, &["d3", "c3"]);
    page.until("document.querySelectorAll('.unfinished li').length === 1");
    for junk in
        [json!({"changed": 4_000_000_000_u32}), json!({"changed": 4_000_000_001_u32, "variant": 7, "moves": []})]
    {
        put(&mut page, &junk);
    }
    page.go(&site.at("?again"));
    assert!(notice(&mut page, "damaged-games").contains(": 2"));
    page.until("document.querySelectorAll('.unfinished li').length === 1");
    assert!(!page.text("#view").contains("undefined"));
    // A game that began as usual has a short address, after a reload too.
    page.click("[data-action=analyse-game]");
    page.until("location.hash.startsWith('#/analyse')");
    assert!(!page.value("location.hash").as_str().unwrap().contains("start="));
    page.is_well();
}

#[test]
fn games_that_cannot_be_are_refused_with_their_place() {
    let Some((site, mut page)) = page_after("") else {
        return;
    };
    let start = "---------------------------OX------XO--------------------------- X";
    let game = |key: &str, value: serde_json::Value| {
        let mut game = json!({"variant": "reversed", "size": 8, "start": start, "moves": "f5", "black": "human",
                              "white": "human", "loser": null, "changed": 1_700_000_000});
        game[key] = value;
        game
    };
    let file = page.downloads().join("games.json");
    let mut read = |games: serde_json::Value| {
        fs::write(&file, json!({"form": "turncoat-games", "version": 1, "games": games}).to_string()).unwrap();
        page.go(&site.at("#/analyse"));
        page.click("[data-action=paste]");
        // The view may be drawn anew while the page comes to rest: a file that is given to what is gone is given again.
        for _ in 0..5 {
            page.choose_file("[name=archive]", &file);
            for _ in 0..120 {
                let said = page.text("dialog [role=status]");
                if !said.is_empty() {
                    return said;
                }
                thread::sleep(Duration::from_millis(25));
            }
        }
        panic!("nothing is said of the file");
    };
    let good = game("changed", json!(1));
    for (key, value, told) in [
        ("white", json!("foo"), "game 2: no player is called “foo”"),
        ("black", json!(7), "game 2: the field “black”"),
        ("loser", json!("nobody"), "game 2: the field “loser”"),
        ("size", json!(7), "game 2: the field “size”"),
        ("moves", json!("f5f5"), "game 2, transcript, character 3, move 2: f5 is already occupied"),
    ] {
        let said = read(json!([good, game(key, value)]));
        assert!(said.contains("refused: 1") && said.contains(told), "{said}");
    }
    // One that ended on the board was not given up.
    let mut over = game("moves", json!("e6f4e3f6g5d6e7f5c5"));
    over["loser"] = json!("white");
    assert!(read(json!([good, over])).contains("game 2: the field “loser”"));
    assert!(read(json!([good])).contains("added: 0; refused: 0"));
    page.is_well();
}

#[test]
fn a_player_that_is_gone_is_replaced_with_one_notice() {
    let known = json!({"variant": "reversed", "size": 8, "black": "human", "white": "foo", "control": "none", "seed": 1,
                       "clock": null, "turns": [], "timeout": false, "id": null, "tab": ""});
    let remembered =
        format!("try {{ if (!localStorage.game) localStorage.setItem('game', JSON.stringify({known})); }} catch {{}}");
    let Some((_site, mut page)) = page_after(&remembered) else {
        return;
    };
    assert!(notice(&mut page, "other-player").contains("“foo”"));
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".play .cell.legal");
    made(&mut page, 2);
    assert_eq!(page.value("document.querySelectorAll('.notice, .status.fault').length"), 1);
    page.is_well();
}

#[test]
fn a_browser_that_lacks_something_says_what() {
    for (script, told) in [
        ("delete window.Worker", "no workers"),
        ("WebAssembly.validate = () => false", "no WebAssembly with SIMD"),
        ("WebAssembly.compileStreaming = async () => { throw new Error('damaged'); }", "(damaged)"),
    ] {
        let Some((_site, mut page)) = page_after(script) else {
            return;
        };
        page.until("document.querySelector('.play .status.fault')");
        let said = page.text(".play .status");
        assert!(said.contains(told), "{said}");
    }
}

#[test]
fn a_phone_finds_icons_to_install_the_page_with() {
    let Some((_site, mut page)) = page_after("") else {
        return;
    };
    let found = page.value(
        "fetch(document.querySelector('[rel=manifest]').href).then((it) => it.json()).then(({ icons }) => \
         Promise.all(icons.map(async ({ src, sizes }) => { const it = new Image(); it.src = src; await it.decode(); \
           return sizes === 'any' || sizes === `${it.naturalWidth}x${it.naturalHeight}`; })))",
    );
    assert_eq!(found, json!([true, true, true, true]));
}
