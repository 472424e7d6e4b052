//! Names and numbers as people read them.

/// A text whose control characters are written as escapes, so that it cannot command the terminal it is shown on.
///
/// ```
/// assert_eq!(turncoat_arena::printable("a\u{1b}[2Jb\n"), "a\\u{1b}[2Jb\\n");
/// ```
pub fn printable(text: &str) -> String {
    let escaped = |c: char| {
        if c.is_control() { c.escape_default().to_string() } else { c.to_string() }
    };
    text.chars().map(escaped).collect()
}

/// A number with its sign and so many digits after the point; what is rounded to zero has no sign.
///
/// ```
/// use turncoat_arena::signed;
///
/// assert_eq!([signed(0.4, 0), signed(-0.4, 0)], ["0", "0"]);
/// assert_eq!([signed(0.25, 1), signed(-1.5, 2)], ["+0.2", "-1.50"]);
/// ```
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    let is_zero = text.chars().all(|c| !c.is_ascii_digit() || c == '0');
    if is_zero && value.is_finite() { text[1..].to_owned() } else { text }
}
