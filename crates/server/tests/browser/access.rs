//! For everybody: narrow screens, dark rooms, other languages, screen readers; and the pictures of the documentation.

use crate::chromium::{Page, axe};
use crate::{page, server_page};

const VIEWS: [(&str, &str); 3] = [
    ("#/play", ".play .cell.legal"),
    ("#/analyse?game=reversed&size=8&line=d3e3f2c5f4c3b3f3g3g1e1g5&at=7", ".mistakes li"),
    ("#/learn", ".corner-card"),
];

/// Goes to a view and waits until it is there.
fn visit(page: &mut Page, (address, sign): (&str, &str)) {
    page.value(&format!("location.hash = {address:?}"));
    page.until(&format!("document.querySelector({sign:?})"));
}

#[test]
fn nothing_is_wider_than_a_phone() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.resize(360, 740);
    for view in VIEWS {
        visit(&mut page, view);
        let wide = page.value("document.documentElement.scrollWidth");
        assert_eq!(wide, 360, "{}", view.0);
    }
    page.resize(390, 844);
    visit(&mut page, VIEWS[1]);
    page.picture("analyse-phone");
    page.is_well();
}

#[test]
fn a_dark_room_and_a_choice_of_ones_own() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let light = "getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)[0]";
    page.prefer("light");
    assert!(page.value(light).as_f64().unwrap() > 200.0);
    page.prefer("dark");
    assert!(page.value(light).as_f64().unwrap() < 60.0);
    visit(&mut page, VIEWS[1]);
    page.until("Number(document.querySelector('.depth').dataset.depth) > 8");
    page.picture("analyse-dark");
    // Light although the system is dark.
    page.click("#theme");
    assert!(page.value(light).as_f64().unwrap() > 200.0);
    page.is_well();
}

#[test]
fn chinese_is_spoken_and_remembered() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    page.choose("#language", "zh-Hans");
    page.until("document.documentElement.lang === 'zh-Hans'");
    page.go(&format!("http://{}/", server.address()));
    page.until("document.querySelector('.play .cell.legal')");
    assert_eq!(page.text("[data-action=undo]"), "悔棋");
    for (view, _) in VIEWS {
        page.value(&format!("location.hash = {view:?}"));
    }
    visit(&mut page, VIEWS[2]);
    assert_eq!(page.text(".learn h2"), "规则");
    page.resize(390, 844);
    visit(&mut page, VIEWS[0]);
    let label = page.value("document.querySelector('.cell.legal').getAttribute('aria-label')");
    assert!(label.as_str().unwrap().contains("可以落子"));
    page.prefer("dark");
    page.picture("play-chinese");
    page.is_well();
}

#[test]
fn the_first_language_of_the_browser_that_the_page_has_is_spoken() {
    let Some((server, mut page)) = server_page("") else {
        return;
    };
    page.run_first("Object.defineProperty(navigator, 'languages', { value: ['fr-FR', 'ja-JP', 'en'] })");
    page.go(&format!("http://{}/", server.address()));
    page.until("document.documentElement.lang === 'ja'");
    assert_eq!(page.text("[data-action=resign]"), "投了");
    assert_eq!(page.value("document.querySelector('#language').value"), "ja");
    // What was chosen counts more; an earlier version of the page remembered Chinese as `zh`.
    page.value("localStorage.setItem('language', 'zh')");
    page.go(&format!("http://{}/", server.address()));
    page.until("document.documentElement.lang === 'zh-Hans'");
    page.value("localStorage.setItem('language', 'tlh')");
    page.go(&format!("http://{}/", server.address()));
    page.until("document.documentElement.lang === 'ja'");
    page.is_well();
}

#[test]
fn the_rules_play_by_themselves_and_the_stages_change() {
    let Some((server, mut page)) = server_page("#/play") else {
        return;
    };
    page.allow_motion();
    page.go(&format!("http://{}/#/learn", server.address()));
    page.until("document.querySelectorAll('.example [data-disc=black]').length > 20");
    page.until("document.querySelector('.example .played')");
    page.until("document.querySelector('.told')?.textContent.includes('36 to 35')");
    let corner = |page: &mut Page| page.text(".corner-card .value");
    let before = corner(&mut page);
    assert!(before.starts_with('−'), "{before}");
    page.resize(1280, 2700);
    page.picture("learn");
    page.click(".tabs button:nth-child(2)");
    page.until("document.querySelector('.corner-card .value').textContent.startsWith('+')");
    page.click(".example button");
    page.until("document.querySelector('.example button').textContent === 'Play'");
    page.is_well();
}

/// What axe-core finds.
pub(crate) fn faults(page: &mut Page, axe: &str) -> Vec<String> {
    // Colours that are changing are neither the old nor the new ones.
    page.until("document.getAnimations().every((it) => !(it instanceof CSSTransition))");
    if page.value("typeof axe") == "undefined" {
        page.value(axe);
    }
    let found = page.value("axe.run(document, {resultTypes: ['violations']}).then((it) => it.violations)");
    let violations = found.as_array().unwrap();
    violations.iter().map(|it| format!("{}: {} {}", it["id"], it["help"], it["nodes"][0]["html"])).collect()
}

#[test]
fn axe_finds_no_fault_in_any_language_and_size() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let axe = format!("{};0", axe());
    for language in ["en", "zh-Hans", "ja"] {
        page.choose("#language", language);
        page.until(&format!("document.documentElement.lang === {language:?}"));
        for view in VIEWS {
            visit(&mut page, view);
            for (width, height) in [(360, 740), (390, 844), (768, 1024), (1280, 860)] {
                page.resize(width, height);
                assert_eq!(faults(&mut page, &axe), [""; 0], "{} {language} at {width}", view.0);
            }
        }
    }
}

#[test]
fn axe_finds_no_fault() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let axe = format!("{};0", axe());
    for scheme in ["light", "dark"] {
        page.prefer(scheme);
        for view in VIEWS {
            visit(&mut page, view);
            assert_eq!(faults(&mut page, &axe), [""; 0], "{} {scheme}", view.0);
        }
        visit(&mut page, VIEWS[1]);
        page.click("[data-action=set-up]");
        assert_eq!(faults(&mut page, &axe), [""; 0], "set-up {scheme}");
        page.click("[data-action=cancel]");
        page.click("[data-action=paste]");
        assert_eq!(faults(&mut page, &axe), [""; 0], "dialog {scheme}");
        page.click("[data-action=paste-cancel]");
    }
}
