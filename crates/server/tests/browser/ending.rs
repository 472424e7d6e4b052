//! Before a move and after a game: what a move would turn, who is proposed, where a game begins, what decided it.

use crate::page;
use crate::play::{HOLD_QUESTION, begin, made, moves};

#[test]
fn a_move_is_shown_before_it_is_made() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    let shown = "[document.querySelectorAll('.put').length, document.querySelectorAll('.turns').length]";
    let event = |kind: &str, on: &str| {
        format!(
            "document.querySelector({on:?}).dispatchEvent(new PointerEvent('{kind}', {{ bubbles: true, pointerType: 'touch' }}))"
        )
    };
    page.value(&event("pointerover", ".play .cell.legal"));
    assert_eq!(page.value(shown), serde_json::json!([1, 1]));
    // A touch only shows it; the second one plays.
    page.value(&event("click", "[data-square=c4]"));
    assert_eq!(page.value(shown), serde_json::json!([1, 1]));
    assert_eq!(page.text(".transcript"), "");
    page.value(&event("click", "[data-square=c4]"));
    made(&mut page, 1);
    assert_eq!(page.value(shown), serde_json::json!([0, 0]));
    page.is_well();
}

#[test]
fn the_first_game_is_proposed_by_what_a_person_says() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    assert_eq!(page.value("document.querySelector('[data-action=climb]').hidden"), true);
    page.click("[data-action=first][data-level='4']");
    page.until("document.querySelector('.player.white .name').textContent.includes('Level 4')");
    assert_eq!(page.value("document.querySelector('[data-action=climb]').textContent"), "Play level 4");
    assert!(page.text(".choice .about").contains("beginner"));
    // That game has begun: one button is left that stands out.
    assert_eq!(page.value("document.querySelector('[data-action=climb]').hidden"), true);
    page.is_well();
}

#[test]
fn a_game_begins_where_one_likes() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".choice summary");
    page.choose(".choice [name=from]", "openingOwn");
    page.value("document.querySelector('[name=own]').value = 'f5f5'");
    page.click(".choice .main");
    page.until("document.querySelector('.choice .fault').textContent.includes('occupied')");
    // Nobody wins where nothing can be played.
    page.value("document.querySelector('[name=own]').value = 'O'.repeat(64) + ' X'");
    page.click(".choice .main");
    page.until("document.querySelector('.choice .fault').textContent.includes('over')");
    page.value("document.querySelector('[name=own]').value = 'f5d6c3d3'");
    page.choose(".choice [name=clock]", "own");
    page.value("(() => { const it = document.querySelector('[name=minutes]'); it.value = '7'; it.dispatchEvent(new Event('change', { bubbles: true })); })()");
    assert!(page.text(".choice summary").contains("7 min + 10 s/move"));
    page.click(".choice .main");
    page.until("document.querySelectorAll('.play .cell:not([data-disc=none])').length === 8");
    page.until("document.querySelector('.player .clock').textContent === '7:00'");
    // It is none of the ladder.
    assert_eq!(page.value("document.querySelector('.ladder').hidden"), true);
    // Eight moves at random, after which neither side is better by much.
    page.choose(".choice [name=from]", "openingRandom");
    page.click(".choice .main");
    page.until("document.querySelectorAll('.play .cell:not([data-disc=none])').length === 12");
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".play .cell.legal");
    made(&mut page, 2);
    page.press("Home");
    page.until("document.querySelector('.status').textContent.includes('starting position')");
    page.press("End");
    page.until("document.querySelector('.play .cell.legal')");
    page.reload();
    page.until("document.querySelector('.choice [name=from]')?.value === 'openingRandom'");
    page.is_well();
}

/// What the form says of where the next game begins.
const FROM: &str = "document.querySelector('.choice [name=from]').value";

/// Whether a board of this many squares with this many discs is shown.
fn board(squares: usize, discs: usize) -> String {
    format!(
        "document.querySelectorAll('.play .cell').length === {squares} \
         && document.querySelectorAll('.play .cell:not([data-disc=none])').length === {discs}"
    )
}

#[test]
fn the_form_keeps_the_opening_that_was_chosen() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".choice summary");
    page.choose(".choice [name=from]", "openingOwn");
    page.value("document.querySelector('[name=own]').value = 'f5d6c3'");
    begin(&mut page, &[("white", "human")]);
    page.until(&board(64, 7));
    begin(&mut page, &[("from", "openingUsual"), ("clock", "5+0")]);
    page.until(&board(64, 4));
    assert_eq!(page.value(FROM), "openingUsual");
    begin(&mut page, &[("from", "openingOwn")]);
    page.until(&board(64, 7));
    page.reload();
    page.until(&board(64, 7));
    assert_eq!(page.value(FROM), "openingOwn");
    assert_eq!(page.value("document.querySelector('[name=own]').value"), "f5d6c3");
    page.is_well();
}

#[test]
fn a_game_from_elsewhere_leaves_the_opening_of_the_form_alone() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[("white", "human")]);
    // As *Play from here* does.
    page.value("location.hash = '#/play?size=4&start=-X---XX--XO-----_O&other=human'");
    page.until(&board(16, 5));
    assert_eq!(page.value(FROM), "openingUsual");
    page.click(".play .cell.legal");
    made(&mut page, 1);
    page.click(".choice .main");
    page.until(&board(16, 4));
    page.click(".unfinished [data-action=resume]");
    page.until(&board(16, 6));
    assert_eq!(page.value(FROM), "openingUsual");
    // A rematch begins where the game did.
    page.click("[data-action=resign]");
    page.click("[data-action=rematch]");
    page.until(&board(16, 5));
    page.is_well();
}

#[test]
fn the_end_names_what_decided_it_and_offers_another_game() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[("white", "human"), ("size", "4")]);
    page.until("document.querySelectorAll('.play .cell').length === 16");
    assert_eq!(page.value("document.querySelector('.ladder').hidden"), true);
    let legal = "document.querySelectorAll('.play .cell.legal')";
    loop {
        page.until(&format!("{legal}.length > 0 || !document.querySelector('.finish').hidden"));
        if page.value("document.querySelector('.finish').hidden") == false {
            break;
        }
        let before = moves(&mut page);
        let one = page.value(&format!("{legal}[Math.floor({legal}.length / 2)]?.dataset.square"));
        if let Some(square) = one.as_str() {
            page.click(&format!(".play .cell.legal[data-square={square}]"));
            made(&mut page, before + 1);
        }
    }
    page.until("document.querySelectorAll('.costly li').length > 0");
    assert!(page.text(".costly").contains("was better"));
    page.is_well();
    // Its analysis begins with the board, however far down the button is.
    page.resize(360, 740);
    page.click("[data-action=analyse-game]");
    page.until("document.querySelector('.analyse .cell') && scrollY === 0");
    page.click("#to-play");
    page.until("document.querySelector('.play')");
    page.choose(".choice [name=white]", "turncoat:level=2");
    page.click("[data-action=swap]");
    page.until("document.querySelector('.transcript').textContent === '' && document.querySelector('.finish').hidden");
    page.is_well();
}

#[test]
fn what_is_below_the_end_of_a_game_stays_where_it_is() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    begin(&mut page, &[("white", "human")]);
    for (number, square) in ["d3", "c3", "c4"].into_iter().enumerate() {
        page.click(&format!(".play .cell.legal[data-square={square}]"));
        made(&mut page, number + 1);
    }
    page.value(
        "(() => { globalThis.places = new Set(); const look = () => { requestAnimationFrame(look); \
         if (!document.querySelector('.finish').hidden) places.add(document.querySelector('.choice').getBoundingClientRect().y); }; \
         look(); })()",
    );
    page.click("[data-action=resign]");
    page.until("document.querySelector('.finish .quiet').textContent.startsWith('No move')");
    page.value("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    assert_eq!(page.value("places.size"), 1);
    page.is_well();
}

#[test]
fn a_move_shifts_nothing_below_it() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    let place = "document.querySelector('.choice').getBoundingClientRect().y";
    // White begins from this opening.
    page.click(".choice summary");
    page.choose(".choice [name=from]", "openingOwn");
    page.value("document.querySelector('[name=own]').value = 'd3'");
    page.value(HOLD_QUESTION);
    page.click(".choice .main");
    page.until("document.querySelectorAll('.play .cell:not([data-disc=none])').length === 5");
    let before = page.value(place);
    page.value("release()");
    page.until("document.querySelector('.play .cell.legal')");
    assert_eq!(page.value(place), before);
    for number in 2..12 {
        page.click(".play .cell.legal");
        made(&mut page, number);
        page.until("document.querySelector('.play .cell.legal')");
        assert_eq!(page.value(place), before, "after move {number}");
    }
    page.is_well();
}

#[test]
fn only_those_who_lost_are_named_as_having_lost_it() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    let legal = "document.querySelectorAll('.play .cell.legal')";
    let mut named = 0;
    for place in ["0", "Math.floor(all.length / 2)", "all.length - 1"] {
        if page.value("document.querySelector('.finish').hidden") == true {
            begin(&mut page, &[("white", "human"), ("size", "4")]);
        } else {
            page.click(".choice .main");
        }
        page.until("document.querySelectorAll('.play .cell').length === 16 && document.querySelector('.transcript').textContent === ''");
        loop {
            page.until(&format!("{legal}.length > 0 || !document.querySelector('.finish').hidden"));
            if page.value("document.querySelector('.finish').hidden") == false {
                break;
            }
            let before = moves(&mut page);
            let one = page.value(&format!("((all) => all[{place}]?.dataset.square)({legal})"));
            if let Some(square) = one.as_str() {
                page.click(&format!(".play .cell.legal[data-square={square}]"));
                made(&mut page, before + 1);
            }
        }
        page.until("!document.querySelector('.finish .quiet').textContent.startsWith('Looking')");
        let status = page.text(".play .status");
        let losers =
            "[...new Set([...document.querySelectorAll('.costly .bead')].map((it) => it.className.slice(5)))].join()";
        let losers = page.value(losers);
        let loser = if status.contains("White wins") { "Black" } else { "White" };
        let heading = page.text(".finish .quiet");
        if losers != "" && !status.contains("A draw") {
            assert_eq!(losers, loser.to_lowercase(), "{status}");
            assert!(heading.starts_with(loser), "{heading}");
            named += 1;
        }
    }
    assert!(named > 0);
    page.is_well();
}

#[test]
fn a_clock_of_ones_own_says_what_it_takes() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".choice summary");
    page.choose(".choice [name=clock]", "own");
    page.value("document.querySelector('.choice [name=clock]').dispatchEvent(new Event('change', { bubbles: true }))");
    let label = page.text(".choice label:has([name=minutes])");
    assert!(label.contains("1–180"), "{label}");
    let write = |value: &str| {
        format!(
            "(() => {{ const it = document.querySelector('[name=minutes]'); it.value = {value:?}; \
             for (const type of ['input', 'change']) it.dispatchEvent(new Event(type, {{ bubbles: true }})); }})()"
        )
    };
    let fault = "document.querySelector('.choice .fault').textContent";
    for value in ["1000", "-3", "", "2.5"] {
        page.value(&write(value));
        // What was written stays there to be corrected, and no game begins with it.
        assert_eq!(page.value("document.querySelector('[name=minutes]').value"), value);
        page.click(".choice .main");
        page.until(&format!("{fault}.includes('1–180')"));
        assert_eq!(page.value("document.querySelector('.player .clock').hidden"), true);
        page.value(&write("7"));
        page.until(&format!("{fault} === ''"));
    }
    page.click(".choice .main");
    page.until("document.querySelector('.player .clock').textContent === '7:00'");
    page.is_well();
}

#[test]
fn the_example_of_an_opening_can_be_played_on_its_board() {
    let Some((_server, mut page)) = page("") else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    page.click(".choice summary");
    for size in ["4", "6", "8"] {
        page.choose(".choice [name=size]", size);
        page.choose(".choice [name=from]", "openingOwn");
        let example = page.value("document.querySelector('[name=own]').placeholder");
        let example = example.as_str().unwrap();
        assert!(page.value("document.querySelector('[name=own]').title").as_str().unwrap().contains(example));
        page.value(&format!("document.querySelector('[name=own]').value = {example:?}"));
        page.click(".choice .main");
        page.until(&format!("document.querySelectorAll('.play .cell').length === {size} ** 2"));
        // It may have been answered already.
        page.until("document.querySelectorAll('.play .cell:not([data-disc=none])').length >= 7");
        page.value("document.querySelector('[name=own]').value = ''");
    }
    page.is_well();
}
