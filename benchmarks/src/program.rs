//! The `turncoat` binary, which `cargo xtask bench` has built, as a user runs it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

/// The release build.
pub(crate) fn turncoat() -> Result<PathBuf> {
    build("TURNCOAT")
}

/// The build whose path is in this variable.
pub(crate) fn build(variable: &str) -> Result<PathBuf> {
    let path = std::env::var_os(variable);
    path.map(PathBuf::from).with_context(|| format!("{variable} is not set: run `cargo xtask bench NAME`"))
}

/// Runs a command and returns what it prints.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("{command:?}"))?;
    ensure!(output.status.success(), "{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs a command and parses the last line that it prints.
pub(crate) fn json(command: &mut Command) -> Result<Value> {
    let output = output(command)?;
    let last = output.lines().last().with_context(|| format!("{command:?} prints nothing"))?;
    Ok(serde_json::from_str(last)?)
}
