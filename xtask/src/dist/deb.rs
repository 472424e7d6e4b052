//! The package for Debian and its kin, by `dpkg-deb`: what the archive has, where Debian expects it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::system::System;
use super::{epoch, generated, licences, version};
use crate::shell::{self, output, root, target};

const CONTROL: &str = "\
Package: turncoat
Section: games
Priority: optional
Architecture: amd64
Maintainer: The authors of Turncoat
Recommends: bubblewrap
Suggests: python3-numpy
Description: laboratory of Reversed Reversi and Reversi
 Play, analyse and learn Reversed Reversi (the fewest discs win) and Reversi: a web
 page, a strong engine with trained weights, an exact solver, matches and ladders of
 any programs, the players of five course reports, and the lab that trains them.
 .
 The program is static. Foreign programs run in the sandbox of bubblewrap.
";

const COPYRIGHT: &str = "\
Turncoat is licensed under MIT OR Apache-2.0, at your choice; the texts are in this
folder. THIRD-PARTY.md has the licences of what is linked into the program.
";

/// Builds the package into a folder; its path.
pub(super) fn build(folder: &Path) -> Result<PathBuf> {
    let stage = target().join("dist-deb");
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    let mut files = vec![("usr/bin/turncoat".to_owned(), fs::read(System::LINUX.program_path())?, 0o755)];
    for entry in generated(&System::LINUX.program_path())? {
        if let Some(place) = place_of(entry.name()) {
            files.push((place, entry.into_bytes(), 0o644));
        }
    }
    let documents = "usr/share/doc/turncoat";
    for name in super::DOCUMENTS {
        files.push((format!("{documents}/{name}"), fs::read(root().join(name))?, 0o644));
    }
    files.push((format!("{documents}/THIRD-PARTY.md"), licences::of_program(&System::LINUX)?.into_bytes(), 0o644));
    files.push((format!("{documents}/copyright"), COPYRIGHT.into(), 0o644));
    let kibibytes: usize = files.iter().map(|(_, bytes, _)| bytes.len().div_ceil(1024)).sum();
    let version = version()?;
    let control = format!("{CONTROL}Version: {version}\nInstalled-Size: {kibibytes}\n");
    files.push(("DEBIAN/control".to_owned(), control.into_bytes(), 0o644));
    for (place, bytes, mode) in &files {
        write(&stage, place, bytes, *mode)?;
    }
    let package = folder.join(format!("turncoat_{version}_amd64.deb"));
    let mut dpkg = Command::new("dpkg-deb");
    dpkg.args(["--root-owner-group", "--build"]).arg(&stage).arg(&package);
    // Later times than this are set back to it.
    shell::run(dpkg.env("SOURCE_DATE_EPOCH", epoch()?.to_string())).context("dpkg-deb is needed, as Debian has it")?;
    output(Command::new("dpkg-deb").arg("--info").arg(&package))?;
    Ok(package)
}

/// Where Debian expects a completion, a manual page or data.
fn place_of(name: &str) -> Option<String> {
    match name {
        "completions/turncoat.bash" => Some("usr/share/bash-completion/completions/turncoat".to_owned()),
        "completions/_turncoat" => Some("usr/share/zsh/vendor-completions/_turncoat".to_owned()),
        "completions/turncoat.fish" => Some("usr/share/fish/vendor_completions.d/turncoat.fish".to_owned()),
        book if book.starts_with("books/") => Some(format!("usr/share/turncoat/{book}")),
        page => page.starts_with("man/").then(|| format!("usr/share/{page}")),
    }
}

/// Writes a file; its folders and it have the same modes everywhere.
fn write(stage: &Path, place: &str, bytes: &[u8], mode: u32) -> Result<()> {
    let path = stage.join(place);
    fs::create_dir_all(path.parent().context("a file lies in a folder")?)?;
    fs::write(&path, bytes)?;
    set_mode(&path, mode)?;
    path.ancestors()
        .skip(1)
        .take_while(|folder| folder.starts_with(stage))
        .try_for_each(|folder| set_mode(folder, 0o755))
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: u32) -> Result<()> {
    Ok(fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode))?)
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: u32) -> Result<()> {
    Ok(())
}
