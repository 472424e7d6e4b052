//! Foreign programs as the arena meets them, and the engine as front ends meet it.
//!
//! What these tests need beside Rust (bubblewrap, `GRhino`, a Python with numpy) is installed by `cargo xtask setup`.
#![cfg(target_os = "linux")]

mod bad;
mod check;
mod course;
mod engines;
mod exported_classics;
mod exports;
mod ladder;
mod pool;
mod records;
mod sandbox;
mod sessions;
mod time;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test, with the bots in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        // In the sandbox a program may be somebody else.
        let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
        fs::set_permissions(folder.0.path(), mode).unwrap();
        for entry in fs::read_dir(bots()).unwrap() {
            let path = entry.unwrap().path();
            if path.is_file() {
                fs::copy(&path, folder.path(path.file_name().unwrap().to_str().unwrap())).unwrap();
            }
        }
        folder
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A command whose words may be quoted.
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
        command
            .args(words)
            .current_dir(self.0.path())
            .env("TURNCOAT_PYTHON", python())
            .env("PATH", path_with_games())
            .stdin(Stdio::null());
        command
    }

    fn run(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    /// The JSON objects that a successful command prints.
    fn objects(&self, words: &[&str]) -> Vec<Value> {
        let output = self.run(words);
        assert!(output.status.success(), "{words:?}: {}", said(&output));
        objects(&output)
    }

    /// The games of a match in which nobody should lose by time. A program that a busy machine has kept from answering
    /// thrice has lost all the same, and has shown nothing: then the match is played again.
    fn games_in_time(&self, words: &[&str]) -> Vec<Value> {
        let play = || {
            let mut games = self.objects(words);
            games.pop();
            games
        };
        let is_late = |games: &Vec<Value>| games.iter().any(|game| game["reason"] == "timeout");
        let mut games = play();
        for _ in 0..8 {
            if is_late(&games) {
                games = play();
            }
        }
        games
    }

    /// How a bot in Python that speaks in lines is written.
    fn line(name: &str) -> String {
        format!("line:{} {name}.py", python().display())
    }

    /// Processes that still have to do with this folder.
    fn left_running(&self) -> Vec<String> {
        let place = self.0.path().to_str().unwrap().to_owned();
        let mut left = Vec::new();
        for process in fs::read_dir("/proc").unwrap().flatten() {
            let read = |name: &str| fs::read(process.path().join(name)).unwrap_or_default();
            let words = String::from_utf8_lossy(&read("cmdline")).replace('\0', " ");
            if words.contains(&place) {
                left.push(words.chars().take(200).collect());
            }
        }
        left
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn objects(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn bots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/foreign/bots")
}

/// The Python that `cargo xtask test` has set up.
fn python() -> PathBuf {
    if let Some(python) = std::env::var_os("TURNCOAT_PYTHON") {
        return python.into();
    }
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/python/bin/python");
    assert!(own.exists(), "no Python for these tests: `cargo xtask setup` makes one");
    own
}

/// Debian puts games where only people look.
fn path_with_games() -> String {
    let path = std::env::var("PATH").unwrap_or_default();
    format!("{path}:/usr/games")
}

/// Whether `TURNCOAT_SKIP` leaves tests out.
fn is_left_out(suite: &str) -> bool {
    let left_out = std::env::var("TURNCOAT_SKIP").is_ok_and(|skip| skip.contains(suite));
    if left_out {
        eprintln!("not run: TURNCOAT_SKIP names {suite}");
    }
    left_out
}

/// Whether programs are confined here. Where that is left out, they are trusted, and what only a sandbox prevents is
/// not asked for.
fn has_sandbox() -> bool {
    if is_left_out("sandbox") {
        return false;
    }
    if let Err(error) = turncoat_host::sandbox::check() {
        panic!("{error}\n`cargo xtask setup` installs bubblewrap; TURNCOAT_SKIP=sandbox leaves out what needs it");
    }
    true
}

/// The words that run foreign programs here.
fn trust() -> &'static [&'static str] {
    if has_sandbox() { &[] } else { &["--trust"] }
}
