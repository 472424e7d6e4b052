//! `cargo xtask test`: what CI checks, from a fresh machine with only Rust. Whatever else it needs, it installs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::shell::{self, cargo, output, root};
use crate::{foreign, page};

const DENY_VERSION: &str = "0.20.2";

pub(crate) fn run() -> Result<()> {
    let steps = [
        format,
        lints,
        benchmarks,
        documentation,
        tests,
        python,
        licences,
    ];
    for step in steps {
        step()?;
    }
    Ok(())
}

fn format() -> Result<()> {
    shell::run(&mut cargo(["fmt", "--all", "--check"]))
}

fn lints() -> Result<()> {
    shell::run(&mut cargo([
        "clippy",
        "--release",
        "--locked",
        "--workspace",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ]))
}

/// The benchmarks are a package of their own, which the workspace's checks do not reach.
fn benchmarks() -> Result<()> {
    let folder = root().join("benchmarks");
    shell::run(cargo(["fmt", "--check"]).current_dir(&folder))?;
    let clippy = [
        "clippy",
        "--release",
        "--locked",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ];
    shell::run(cargo(clippy).current_dir(&folder))
}

fn documentation() -> Result<()> {
    let mut doc = cargo(["doc", "--release", "--locked", "--workspace", "--no-deps"]);
    shell::run(doc.env("RUSTDOCFLAGS", "--deny warnings"))
}

fn tests() -> Result<()> {
    let mut test = cargo(["test", "--release", "--locked", "--workspace"]);
    if cfg!(target_os = "linux") {
        test.env("TURNCOAT_PYTHON", foreign::set_up()?);
        let browser = page::set_up()?;
        page::types(&browser)?;
        browser.lend(&mut test);
    }
    shell::run(&mut test)
}

/// The Python package, where Python is as Unix has it.
fn python() -> Result<()> {
    if cfg!(unix) {
        crate::python::test()?;
    }
    Ok(())
}

/// Licences, bans and sources of all dependencies; advisories would need a download of their own.
fn licences() -> Result<()> {
    let deny = installed_deny()?;
    shell::run(
        Command::new(deny)
            .args(["--locked", "check", "licenses", "bans", "sources"])
            .current_dir(root()),
    )
}

/// cargo-deny in this project's own tools folder, installed if it is missing or of another version.
fn installed_deny() -> Result<PathBuf> {
    let tools = root().join("target").join("tools");
    let deny = tools
        .join("bin")
        .join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    let version = output(Command::new(&deny).arg("--version")).unwrap_or_default();
    if version.trim().ends_with(DENY_VERSION) {
        return Ok(deny);
    }
    shell::run(
        cargo([
            "install",
            "cargo-deny",
            "--version",
            DENY_VERSION,
            "--locked",
            "--root",
        ])
        .arg(&tools)
        .arg("--target-dir")
        .arg(tools.join("build")),
    )?;
    Ok(deny)
}
