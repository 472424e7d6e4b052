//! Analysis that runs while the page is used: nothing pressed or focused is lost, nobody computes for nothing, and a server
//! that comes back is asked again.

use std::thread;
use std::time::Duration;

use crate::chromium::Page;
use crate::client::Server;
use crate::server_page;

const GAME: &str = "#/analyse?game=reversed&size=8&line=d3e3f2c5f4c3b3f3g3g1e1g5f5h3d2a3c2c1b1d1e2g6&at=13";

/// Remembers the page's sockets, what they were sent, and how many answers came.
const WATCH: &str = "
    window.sockets = []; window.sent = []; window.answers = 0;
    window.WebSocket = class extends WebSocket {
      constructor(...all) {
        super(...all);
        sockets.push(this);
        this.addEventListener('message', () => answers++);
      }
      send(text) {
        sent.push(sockets.indexOf(this) + ' ' + text);
        super.send(text);
      }
    };";

/// What is pressed, and the move that is looked at.
const PRESSES: &str = "
    addEventListener('pointerdown', ({ target }) => {
      const { place, line, square } = target.closest('.move, .chip, .cell.legal')?.dataset ?? {};
      window.pressed = place ?? line?.slice(-2) ?? square ?? '';
    }, true);
    window.current = () => {
      const move = document.querySelector('.moves [aria-current=step]');
      return [move?.dataset.place, move?.textContent.match(/[a-h][1-8]/)?.[0]];
    };";

/// A page whose sockets are watched, and its server.
fn watched(address: &str) -> Option<(Server, Page)> {
    let server = Server::start();
    let page = watch(&server, address)?;
    Some((server, page))
}

fn watch(server: &Server, address: &str) -> Option<Page> {
    let mut page = Page::open(&format!("http://{}/#/learn", server.address()))?;
    page.run_first(WATCH);
    page.run_first(PRESSES);
    page.go(&format!("http://{}/{address}", server.address()));
    page.until("answers > 3");
    Some(page)
}

/// Waits for so many more answers of the server.
fn answers(page: &mut Page, more: u64) {
    let wanted = page.value("answers").as_u64().unwrap() + more;
    page.until(&format!("answers >= {wanted}"));
}

/// Presses of 110 ms, on this many pages at once: the searches of all of them share a thread.
const PAGES: usize = 4;
const PRESSES_A_PAGE: usize = 50;

#[test]
fn no_click_is_lost_while_an_analysis_runs() {
    let server = Server::start();
    thread::scope(|scope| {
        for first in 0..PAGES {
            let server = &server;
            scope.spawn(move || {
                if let Some(mut page) = watch(server, GAME) {
                    press_and_count(&mut page, first);
                }
            });
        }
    });
}

/// Presses moves, lines and squares, beginning with another one on each page; each press must be answered.
fn press_and_count(page: &mut Page, first: usize) {
    let mut pressed = 0;
    for round in first.. {
        let target = match round % 3 {
            0 => format!(".moves > .move:nth-of-type({})", 1 + round % 22),
            1 => format!(".lines li:nth-child({}) .chip", 1 + round % 2),
            _ => ".analyse .cell.legal".to_owned(),
        };
        page.value("window.pressed = ''");
        page.hold(&target, Duration::from_millis(110));
        // The page may have moved before the press, and the pointer was beside it then.
        if page.value("pressed") == "" {
            continue;
        }
        page.until("current().includes(pressed)");
        pressed += 1;
        if pressed == PRESSES_A_PAGE {
            break;
        }
        // Branches would fill the list.
        if round % 20 == 19 {
            page.value(&format!("location.hash = {GAME:?}"));
            page.until("current()[1] === 'f5' && document.querySelector('.lines .chip')");
        }
    }
    page.is_well();
}

/// Lets the opening book answer when something is pressed, not before.
const LATE_BOOK: &str = "
    window.late = [];
    const ask = window.fetch;
    window.fetch = async (...all) => {
      if (String(all[0]).includes('/book')) await new Promise((go) => late.push(go));
      return ask(...all);
    };
    addEventListener('pointerdown', () => late.splice(0).forEach((go) => go()), true);";

#[test]
fn a_book_that_answers_during_a_press_moves_nothing_from_under_it() {
    let Some((_server, mut page)) = server_page("") else {
        return;
    };
    page.resize(390, 844);
    page.run_first(LATE_BOOK);
    page.run_first(PRESSES);
    let line = GAME.replace("&at=13", "&at=1");
    page.value(&format!("location.hash = {line:?}"));
    page.reload();
    page.until("late.length > 0 && document.querySelectorAll('.moves > .move').length > 9");
    page.value("document.querySelector('.moves').scrollIntoView({ block: 'center' })");
    page.hold(".moves > .move:nth-of-type(2)", Duration::from_millis(400));
    page.until("pressed && current().includes(pressed)");
    // The book of the place that was gone to.
    page.value("late.splice(0).forEach((go) => go())");
    page.until("!document.querySelector('.explorer').hidden");
}

#[test]
fn the_focus_stays_while_an_analysis_runs() {
    let Some((_server, mut page)) = watched(GAME) else {
        return;
    };
    for (list, part) in [
        (".moves", ".move:nth-of-type(4)"),
        (".lines", "li:nth-child(2) .chip:nth-child(2)"),
        (".mistakes", "li:nth-child(2) .to"),
        (".mistakes", "li:last-child .to"),
    ] {
        let part = format!("document.querySelector('{list} {part}')");
        page.until(&part);
        page.value(&format!("(window.focused = {part}).focus()"));
        answers(&mut page, 4);
        // A mistake may turn out to be none; then its neighbour has the focus.
        let stays = format!(
            "document.activeElement === focused || !focused.isConnected && document.activeElement.closest('{list}')"
        );
        assert_eq!(page.value(&format!("Boolean({stays})")), true, "{part}");
        // Lines of another position are other lines, and have the focus too.
        for key in ["ArrowLeft", "ArrowRight"] {
            page.press(key);
            answers(&mut page, 4);
            page.until(&format!("document.activeElement.closest('{list}')"));
        }
    }
    page.is_well();
}

#[test]
fn a_menu_that_is_open_is_not_filled_anew() {
    let Some((_server, mut page)) = watched(GAME) else {
        return;
    };
    page.value(
        "window.changes = 0; new MutationObserver((all) => (changes += all.length))\
         .observe(document.querySelector('[name=save]'), { childList: true, subtree: true })",
    );
    answers(&mut page, 12);
    assert_eq!(page.value("changes"), 0);
    page.is_well();
}

#[test]
fn a_hidden_page_does_not_compute() {
    let Some((_server, mut page)) = watched(GAME) else {
        return;
    };
    let show = |hidden: bool| {
        format!(
            "Object.defineProperty(document, 'hidden', {{ value: {hidden}, configurable: true }}); \
             document.dispatchEvent(new Event('visibilitychange'))"
        )
    };
    page.until("Number(document.querySelector('.depth').dataset.depth) > 4");
    page.value(&show(true));
    page.until("sockets.every(({ readyState }) => readyState === WebSocket.CLOSED)");
    let opened = page.value("sockets.length");
    // What is known stays, and nothing is asked whatever happens.
    page.press("ArrowRight");
    page.until("current()[1] === 'h3'");
    assert_eq!(page.value("sockets.length"), opened);
    page.value(&show(false));
    answers(&mut page, 6);
    page.until("Number(document.querySelector('.depth').dataset.depth) > 2");
    page.is_well();
}

#[test]
fn a_server_that_comes_back_is_asked_again_once() {
    let Some((mut server, mut page)) = watched(GAME) else {
        return;
    };
    let address = server.address();
    let told = "document.querySelector('.analyse .status').textContent";
    for _ in 0..2 {
        server.end();
        page.until(&format!("{told}.includes('is not responding')"));
        assert!(!page.text(".depth").contains('…'));
        // What is known is still there to be looked at.
        page.press("ArrowLeft");
        page.until("current()[1] === 'g5'");
        assert!(page.text(".analyse .status").contains("is not responding"));
        assert!(!page.text(".depth").contains('…'));
        server.start_again(address);
        page.until(&format!("{told}.includes('to move')"));
        answers(&mut page, 6);
        page.press("ArrowRight");
        page.until("current()[1] === 'f5'");
        answers(&mut page, 6);
    }
    assert_eq!(page.value("sent.length === new Set(sent).size"), true);
    // Nothing is asked twice under another number either: each socket begins with one question.
    let twice =
        "sent.filter((one, i) => sent[i - 1]?.replace(/\"id\":\\d+/, '') === one.replace(/\"id\":\\d+/, '')).length";
    assert_eq!(page.value(twice), 0);
    page.is_well();
}

#[test]
fn a_view_that_is_first_seen_without_the_server_fills_when_it_is_back() {
    let Some((mut server, mut page)) = server_page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    let address = server.address();
    server.end();
    page.value("location.hash = '#/analyse?game=reversi&size=6&line=c2'");
    page.until("document.querySelector('.analyse .status')?.textContent.includes('is not responding')");
    server.start_again(address);
    page.until("document.querySelectorAll('.analyse .cell').length === 36");
    page.until("document.querySelector('.analyse .score:not(:empty)')");
    page.is_well();
}

#[test]
fn a_click_without_the_server_is_played_when_it_is_back() {
    let Some((mut server, mut page)) = server_page("#/analyse?line=f5d6c3&at=3") else {
        return;
    };
    page.until(
        "document.querySelectorAll('.analyse .move').length === 3 && document.querySelector('.analyse .cell.legal')",
    );
    let address = server.address();
    let listed =
        "[...document.querySelectorAll('.analyse .move')].map((it) => it.textContent.match(/[a-h][1-8]/)[0]).join('')";
    server.end();
    // Of two the last one is meant.
    for square in ["d3", "f4"] {
        page.click(&format!(".analyse .cell[data-square={square}]"));
        page.until(&format!("document.querySelector('.toast [role=status]').textContent.startsWith({square:?})"));
    }
    page.until("document.querySelector('.analyse .status').textContent.includes('is not responding')");
    server.start_again(address);
    page.until(&format!("{listed} === 'f5d6c3f4'"));
    // Whoever looks elsewhere by then means something else.
    server.end();
    page.click(".analyse .cell.legal");
    page.until("!document.querySelector('.toast').hidden && document.querySelector('.analyse .status.fault')");
    page.press("Home");
    page.until("!document.querySelector('.moves [aria-current]')");
    server.start_again(address);
    page.until("document.querySelector('.analyse .status').textContent.includes('to move')");
    page.click(".analyse .cell[data-square=d3]");
    page.until(&format!("{listed} === 'f5d3d6c3f4'"));
    page.is_well();
}
