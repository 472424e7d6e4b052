//! Compilers for other systems than this one: the toolchain's own targets, or Debian's compiler with the source of its
//! standard library where rustup cannot add one.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::setup::{self, is_there};
use crate::shell::{cargo, output, root};

/// How long rustup may take; where it cannot reach its server, it tries for much longer.
const PATIENCE: Duration = Duration::from_mins(1);
/// Debian's compiler for the web, which brings the standard library as source.
const DEBIAN: [&str; 3] = ["rustc-web", "cargo-web", "rust-web-src"];

/// A `cargo build` for a target. `parts` are those of the standard library that it needs where that is built too.
pub(crate) fn cargo_build(target: &str, parts: &str) -> Result<Command> {
    if has_target(target) || add_target(target) { Ok(cargo(["build"])) } else { debian(target, parts) }
}

/// A `cargo build` for a target with a standard library built anew, for features that the usual one lacks; `None` where its
/// source cannot be had.
pub(crate) fn cargo_build_anew(target: &str, parts: &str) -> Result<Option<Command>> {
    if source_of(Command::new("rustc")).is_none() && !rustup(&["component", "add", "rust-src"]) {
        return if standard_library().is_some() { debian(target, parts).map(Some) } else { Ok(None) };
    }
    let mut command = cargo(["build", "-Z"]);
    command.arg(format!("build-std={parts}")).env("RUSTC_BOOTSTRAP", "1");
    Ok(Some(command))
}

/// Whether the compiler can build for a target as it is.
fn has_target(target: &str) -> bool {
    let library = output(Command::new("rustc").args(["--print", "target-libdir", "--target", target]));
    library.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Asks rustup for a target; `false` where there is no rustup, or no way to its server.
fn add_target(target: &str) -> bool {
    if !is_there("rustup") || Path::new("/usr/bin/rustc").is_file() && standard_library().is_some() {
        return false;
    }
    rustup(&["target", "add", target])
}

/// Runs rustup; whether it has done what it was asked.
fn rustup(words: &[&str]) -> bool {
    eprintln!("\x1b[1m> rustup {}\x1b[0m", words.join(" "));
    let Ok(mut running) = Command::new("rustup").args(words).stderr(Stdio::null()).spawn() else {
        return false;
    };
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match running.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => sleep(Duration::from_millis(200)),
            Err(_) => break,
        }
    }
    let _ = running.kill();
    let _ = running.wait();
    false
}

/// Debian's compiler, installed if it is not there. It builds the standard library too.
fn debian(target: &str, parts: &str) -> Result<Command> {
    if standard_library().is_none() {
        setup::install_packages(&DEBIAN, &format!("rustup cannot add {target} here"))?;
    }
    standard_library().context("rust-web-src has no source of the standard library")?;
    let mut command = Command::new("/usr/bin/cargo");
    command.args(["build", "-Z"]).arg(format!("build-std={parts}")).current_dir(root());
    // Building the standard library is not stable; the toolchain of this run is not the one that builds.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", "/usr/bin/rustc").env_remove("RUSTUP_TOOLCHAIN");
    Ok(command)
}

/// Where Debian's compiler finds the source of its standard library.
fn standard_library() -> Option<PathBuf> {
    source_of(Command::new("/usr/bin/rustc"))
}

/// Where a compiler finds the source of its standard library.
fn source_of(mut rustc: Command) -> Option<PathBuf> {
    let root = output(rustc.args(["--print", "sysroot"])).ok()?;
    let source = Path::new(root.trim()).join("lib/rustlib/src/rust/library/std");
    source.is_dir().then_some(source)
}

/// Places on this machine, which are no part of a release, and their names in it, as in `PLACE=NAME`.
pub(crate) fn renamed_places() -> Result<[String; 2]> {
    let rename = |place: PathBuf, name: &str| format!("{}={name}", place.display());
    Ok([rename(root(), "/turncoat"), rename(cargo_home()?, "/cargo")])
}

/// Where cargo keeps the sources of crates.
pub(crate) fn cargo_home() -> Result<PathBuf> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    home.or_else(|| Some(std::env::home_dir()?.join(".cargo"))).context("there is no home folder")
}
