//! The three arrangements of the page: everything fits, the board uses the room there is, what is used most is in
//! sight, and no text is cut.

use serde_json::Value;

use crate::chromium::Page;
use crate::page;
use crate::play::begin;

/// From the smallest phone to the largest screen, upright and across.
const SIZES: [(u32, u32); 19] = [
    (320, 480),
    (480, 320),
    (360, 640),
    (640, 360),
    (360, 740),
    (390, 844),
    (844, 390),
    (600, 600),
    (768, 1024),
    (1024, 600),
    (1024, 768),
    (1280, 800),
    (1366, 768),
    (1080, 1920),
    (1920, 1080),
    (1440, 2560),
    (2560, 1440),
    (2160, 3840),
    (3840, 2160),
];
const PLAY: (&str, &str) = ("#/play", ".play .cell.legal");
const ANALYSE: (&str, &str) =
    ("#/analyse?game=reversed&size=8&line=d3e3f2c5f4c3b3f3g3g1e1g5f5h3d2a3c2c1b1d1e2g6&at=13", ".mistakes li");
/// The book of these tests is that of the repository.
const IN_BOOK: (&str, &str) = ("#/analyse?game=reversi&size=8&line=f5d6c3d3&at=4", ".explorer tbody tr");

fn visit(page: &mut Page, (address, sign): (&str, &str)) {
    page.value(&format!("location.hash = {address:?}"));
    page.until(&format!("document.querySelector({sign:?})"));
}

/// The elements of a selector that are not wholly within a screen that was not scrolled; all are missing if none is there.
fn out_of_sight(page: &mut Page, selector: &str, (width, height): (u32, u32)) -> Value {
    page.value(&format!(
        "(() => {{ scrollTo(0, 0); const all = [...document.querySelectorAll({selector:?})]; \
         if (all.length === 0) return ['nothing']; \
         return all.map((it) => [it, it.getBoundingClientRect()]) \
           .filter(([, box]) => box.width === 0 || box.left < 0 || box.top < 0 || box.right > {width} || box.bottom > {height}) \
           .map(([it, box]) => `${{it.getAttribute('class')}} ${{it.dataset.action}} ${{JSON.stringify(box)}}`); }})()"
    ))
}

#[test]
fn the_board_fits_every_screen_and_uses_it() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    for view in [PLAY, ANALYSE] {
        visit(&mut page, view);
        for size in SIZES {
            page.resize(size.0, size.1);
            let hidden = out_of_sight(&mut page, ".board", size);
            assert_eq!(hidden, Value::Array(Vec::new()), "{} at {size:?}", view.0);
            let wide = page.value("document.documentElement.scrollWidth");
            assert_eq!(wide, size.0, "{} at {size:?}", view.0);
            let side = page.value("document.querySelector('.board').getBoundingClientRect().width");
            let least = 0.58 * f64::from(size.0.min(size.1));
            assert!(side.as_f64().unwrap() > least, "{side} at {size:?}");
        }
        page.resize(2560, 1440);
        let side = page.value("document.querySelector('.board').getBoundingClientRect().width");
        assert!(side.as_f64().unwrap() > 1200.0, "{side}");
    }
    page.is_well();
}

#[test]
fn what_is_used_most_is_in_sight() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let tools = "[data-action=paste], [data-action=set-up], [data-action=share], [name=save]";
    let analyse = format!(".analyse .walk button, {tools}");
    let play = ".play .status, .play .player, [data-action=undo], [data-action=hint]";
    for (view, used) in [(PLAY, play), (ANALYSE, analyse.as_str())] {
        visit(&mut page, view);
        for size in [(360, 740), (390, 844), (844, 390), (768, 1024), (1280, 800), (2560, 1440)] {
            page.resize(size.0, size.1);
            let hidden = out_of_sight(&mut page, used, size);
            assert_eq!(hidden, Value::Array(Vec::new()), "{} at {size:?}", view.0);
        }
    }
    page.is_well();
}

#[test]
fn the_widest_score_stays_within_its_square() {
    let start = format!("{}XOOOOOO-_X", "X".repeat(56));
    let Some((_server, mut page)) = page(&format!("#/analyse?game=reversi&start={start}")) else {
        return;
    };
    page.until("document.querySelector('.analyse [data-square=h8] .score')?.textContent === '=+64'");
    let wide = page.value("document.querySelector('[data-square=h8] .score').getBBox().width");
    assert!(wide.as_f64().unwrap() < 92.0, "{wide}");
    page.is_well();
}

/// Elements whose text is cut, and lists of choices of which one would be.
const CUT: &str = "[...document.querySelectorAll('header *, #view *')] \
    .filter((it) => it.clientWidth > 1 && !(it instanceof SVGElement)) \
    .filter((it) => { \
      if (!(it instanceof HTMLSelectElement)) return it.scrollWidth > it.clientWidth; \
      const wide = it.cloneNode(true); if (it.name === 'save') wide.length = 1; wide.style.cssText = 'width: auto; position: absolute; left: 0; top: 0'; \
      it.parentElement.append(wide); const wanted = wide.offsetWidth; wide.remove(); return wanted > it.offsetWidth; \
    }) \
    .map((it) => `${it.tagName} ${it.className} ${it.name ?? ''} ${it.textContent.slice(0, 60)}`)";

#[test]
fn no_text_is_cut_in_any_language() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let long = [("white", "turncoat:level=20"), ("clock", "10+5")];
    begin(&mut page, &long);
    page.until("document.querySelector('.player.white .name').textContent.includes('20')");
    for language in ["en", "zh-Hans", "ja"] {
        page.choose("#language", language);
        page.until(&format!("document.documentElement.lang === {language:?}"));
        for view in [PLAY, ANALYSE, IN_BOOK, ("#/learn", ".corner-card")] {
            visit(&mut page, view);
            // After a full stop of Chinese or Japanese there is no space.
            assert_eq!(page.value("/[。！？] /.test(document.body.innerText)"), false, "{} {language}", view.0);
            for size in SIZES {
                page.resize(size.0, size.1);
                let cut = page.value(CUT);
                let place = format!("{} {language} at {size:?}", view.0);
                assert_eq!(cut, Value::Array(Vec::new()), "{place}");
            }
        }
    }
    page.is_well();
}

#[test]
fn the_head_names_the_game_of_the_view() {
    let Some((_server, mut page)) = page("#/analyse?game=reversi&size=6") else {
        return;
    };
    let says = |text: &str| format!("document.querySelector('#tagline').textContent === {text:?}");
    page.until(&says("Reversi: the most discs win"));
    page.value("location.hash = '#/play'");
    page.until(&says("Reversed Reversi: the fewest discs win"));
    page.choose("#language", "zh-Hans");
    page.until(&says("反黑白棋：子少者胜"));
    page.choose("#language", "ja");
    page.until(&says("逆リバーシ：石の少ないほうが勝ち"));
    page.is_well();
}

#[test]
fn buttons_keep_to_one_line_and_lists_use_the_room_below_them() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    visit(&mut page, PLAY);
    page.resize(768, 1024);
    let heights = "['#theme', '#language'].map((it) => document.querySelector(it).offsetHeight)";
    let heights = page.value(heights);
    assert_eq!(heights[0], heights[1]);
    visit(&mut page, ANALYSE);
    page.resize(2560, 1440);
    page.until("document.querySelectorAll('.mistakes li').length > 7");
    let scrolls =
        "(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector('.mistakes'))";
    assert_eq!(page.value(scrolls), false);
    page.is_well();
}

#[test]
fn no_button_of_play_is_cut_by_the_fold() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    visit(&mut page, PLAY);
    for (size, used) in [((1024, 768), ".play .actions button, .choice button"), ((480, 320), ".play .actions button")]
    {
        page.resize(size.0, size.1);
        let hidden = out_of_sight(&mut page, used, size);
        assert_eq!(hidden, Value::Array(Vec::new()), "{size:?}");
    }
    page.is_well();
}

#[test]
fn the_bar_is_seen_in_the_dark_and_its_number_is_read() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.prefer("dark");
    visit(&mut page, ANALYSE);
    page.until("document.querySelector('.bar .number').textContent !== ''");
    // What is drawn must stand out from what is around it by 3 : 1.
    let contrast = page.value(
        "(() => { const light = (colour) => { const [r, g, b] = colour.match(/[\\d.]+/g).map((one) => { \
           const part = one / 255; return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4; }); \
           return 0.2126 * r + 0.7152 * g + 0.0722 * b; }; \
         const edge = light(getComputedStyle(document.querySelector('.bar'), '::after').borderTopColor); \
         const ground = light(getComputedStyle(document.body).backgroundColor); \
         return (edge + 0.05) / (ground + 0.05); })()",
    );
    assert!(contrast.as_f64().unwrap() >= 3.0, "{contrast}");
    for size in [(768, 1024), (1024, 768), (1280, 800), (2560, 1440)] {
        page.resize(size.0, size.1);
        // The widest that it may say.
        let number = page.value(
            "(() => { const it = document.querySelector('.bar .number'), said = it.textContent; it.textContent = '9.9'; \
             const range = document.createRange(); range.selectNodeContents(it); \
             const found = [range.getBoundingClientRect().width <= it.parentElement.clientWidth, \
                            parseFloat(getComputedStyle(it).fontSize)]; it.textContent = said; return found; })()",
        );
        assert_eq!(number[0], true, "{size:?}");
        assert!(number[1].as_f64().unwrap() >= 10.5, "{number} at {size:?}");
    }
    page.is_well();
}

#[test]
fn a_player_has_one_name_in_japanese() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("page/base");
    for file in ["japanese.js", "japanese-study.js"] {
        let words = std::fs::read_to_string(folder.join(file)).unwrap();
        assert!(!words.contains("プレーヤー"), "{file}");
    }
}
