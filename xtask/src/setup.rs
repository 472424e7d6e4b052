//! What the tests need beside Rust. Programs come from Debian's packages; the rest lies under `target`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::page;
use crate::shell::{self, output, target};

/// Suites that `TURNCOAT_SKIP` may name, separated by spaces or commas.
const SUITES: [&str; 4] = ["browser", "sandbox", "grhino", "python"];
/// Python packages: the second is what students keep their time with.
const PACKAGES: [&str; 2] = ["numpy>=1.21", "timeout_decorator==0.5.0"];

/// Something the tests need, the suite that can be left out without it, and the Debian packages that have it.
struct Need {
    suite: Option<&'static str>,
    is_there: fn() -> bool,
    packages: &'static [&'static str],
    reason: &'static str,
}

const NEEDS: [Need; 6] = [
    Need {
        suite: Some("browser"),
        is_there: || page::browser().is_some(),
        packages: &["chromium-headless-shell"],
        reason: "the page's tests run in it",
    },
    Need {
        suite: Some("browser"),
        is_there: || is_there("npm") && (is_there("node") || is_there("nodejs")),
        packages: &["nodejs", "npm"],
        reason: "the page's types are checked by TypeScript, its accessibility by axe-core",
    },
    Need {
        suite: Some("browser"),
        is_there: page::writes_chinese,
        packages: &["fontconfig", "fonts-wqy-microhei"],
        reason: "the page is tested in Chinese and Japanese too",
    },
    Need {
        suite: Some("sandbox"),
        is_there: || is_there("bwrap"),
        packages: &["bubblewrap"],
        reason: "foreign programs are confined by it",
    },
    Need {
        suite: Some("grhino"),
        is_there: || is_there("gtp-rhino"),
        packages: &["grhino"],
        reason: "an opponent that speaks GTP",
    },
    Need {
        suite: None,
        is_there: has_venv,
        packages: &["python3", "python3-venv"],
        reason: "course programs are written in it",
    },
];

/// The suites that `TURNCOAT_SKIP` leaves out.
///
/// # Errors
/// It names something else.
pub(crate) fn left_out() -> Result<Vec<&'static str>> {
    let text = std::env::var("TURNCOAT_SKIP").unwrap_or_default();
    text.split([' ', ','])
        .filter(|word| !word.is_empty())
        .map(|word| {
            let known = SUITES.into_iter().find(|suite| *suite == word);
            known.with_context(|| format!("TURNCOAT_SKIP={text}: {word:?} is none of {}", SUITES.join(", ")))
        })
        .collect()
}

/// Installs what is missing, or says at once what cannot be installed here and what to do about it.
pub(crate) fn run() -> Result<()> {
    let skipped = left_out()?;
    let missing: Vec<&Need> = NEEDS
        .iter()
        .filter(|need| need.suite.is_none_or(|suite| !skipped.contains(&suite)) && !(need.is_there)())
        .collect();
    if !missing.is_empty() {
        install(&missing)?;
    }
    python()?;
    if !skipped.contains(&"browser") {
        page::modules()?;
    }
    Ok(())
}

/// Whether a program is on the path or where Debian puts games.
pub(crate) fn is_there(program: &str) -> bool {
    place_of(program).is_some()
}

/// Where a program lies, if anywhere that programs are looked for.
pub(crate) fn place_of(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).chain(["/usr/games".into()]);
    folders.map(|folder| folder.join(program)).find(|place| place.is_file())
}

fn has_venv() -> bool {
    interpreter().is_some()
}

/// A Python with venv: the first on the path that every user can run, since confined programs are other users; else the
/// first at all.
fn interpreter() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/bin".into()]).map(|folder| folder.join("python3"));
    let can = |python: &PathBuf| output(Command::new(python).args(["-c", "import ensurepip, venv"])).is_ok();
    let able: Vec<PathBuf> = places.filter(can).collect();
    able.iter().find(|python| anybody_can_run(python)).or(able.first()).cloned()
}

#[cfg(unix)]
fn anybody_can_run(program: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    let open = |path: &Path| path.metadata().is_ok_and(|data| data.permissions().mode() & 0o001 != 0);
    output(Command::new(program).args(["-c", "import sys; print(sys.executable)"]))
        .and_then(|place| Ok(Path::new(place.trim()).canonicalize()?))
        .is_ok_and(|place| place.ancestors().all(open))
}

#[cfg(not(unix))]
fn anybody_can_run(_: &Path) -> bool {
    true
}

/// Installs the Debian packages of what is missing.
fn install(missing: &[&Need]) -> Result<()> {
    eprintln!("The tests need Debian packages that are not installed:");
    for need in missing {
        eprintln!("  {:32} {}", need.packages.join(" "), need.reason);
    }
    let mut suites: Vec<&str> = missing.iter().filter_map(|need| need.suite).collect();
    suites.dedup();
    let packages: Vec<&str> = missing.iter().flat_map(|need| need.packages).copied().collect();
    let by_hand = format!(
        "install them yourself (Debian, Ubuntu: sudo apt-get install {}; elsewhere see \"Testing\" in CONTRIBUTING.md), \
         or leave their tests out: TURNCOAT_SKIP=\"{}\" cargo xtask test",
        packages.join(" "),
        suites.join(" ")
    );
    apt_install(&packages, &by_hand)
}

/// Installs Debian packages that something else than the tests needs.
pub(crate) fn install_packages(packages: &[&str], reason: &str) -> Result<()> {
    let names = packages.join(" ");
    eprintln!("Debian packages are needed: {names} ({reason})");
    apt_install(packages, &format!("install them yourself: sudo apt-get install {names}"))
}

/// Installs packages as root, or by sudo where it asks for no password; or says what to do by hand.
fn apt_install(packages: &[&str], by_hand: &str) -> Result<()> {
    if !is_there("apt-get") {
        bail!("there is no apt-get here: {by_hand}");
    }
    let is_root = output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    if !is_root && output(Command::new("sudo").args(["-n", "true"])).is_err() {
        bail!("you are not root, and sudo is not there or asks for a password: {by_hand}");
    }
    let apt = |words: &[&str]| -> Command {
        let mut command = Command::new(if is_root { "apt-get" } else { "sudo" });
        if !is_root {
            command.args(["-n", "apt-get"]);
        }
        command.args(words).env("DEBIAN_FRONTEND", "noninteractive");
        command
    };
    let mut words = vec!["install", "--yes", "--no-install-recommends"];
    words.extend(packages);
    if shell::run(&mut apt(&words)).is_ok() {
        return Ok(());
    }
    // The lists of packages may be missing or old.
    shell::run(&mut apt(&["update"])).and_then(|()| shell::run(&mut apt(&words))).with_context(|| by_hand.to_owned())
}

/// The Python that course programs are tested with, set up if it is not.
pub(crate) fn python() -> Result<PathBuf> {
    let folder = target().join("python");
    let python = folder.join("bin").join("python");
    let interpreter = interpreter().context("there is no Python with venv")?;
    if is_ready(&python) && (anybody_can_run(&python) || !anybody_can_run(&interpreter)) {
        return Ok(python);
    }
    shell::run(Command::new(interpreter).args(["-m", "venv", "--clear"]).arg(&folder))?;
    shell::run(pip_install(&python).args(PACKAGES))
        .context("the tests need numpy and timeout_decorator from the Python package index")?;
    if !is_ready(&python) {
        bail!("{} cannot import numpy", python.display());
    }
    Ok(python)
}

/// A command that installs packages for a Python, with their names to come.
pub(crate) fn pip_install(python: &Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command
}

fn is_ready(python: &Path) -> bool {
    let imports = ["-c", "import numpy, timeout_decorator"];
    output(Command::new(python).args(imports)).is_ok()
}
