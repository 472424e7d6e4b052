//! What is saved of a study: who played, branches, comments; and a line that says what a format has no room for.

use std::path::Path;
use std::time::Duration;
use std::{fs, thread};

use crate::chromium::Page;
use crate::page;

const START: &str = "BO[8 ---------------------------O*------*O--------------------------- *]";
/// A branch with a comment, and one on the main line.
const STUDY: &str = "#/analyse?game=reversed&size=8&line=f5d6c3(f4f3)d3c4&at=2\
                     &notes=%5B%5B%22f5d6%22%2C%22!%22%2C%22solid%22%5D%2C%5B%22f5d6c3f4%22%2C%22%22%2C%22sharper%22%5D%5D";
const TOAST: &str =
    "(document.querySelector('.toast').hidden ? '' : document.querySelector('.toast [role=status]').textContent)";

/// The text of a file, once it is there as a whole.
fn saved(page: &mut Page, file: &Path, ends: &str) -> String {
    loop {
        let text = fs::read_to_string(file).unwrap_or_default();
        if text.trim_end().ends_with(ends) {
            return text;
        }
        page.is_well();
        thread::sleep(Duration::from_millis(25));
    }
}

fn paste(page: &mut Page, text: &str) {
    page.value(&format!(
        "(() => {{ const data = new DataTransfer(); data.setData('text/plain', {text:?}); \
         document.body.dispatchEvent(new ClipboardEvent('paste', \
         {{ clipboardData: data, bubbles: true, cancelable: true }})); }})()"
    ));
}

#[test]
fn who_played_where_and_when_is_shown_and_saved_again() {
    let Some((_host, mut page)) = page("#/analyse") else {
        return;
    };
    page.until("document.querySelector('.analyse .cell.legal')");
    assert_eq!(page.value("document.querySelector('.record').hidden"), true);
    let said = r"PC[GGS/os]DT[2003.12.15]PB[al\]ice]PW[bob]";
    paste(&mut page, &format!("(;GM[Othello]{said}TY[8]RE[+4.000]{START}B[f5]W[d6]B[c3];)"));
    page.until("document.querySelectorAll('.analyse .move').length === 3");
    let shown = "document.querySelector('.analyse .record').textContent.replace(/\\s+/g, ' ').trim()";
    let names = " al]ice – bob GGS/os · 2003.12.15";
    page.until(&format!("{shown} === {:?}", names.trim()));
    // They are in the address, and stay under the rules of the other game.
    page.until("location.hash.includes('black=al')");
    page.reload();
    page.until(&format!("document.querySelector('.analyse .record') && {shown} === {:?}", names.trim()));
    page.click("[data-variant=reversed]");
    page.until("location.hash.includes('game=reversed')");
    let folder = page.downloads();
    page.choose("[name=save]", "ggf");
    let text = saved(&mut page, &folder.join("turncoat.ggf"), ";)");
    assert!(text.contains(said), "{text}");
    // Nothing is left out of one line without notes.
    assert_eq!(page.value(TOAST), "");
    // Another game has other players, or none that are known.
    paste(&mut page, "f5f6");
    page.until("document.querySelector('.analyse .record').hidden");
    page.click("[data-action=toast-undo]");
    page.until(&format!("{shown} === {:?}", names.trim()));
    page.is_well();
}

#[test]
fn a_page_of_its_own_has_the_branches_and_their_comments() {
    let Some((_host, mut page)) = page(STUDY) else {
        return;
    };
    let folder = page.downloads();
    page.until("document.querySelectorAll('.analyse .move').length === 7");
    page.choose("[name=save]", "page");
    let file = folder.join("turncoat.html");
    saved(&mut page, &file, "</html>");
    let own = serde_json::json!({"url": format!("file://{}", file.display())});
    page.call("Page.navigate", &own);
    page.until("document.querySelectorAll('#moves > button').length === 6");
    let list = page.text("#moves");
    assert!(list.contains("solid") && list.contains("sharper"), "{list}");
    let now = |name: &str| format!("document.querySelector('#moves [aria-current]').textContent.startsWith({name:?})");
    page.until(&now("2. d6"));
    page.press("ArrowRight");
    page.until(&now("3. c3"));
    // A branch is walked along as the main line is, and back to where it left it.
    page.click(".branch button");
    page.until("document.querySelector('#told').textContent.includes('sharper')");
    let discs = "document.querySelectorAll('#board .X, #board .O').length";
    assert_eq!(page.value(discs), 8);
    page.press("End");
    page.until(&now("5. f3"));
    assert_eq!(page.value(discs), 9);
    page.press("ArrowLeft");
    page.press("ArrowLeft");
    page.until(&now("3. c3"));
    page.press("End");
    page.until(&now("5. c4"));
    page.is_well();
}

#[test]
fn what_a_format_leaves_out_is_said_in_every_language() {
    let Some((_host, mut page)) = page(STUDY) else {
        return;
    };
    page.downloads();
    page.until("document.querySelectorAll('.analyse .move').length === 7");
    page.choose("[name=save]", "svg");
    for (language, said) in [("en", "branches, comments"), ("zh-Hans", "分支"), ("ja", "分岐")] {
        page.choose("#language", language);
        for format in ["ggf", "transcript", "gif"] {
            page.choose("[name=save]", format);
            page.until(&format!("{TOAST}.includes({said:?})"));
            assert_eq!(page.value("document.querySelector('[data-action=toast-undo]').hidden"), true);
            page.click("[data-action=toast-close]");
        }
    }
    page.is_well();
}
