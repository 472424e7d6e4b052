//! `cargo xtask test`: what CI checks, from a fresh machine with only Rust. Whatever else it needs, it installs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::bench::crates_cargo;
use crate::load::Load;
use crate::shell::{self, cargo, output, root, target};
use crate::stages::{self, Report, Stage};
use crate::{packages, page, setup, site};

const DENY_VERSION: &str = "0.20.2";

/// Everything, in this order.
const STAGES: [Stage; 12] = [
    Stage { name: "set-up", run: setup::run, usual: 2 },
    Stage { name: "format", run: format, usual: 3 },
    Stage { name: "lints", run: lints, usual: 60 },
    Stage { name: "benchmarks", run: benchmarks, usual: 30 },
    Stage { name: "documentation", run: documentation, usual: 30 },
    Stage { name: "packages", run: packages::check, usual: 30 },
    Stage { name: "types", run: page::types, usual: 5 },
    Stage { name: "workflows", run: workflows, usual: 2 },
    Stage { name: "site", run: site, usual: 60 },
    Stage { name: "tests", run: tests, usual: 300 },
    Stage { name: "python", run: crate::python::test, usual: 120 },
    Stage { name: "licences", run: licences, usual: 3 },
];

/// Parts of `tests` that depend on other programs and on time. They can be run alone, and again and again beside a load.
const SUITES: [Stage; 4] = [
    Stage { name: "browser", run: browser, usual: 60 },
    Stage { name: "clock", run: clock, usual: 30 },
    Stage { name: "sandbox", run: sandbox, usual: 60 },
    Stage { name: "static", run: static_page, usual: 60 },
];

/// What a call asks for.
struct Plan {
    stages: Vec<Stage>,
    repeats: usize,
    load: usize,
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let mut plan = Plan::parse(words)?;
    let skipped = setup::left_out()?;
    plan.stages.retain(|stage| !skipped.contains(&stage.name));
    stages::announce(&plan.stages, plan.repeats, plan.load);
    let _load = Load::start(plan.load);
    let mut report = Report::new();
    let done = (1..=plan.repeats).try_for_each(|number| {
        let title = if plan.repeats == 1 { String::new() } else { format!("run {number} ") };
        report.run(&plan.stages, &title)
    });
    for suite in skipped {
        report.not_run(suite, "TURNCOAT_SKIP");
    }
    if !cfg!(target_os = "linux") {
        report.not_run("foreign programs", "Linux only");
    }
    report.print();
    done
}

impl Plan {
    fn parse(words: &[&str]) -> Result<Self> {
        let mut plan = Self { stages: Vec::new(), repeats: 1, load: 0 };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            let mut number = || -> Result<usize> {
                let text = words.next().with_context(|| format!("{word} takes a number"))?;
                text.parse().with_context(|| format!("{word} {text}: not a number"))
            };
            match word {
                "--repeat" => plan.repeats = number()?,
                "--load" => plan.load = number()?,
                name => {
                    let known = STAGES.iter().chain(&SUITES).find(|stage| stage.name == name);
                    let names: Vec<_> = STAGES.iter().chain(&SUITES).map(|stage| stage.name).collect();
                    plan.stages.push(*known.with_context(|| format!("{name:?} is none of {}", names.join(", ")))?);
                }
            }
        }
        ensure!(plan.repeats > 0, "--repeat 0: at least one run is needed");
        if plan.stages.is_empty() {
            plan.stages.extend(STAGES);
        } else if plan.stages.iter().any(|stage| SUITES.iter().any(|suite| suite.name == stage.name)) {
            // What is missing is said before anything is built.
            plan.stages.insert(0, STAGES[0]);
        }
        Ok(plan)
    }
}

fn format() -> Result<()> {
    shell::run(&mut cargo(["fmt", "--all", "--check"]))?;
    shell::run(&mut crates_cargo(["fmt", "--check"]))
}

const CLIPPY: [&str; 3] = ["clippy", "--release", "--locked"];
const DENY_WARNINGS: [&str; 3] = ["--", "--deny", "warnings"];

fn lints() -> Result<()> {
    shell::run(cargo(CLIPPY).args(["--workspace", "--all-targets"]).args(DENY_WARNINGS))
}

/// The package of other people's crates, which the workspace's checks do not reach.
fn benchmarks() -> Result<()> {
    shell::run(crates_cargo(CLIPPY).arg("--all-targets").args(DENY_WARNINGS))
}

fn documentation() -> Result<()> {
    let mut doc = cargo(["doc", "--release", "--locked", "--workspace", "--no-deps"]);
    shell::run(doc.env("RUSTDOCFLAGS", "--deny warnings"))
}

/// The workflow of releases; Node.js, which reads it, comes for the page.
fn workflows() -> Result<()> {
    if setup::left_out()?.contains(&"browser") { Ok(()) } else { crate::workflows::check() }
}

/// The page with the engine in it, which the browser's tests want.
fn site() -> Result<()> {
    if setup::left_out()?.contains(&"browser") { Ok(()) } else { site::build() }
}

/// All of them: one that fails does not hide another.
fn tests() -> Result<()> {
    cargo_test(&["--workspace", "--no-fail-fast"])
}

// Suites name test targets of the whole workspace: for a single package cargo would choose other features of the
// dependencies and build them again.

fn browser() -> Result<()> {
    site()?;
    cargo_test(&["--workspace", "--test", "browser", "--test", "api", "--test", "abuse"])
}

/// The browser's tests with the page of static files, as far as they need no server.
fn static_page() -> Result<()> {
    site()?;
    let mut test = cargo(["test", "--release", "--locked", "--workspace", "--test", "browser"]);
    page::lend(&mut test);
    shell::run(test.env("TURNCOAT_BACKEND", "site"))
}

/// Clocks and deadlines.
fn clock() -> Result<()> {
    let targets = ["--test", "flagship", "--test", "referee", "--test", "runner"];
    cargo_test(&[&["--workspace", "--lib"], &targets[..]].concat())
}

/// Programs that are confined, and limited in time and memory.
fn sandbox() -> Result<()> {
    let modules = ["bad::", "check::", "course::", "pool::", "sandbox::", "time::"];
    cargo_test(&[&["--workspace", "--test", "foreign", "--"], &modules[..]].concat())
}

fn cargo_test(words: &[&str]) -> Result<()> {
    let mut test = cargo(["test", "--release", "--locked"]);
    test.args(words);
    test.env("TURNCOAT_PYTHON", setup::python()?);
    page::lend(&mut test);
    shell::run(&mut test)
}

/// Licences, bans and sources of all dependencies; advisories would need a download of their own.
fn licences() -> Result<()> {
    let deny = installed_deny()?;
    shell::run(Command::new(deny).args(["--locked", "check", "licenses", "bans", "sources"]).current_dir(root()))
}

/// cargo-deny in this project's own tools folder, installed if it is missing or of another version.
fn installed_deny() -> Result<PathBuf> {
    let tools = target().join("tools");
    let deny = tools.join("bin").join(format!("cargo-deny{}", std::env::consts::EXE_SUFFIX));
    let version = output(Command::new(&deny).arg("--version")).unwrap_or_default();
    if version.trim().ends_with(DENY_VERSION) {
        return Ok(deny);
    }
    let mut install = cargo(["install", "cargo-deny", "--version", DENY_VERSION, "--locked", "--root"]);
    shell::run(install.arg(&tools).arg("--target-dir").arg(tools.join("build")))?;
    if !deny.is_file() {
        bail!("{} is not there after its installation", deny.display());
    }
    Ok(deny)
}
