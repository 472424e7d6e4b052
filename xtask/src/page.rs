//! What the page's tests need beside Rust: Chromium and a Chinese font from Debian's packages, and from npm the type
//! checker and axe-core, in a folder of their own under `target`. Nothing of it is part of the program.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::foreign::{install, is_there};
use crate::shell::{self, cargo, output, root};

/// Packages of npm with their versions.
const PACKAGES: [(&str, &str); 2] = [("typescript", "5.9.3"), ("axe-core", "4.11.4")];
/// Names that the browser goes by.
const BROWSERS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];
/// Where the documentation's pictures of the page lie.
const PICTURES: &str = "docs/images/page";

/// The tools that are there now.
#[derive(Debug)]
pub(crate) struct Tools {
    browser: &'static str,
    modules: PathBuf,
}

impl Tools {
    /// Tells a command where they are.
    pub(crate) fn lend(&self, command: &mut Command) {
        command.env("TURNCOAT_CHROMIUM", self.browser);
        command.env("TURNCOAT_AXE", self.modules.join("axe-core/axe.min.js"));
    }
}

/// Installs what is missing.
pub(crate) fn set_up() -> Result<Tools> {
    let mut missing = Vec::new();
    if browser().is_none() {
        missing.push("chromium");
    }
    if !is_there("npm") {
        missing.extend(["nodejs", "npm"]);
    }
    if !writes_chinese() {
        missing.extend(["fontconfig", "fonts-noto-cjk"]);
    }
    if !missing.is_empty() {
        install(&missing).with_context(|| {
            format!(
                "the page's tests need Debian's {}, which could not be installed here; install them by other \
                 means, or test on a machine that reaches a package mirror",
                missing.join(" and ")
            )
        })?;
    }
    let Some(browser) = browser() else {
        bail!("there is no Chromium after its package was installed");
    };
    Ok(Tools {
        browser,
        modules: modules()?,
    })
}

fn browser() -> Option<&'static str> {
    BROWSERS.into_iter().find(|name| is_there(name))
}

fn writes_chinese() -> bool {
    output(Command::new("fc-list").args([":lang=zh", "family"]))
        .is_ok_and(|fonts| !fonts.trim().is_empty())
}

/// The packages of npm, installed if one is missing or of another version.
fn modules() -> Result<PathBuf> {
    let folder = root().join("target").join("page-tools");
    let modules = folder.join("node_modules");
    let is_ready = |(name, version): (&str, &str)| {
        let about = fs::read_to_string(modules.join(name).join("package.json"));
        about.is_ok_and(|about| about.contains(&format!("\"version\": \"{version}\"")))
    };
    if PACKAGES.into_iter().all(is_ready) {
        return Ok(modules);
    }
    fs::create_dir_all(&folder)?;
    let wanted = PACKAGES.map(|(name, version)| format!("{name}@{version}"));
    shell::run(
        Command::new("npm")
            .args(["install", "--no-audit", "--no-fund", "--ignore-scripts"])
            .args(["--prefix", "."])
            .args(wanted)
            .current_dir(&folder),
    )
    .context("the page's tests need typescript and axe-core from npm's registry")?;
    Ok(modules)
}

/// Checks the types of the page's scripts.
pub(crate) fn types(tools: &Tools) -> Result<()> {
    let checker = tools.modules.join("typescript/bin/tsc");
    let node = if is_there("node") { "node" } else { "nodejs" };
    shell::run(
        Command::new(node)
            .arg(checker)
            .args(["--project", "crates/server/tsconfig.json"])
            .current_dir(root()),
    )
}

/// Runs the browser's tests and keeps the pictures that they take.
pub(crate) fn screenshots() -> Result<()> {
    let mut test = cargo(["test", "--release", "--locked"]);
    test.args(["--package", "turncoat-server", "--test", "browser"]);
    set_up()?.lend(&mut test);
    shell::run(test.env("TURNCOAT_SCREENSHOTS", PICTURES))?;
    // Small enough to be read on a slow line.
    for picture in fs::read_dir(Path::new(&root()).join(PICTURES))? {
        let picture = picture?;
        eprintln!(
            "{} bytes: {}",
            picture.metadata()?.len(),
            picture.path().display()
        );
    }
    Ok(())
}

/// Measures the page.
pub(crate) fn bench() -> Result<()> {
    let mut example = cargo(["run", "--release", "--locked"]);
    example.args(["--package", "turncoat-server", "--example", "measure"]);
    set_up()?.lend(&mut example);
    shell::run(&mut example)
}
