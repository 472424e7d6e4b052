//! Scripts without the comments that explain them: those are for people who read the source, and a fifth of what a visitor
//! would be sent.

/// A script without the comments that have lines of their own. Its lines keep their numbers, which errors name.
pub(crate) fn without_comments(script: &str) -> String {
    let mut kept = String::with_capacity(script.len());
    let mut in_comment = false;
    for line in script.lines() {
        let text = line.trim();
        let code = if in_comment {
            in_comment = !text.contains("*/");
            line.split_once("*/").map_or("", |(_, code)| code)
        } else if text.starts_with("//") || (text.starts_with("/**") && text.ends_with("*/")) {
            ""
        } else {
            in_comment = text.starts_with("/**") && !text.contains("*/");
            if in_comment { "" } else { line }
        };
        kept.push_str(code);
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_go_and_code_stays_on_its_line() {
        let script = "// What.\n/** Why. @param {string} x */\nconst f = (x) => x; // so\n/**\n * @type {A}\n */\n  \
                      /** @type {B} */ (f)(\"//\");\n/** one\n two */ g();\n";
        let code = "\n\nconst f = (x) => x; // so\n\n\n\n  /** @type {B} */ (f)(\"//\");\n\n g();\n";
        assert_eq!(without_comments(script), code);
    }
}
