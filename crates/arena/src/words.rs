//! Numbers as people read them.

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
