//! Words of a command line, as a POSIX shell reads them; on Windows, where paths have backslashes, these are as they are.

use std::borrow::Cow;

/// The words of a command line: split at white space, with quotes, backslashes and comments; nothing is expanded.
/// `None` if a quote is not closed or the text ends with a backslash.
///
/// ```
/// use turncoat_util::shell::split;
///
/// assert_eq!(split(r#"a "b c" d"#).unwrap(), ["a", "b c", "d"]);
/// assert_eq!(split("a 'b"), None);
/// ```
pub fn split(text: &str) -> Option<Vec<String>> {
    if cfg!(windows) { shlex::split(&with_plain_backslashes(text)) } else { shlex::split(text) }
}

/// A text whose backslashes a shell reads as they are: doubled, but not where single quotes keep them anyway.
fn with_plain_backslashes(text: &str) -> String {
    let (mut doubled, mut quote) = (String::new(), None);
    for c in text.chars() {
        match (c, quote) {
            ('\\', None | Some('"')) => doubled.push('\\'),
            ('\'' | '"', None) => quote = Some(c),
            _ if quote == Some(c) => quote = None,
            _ => {}
        }
        doubled.push(c);
    }
    doubled
}

/// A word that a shell reads back as it is, quoted only where it must be.
pub fn quote(word: &str) -> Cow<'_, str> {
    // More than `shlex` leaves alone: what the descriptions of players are made of means nothing to a shell.
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.into();
    }
    // No argument of a program has a NUL in it; a text that has one cannot be typed at all.
    shlex::Quoter::new().allow_nul(true).quote(word).unwrap_or(word.into())
}

/// Words as one command line.
pub fn join<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quote).collect::<Vec<_>>().join(" ")
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
            ("it's", r#""it's""#),
            ("$HOME;rm", "'$HOME;rm'"),
        ] {
            assert_eq!(quote(word), expected);
            assert_eq!(split(&quote(word)).unwrap(), [word]);
        }
        assert_eq!(join(["a", "b c"]), "a 'b c'");
    }

    #[test]
    fn paths_of_windows_keep_their_backslashes() {
        let words = |text: &str| shlex::split(&with_plain_backslashes(text)).unwrap();
        assert_eq!(words(r"Z:\my\eng.exe engine line"), [r"Z:\my\eng.exe", "engine", "line"]);
        assert_eq!(words(r#""C:\my games\a.exe" 'D:\it is\b'"#), [r"C:\my games\a.exe", r"D:\it is\b"]);
    }

    #[cfg(not(windows))]
    #[test]
    fn a_command_is_split_as_a_shell_would() {
        assert_eq!(split(r#"a "b c" d\ e 'f"g' """#).unwrap(), ["a", "b c", "d e", "f\"g", ""]);
        assert!(split("a 'b").is_none());
        assert!(split("a \\").is_none());
    }
}
