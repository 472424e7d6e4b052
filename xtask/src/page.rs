//! The page: its tools (a browser, and from npm the type checker and axe-core, under `target`), its types, its pictures,
//! its figures. Nothing of it is part of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::setup::{self, is_there, place_of};
use crate::shell::{self, cargo, output, root, target};
use crate::site;

/// Packages of npm with their versions.
const PACKAGES: [(&str, &str); 3] = [
    ("typescript", "5.9.3"),
    ("axe-core", "4.11.4"),
    // The oldest that the engine's package is for.
    ("@types/node", "18.19.130"),
];
/// What is checked by TypeScript.
const PROJECTS: [&str; 3] =
    ["crates/server/tsconfig.json", "crates/browser/tsconfig.json", "crates/browser/package/tsconfig.json"];
/// Names that the browser goes by; the one without a window starts in half the time.
const BROWSERS: [&str; 5] = [
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
/// What looks at the page as strangers do; of the last versions that run with Node.js 20.
const LIGHTHOUSE: (&str, &str) = ("lighthouse", "12.8.2");
/// Where the documentation's pictures of the page lie.
const PICTURES: &str = "docs/images/page";

/// The README's moving picture, and the most bytes of it.
const FILM: &str = "docs/images/page/film.webp";
const LARGEST_FILM: u64 = 1_500_000;

/// Tells a command where the tools are.
pub(crate) fn lend(command: &mut Command) {
    if let Some(browser) = browser() {
        command.env("TURNCOAT_CHROMIUM", browser);
    }
    command.env("TURNCOAT_SITE", site::folder());
    command.env("TURNCOAT_AXE", installed().join("axe-core/axe.min.js"));
}

pub(crate) fn browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|name| is_there(name) || Path::new(name).is_file())
}

pub(crate) fn writes_chinese() -> bool {
    // Only Debian and its kin come without such a font.
    !is_there("apt-get")
        || output(Command::new("fc-list").args([":lang=zh", "family"])).is_ok_and(|fonts| !fonts.trim().is_empty())
}

/// Where the packages of npm lie.
fn installed() -> PathBuf {
    tools().join("node_modules")
}

/// The folder that npm installs into.
pub(crate) fn tools() -> PathBuf {
    target().join("page-tools")
}

/// Installs the packages of npm that the tests need.
pub(crate) fn modules() -> Result<()> {
    install(&PACKAGES)
}

/// Installs Lighthouse, which only measurements need, and tells a command where it is.
pub(crate) fn lend_lighthouse(command: &mut Command) -> Result<()> {
    install(&[LIGHTHOUSE])?;
    command.env("TURNCOAT_LIGHTHOUSE", installed().join("lighthouse/cli/index.js"));
    // It wants a path, where a name is enough for others.
    if let Some(browser) = browser() {
        command.env("CHROME_PATH", place_of(browser).unwrap_or(browser.into()));
    }
    Ok(())
}

/// Installs packages of npm if one is missing or of another version.
pub(crate) fn install(packages: &[(&str, &str)]) -> Result<()> {
    let modules = installed();
    let is_ready = |&(name, version): &(&str, &str)| {
        let about = fs::read_to_string(modules.join(name).join("package.json"));
        about.is_ok_and(|about| about.contains(&format!("\"version\": \"{version}\"")))
    };
    if packages.iter().all(is_ready) {
        return Ok(());
    }
    let folder = tools();
    fs::create_dir_all(&folder)?;
    let wanted = packages.iter().map(|(name, version)| format!("{name}@{version}"));
    shell::run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(["--prefix", "."])
            .args(wanted)
            .current_dir(&folder),
    )
    .context("the page's tests need typescript and axe-core from npm's registry, its measurements lighthouse")
}

/// Checks the types of the page's scripts.
pub(crate) fn types() -> Result<()> {
    if setup::left_out()?.contains(&"browser") {
        return Ok(());
    }
    for project in PROJECTS {
        shell::run(&mut type_checker(&root().join(project)))?;
    }
    Ok(())
}

/// The type checker for a project.
pub(crate) fn type_checker(project: &Path) -> Command {
    let mut checker = Command::new(node());
    checker.arg(installed().join("typescript/bin/tsc")).arg("--project").arg(project);
    checker.arg("--typeRoots").arg(installed().join("@types"));
    checker
}

/// Node.js, by the name that it has here.
pub(crate) fn node() -> &'static str {
    if is_there("node") { "node" } else { "nodejs" }
}

/// Writes the page's types from the schemas of the API.
pub(crate) fn write_types() -> Result<()> {
    let mut test = cargo(["test", "--release", "--locked", "--workspace", "--test", "types"]);
    shell::run(test.env("TURNCOAT_WRITE_TYPES", "1"))
}

/// Films a game and its analysis on the page, for the README.
pub(crate) fn film() -> Result<()> {
    if !is_there("img2webp") {
        setup::install_packages(&["webp"], "it puts the frames of the film together")?;
    }
    site::build()?;
    let frames = target().join("film");
    let _ = fs::remove_dir_all(&frames);
    fs::create_dir_all(&frames)?;
    let browser = browser().context("a browser is needed: cargo xtask setup installs it")?;
    let mut script = Command::new(node());
    script.arg(root().join("crates/browser/trial/film.mjs")).arg(site::folder()).arg(browser).arg(&frames);
    let taken = output(&mut script)?;
    let film = root().join(FILM);
    let mut together = Command::new("img2webp");
    together.args(["-loop", "0", "-lossy", "-q", "60", "-m", "4"]);
    for (frame, milliseconds) in taken.lines().filter_map(|line| line.split_once('\t')) {
        together.args(["-d", milliseconds, frame]);
    }
    output(together.arg("-o").arg(&film))?;
    let size = fs::metadata(&film)?.len();
    println!("{}: {} frames, {} kB", film.display(), taken.lines().count(), size / 1000);
    ensure!(size <= LARGEST_FILM, "the film has more than {LARGEST_FILM} bytes");
    Ok(())
}

/// Runs the browser's tests and keeps the pictures that they take.
pub(crate) fn screenshots() -> Result<()> {
    let mut test = cargo(["test", "--release", "--locked"]);
    test.args(["--workspace", "--test", "browser"]);
    setup::run()?;
    site::build()?;
    lend(&mut test);
    shell::run(test.env("TURNCOAT_SCREENSHOTS", PICTURES))?;
    // Small enough to be read on a slow line.
    for picture in fs::read_dir(Path::new(&root()).join(PICTURES))? {
        let picture = picture?;
        eprintln!("{} bytes: {}", picture.metadata()?.len(), picture.path().display());
    }
    Ok(())
}
