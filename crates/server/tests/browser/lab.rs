//! The lab: runs are listed and opened, and go on while they are looked at.

use std::sync::Arc;

use serde_json::json;

use crate::chromium::Page;
use crate::client::Server;
use crate::client::runs::{FAULT, FakeRuns};
use crate::{is_static, server_page};

/// A server with runs, and its lab; `None` if the browser's tests are left out.
fn lab() -> Option<(FakeRuns, Server, Page)> {
    if is_static() {
        return None;
    }
    let runs = FakeRuns::default();
    let server = Server::with(|config| config.runs = Some(Arc::new(runs.clone())));
    let page = Page::open(&format!("http://{}/", server.address()))?;
    Some((runs, server, page))
}

#[test]
fn a_run_is_opened_and_stays_live() {
    let Some((runs, server, mut page)) = lab() else {
        return;
    };
    page.until("!document.querySelector('#to-lab').hidden");
    page.click("#to-lab");
    page.until("document.querySelectorAll('.runs tbody tr').length === 3");
    assert_eq!(page.text("[data-run=old] small"), FAULT);
    assert_eq!(page.text("[data-run='sweep/seed 1'] .generation"), "0 / 60");
    runs.reach(20);
    page.until("document.querySelector(\"[data-run='sweep/seed 1'] .generation\").textContent === '20 / 60'");
    page.picture("lab");
    page.click("[data-run='sweep/seed 1'] a");
    page.until("document.querySelectorAll('.genes figure').length === 12");
    page.until("document.querySelector('.run pre').textContent.includes('generation 20')");
    runs.reach(60);
    page.until("document.querySelector('.progress').textContent.startsWith('finished: 60 of 60')");
    page.until("document.querySelector('.run pre').textContent.includes('generation 60')");
    page.resize(1280, 1500);
    page.picture("lab-run");
    // An address is opened as such; one of no run says so.
    page.go(&format!("http://{}/#/lab?run=old", server.address()));
    page.until(&format!("document.querySelector('.run .fault').textContent === {FAULT:?}"));
    assert_eq!(page.value("document.querySelector('.charts').hidden"), true);
    page.go(&format!("http://{}/#/lab?run=..%2Fsecret", server.address()));
    page.until("document.querySelector('.lab [role=status]').textContent.includes('“../secret”')");
    page.is_well();
}

/// Counts requests, and has what is done every three seconds done without delay.
const HASTE: &str = "
    window.asked = 0;
    const ask = fetch; window.fetch = (...all) => (asked++, ask(...all));
    const wait = setTimeout; window.setTimeout = (then, time, ...all) => wait(then, time === 3000 ? 20 : time, ...all);
    window.pause = (time) => new Promise((done) => wait(done, time));";

/// Nothing is asked for a while that would have seen many requests.
fn is_silent(page: &mut Page) {
    page.value("pause(200)");
    assert_eq!(page.value("(async () => { const before = asked; await pause(400); return asked - before; })()"), 0);
}

#[test]
fn nobody_is_asked_while_nobody_looks() {
    let Some((runs, server, mut page)) = lab() else {
        return;
    };
    page.run_first(HASTE);
    page.go(&format!("http://{}/#/lab", server.address()));
    page.until("asked > 10 && document.querySelectorAll('.runs tbody tr').length === 3");
    // Elsewhere on the page, and on a page that is hidden.
    page.value("location.hash = '#/learn'");
    page.until("document.querySelector('.corner-card')");
    is_silent(&mut page);
    runs.reach(7);
    page.value("location.hash = '#/lab'");
    page.until("document.querySelector('.generation').textContent === '7 / 60'");
    page.value("Object.defineProperty(document, 'hidden', { value: true }); document.dispatchEvent(new Event('visibilitychange'))");
    is_silent(&mut page);
    page.is_well();
}

#[test]
fn the_lab_fits_phones_in_every_language() {
    let Some((runs, _server, mut page)) = lab() else {
        return;
    };
    runs.reach(30);
    for language in ["zh-Hans", "ja", "en"] {
        page.choose("#language", language);
        for (address, sign) in [("#/lab", ".runs tbody tr"), ("#/lab?run=first", ".genes figure")] {
            page.value(&format!("location.hash = {address:?}"));
            page.until(&format!("document.querySelector({sign:?})?.offsetParent"));
            for width in [320, 390, 1280] {
                page.resize(width, 800);
                assert_eq!(page.value("document.documentElement.scrollWidth"), width, "{address} {language}");
                let cut =
                    "[...document.querySelectorAll('nav a')].filter((it) => it.scrollWidth > it.clientWidth).length";
                assert_eq!(page.value(cut), 0, "{language} at {width}");
            }
        }
    }
    let axe = format!("{};0", crate::chromium::axe());
    for scheme in ["light", "dark"] {
        page.prefer(scheme);
        for address in ["#/lab", "#/lab?run=first"] {
            page.value(&format!("location.hash = {address:?}"));
            page.until("document.querySelector('.lab section:not([hidden]) h2')");
            assert_eq!(crate::access::faults(&mut page, &axe), [""; 0], "{address} {scheme}");
        }
    }
}

#[test]
fn a_server_without_runs_has_no_lab() {
    let Some((server, mut page)) = server_page("#/lab") else {
        return;
    };
    page.until("document.querySelector('.lab [role=status]').textContent.includes('--runs')");
    assert_eq!(page.value("document.querySelector('#to-lab').hidden"), true);
    assert_eq!(server.ask("GET", "/api/about", &json!(null)).json()["runs"], false);
    page.is_well();
}
