//! The Python package: its wheel, its tests and its figures, each in a virtual environment made for it.
//!
//! The environment lies under `target`, holds the pinned packages of `python/requirements.txt`, and the package as
//! everybody installs it: from the wheel.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::setup::{install_packages, is_there, pip_install};
use crate::shell::{self, cargo, output, root, target};

/// The linker of released wheels, from the package index.
const ZIG: &str = "ziglang==0.15.1";

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

    /// The builder of packages.
    fn maturin(&self, words: &[&str]) -> Command {
        let mut maturin = Command::new(self.program("maturin"));
        maturin.args(words).current_dir(root().join("python"));
        maturin
    }

    /// Builds the wheel; its path.
    fn wheel(&self) -> Result<PathBuf> {
        let wheels = target().join("wheels");
        if wheels.exists() {
            fs::remove_dir_all(&wheels)?;
        }
        shell::run(self.maturin(&["build", "--release", "--locked", "--quiet", "--out"]).arg(&wheels))?;
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

/// Builds what is released into a folder: a wheel for every Linux of the last ten years, linked by zig against an old C
/// library, and the sources. Returns their paths.
pub(crate) fn release(folder: &Path) -> Result<Vec<PathBuf>> {
    let environment = Environment { folder: target().join("maturin") };
    shell::run(Command::new("python3").args(["-m", "venv"]).arg(&environment.folder))?;
    environment.pip(&[requirement("maturin")?.as_ref(), ZIG.as_ref()])?;
    let made = target().join("dist-wheels");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    let wheel = ["build", "--profile", "wheel", "--locked", "--zig", "--compatibility", "manylinux2014", "--target"];
    let mut build = environment.maturin(&wheel);
    build.arg("x86_64-unknown-linux-gnu").arg("--out").arg(&made);
    // `zig` is looked for on the path, as the module `ziglang` of the environment's Python.
    let path = env::var_os("PATH").unwrap_or_default();
    let first = [environment.folder.join("bin")].into_iter().chain(env::split_paths(&path));
    build.env("PATH", env::join_paths(first)?).env("TURNCOAT_COMMIT", commit()?.0).env("TURNCOAT_DATE", commit()?.1);
    shell::run(&mut build)?;
    for entry in fs::read_dir(&made)? {
        pack_tighter(&entry?.path())?;
    }
    shell::run(environment.maturin(&["sdist", "--out"]).arg(&made))?;
    let mut paths = Vec::new();
    for entry in fs::read_dir(&made)? {
        let path = folder.join(entry?.file_name());
        fs::rename(made.join(path.file_name().unwrap_or_default()), &path)?;
        paths.push(path);
    }
    paths.sort();
    Ok(paths)
}

/// Compresses a wheel anew, as well as its format can: three per cent, which keep it below its limit.
fn pack_tighter(wheel: &Path) -> Result<()> {
    if !is_there("advzip") {
        install_packages(&["advancecomp"], "it makes the wheel smaller")?;
    }
    shell::run(Command::new("advzip").args(["--recompress", "--shrink-extra", "--quiet"]).arg(wheel))
}

/// The commit that is built, and its day.
fn commit() -> Result<(String, String)> {
    let git = |words: &[&str]| output(Command::new("git").args(words).env("TZ", "UTC").current_dir(root()));
    let changes =
        if git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty() { "" } else { " with changes" };
    let said = git(&["log", "-1", "--abbrev=12", "--format=%h %cd", "--date=format-local:%Y-%m-%d"])?;
    let (commit, date) = said.trim().split_once(' ').context("git does not tell its commit")?;
    Ok((format!("{commit}{changes}"), date.to_owned()))
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

/// `cargo xtask bench python` and `cluster`
pub(crate) fn bench(name: &str, words: &[&str]) -> Result<()> {
    if words.len() > 1 {
        bail!("bench {name} takes a number of rounds");
    }
    let environment = Environment::make("python-figures")?;
    environment.install()?;
    let script = if name == "cluster" { "programs.py" } else { "figures.py" };
    let script = root().join("benchmarks/python").join(script);
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
