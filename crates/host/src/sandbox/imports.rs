//! The modules beside a Python file that it imports, directly or through each other.
//!
//! The source is scanned, not run. Names that are put together at run time are not found; a folder can be declared for
//! those. What is a program itself is not shown as a module of another: rivals often lie in one folder.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are scanned; a package of more is shown, but not what its other files import.
const MOST_FILES: usize = 500;
/// Larger sources are not scanned.
const LARGEST: u64 = 4 << 20;

/// The modules and packages beside a file that it imports. `is_hidden` tells which files are not shown.
pub(super) fn beside(file: &Path, is_hidden: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
    let (Some(folder), Ok(own)) = (file.parent(), file.canonicalize()) else {
        return Vec::new();
    };
    let Ok(real) = folder.canonicalize() else { return Vec::new() };
    let mut found: BTreeSet<PathBuf> = BTreeSet::new();
    let mut rest = vec![file.to_owned()];
    let mut scanned = 0;
    while let Some(source) = rest.pop().filter(|_| scanned < MOST_FILES) {
        scanned += 1;
        for name in imported(&text(&source)) {
            for path in modules(folder, &name) {
                // A link may lead anywhere.
                let Ok(target) = path.canonicalize() else { continue };
                let is_free = |source: &PathBuf| !is_hidden(source) && !is_program(source);
                // A package is shown as a whole or not at all.
                let is_shown = target != own
                    && target.starts_with(&real)
                    && is_free(&target)
                    && sources(&target).iter().all(is_free);
                if is_shown && found.insert(path.clone()) {
                    rest.extend(sources(&path));
                }
            }
        }
    }
    found.into_iter().collect()
}

fn text(path: &Path) -> String {
    let is_small = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() <= LARGEST);
    let bytes = if is_small { fs::read(path).unwrap_or_default() } else { Vec::new() };
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Whether a file has the course's class, as a class or as another name of one.
fn is_program(path: &Path) -> bool {
    path.is_file() && text(path).lines().any(|line| defines_class(line.trim_start()))
}

fn defines_class(line: &str) -> bool {
    let class = line.strip_prefix("class").filter(|rest| rest.starts_with(char::is_whitespace));
    let named = |name: &str| name.trim_start().strip_prefix("AI").map(|rest| rest.trim_start().chars().next());
    match class.map(named) {
        Some(next) => next.is_some_and(|next| matches!(next, Some('(' | ':' | '\\' | '[') | None)),
        None => {
            named(line) == Some(Some('=')) || line.contains("import") && line.split([' ', ',']).any(|word| word == "AI")
        }
    }
}

/// What a module of this name may be in a folder.
fn modules(folder: &Path, name: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let file = entry.file_name();
        let Some(rest) = file.to_str().and_then(|file| file.strip_prefix(name)) else { continue };
        let is_compiled = rest.starts_with('.') && [".so", ".pyc"].iter().any(|end| rest.ends_with(end));
        let is_package = || rest.is_empty() && !sources(&entry.path()).is_empty();
        if rest == ".py" || is_compiled || is_package() {
            found.push(entry.path());
        }
    }
    found
}

/// The sources of a module: its file, or those of a package and the packages in it.
fn sources(path: &Path) -> Vec<PathBuf> {
    let is_source = |path: &Path| path.extension().is_some_and(|end| end == "py");
    if path.is_file() {
        return if is_source(path) { vec![path.to_owned()] } else { Vec::new() };
    }
    let mut found = Vec::new();
    let mut rest = vec![path.to_owned()];
    while let Some(folder) = rest.pop().filter(|_| found.len() < MOST_FILES) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            // Links are not followed: they may lead in circles.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => rest.push(entry.path()),
                Ok(kind) if kind.is_file() && is_source(&entry.path()) => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found
}

/// The first parts of the names that a source imports: `import a.b, c as d`, `from e import f`, `import_module("g")`.
fn imported(source: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut add = |name: &str| {
        let name = name.trim().split(['.', ' ', '\t', '#', '\\']).next().unwrap_or_default();
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            names.insert(name.to_owned());
        }
    };
    for line in source.lines() {
        // Also after `try:` and the like.
        for statement in line.split([';', ':']).map(str::trim_start) {
            if let Some(rest) = statement.strip_prefix("import ") {
                rest.split(',').for_each(&mut add);
            } else if let Some(rest) = statement.strip_prefix("from ") {
                add(rest);
            }
        }
        for call in ["import_module(", "__import__("] {
            for rest in line.split(call).skip(1) {
                let literal = rest.trim_start().trim_start_matches(['"', '\'']);
                add(literal.split(['"', '\'']).next().unwrap_or_default());
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_the_source() {
        let source = "import numpy as np, tables.small\nfrom book import lines  # import nothing\nfrom . import own\n\
                      try: import fast\nexcept ImportError: pass\n    x = importlib.import_module('later.on')\n\
                      y = __import__(name); import z\n";
        let names: Vec<String> = imported(source).into_iter().collect();
        assert_eq!(names, ["book", "fast", "later", "numpy", "tables", "z"]);
    }

    #[test]
    fn modules_beside_a_file_are_found_through_each_other_but_no_rivals() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
        for name in ["pack", "logs", "alice"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        write("mine.py", "import helper, rival, logs, escape, entrant, mine, alice, spaced, renamed, passed_on\n");
        write("alice/tables.py", "");
        write("alice/ai.py", "class AI:\n    pass\n");
        write("spaced.py", "class  AI (object):\n    pass\n");
        write("renamed.py", "class Player:\n    pass\nAI = Player\n");
        write("passed_on.py", "from core import Player as AI\n");
        write("helper.py", "import pack.inner\nimport fast\n");
        write("pack/inner.py", "import deep\n");
        write("deep.py", "");
        write("fast.cpython-311.so", "");
        write("rival.py", "class AI(object):\n    pass\n");
        write("entrant.py", "print('a1')\n");
        write("logs/game.log", "");
        write("unused.py", "");
        std::os::unix::fs::symlink("/etc/hostname", folder.path().join("escape.py")).unwrap();
        let entrant = folder.path().join("entrant.py").canonicalize().unwrap();
        let found = beside(&folder.path().join("mine.py"), |path| path == entrant);
        let names: Vec<&str> = found.iter().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
        assert_eq!(names, ["deep.py", "fast.cpython-311.so", "helper.py", "pack"]);
    }
}
