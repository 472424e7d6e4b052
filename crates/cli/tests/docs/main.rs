//! The documentation is true: every `console` block of README.md and docs/ is run, and prints what it says.
//!
//! In such a block `$` stands before a command of the shell and `>` before what is typed into it; everything else is what
//! it prints, on either stream. Measured numbers (`0.27 s`, `9.7 million`, `0.1 MB`) may differ; `[..]` stands for any part of
//! a line, a line of `...` for any number of lines. A block with a name after its language (`python mine.py`) is a file. The blocks of a document share a folder, in which the
//! folders of the repository lie; commands of `sh` blocks are parsed only (`src/args/documented.rs`).
#![cfg(target_os = "linux")]

mod blocks;
mod paths;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use blocks::{Block, documents, root};

/// How long the next line may take on a busy machine; no block that holds waits for it.
const PATIENCE: Duration = Duration::from_mins(2);

#[test]
fn every_console_block_prints_what_it_says() {
    let documents = documents();
    let all = || documents.iter().flatten();
    let count = all().filter(|block| block.language == "console").count();
    assert!(count >= 10, "only {count} blocks were found");
    let faults: Vec<String> = thread::scope(|scope| {
        let checks: Vec<_> = documents.iter().map(|blocks| scope.spawn(|| check_document(blocks))).collect();
        checks.into_iter().flat_map(|check| check.join().unwrap()).collect()
    });
    assert!(faults.is_empty(), "\n{}", faults.join("\n"));
}

fn check_document(blocks: &[Block]) -> Vec<String> {
    let folder = folder();
    let mut faults = Vec::new();
    for block in blocks {
        if !block.name.is_empty() {
            let text = block.lines.join("\n") + "\n";
            fs::write(folder.path().join(&block.name), text).unwrap();
        } else if block.language == "console" {
            faults.extend(check(block, folder.path()));
        }
    }
    faults
}

/// A folder for the sessions of a document.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    // In the sandbox a program may be somebody else.
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path(), mode).unwrap();
    for name in ["books", "docs", "experiments", "weights"] {
        std::os::unix::fs::symlink(root().join(name), folder.path().join(name)).unwrap();
    }
    folder
}

/// A command of a block, what is typed into it, and what it prints.
struct Session<'a> {
    line: usize,
    command: String,
    /// Lines that are typed, each with the lines printed after it; the first stands for the start of the command.
    turns: Vec<(Option<&'a str>, Vec<&'a str>)>,
}

fn sessions(block: &Block) -> Vec<Session<'_>> {
    let mut sessions: Vec<Session<'_>> = Vec::new();
    let mut continues = false;
    for (line, text) in (block.line..).zip(&block.lines) {
        if let Some(command) = text.strip_prefix("$ ") {
            sessions.push(Session { line, command: command.to_owned(), turns: vec![(None, Vec::new())] });
        } else {
            let session = sessions
                .last_mut()
                .unwrap_or_else(|| panic!("{}:{line}: a block begins with $ and a command", block.file));
            if continues {
                session.command += "\n";
                session.command += text;
            } else if let Some(typed) = text.strip_prefix("> ") {
                session.turns.push((Some(typed), Vec::new()));
            } else {
                session.turns.last_mut().unwrap().1.push(text);
            }
        }
        continues = text.ends_with('\\') && (continues || text.starts_with("$ "));
    }
    sessions
}

/// Runs a block and tells where it does not hold.
fn check(block: &Block, folder: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    for session in sessions(block) {
        if session.command.contains(".py") && is_left_out("sandbox") {
            continue;
        }
        if let Err(fault) = session.run(folder) {
            faults.push(format!("{}:{}: $ {}\n{fault}", block.file, session.line, session.command));
        }
    }
    faults
}

impl Session<'_> {
    fn run(&self, folder: &Path) -> Result<(), String> {
        let mut child = Command::new("bash")
            .args(["-c", &format!("exec 2>&1\n{}", self.command)])
            .current_dir(folder)
            .env("PATH", path())
            .env("TURNCOAT_PYTHON", python())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let printed = lines(child.stdout.take().unwrap());
        let mut input = child.stdin.take();
        let mut all = Vec::new();
        if self.turns.len() == 1 {
            input = None;
        }
        for (typed, expected) in &self.turns {
            if let (Some(input), Some(typed)) = (&mut input, typed) {
                // A command that has ended reads no more; what it printed shows why.
                let _ = writeln!(input, "{typed}");
            }
            // What is typed next may end what goes on, so what is expected comes first.
            let expected = if input.is_some() { expected.len() } else { 0 };
            all.extend((0..expected).map_while(|_| printed.recv_timeout(PATIENCE).ok()));
        }
        drop(input);
        while let Ok(line) = printed.recv_timeout(PATIENCE) {
            all.push(line);
        }
        let _ = child.kill();
        child.wait().unwrap();
        let expected: Vec<&str> = self.turns.iter().flat_map(|(_, lines)| lines.clone()).collect();
        if matches(&expected, &all) {
            return Ok(());
        }
        Err(format!("should print\n{}\nand prints\n{}", expected.join("\n"), all.join("\n")))
    }
}

/// What is printed, line by line as it comes, without progress, which a terminal writes over.
fn lines(stream: impl std::io::Read + Send + 'static) -> Receiver<String> {
    let (send, receive) = channel();
    let is_progress = |line: &String| line.starts_with("starting ") && line.ends_with(" ...");
    thread::spawn(move || {
        let printed = BufReader::new(stream).lines().map_while(Result::ok);
        for line in printed.filter(|line| !is_progress(line)) {
            if send.send(line.trim_end().to_owned()).is_err() {
                break;
            }
        }
    });
    receive
}

/// Whether lines are as expected; a line of `...` stands for any number of them.
fn matches(expected: &[&str], printed: &[String]) -> bool {
    match expected.split_first() {
        None => printed.is_empty(),
        Some((&"...", rest)) => (0..=printed.len()).any(|skip| matches(rest, &printed[skip..])),
        Some((line, rest)) => {
            printed.split_first().is_some_and(|(first, others)| matches_line(line, first) && matches(rest, others))
        }
    }
}

/// Whether a line is as expected; `[..]` stands for any part of it.
fn matches_line(expected: &str, printed: &str) -> bool {
    let (expected, printed) = (&unmeasured(expected.trim_end()), &unmeasured(printed));
    let mut parts = expected.split("[..]");
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = printed.strip_prefix(first) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(place) => rest = &rest[place + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A line whose measured numbers are all alike: those with a point before seconds, millions and megabytes.
fn unmeasured(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_measured = |index: usize| {
        let number = words[index].trim_end_matches(',');
        let unit = words.get(index + 1).copied().unwrap_or_default();
        let unit = unit.trim_end_matches([',', ';', ':']);
        number.contains('.') && number.parse::<f64>().is_ok() && ["s", "million", "MB"].contains(&unit)
    };
    let shown = |index: usize| {
        if is_measured(index) { "#" } else { words[index] }
    };
    (0..words.len()).map(shown).collect::<Vec<_>>().join(" ")
}

/// Whether `TURNCOAT_SKIP` leaves tests out.
fn is_left_out(suite: &str) -> bool {
    let left_out = std::env::var("TURNCOAT_SKIP").is_ok_and(|skip| skip.contains(suite));
    if left_out {
        eprintln!("not run: TURNCOAT_SKIP names {suite}");
    }
    left_out
}

/// The path on which the binary under test is the first `turncoat`.
fn path() -> String {
    let binary = PathBuf::from(env!("CARGO_BIN_EXE_turncoat"));
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{}:{path}:/usr/games", binary.parent().unwrap().display())
}

/// The Python that `cargo xtask test` has set up.
fn python() -> PathBuf {
    if let Some(python) = std::env::var_os("TURNCOAT_PYTHON") {
        return python.into();
    }
    let own = root().join("target/python/bin/python");
    assert!(own.exists(), "no Python for these tests: `cargo xtask setup` makes one");
    own
}

#[test]
fn any_part_of_a_line_and_any_lines_may_vary() {
    assert!(matches_line("a [..] c [..]", "a b c d"));
    assert!(matches_line("[..]", ""));
    assert!(!matches_line("a [..] c", "a b d"));
    assert!(matches_line("in 0.01 s, 9.7 million", "in 1.20 s, 0.1 million"));
    assert!(!matches_line("Elo +3.5", "Elo +3.6"));
    let printed = ["one", "two", "three"].map(str::to_owned);
    assert!(matches(&["one", "..."], &printed));
    assert!(matches(&["...", "three"], &printed));
    assert!(!matches(&["one", "three"], &printed));
    assert!(!matches(&["one"], &printed));
}
