//! The Python package: its wheel, its tests and its figures, each in a virtual environment made for it.
//!
//! The environment lies under `target`, holds the pinned packages of `python/requirements.txt`, and the package as
//! everybody installs it: from the wheel.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::pip_install;
use crate::shell::{self, cargo, root, target};

/// A virtual environment.
struct Environment {
    folder: PathBuf,
}

impl Environment {
    /// A fresh one with the pinned packages.
    fn make(name: &str) -> Result<Self> {
        let folder = target().join(name);
        let venv = ["-m", "venv", "--clear"];
        shell::run(Command::new("python3").args(venv).arg(&folder))
            .context("Python 3.10 or later with venv is needed: on Debian, apt-get install python3-venv")?;
        let made = Self { folder };
        let requirements = root().join("python").join("requirements.txt");
        made.pip(&["--requirement".as_ref(), requirements.as_os_str()])?;
        Ok(made)
    }

    fn program(&self, name: &str) -> PathBuf {
        self.folder.join("bin").join(name)
    }

    fn pip(&self, words: &[&std::ffi::OsStr]) -> Result<()> {
        shell::run(pip_install(&self.program("python")).args(words))
            .context("a package index that can be reached is wanted")
    }

    /// Builds the wheel; its path.
    fn wheel(&self) -> Result<PathBuf> {
        let wheels = target().join("wheels");
        if wheels.exists() {
            fs::remove_dir_all(&wheels)?;
        }
        let words = ["build", "--release", "--locked", "--quiet", "--out"];
        let mut maturin = Command::new(self.program("maturin"));
        maturin.args(words).arg(&wheels);
        shell::run(maturin.current_dir(root().join("python")))?;
        let wheel = fs::read_dir(&wheels)?
            .filter_map(|entry| Some(entry.ok()?.path()))
            .find(|path| path.extension().is_some_and(|end| end == "whl"));
        wheel.context("maturin has left no wheel")
    }

    /// The package, built and installed.
    fn install(&self) -> Result<()> {
        let wheel = self.wheel()?;
        self.pip(&["--force-reinstall".as_ref(), "--no-deps".as_ref(), wheel.as_os_str()])
    }

    /// A program of the environment, away from the sources: what is imported is what was installed.
    fn command(&self, name: &str) -> Result<Command> {
        let mut command = Command::new(self.program(name));
        command
            .current_dir(root().join("python").join("tests"))
            .env("TURNCOAT", program()?)
            .env("TURNCOAT_ROOT", root());
        Ok(command)
    }
}

/// The program that the package is compared with: built as the tests of the workspace build it, so that nothing is
/// built twice.
fn program() -> Result<PathBuf> {
    shell::run(&mut cargo(["test", "--release", "--locked", "--workspace", "--no-run", "--test", "genetic"]))?;
    Ok(target().join("release").join("turncoat"))
}

/// `cargo xtask wheel`
pub(crate) fn wheel() -> Result<()> {
    println!("{}", shown(&build()?));
    Ok(())
}

/// Builds the wheel in an environment that has the builder alone; its path.
fn build() -> Result<PathBuf> {
    let folder = target().join("maturin");
    let maturin = requirement("maturin")?;
    shell::run(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    let environment = Environment { folder };
    environment.pip(&[maturin.as_ref()])?;
    environment.wheel()
}

/// The line of the requirements that pins a package.
fn requirement(name: &str) -> Result<String> {
    let path = root().join("python").join("requirements.txt");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let line = text.lines().find(|line| line.split("==").next() == Some(name));
    line.map(str::to_owned).with_context(|| format!("{name} is not pinned"))
}

fn shown(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// `cargo xtask python`
pub(crate) fn test() -> Result<()> {
    let environment = Environment::make("python-tests")?;
    environment.install()?;
    shell::run(environment.command("pytest")?.args(["--quiet", "--durations=5"]))
}

/// `cargo xtask bench python`
pub(crate) fn bench(words: &[&str]) -> Result<()> {
    if words.len() > 1 {
        bail!("bench python takes a number of rounds");
    }
    let environment = Environment::make("python-figures")?;
    environment.install()?;
    let script = root().join("benchmarks/python/figures.py");
    shell::run(environment.command("python")?.arg(script).args(words))
}

/// `cargo xtask bench training`, with a Python that has `torch`: that is too large to be installed for a measurement.
pub(crate) fn train(words: &[&str]) -> Result<()> {
    let python = PathBuf::from(env::var_os("TURNCOAT_TORCH").unwrap_or_else(|| "python3".into()));
    let imports = shell::output(Command::new(&python).args(["-c", "import numpy, torch"]));
    imports.with_context(|| {
        let name = python.display();
        format!("{name} has no PyTorch: {name} -m pip install torch numpy, or name another Python in TURNCOAT_TORCH")
    })?;
    // Beside that Python, which stays as it is.
    let packages = target().join("python-training");
    let mut pip = pip_install(&python);
    shell::run(pip.args(["--no-deps", "--upgrade", "--target"]).arg(&packages).arg(build()?))?;
    let script = root().join("benchmarks/python/training.py");
    shell::run(Command::new(&python).arg(script).args(words).env("PYTHONPATH", packages))
}
