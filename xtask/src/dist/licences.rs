//! The licences of everything in the program: of each crate the files that came with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::system::System;
use crate::shell::{cargo, output};
use crate::toolchain::cargo_home;
use crate::wasm;

/// How files of licences begin.
const NAMES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

/// What is in everything besides crates.
const RUST: &str = "- Rust's standard library: MIT OR Apache-2.0, © the Rust project's contributors\n";
/// What is in the programs besides.
const SQLITE: &str = "\
- SQLite, in `libsqlite3-sys`: in the public domain
";

/// The GNU C library is in the Linux programs, and its licence wants it to be replaceable.
const GLIBC: &str = "\
- The GNU C Library, linked statically: LGPL-2.1-or-later, © the Free Software Foundation and others. To link this program
  with another one, build Turncoat's sources of this version with `cargo xtask dist`.
";

/// What the compiler puts into the program for Windows.
const MINGW: &str = "\
- The runtime of mingw-w64: in the public domain, and ZPL-2.1, © the mingw-w64 project
- The runtime library of GCC: GPL-3.0-or-later with the GCC Runtime Library Exception, © the Free Software Foundation
";

/// A crate with its licence.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Dependency {
    name: String,
    version: String,
    licence: String,
}

/// The document of a system's program.
pub(super) fn of_program(system: &System) -> Result<String> {
    let runtime = if system.is_static_glibc() { GLIBC } else { MINGW };
    text("turncoat", system.triple, &format!("{SQLITE}{runtime}"))
}

/// The document of the browser's engine.
pub(super) fn of_module() -> Result<String> {
    text("turncoat-browser", wasm::TARGET, "")
}

/// The document of a crate that is built for a target, with what is in it besides crates.
fn text(package: &str, target: &str, others: &str) -> Result<String> {
    let words = ["tree", "--locked", "--package", package, "--edges", "normal", "--prefix", "none"];
    let listed = output(cargo(words).args(["--format", "{p}|{l}", "--target", target]))?;
    let dependencies = parse(&listed)?;
    let sources = sources()?;
    let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut list = String::new();
    for Dependency { name, version, licence } in &dependencies {
        list += &format!("- {name} {version}: {licence}\n");
        let title = format!("{name}-{version}");
        let folder = sources.iter().map(|source| source.join(&title)).find(|folder| folder.is_dir());
        let folder = folder.with_context(|| format!("the sources of {title} are not where cargo keeps them"))?;
        for text in files(&folder)? {
            texts.entry(text).or_default().push(title.clone());
        }
    }
    let mut document =
        format!("# What is in this program\n\nTurncoat itself is MIT OR Apache-2.0.\n\n{RUST}{others}{list}");
    let mut sorted: Vec<_> = texts.into_iter().map(|(text, crates)| (crates, text)).collect();
    sorted.sort();
    for (crates, text) in sorted {
        document += &format!("\n## {}\n\n```text\n{text}\n```\n", crates.join(", "));
    }
    Ok(document)
}

/// The crates of `cargo tree`; those of the workspace, which have a path, are left out.
fn parse(listed: &str) -> Result<BTreeSet<Dependency>> {
    let mut found = BTreeSet::new();
    for line in listed.lines().filter(|line| !line.is_empty()) {
        let (package, licence) = line.split_once('|').with_context(|| line.to_owned())?;
        let mut words = package.split(' ');
        let (name, version) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        if name.starts_with("turncoat") {
            continue;
        }
        let version = version.strip_prefix('v').with_context(|| line.to_owned())?.to_owned();
        let licence = licence.trim_end_matches(" (*)");
        ensure!(!licence.is_empty(), "{name} tells no licence");
        found.insert(Dependency { name: name.to_owned(), version, licence: licence.to_owned() });
    }
    Ok(found)
}

/// Where cargo unpacks the sources of crates.
fn sources() -> Result<Vec<PathBuf>> {
    let folder = cargo_home()?.join("registry").join("src");
    let read = fs::read_dir(&folder).with_context(|| folder.display().to_string())?;
    Ok(read.filter_map(|entry| Some(entry.ok()?.path())).collect())
}

/// The texts of a crate's licences, in the order of their names.
fn files(folder: &Path) -> Result<Vec<String>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        path.is_file() && NAMES.iter().any(|begin| name.starts_with(begin))
    });
    paths.sort();
    let read =
        |path: &PathBuf| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).trim().replace("\r\n", "\n"));
    Ok(paths.iter().map(read).collect::<Result<_, _>>()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crates_are_listed_once_and_never_without_a_licence() {
        let listed = "turncoat v0.2.0 (/somewhere/crates/cli)|MIT\nanyhow v1.0.1|MIT OR Apache-2.0\n\
                      serde_derive v1.0.2 (proc-macro)|MIT\nanyhow v1.0.1|MIT OR Apache-2.0 (*)\n";
        let found: Vec<_> = parse(listed).unwrap().into_iter().map(|found| found.name + " " + &found.licence).collect();
        assert_eq!(found, ["anyhow MIT OR Apache-2.0", "serde_derive MIT"]);
        assert!(parse("odd v1.0.0|\n").is_err());
    }
}
