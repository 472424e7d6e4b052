//! Text within HTML and XML.

/// A text that is safe between tags and in quoted attributes, in HTML and in XML.
///
/// ```
/// assert_eq!(turncoat_util::escape_html("<b a='1'>\"&"), "&lt;b a=&#39;1&#39;&gt;&quot;&amp;");
/// ```
pub fn escape_html(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            c => safe.push(c),
        }
    }
    safe
}
