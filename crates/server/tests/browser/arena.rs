//! The arena: the table, a player and a game, live and in every language.

use std::sync::Arc;

use crate::chromium::Page;
use crate::client::Server;
use crate::client::contests::{COMPLAINT, FakeContests, FakeMatches};
use crate::{is_static, server_page};

/// A server with a ladder, and its page; `None` if the browser's tests are left out.
fn arena() -> Option<(FakeContests, Server, Page)> {
    if is_static() {
        return None;
    }
    let contests = FakeContests::default();
    let server = Server::with(|config| config.contests = Some(Arc::new(contests.clone())));
    let page = Page::open(&format!("http://{}/", server.address()))?;
    Some((contests, server, page))
}

#[test]
fn a_ladder_is_followed_from_the_table_to_a_game() {
    let Some((contests, server, mut page)) = arena() else {
        return;
    };
    page.until("!document.querySelector('#to-arena').hidden");
    page.click("#to-arena");
    page.until("document.querySelectorAll('.contest tbody tr').length === 3");
    assert_eq!(page.text("[data-player='huang.py'] small"), "version 2 fails the test: 3 of 30 answers are right");
    page.until("document.querySelectorAll('[data-game=\"3\"] [data-disc=black]').length === 2");
    contests.reach("f5d6");
    page.until("document.querySelector('[data-game=\"3\"] .played')?.dataset.square === 'd6'");
    page.until("document.querySelector('.contest-games li').textContent.endsWith('under pressure')");
    page.resize(1280, 1500);
    page.picture("arena");
    // A player: what was wrong with its answer, on the board.
    page.click("[data-player='huang.py'] a");
    page.until(&format!("document.querySelector('.case p')?.textContent === {COMPLAINT:?}"));
    page.until("document.querySelectorAll('.case [data-disc=black]').length === 2");
    page.value("location.hash = '#/arena'");
    page.until("document.querySelector('.contest tbody tr')?.offsetParent");
    page.click(".contest tbody tr a");
    page.until("document.querySelector('.contestant h2').textContent === 'li 李/a&b' && document.querySelector('.curves .band')");
    // A game: its last move with the time it took, what was printed, and the way to its analysis.
    page.click(".contest-games li:last-child a");
    let told = "Move 4: d3, 2.50 s, 1.5 MB, the machine was busy elsewhere";
    page.until(&format!("document.querySelector('.replay .quiet').textContent === {told:?}"));
    assert!(page.text(".contest-game .pressed").starts_with("Void tries before this one: 1."));
    assert_eq!(page.text(".replay pre"), "my moves: <b>");
    page.value(
        "const it = document.querySelector('.replay input'); it.value = 2; it.dispatchEvent(new Event('input'))",
    );
    page.until("document.querySelector('.replay .quiet').textContent === 'Move 2: d6'");
    page.picture("arena-game");
    page.click(".replay .links a");
    page.until("location.hash.startsWith('#/analyse?game=reversed&size=8&line=f5d6c3d3')");
    page.go(&format!("http://{}/#/arena?game=9", server.address()));
    page.until("document.querySelector('.arena > [role=status]').textContent.includes('there is no game 9')");
    page.is_well();
}

#[test]
fn the_arena_fits_phones_in_every_language() {
    let Some((contests, _server, mut page)) = arena() else {
        return;
    };
    contests.reach("f5d6");
    let places =
        [("#/arena", ".contest tbody tr"), ("#/arena?player=huang.py", ".case"), ("#/arena?game=2", ".replay")];
    for language in ["zh-Hans", "ja", "en"] {
        page.choose("#language", language);
        for (address, sign) in places {
            page.value(&format!("location.hash = {address:?}"));
            page.until(&format!("document.querySelector({sign:?})?.offsetParent"));
            for width in [320, 390, 1280] {
                page.resize(width, 800);
                assert_eq!(page.value("document.documentElement.scrollWidth"), width, "{address} {language}");
            }
        }
    }
    let axe = format!("{};0", crate::chromium::axe());
    for scheme in ["light", "dark"] {
        page.prefer(scheme);
        for (address, sign) in places {
            page.value(&format!("location.hash = {address:?}"));
            page.until(&format!("document.querySelector({sign:?})?.offsetParent"));
            assert_eq!(crate::access::faults(&mut page, &axe), [""; 0], "{address} {scheme}");
        }
    }
}

#[test]
fn a_match_is_started_and_stopped() {
    if is_static() {
        return;
    }
    let server = Server::with(|config| config.matches = Some(Arc::new(FakeMatches::default())));
    let Some(mut page) = Page::open(&format!("http://{}/#/arena", server.address())) else {
        return;
    };
    page.until("document.querySelector('.new-match [name=second]')?.value === 'greedy'");
    page.choose(".new-match [name=games]", "20");
    page.click("[data-action=start-match]");
    let told = "3 of 20 games played. They are kept in matches/match-0001.db.";
    page.until(&format!("document.querySelector('.new-match [role=status]').textContent === {told:?}"));
    page.until("document.querySelector('[data-action=start-match]').disabled");
    for width in [320, 1280] {
        page.resize(width, 800);
        assert_eq!(page.value("document.documentElement.scrollWidth"), width);
    }
    let axe = format!("{};0", crate::chromium::axe());
    assert_eq!(crate::access::faults(&mut page, &axe), [""; 0]);
    page.click("[data-action=stop-match]");
    page.until("document.querySelector('.new-match [role=status]').textContent.startsWith('The last match: 3 of 20')");
    page.is_well();
}

#[test]
fn a_server_without_a_contest_has_no_arena() {
    let Some((_server, mut page)) = server_page("#/arena") else {
        return;
    };
    page.until("document.querySelector('.arena > [role=status]').textContent.includes('--store')");
    assert_eq!(page.value("document.querySelector('#to-arena').hidden"), true);
    page.is_well();
}
