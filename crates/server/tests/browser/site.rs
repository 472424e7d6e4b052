//! The page as static files, with the engine in the browser: `cargo xtask site` builds them.

use crate::chromium::Page;
use crate::host::Site;
use crate::play::{begin, made, moves};

/// A site and its page; `None` if the browser's tests are left out.
fn page(at: &str) -> Option<(Site, Page)> {
    let site = Site::start();
    let page = Page::open(&site.at(at))?;
    Some((site, page))
}

#[test]
fn a_game_goes_on_without_a_network() {
    let Some((site, mut page)) = page("") else {
        return;
    };
    page.until("navigator.serviceWorker.controller");
    // Level 6 wants the weights, which are kept from now on.
    begin(&mut page, &[("white", "turncoat:level=6")]);
    let play = |page: &mut Page| {
        let before = moves(page);
        page.until("document.querySelector('.play .cell.legal')");
        page.click(".play .cell.legal");
        made(page, before + 2);
    };
    play(&mut page);
    // The engine of a search that is over is asked again.
    play(&mut page);
    // The weights and books of all games come by themselves.
    page.value(
        "setInterval(async () => (window.kept = (await (await caches.open('turncoat-kept')).keys()).length), 25)",
    );
    page.until("window.kept === 8");
    site.cut();
    page.go(&site.at("?again"));
    made(&mut page, 4);
    play(&mut page);
    // Without a network the page is isolated too, so that searches hear when they are stopped.
    assert_eq!(page.value("crossOriginIsolated"), true);
    page.go(&site.at("#/analyse?game=reversed&size=8&line=f5d6c3d3c4"));
    let is_scored = "/^[+−-]?\\d/.test(document.querySelector('.analyse .lines li .value')?.textContent ?? '')";
    page.until(is_scored);
    page.go(&site.at("#/analyse?game=reversi&size=8&line=f5d6c3d3c4"));
    page.until(is_scored);
    page.is_well();
}

#[test]
fn kept_games_are_listed_and_the_rules_refuse_in_words() {
    let Some((site, mut page)) = page("#/analyse?game=reversi&size=8&line=f5f5") else {
        return;
    };
    page.until("document.querySelector('.analyse .status.fault')");
    page.go(&site.at(""));
    begin(&mut page, &[("black", "human"), ("white", "human")]);
    page.click(".play .cell.legal");
    made(&mut page, 1);
    page.go(&site.at("?again"));
    made(&mut page, 1);
    page.is_well();
}

#[test]
fn the_end_of_a_game_says_that_the_weights_are_missing() {
    let Some((site, mut page)) = page("") else {
        return;
    };
    page.run_first(
        "const fetched = fetch; window.fetch = (it, ...more) => \
         String(it).includes('.weights') && !window.isBack ? Promise.reject(new Error('none')) : fetched(it, ...more);",
    );
    page.go(&site.at("?again"));
    begin(&mut page, &[("black", "human"), ("white", "human")]);
    for number in 1..=2 {
        page.click(".play .cell.legal");
        made(&mut page, number);
    }
    page.click("[data-action=resign]");
    page.until("document.querySelector('.finish').textContent.includes('weights of the evaluation did not arrive')");
    // They come with the network.
    page.value("window.isBack = true, dispatchEvent(new Event('online'))");
    page.until("/costliest|lost much/.test(document.querySelector('.finish').textContent)");
    page.is_well();
}

#[test]
fn several_threads_search_where_the_page_is_isolated() {
    let Some((site, mut page)) = page("") else {
        return;
    };
    page.until("navigator.serviceWorker.controller");
    // As on a machine with three cores; with the workers, and the threads that positions and whole games are asked with.
    page.run_first(
        "Object.defineProperty(navigator, 'hardwareConcurrency', { value: 3 });
         window.workers = [];
         window.asked = { true: [], false: [] };
         window.Worker = class extends Worker {
           constructor(...given) { super(...given); workers.push(this); }
           postMessage(task) {
             if ('analysis' in task) asked[JSON.parse(task.analysis).whole].push(task.threads);
             super.postMessage(task);
           }
         };",
    );
    page.go(&site.at("?again#/analyse?game=reversed&size=8&line=f5d6c3d3c4&at=5"));
    assert_eq!(page.value("crossOriginIsolated"), true);
    let depth = "Number(document.querySelector('.analyse .depth')?.dataset.depth)";
    page.until(&format!("{depth} >= 8"));
    assert_eq!(
        page.value("[...document.querySelector('[name=threads]').options].map(({ value }) => value).join()"),
        "1,2,3"
    );
    // A search that is withdrawn gives its threads back.
    let back = |page: &mut Page, discs: usize| {
        page.press("ArrowLeft");
        let shown = "document.querySelectorAll('.analyse [data-disc=black], .analyse [data-disc=white]').length";
        page.until(&format!("{shown} === {discs} && {depth} >= 8"));
    };
    for discs in [8, 7, 6] {
        back(&mut page, discs);
    }
    assert_eq!(page.value("JSON.stringify([...new Set(asked.true), ...new Set(asked.false)])"), "[1,3]");
    // Helpers that die take their engines with them, and others take their place.
    page.value("workers.slice(1).forEach((worker) => worker.terminate())");
    back(&mut page, 5);
    page.is_well();
}

#[test]
fn a_module_for_several_threads_that_does_not_fit_is_done_without() {
    let Some((site, mut page)) = page("") else {
        return;
    };
    page.until("navigator.serviceWorker.controller");
    page.run_first(
        "Object.defineProperty(navigator, 'hardwareConcurrency', { value: 2 });
         const fetched = fetch;
         window.fetch = (it, ...more) => fetched(String(it).replace('turncoat-threads', 'turncoat'), ...more);",
    );
    page.go(&site.at("?again#/analyse?game=reversed&size=8&line=f5&at=1"));
    page.until("Number(document.querySelector('.analyse .depth')?.dataset.depth) >= 6");
    assert_eq!(page.value("crossOriginIsolated"), true);
    page.is_well();
}
