//! The command that resumes an interrupted run.

use std::ffi::OsString;
use std::path::Path;

use turncoat_util::shell::join;

/// This command as it can be typed again.
pub(super) fn this_command() -> String {
    joined(&arguments())
}

/// The command that resumes this run: this one with `--resume`, and with another store if it had none or has lost it.
pub(super) fn command(new_store: Option<&Path>) -> String {
    let mut words = arguments();
    if let Some(path) = new_store {
        words = without_store(words);
        words.push("--store".to_owned());
        words.push(path.display().to_string());
    }
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_owned());
    }
    joined(&words)
}

/// The command that shows what is in a store.
pub(super) fn show_command(store: &Path) -> String {
    let mut words: Vec<String> = arguments().into_iter().take(1).collect();
    words.extend(["tournament", "--show", "--store"].map(str::to_owned));
    words.push(store.display().to_string());
    joined(&words)
}

fn without_store(words: Vec<String>) -> Vec<String> {
    let mut words = words.into_iter();
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "--store" {
            words.next();
        } else if !word.starts_with("--store=") {
            kept.push(word);
        }
    }
    kept
}

fn arguments() -> Vec<String> {
    let text = |word: OsString| word.to_string_lossy().into_owned();
    std::env::args_os().map(text).collect()
}

fn joined(words: &[String]) -> String {
    join(words.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_taken_out_however_it_is_written() {
        let words = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
        for text in ["a b --store x.db --json", "a b --json --store=x.db"] {
            assert_eq!(without_store(words(text)), ["a", "b", "--json"]);
        }
    }
}
