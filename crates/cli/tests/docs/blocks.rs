//! The fenced blocks of the documentation.

use std::fs;
use std::path::{Path, PathBuf};

/// A block of a Markdown file.
pub(crate) struct Block {
    /// The file, from the root of the repository.
    pub(crate) file: String,
    /// The line of the file on which its text begins, from 1.
    pub(crate) line: usize,
    /// The word after the fence: `sh`, `console`, `python`.
    pub(crate) language: String,
    /// What follows that word: the name of the file that the block is.
    pub(crate) name: String,
    /// Its lines.
    pub(crate) lines: Vec<String>,
}

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// README.md and everything in docs/, with their blocks.
pub(crate) fn documents() -> Vec<Vec<Block>> {
    let mut files = vec!["README.md".to_owned()];
    for folder in ["docs", "docs/benchmarks"] {
        let mut names: Vec<String> = fs::read_dir(root().join(folder))
            .unwrap()
            .map(|entry| PathBuf::from(entry.unwrap().file_name()))
            .filter(|name| name.extension().is_some_and(|end| end == "md"))
            .map(|name| format!("{folder}/{}", name.display()))
            .collect();
        names.sort();
        files.extend(names);
    }
    files.iter().map(|file| blocks(file)).collect()
}

fn blocks(file: &str) -> Vec<Block> {
    let text = fs::read_to_string(root().join(file)).unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false;
    for (line, text) in (1..).zip(text.lines()) {
        match text.trim_start().strip_prefix("```") {
            Some(_) if open => open = false,
            Some(info) => {
                let (language, name) = info.split_once(' ').unwrap_or((info, ""));
                blocks.push(Block {
                    file: file.to_owned(),
                    line: line + 1,
                    language: language.to_owned(),
                    name: name.to_owned(),
                    lines: Vec::new(),
                });
                open = true;
            }
            None if open => blocks.last_mut().unwrap().lines.push(text.to_owned()),
            None => {}
        }
    }
    assert!(!open, "{file}: a block does not end");
    blocks
}
