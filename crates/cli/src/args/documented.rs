//! The arguments of all commands in the documentation are understood.

use clap::Parser;

use super::{Cli, protect_position};

#[path = "../../tests/docs/blocks.rs"]
mod blocks;

#[test]
fn the_documentation_has_no_unknown_arguments() {
    let mut faults = Vec::new();
    let mut parsed = 0;
    for block in blocks::documents().into_iter().flatten() {
        if !matches!(block.language.as_str(), "sh" | "console") || !block.name.is_empty() {
            continue;
        }
        for (line, text) in commands(block.line, &block.lines, block.language == "console") {
            for words in calls(&text) {
                parsed += 1;
                let words = words.into_iter().map(|word| protect_position(word.into()));
                if let Err(error) = Cli::try_parse_from(words) {
                    faults.push(format!("{}:{line}: {text}\n{error}", block.file));
                }
            }
        }
    }
    assert!(parsed >= 30, "only {parsed} commands were found");
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

/// The commands of a block with their lines, continued ones joined.
fn commands(first: usize, lines: &[String], prompted: bool) -> Vec<(usize, String)> {
    let mut commands: Vec<(usize, String)> = Vec::new();
    let mut continues = false;
    for (line, text) in (first..).zip(lines) {
        let part = text.strip_suffix('\\').unwrap_or(text);
        if continues {
            if let Some((_, command)) = commands.last_mut() {
                command.push_str(part);
            }
        } else if !prompted {
            commands.push((line, part.to_owned()));
        } else if let Some(command) = part.strip_prefix("$ ") {
            commands.push((line, command.to_owned()));
        }
        continues = text.ends_with('\\') && (continues || !prompted || text.starts_with("$ "));
    }
    commands
}

/// The calls of `turncoat` in a line of the shell, as words. Comments and redirections are left out.
fn calls(line: &str) -> Vec<Vec<String>> {
    let mut calls = vec![Vec::new()];
    let mut word = None::<String>;
    let mut quote = None;
    for c in line.chars().chain([' ']) {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, ' ' | '|' | '&' | ';' | '>' | '<') => {
                if let (Some(word), Some(call)) = (word.take(), calls.last_mut()) {
                    call.push(word);
                }
                if c != ' ' {
                    calls.push(Vec::new());
                }
            }
            _ => word.get_or_insert_default().push(c),
        }
    }
    calls.retain(|call| call.first().is_some_and(|word| word == "turncoat"));
    calls
}
