//! The package for npm: the engine of the browser with its workers, for any page and for Node.js.
//!
//! Scripts, types and data are those of the site and of the API; `crates/browser/package` has what strangers call.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use super::system::System;
use super::trial::unpacked;
use super::{folder, licences, version};
use crate::page;
use crate::shell::{self, output, root, target};
use crate::site;
use crate::wasm;

/// What strangers call, and what tells npm about it.
const OWN: [&str; 5] = ["README.md", "index.js", "node.js", "node-worker.js", "package.json"];
/// Scripts of the site that the engine consists of.
const ENGINE: [&str; 6] = ["engine.js", "modules.js", "platform.js", "weights.js", "worker.js", "workers.js"];

fn sources() -> PathBuf {
    root().join("crates/browser/package")
}

/// Builds the package into a folder; its path.
pub(super) fn build(folder: &Path) -> Result<PathBuf> {
    let stage = target().join("dist-npm");
    if stage.exists() {
        fs::remove_dir_all(&stage)?;
    }
    let engine = stage.join("engine");
    fs::create_dir_all(&engine)?;
    for name in OWN {
        fs::copy(sources().join(name), stage.join(name)).context(name)?;
    }
    for name in ENGINE {
        fs::copy(root().join("crates/browser/site/engine").join(name), engine.join(name)).context(name)?;
    }
    for name in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root().join(name), stage.join(name))?;
    }
    site::copy_data(&wasm::module()?, &engine)?;
    fs::write(stage.join("THIRD-PARTY.md"), licences::of_module()?)?;
    fs::copy(root().join("crates/server/types/api.d.ts"), stage.join("api.d.ts"))?;
    fs::copy(declarations()?, stage.join("index.d.ts"))?;
    let about = fs::read_to_string(stage.join("package.json"))?;
    fs::write(stage.join("package.json"), about.replace("\"VERSION\"", &format!("{:?}", version()?)))?;
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(folder).current_dir(&stage);
    Ok(folder.join(output(&mut pack)?.trim()))
}

/// The declarations of what strangers call, made from the types in its comments.
fn declarations() -> Result<PathBuf> {
    page::modules()?;
    let made = target().join("dist-npm-types");
    let mut checker = page::type_checker(&sources().join("tsconfig.json"));
    checker.args(["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir"]).arg(&made);
    shell::run(&mut checker)?;
    Ok(made.join("package/index.d.ts"))
}

/// The package in an empty folder: the example of its README in Node.js and in a browser, beside the program.
pub(super) fn try_it() -> Result<()> {
    let package = folder().join(format!("turncoat-{}.tgz", version()?));
    ensure!(package.is_file(), "{} is not there: cargo xtask dist npm builds it", package.display());
    let place = target().join("dist-try/npm");
    if place.exists() {
        fs::remove_dir_all(&place)?;
    }
    fs::create_dir_all(&place)?;
    fs::write(place.join("package.json"), "{ \"private\": true }\n")?;
    shell::run(Command::new("npm").args(["install", "--no-audit", "--no-fund"]).arg(&package).current_dir(&place))?;
    let readme = fs::read_to_string(place.join("node_modules/turncoat/README.md"))?;
    let example = readme.split_once("```js\n").and_then(|(_, rest)| rest.split_once("```"));
    fs::write(place.join("example.mjs"), example.context("the README has no example")?.0)?;
    let browser = page::browser().context("a browser is needed: cargo xtask setup installs it")?;
    let mut trial = Command::new(page::node());
    trial
        .arg(root().join("crates/browser/trial/npm.mjs"))
        .arg(unpacked(&System::LINUX)?)
        .arg(browser)
        .current_dir(&place);
    shell::run(&mut trial)
}
