//! Documents name files that exist.

use std::fs;
use std::path::PathBuf;

use crate::blocks::root;

/// The file that a document means: a path from the root, or of a walk `page/…` or `CRATE/…` without its `src`.
fn candidates(path: &str) -> [PathBuf; 3] {
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    [
        root().join(path),
        root().join("crates").join(first).join("src").join(rest),
        root().join("crates/server").join(path),
    ]
}

#[test]
fn every_file_that_is_named_exists() {
    for document in ["docs/architecture.md", "docs/extending.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(document)).unwrap();
        let named: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|code| code.contains('/') && !code.contains([' ', '{']) && !code.contains("NAME"))
            .filter(|code| !code.contains("FORMAT") && !code.contains("VARIANT"))
            .filter(|code| [".rs", ".js", ".md", ".sh", ".json", ".ts"].iter().any(|end| code.ends_with(end)))
            .collect();
        assert!(named.len() > 10, "only {} files were found in {document}", named.len());
        for path in named {
            assert!(candidates(path).iter().any(|file| file.exists()), "{document}: there is no {path}");
        }
    }
}
