//! `cargo xtask dist check`: the same commit gives the same bytes twice, in other folders too.

use std::fs;
use std::process::Command;

use anyhow::{Result, bail, ensure};

use super::system::System;
use super::{anew, build, folder};
use crate::shell::{self, output, root, target};

pub(super) fn run() -> Result<()> {
    let changes = output(Command::new("git").args(["status", "--porcelain"]).current_dir(root()))?;
    ensure!(changes.is_empty(), "a release is that of a commit, but there are changes:\n{changes}");
    anew()?;
    build(&[System::LINUX])?;
    let again = target().join("dist-again");
    // A check that was interrupted goes on with what it had built.
    if !again.exists() {
        shell::run(Command::new("git").arg("clone").arg("--quiet").arg(root()).arg(&again))?;
    }
    let commit = output(Command::new("git").args(["rev-parse", "HEAD"]).current_dir(root()))?;
    let git = |words: &[&str]| shell::run(Command::new("git").args(words).current_dir(&again));
    git(&["fetch", "--quiet", "origin", commit.trim()])?;
    git(&["checkout", "--quiet", "--force", "--detach", commit.trim()])?;
    let mut second = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    second.args(["xtask", "dist"]).current_dir(&again).env("CARGO_TARGET_DIR", again.join("target"));
    shell::run(&mut second)?;
    let sums = |folder: std::path::PathBuf| fs::read_to_string(folder.join("SHA256SUMS"));
    let (first, second) = (sums(folder())?, sums(again.join("target/artefacts"))?);
    if first != second {
        bail!("the same commit gave other bytes in another folder:\n{first}{second}");
    }
    fs::remove_dir_all(&again)?;
    println!("the same bytes twice:\n{first}");
    Ok(())
}
