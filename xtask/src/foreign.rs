//! What the tests of foreign programs need beside Rust: bubblewrap, `GRhino`, and a Python with numpy.
//!
//! The first two come from Debian's packages, the last one is an environment of its own under `target`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::shell::{self, output, root};

/// Programs and the Debian packages that have them.
const PROGRAMS: [(&str, &str); 2] = [("bwrap", "bubblewrap"), ("gtp-rhino", "grhino")];
/// Python packages: the second is what students keep their time with.
const PACKAGES: [&str; 2] = ["numpy>=1.21", "timeout_decorator==0.5.0"];

/// Installs what is missing; the Python that the tests use.
pub(crate) fn set_up() -> Result<PathBuf> {
    let missing: Vec<&str> = PROGRAMS
        .iter()
        .filter(|(program, _)| !is_there(program))
        .map(|(_, package)| *package)
        .collect();
    if !missing.is_empty() {
        install(&missing).with_context(|| {
            format!(
                "the tests of foreign programs need Debian's {}, which could not be installed here; \
                 install them by other means, or test on a machine that reaches a package mirror",
                missing.join(" and ")
            )
        })?;
    }
    python().context(
        "the tests of foreign programs need a Python with numpy and timeout_decorator in target/python, which \
         could not be set up here: Python 3 with venv, and a package index that can be reached, are wanted",
    )
}

/// Whether a program is on the path or where Debian puts games.
pub(crate) fn is_there(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain(["/usr/games".into()])
        .any(|folder| folder.join(program).is_file())
}

/// Installs Debian packages.
pub(crate) fn install(packages: &[&str]) -> Result<()> {
    let apt = |words: &[&str]| -> Command {
        // Whoever is not root may be allowed to be for a moment.
        let mut command = if is_root() {
            Command::new("apt-get")
        } else {
            let mut command = Command::new("sudo");
            command.args(["-n", "apt-get"]);
            command
        };
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    if shell::run(&mut apt(&words)).is_ok() {
        return Ok(());
    }
    shell::run(&mut apt(&["update"]))?;
    shell::run(&mut apt(&words))
}

fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// The tests' own Python.
fn python() -> Result<PathBuf> {
    let folder = root().join("target").join("python");
    let python = folder.join("bin").join("python");
    if is_ready(&python) {
        return Ok(python);
    }
    let made = shell::run(Command::new("python3").args(["-m", "venv"]).arg(&folder));
    if made.is_err() {
        install(&["python3", "python3-venv"])?;
        shell::run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let pip = [
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
    ];
    shell::run(Command::new(&python).args(pip).args(PACKAGES))?;
    if !is_ready(&python) {
        bail!("{} cannot import numpy", python.display());
    }
    Ok(python)
}

fn is_ready(python: &Path) -> bool {
    let imports = ["-c", "import numpy, timeout_decorator"];
    output(Command::new(python).args(imports)).is_ok()
}
