//! The command that goes on with an interrupted run.

use std::ffi::OsString;
use std::path::Path;

/// This command as it can be typed again.
pub(super) fn this_command() -> String {
    joined(&arguments())
}

/// The command that goes on with this run: this one with `--resume`, and with the store if it had none.
pub(super) fn command(new_store: Option<&Path>) -> String {
    let mut words = arguments();
    if let Some(path) = new_store {
        words.push("--store".to_owned());
        words.push(path.display().to_string());
    }
    if !words.iter().any(|word| word == "--resume") {
        words.push("--resume".to_owned());
    }
    joined(&words)
}

fn arguments() -> Vec<String> {
    let text = |word: OsString| word.to_string_lossy().into_owned();
    std::env::args_os().map(text).collect()
}

fn joined(words: &[String]) -> String {
    words
        .iter()
        .map(|word| quoted(word))
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_where_a_shell_would_split_or_change_them() {
        for (word, expected) in [
            ("gene45:depth=3,x=1", "gene45:depth=3,x=1"),
            ("my games.db", "'my games.db'"),
            ("", "''"),
            ("it's", r"'it'\''s'"),
            ("$HOME;rm", "'$HOME;rm'"),
        ] {
            assert_eq!(quoted(word), expected);
        }
    }
}
