//! `cargo xtask site`: the page with the engine in it, as static files for any web host.
//!
//! The engine is `crates/browser` as WebAssembly. The page is that of the server; one of its files, `base/backend.js`, is
//! replaced by the one that asks workers instead of a server.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::shell::{root, target};
use crate::wasm;

/// What belongs to the server alone.
const LEFT_OUT: [&str; 2] = ["door.html", "door.js"];
/// What an engine in the browser may do: run WebAssembly, besides what the server's page may.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'";
/// The engine.
const MODULE: &str = "engine/turncoat.wasm";
/// Files that are fetched when they are needed, and then kept.
const LATER: &str = ".weights";

/// Where the site lies.
pub(crate) fn folder() -> PathBuf {
    target().join("site")
}

/// Builds it anew.
pub(crate) fn build() -> Result<()> {
    let module = wasm::module()?;
    let made = target().join("site.new");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    copy_tree(&root().join("crates/server/page"), &made)?;
    for name in LEFT_OUT {
        fs::remove_file(made.join(name))?;
    }
    copy_tree(&root().join("crates/browser/site"), &made)?;
    let engine = made.join("engine");
    fs::copy(module, made.join(MODULE))?;
    for game in ["reversed", "reversi"] {
        let name = format!("patterns-{game}.weights");
        fs::copy(root().join("weights").join(&name), engine.join(name))?;
    }
    fs::write(made.join("index.html"), with_head(&fs::read_to_string(made.join("index.html"))?)?)?;
    fs::write(made.join("sw.js"), with_files(&made)?)?;
    // The old one stays whole until the new one is.
    if folder().exists() {
        fs::remove_dir_all(folder())?;
    }
    fs::rename(&made, folder())?;
    report(&folder())
}

/// The page with what a site needs in its head.
fn with_head(page: &str) -> Result<String> {
    let (before, after) = page.split_once("  </head>").context("index.html has no head")?;
    Ok(format!(
        "{before}    <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n    \
         <meta name=\"theme-color\" content=\"#1f6f4a\">\n    \
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n    \
         <link rel=\"stylesheet\" href=\"engine/site.css\">\n    \
         <script type=\"module\" src=\"engine/offline.js\"></script>\n  </head>{after}"
    ))
}

/// The service worker with the names of all files and the mark of their contents.
fn with_files(made: &Path) -> Result<String> {
    let script = fs::read_to_string(made.join("sw.js"))?;
    let (mut now, mut later, mut all) = (Vec::new(), Vec::new(), String::new());
    for name in names(made)? {
        let mark = mark(&fs::read(made.join(&name))?);
        all.push_str(&format!("{name} {mark:016x}\n"));
        if name.ends_with(LATER) {
            later.push(format!("  {name:?}: \"{mark:016x}\",\n"));
        } else if name != "sw.js" {
            now.push(format!("  {name:?},\n"));
        }
    }
    let filled = script
        .replace("const VERSION = \"\";", &format!("const VERSION = \"{:016x}\";", mark(all.as_bytes())))
        .replace("const FILES = [];", &format!("const FILES = [\n{}];", now.concat()))
        .replace("const LATER = {};", &format!("const LATER = {{\n{}}};", later.concat()));
    ensure!(filled.lines().count() > script.lines().count(), "sw.js has no place for the names of the files");
    Ok(filled)
}

/// All files below a folder, by their paths with slashes, in order.
fn names(folder: &Path) -> Result<Vec<String>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let below = path.strip_prefix(folder)?;
                let parts: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
                found.push(parts.join("/"));
            }
        }
    }
    found.sort();
    Ok(found)
}

fn copy_tree(from: &Path, to: &Path) -> Result<()> {
    for name in names(from)? {
        let copy = to.join(&name);
        fs::create_dir_all(copy.parent().context("a file lies in a folder")?)?;
        fs::copy(from.join(&name), copy).with_context(|| name)?;
    }
    Ok(())
}

/// FNV-1a: tells contents apart, and is the same everywhere.
fn mark(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Says what was made, and how much of it is sent.
fn report(site: &Path) -> Result<()> {
    let size = |name: &str| -> Result<u64> { Ok(fs::metadata(site.join(name))?.len()) };
    let module = size(MODULE)?;
    let mut page = 0;
    for name in names(site)?.iter().filter(|name| *name != MODULE && !name.ends_with(LATER)) {
        page += size(name)?;
    }
    let (page, module) = (page / 1000, module / 1000);
    println!("{} is built: page {page} kB, engine {module} kB, not compressed", site.display());
    println!("try it with: python3 -m http.server --directory {}", site.display());
    Ok(())
}
