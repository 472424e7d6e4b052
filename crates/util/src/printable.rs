//! Text of others on a terminal: programs and files may say anything, but not command the terminal.

/// A text in one line, whose control characters are written as escapes: it can neither command the terminal that it is
/// shown on nor change the order of what stands beside it.
///
/// ```
/// assert_eq!(turncoat_util::printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
/// assert_eq!(turncoat_util::printable("pass\u{202e}lia"), "pass\\u{202e}lia");
/// ```
pub fn printable(text: &str) -> String {
    escaped(text, is_command)
}

/// The same for a text of several lines.
///
/// ```
/// assert_eq!(turncoat_util::printable_lines("a\u{7}\nb"), "a\\u{7}\nb");
/// ```
pub fn printable_lines(text: &str) -> String {
    escaped(text, |c| c != '\n' && is_command(c))
}

/// JSON in which every control character is written as an escape, also those that JSON allows.
///
/// ```
/// assert_eq!(turncoat_util::printable_json("\"a\u{9b}2J\"".to_owned()), "\"a\\u009b2J\"");
/// ```
pub fn printable_json(json: String) -> String {
    if !json.contains(is_command) {
        return json;
    }
    // They stand in texts alone, where an escape means the same.
    let escape = |c: char| if is_command(c) { format!("\\u{:04x}", u32::from(c)) } else { c.to_string() };
    json.chars().map(escape).collect()
}

fn escaped(text: &str, is_bad: impl Fn(char) -> bool) -> String {
    let escape = |c: char| if is_bad(c) { c.escape_default().to_string() } else { c.to_string() };
    text.chars().map(escape).collect()
}

/// Control characters, and those that end a line or change the direction of writing.
fn is_command(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
}
