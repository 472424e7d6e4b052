//! `cargo xtask dist try`: what was built is installed and used, as strangers would.
//!
//! The archive and the package for Debian in bare chroots of several releases, the program for ARM under QEMU, the one for
//! Windows under Wine: rules, search, solver, a match, the page with a move in a real browser, the end by Ctrl-C.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use super::system::System;
use super::{folder, installed, npm, version};
use crate::setup::{self, is_there};
use crate::shell::{self, output, target};

use super::serving::Serving;

/// From nothing to the first move on the page, beside the copying.
const PATIENCE: Duration = Duration::from_secs(30);
/// Releases of Debian that the archive is tried in: one with an older C library than the one that the program was built
/// with, and two newer ones.
const RELEASES: [&str; 3] = ["bullseye", "bookworm", "trixie"];

/// Installs something and uses it.
type Trial = fn() -> Result<()>;

/// What is tried besides the archive in its Debians.
const OTHERS: [(&str, Trial); 6] = [
    ("linux-aarch64", arm),
    ("windows-x86_64", windows),
    ("image", installed::image),
    ("wheel", installed::wheel),
    ("sdist", installed::sdist),
    ("npm", npm::try_it),
];

/// A way to run a program: the words before its own.
pub(super) struct Runner {
    pub(super) title: String,
    pub(super) words: Vec<OsString>,
}

pub(super) fn run(names: &[&str]) -> Result<()> {
    let all: Vec<&str> = RELEASES.into_iter().chain(OTHERS.map(|(name, _)| name)).collect();
    let is_built = |name: &&str| System::from_name(name).map_or(true, |system| archive(&system).is_ok());
    let names = if names.is_empty() { all.iter().copied().filter(is_built).collect() } else { names.to_vec() };
    for name in names {
        let other = OTHERS.iter().find(|(other, _)| *other == name);
        match other {
            Some((_, run)) => run()?,
            None if RELEASES.contains(&name) => debian(name)?,
            None => bail!("{name:?} is none of {}", all.join(", ")),
        }
    }
    Ok(())
}

/// The archive of a system.
fn archive(system: &System) -> Result<PathBuf> {
    let end = if system.is_windows() { "zip" } else { "tar.gz" };
    let path = folder().join(format!("turncoat-{}-{}.{end}", version()?, system.name));
    ensure!(path.is_file(), "{} is not there: cargo xtask dist {} builds it", path.display(), system.name);
    Ok(path)
}

/// A bare Debian of a release, made once.
fn chroot(release: &str) -> Result<PathBuf> {
    let place = target().join("chroots").join(release);
    if place.join("usr/bin/dpkg").is_file() {
        return Ok(place);
    }
    if !is_there("debootstrap") && !Path::new("/usr/sbin/debootstrap").is_file() {
        setup::install_packages(&["debootstrap"], "it makes a bare Debian to try the release in")?;
    }
    fs::create_dir_all(&place)?;
    shell::run(Command::new("debootstrap").args(["--variant=minbase", release]).arg(&place))?;
    Ok(place)
}

/// Archive and package in a bare Debian.
fn debian(release: &str) -> Result<()> {
    let place = chroot(release)?;
    let inside = |words: &[&str]| {
        let mut command = Command::new("chroot");
        command.arg(&place).args(words).env_clear().env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root");
        output(&mut command)
    };
    let archive = archive(&System::LINUX)?;
    fs::copy(&archive, place.join("tmp/turncoat.tar.gz"))?;
    inside(&["rm", "-rf", "/opt/turncoat"])?;
    inside(&["mkdir", "/opt/turncoat"])?;
    let began = Instant::now();
    inside(&["tar", "-xzf", "/tmp/turncoat.tar.gz", "-C", "/opt/turncoat", "--strip-components=1"])?;
    let program = "/opt/turncoat/turncoat";
    let words = ["chroot".into(), place.clone().into_os_string(), program.into()];
    let runner = Runner { title: format!("Debian {release}"), words: words.to_vec() };
    runner.serve(began)?;
    runner.use_it()?;
    inside(&["rm", "-rf", "/opt/turncoat"])?;
    let package = format!("turncoat_{}_amd64.deb", version()?);
    let copied = fs::copy(folder().join(&package), place.join("tmp/turncoat.deb"));
    copied.with_context(|| format!("{package}: cargo xtask dist builds it"))?;
    inside(&["dpkg", "--install", "/tmp/turncoat.deb"])?;
    let said = inside(&["turncoat", "--version"])?;
    ensure!(said.starts_with(&format!("turncoat {}\n", version()?)), "the package has another program: {said}");
    ensure!(place.join("usr/share/man/man1/turncoat.1").is_file(), "the package has no manual page");
    inside(&["dpkg", "--remove", "turncoat"])?;
    ensure!(!place.join("usr/bin/turncoat").exists(), "the package leaves its program behind");
    println!("Debian {release}: {package} is installed, used and removed");
    Ok(())
}

/// The archive of a system, unpacked.
pub(super) fn unpacked(system: &System) -> Result<PathBuf> {
    let place = target().join("dist-try").join(system.name);
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::create_dir_all(&place)?;
    let archive = archive(system)?;
    let mut unpack = Command::new(if system.is_windows() { "unzip" } else { "tar" });
    unpack.args(if system.is_windows() { ["-q"] } else { ["-xzf"] }).arg(&archive).current_dir(&place);
    shell::run(&mut unpack)?;
    Ok(place.join(format!("turncoat-{}-{}", version()?, system.name)).join(system.program()))
}

/// The program for ARM under QEMU.
fn arm() -> Result<()> {
    if !is_there("qemu-aarch64") {
        setup::install_packages(&["qemu-user"], "it runs the program for ARM")?;
    }
    let words = vec!["qemu-aarch64".into(), unpacked(&System::ARM)?.into_os_string()];
    let runner = Runner { title: "QEMU".to_owned(), words };
    runner.serve(Instant::now())?;
    runner.use_it()
}

/// The program for Windows under Wine.
fn windows() -> Result<()> {
    if !is_there("wine") {
        setup::install_packages(&["wine", "wine64"], "it runs the program for Windows")?;
    }
    let program = unpacked(&System::WINDOWS)?;
    lend_random_numbers(&program)?;
    let runner = Runner { title: "Wine".to_owned(), words: vec!["wine".into(), program.into_os_string()] };
    // The first start makes the folders of Windows.
    runner.output(&["-V"])?;
    runner.serve_in(r"C:\turncoat try\games", Instant::now())?;
    let kept = wine_folder().join("drive_c/turncoat try/games");
    ensure!(kept.is_dir(), "{} is not there: the games lie elsewhere", kept.display());
    runner.use_it()?;
    let said = runner.output(&["self-check"])?;
    ensure!(said.contains("no sandbox for foreign programs on this system"), "it is silent about the sandbox: {said}");
    Ok(())
}

/// Rust's random numbers come from a library of Windows 10 that Wine 8 lacks, the one of Debian bookworm: there, one that takes
/// them from an older function lies beside the program.
fn lend_random_numbers(program: &Path) -> Result<()> {
    let version = output(Command::new("wine").arg("--version"))?;
    let major =
        version.trim().trim_start_matches("wine-").split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_some_and(|major| major >= 9) {
        return Ok(());
    }
    let source = program.with_file_name("bcryptprimitives.c");
    fs::write(
        &source,
        "#include <windows.h>\n#include <ntsecapi.h>\n__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE to, SIZE_T bytes) {\n  \
         return RtlGenRandom(to, (ULONG)bytes);\n}\n",
    )?;
    let mut compile = Command::new("x86_64-w64-mingw32-gcc");
    compile.args(["-shared", "-o"]).arg(program.with_file_name("bcryptprimitives.dll")).arg(&source).arg("-ladvapi32");
    shell::run(&mut compile)
}

/// The disk of Windows for the trial.
fn wine_folder() -> PathBuf {
    target().join("dist-try/wine")
}

impl Runner {
    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(words).env("WINEDEBUG", "-all").env("WINEPREFIX", wine_folder());
        command
    }

    /// What a command prints, in the lines of Unix.
    fn output(&self, words: &[&str]) -> Result<String> {
        let said = output(&mut self.command(words)).with_context(|| self.title.clone())?;
        Ok(said.replace("\r\n", "\n"))
    }

    /// The page and a move on it in a browser, then the end.
    pub(super) fn serve(&self, began: Instant) -> Result<()> {
        self.serve_in("/tmp/turncoat-try", began)
    }

    /// The same with another folder for the games.
    pub(super) fn serve_in(&self, data: &str, began: Instant) -> Result<()> {
        let serving = Serving::start(self.command(&["serve", "--addr", "127.0.0.1:0", "--json", "--data", data]))?;
        let chosen = serving.first_move(PATIENCE)?;
        let took = began.elapsed();
        println!("{}: from the archive to the move {chosen} on the page in {:.1} s", self.title, took.as_secs_f64());
        ensure!(took <= PATIENCE, "that is more than {} s", PATIENCE.as_secs());
        serving.stop()
    }

    pub(super) fn self_check(&self) -> Result<()> {
        print!("{}:\n{}", self.title, self.output(&["self-check"])?);
        Ok(())
    }

    /// What everybody does first.
    pub(super) fn use_it(&self) -> Result<()> {
        self.self_check()?;
        ensure!(self.output(&["move", "f5d6c3", "--player", "greedy"])? == "d3\n", "greedy plays another move here");
        let solved = self.output(&["solve", "--size", "4", "--json"])?;
        ensure!(solved.contains("\"solved\":true"), "4x4 is not solved: {solved}");
        let played = self.output(&["match", "greedy", "random", "--games", "100", "--json"])?;
        ensure!(played.contains("\"games\":100"), "the match is another: {played}");
        let known = self.output(&["solve", "--size", "6", "--variant", "reversi", "--json"])?;
        ensure!(known.contains("\"score\":-4"), "the exact book of 6x6 is not there: {known}");
        let fault = self.command(&["move", "f5f5"]).output()?;
        let said = String::from_utf8_lossy(&fault.stderr).into_owned();
        ensure!(fault.status.code() == Some(2) && said.contains("move 2"), "a fault is told otherwise: {said}");
        println!("{}: move, solve, books, match and faults are as they should be", self.title);
        Ok(())
    }
}
