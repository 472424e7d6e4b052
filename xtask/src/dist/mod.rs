//! `cargo xtask dist`: what a release consists of, into `target/artefacts`.
//!
//! An archive for each system ([`system`]) with the program, completions, manual pages and the licences of all that is in it
//! ([`licences`]), and the sums of all files. The same commit gives the same bytes ([`check`]); every file is installed and
//! used before it is published ([`trial`]).

mod archive;
mod check;
mod deb;
mod installed;
mod licences;
mod npm;
mod serving;
mod system;
mod trial;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::python;
use crate::shell::{output, root, target};
use archive::Entry;
use system::System;

/// The most bytes of an archive.
const LARGEST: u64 = 20_000_000;
/// The most bytes of a wheel.
const LARGEST_WHEEL: u64 = 15_000_000;
/// The most bytes of the package for npm.
const LARGEST_NPM: u64 = 10_000_000;
/// Shells and the files in which they look for completions.
const COMPLETIONS: [(&str, &str); 5] = [
    ("bash", "turncoat.bash"),
    ("zsh", "_turncoat"),
    ("fish", "turncoat.fish"),
    ("elvish", "turncoat.elv"),
    ("powershell", "turncoat.ps1"),
];
/// Files of the repository that every archive has.
const DOCUMENTS: [&str; 5] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE", "Containerfile"];

/// `cargo xtask dist`
pub(crate) fn run(words: &[&str]) -> Result<()> {
    match words {
        ["check"] => check::run(),
        ["try", names @ ..] => trial::run(names),
        ["wheels"] => wheels(),
        ["npm"] => npm(),
        [] => anew().and_then(|()| build(&[System::LINUX])),
        ["all"] => anew().and_then(|()| build(&System::ALL)),
        names => build(&names.iter().map(|name| System::from_name(name)).collect::<Result<Vec<_>>>()?),
    }
}

/// Where the files of a release lie.
pub(crate) fn folder() -> PathBuf {
    target().join("artefacts")
}

/// The version of the workspace.
pub(crate) fn version() -> Result<String> {
    let manifest = fs::read_to_string(root().join("Cargo.toml"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = \""));
    Ok(line.and_then(|rest| rest.strip_suffix('"')).context("Cargo.toml has no version")?.to_owned())
}

/// When the commit was made, in seconds since 1970: the time of everything in a release.
pub(crate) fn epoch() -> Result<u64> {
    if let Ok(given) = std::env::var("SOURCE_DATE_EPOCH") {
        return given.parse().with_context(|| format!("SOURCE_DATE_EPOCH={given}"));
    }
    let said = output(Command::new("git").args(["log", "-1", "--format=%ct"]).current_dir(root()));
    Ok(said.context("the time of a release is that of its commit, or SOURCE_DATE_EPOCH")?.trim().parse()?)
}

/// Begins a release: no file of another one stays.
fn anew() -> Result<()> {
    if folder().exists() {
        fs::remove_dir_all(folder())?;
    }
    Ok(())
}

/// Builds the archives of these systems, the package for Debian, and the sums, beside what is there.
fn build(systems: &[System]) -> Result<()> {
    let folder = folder();
    fs::create_dir_all(&folder)?;
    for system in systems {
        let program = system.build()?;
        system.check(&program)?;
        let made = archive(system, &program, &folder)?;
        report(&made, LARGEST)?;
    }
    if systems.contains(&System::LINUX) {
        report(&deb::build(&folder)?, LARGEST)?;
    }
    archive::write_sums(&folder)
}

/// Builds the Python package as it is released, beside what is there.
fn wheels() -> Result<()> {
    fs::create_dir_all(folder())?;
    for path in python::release(&folder())? {
        report(&path, LARGEST_WHEEL)?;
    }
    archive::write_sums(&folder())
}

/// Builds the package for npm, beside what is there.
fn npm() -> Result<()> {
    fs::create_dir_all(folder())?;
    report(&npm::build(&folder())?, LARGEST_NPM)?;
    archive::write_sums(&folder())
}

/// Says how large a file is, and refuses one that is too large.
fn report(path: &Path, largest: u64) -> Result<()> {
    let size = fs::metadata(path)?.len();
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    println!("{name}: {:.1} MB", size as f64 / 1e6);
    ensure!(size <= largest, "{name} has {size} bytes, more than the {largest} that it may have");
    Ok(())
}

/// The archive of a system, in its folder.
fn archive(system: &System, program: &Path, folder: &Path) -> Result<PathBuf> {
    let name = format!("turncoat-{}-{}", version()?, system.name);
    let mut entries = vec![Entry::program(system.program(), fs::read(program)?)];
    for document in DOCUMENTS {
        entries.push(Entry::file(document, fs::read(root().join(document))?));
    }
    entries.push(Entry::file("THIRD-PARTY.md", licences::of_program(system)?.into_bytes()));
    entries.extend(generated(&System::LINUX.program_path())?);
    archive::write(&folder.join(&name), &name, entries, epoch()?, system.is_windows())
}

/// The books, and completions and manual pages, which the program writes; it is the same for all systems, but not every one
/// runs here.
fn generated(program: &Path) -> Result<Vec<Entry>> {
    if !program.is_file() {
        bail!("{} is not built: cargo xtask dist builds it", program.display());
    }
    let mut entries = Vec::new();
    for (shell, file) in COMPLETIONS {
        let script = output(Command::new(program).args(["completions", shell]))?;
        entries.push(Entry::file(format!("completions/{file}"), script.into_bytes()));
    }
    let pages = target().join("dist-man");
    output(Command::new(program).args(["man", "--force", "--out"]).arg(&pages))?;
    for (folder, place) in [(pages, "man/man1"), (root().join("books"), "books")] {
        for file in fs::read_dir(&folder)? {
            let file = file?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
            entries.push(Entry::file(format!("{place}/{name}"), fs::read(&file)?));
        }
    }
    Ok(entries)
}
