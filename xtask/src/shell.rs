//! Running other programs from the project's root.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The project's root.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the root").to_owned()
}

/// The folder that cargo builds into, which also holds the tools of the tests.
pub(crate) fn target() -> PathBuf {
    let folder = std::env::current_dir().unwrap_or_else(|_| root());
    target_for(std::env::var_os("CARGO_TARGET_DIR"), &folder)
}

/// `CARGO_TARGET_DIR` as cargo takes it: relative to the folder that it is called in.
fn target_for(variable: Option<OsString>, folder: &Path) -> PathBuf {
    variable.filter(|path| !path.is_empty()).map_or_else(|| root().join("target"), |path| folder.join(path))
}

/// A cargo command in the root. Cargo's own variables of this run are left out, so that they do not
/// change what is built.
pub(crate) fn cargo<S: AsRef<OsStr>>(arguments: impl IntoIterator<Item = S>) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    if std::env::var_os("CARGO_TARGET_DIR").is_some() {
        // Absolute, since the command may run in another folder than this one.
        command.env("CARGO_TARGET_DIR", target());
    }
    for (name, _) in std::env::vars_os() {
        let name = name.to_string_lossy().into_owned();
        if name.starts_with("CARGO_PKG_") || name == "CARGO_MANIFEST_DIR" || name == "CARGO_MANIFEST_PATH" {
            command.env_remove(name);
        }
    }
    command
}

/// Runs a command, shown first, and fails if it fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    let shown = show(command);
    eprintln!("\x1b[1m> {shown}\x1b[0m");
    let status = command.status().with_context(|| shown.clone())?;
    if !status.success() {
        bail!("{shown}: {status}");
    }
    Ok(())
}

/// Runs a command and returns what it prints.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let shown = show(command);
    let output = command.output().with_context(|| shown.clone())?;
    if !output.status.success() {
        bail!("{shown}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr));
    }
    Ok(String::from_utf8(output.stdout)?)
}

fn show(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy();
    let arguments: Vec<_> = command.get_args().map(OsStr::to_string_lossy).collect();
    format!("{program} {}", arguments.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_target_folder_is_the_one_that_cargo_uses() {
        let folder = Path::new("/somewhere");
        assert_eq!(target_for(None, folder), root().join("target"));
        assert_eq!(target_for(Some("".into()), folder), root().join("target"));
        assert_eq!(target_for(Some("build".into()), folder), folder.join("build"));
        assert_eq!(target_for(Some("/tmp/build".into()), folder), Path::new("/tmp/build"));
    }
}
