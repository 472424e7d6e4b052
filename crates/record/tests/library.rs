//! The program of docs/library.md runs, and is the one that the page shows.

use std::path::Path;

#[path = "../examples/library.rs"]
mod program;

#[test]
fn the_program_runs() {
    program::main().unwrap();
}

#[test]
fn the_page_shows_it() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    // The published package comes without the page.
    let Ok(page) = std::fs::read_to_string(page) else { return };
    let shown = page.split("```rust\n").nth(1).and_then(|rest| rest.split("```").next());
    assert_eq!(shown, Some(include_str!("../examples/library.rs").replace("pub(crate) fn main", "fn main").as_str()));
}
