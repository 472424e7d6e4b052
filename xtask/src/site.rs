//! `cargo xtask site`: the page with the engine in it, as static files for any web host.
//!
//! The engine is `crates/browser` as WebAssembly. The page is that of the server; one of its files, `base/backend.js`, is
//! replaced by the one that asks workers instead of a server. Scripts and styles are put together into few files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::bundle::bundle;
use crate::comments::without_comments;
use crate::shell::{root, target};
use crate::wasm;

/// What belongs to the server alone.
const LEFT_OUT: [&str; 2] = ["door.html", "door.js"];
/// What an engine in the browser may do: run WebAssembly, besides what the server's page may.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
                      img-src 'self' data: blob:; connect-src 'self'; worker-src 'self'; manifest-src 'self'; \
                      base-uri 'none'; form-action 'none'";
/// The engine for one thread and for several.
const MODULES: [&str; 2] = ["engine/turncoat.wasm", "engine/turncoat-threads.wasm"];
const SCRIPT: &str = ".js";
/// Scripts that are no modules of the page.
const NO_MODULES: [&str; 2] = ["sw.js", "engine/worker.js"];
/// The modules that files begin with. A language is fetched when it is spoken; the words and the engine begin on their
/// own, while the page itself is still on its way.
const FIRST: [&str; 7] = [
    "base/english.js",
    "base/chinese.js",
    "base/japanese.js",
    "base/words.js",
    "engine/early.js",
    "engine/offline.js",
    "app.js",
];
const EARLY: [&str; 2] = ["base/words.js", "engine/early.js"];
/// All styles.
const STYLES: &str = "page.css";
/// Files that are fetched when they are needed, and then kept.
const LATER: [&str; 2] = [".weights", ".book"];

/// Where the site lies.
pub(crate) fn folder() -> PathBuf {
    target().join("site")
}

/// Builds it anew.
pub(crate) fn build() -> Result<()> {
    let modules = wasm::modules()?;
    let made = target().join("site.new");
    if made.exists() {
        fs::remove_dir_all(&made)?;
    }
    copy_tree(&root().join("crates/server/page"), &made)?;
    for name in LEFT_OUT {
        fs::remove_file(made.join(name))?;
    }
    copy_tree(&root().join("crates/browser/site"), &made)?;
    join_scripts(&made)?;
    copy_data(&modules.one, &made.join("engine"))?;
    // The page does without it where it is missing.
    if let Some(several) = &modules.several {
        fs::copy(several, made.join(MODULES[1]))?;
    }
    let (page, styles) = with_head(&fs::read_to_string(made.join("index.html"))?)?;
    fs::write(made.join("index.html"), page)?;
    join_styles(&made, &styles)?;
    fs::write(made.join("sw.js"), with_files(&made)?)?;
    // The old one stays whole until the new one is.
    if folder().exists() {
        fs::remove_dir_all(folder())?;
    }
    fs::rename(&made, folder())?;
    report(&folder())
}

/// Puts the modules of the page together, all of them without comments.
fn join_scripts(made: &Path) -> Result<()> {
    let mut modules = BTreeMap::new();
    for name in names(made)?.into_iter().filter(|name| name.ends_with(SCRIPT)) {
        let script = without_comments(&fs::read_to_string(made.join(&name))?);
        if NO_MODULES.contains(&name.as_str()) {
            fs::write(made.join(name), script)?;
        } else {
            fs::remove_file(made.join(&name))?;
            modules.insert(name, script);
        }
    }
    for (name, script) in bundle(&modules, &FIRST)? {
        fs::write(made.join(name), script)?;
    }
    Ok(())
}

/// Puts the module, the weights and the books of all games into a folder.
pub(crate) fn copy_data(module: &Path, engine: &Path) -> Result<()> {
    fs::copy(module, engine.join("turncoat.wasm"))?;
    for game in ["reversed", "reversi", "reversed-6x6", "reversi-6x6"] {
        let name = format!("patterns-{game}.weights");
        fs::copy(root().join("weights").join(&name), engine.join(name))?;
        // A game without a book has an empty one, so that asking for it is no fault.
        let book = format!("{game}.book");
        let from = root().join("books").join(&book);
        fs::write(engine.join(book), if from.exists() { fs::read(from)? } else { Vec::new() })?;
    }
    Ok(())
}

/// Puts styles together, in their order.
fn join_styles(made: &Path, styles: &[String]) -> Result<()> {
    let mut all = String::new();
    for name in styles {
        all.push_str(&fs::read_to_string(made.join(name)).with_context(|| name.clone())?);
        fs::remove_file(made.join(name))?;
    }
    Ok(fs::write(made.join(STYLES), all)?)
}

/// The page with what a site needs in its head, and the names of its styles.
fn with_head(page: &str) -> Result<(String, Vec<String>)> {
    let (before, after) = page.split_once("  </head>").context("index.html has no head")?;
    let style =
        |line: &str| Some(line.trim().strip_prefix("<link rel=\"stylesheet\" href=\"")?.split_once('"')?.0.to_owned());
    let mut styles: Vec<String> = before.lines().filter_map(style).collect();
    styles.push("engine/site.css".to_owned());
    let rest: String = before.lines().filter(|line| style(line).is_none()).map(|line| format!("{line}\n")).collect();
    // A policy holds for what comes after it.
    let policy = format!("<head>\n    <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n");
    let early = EARLY.map(|name| format!("    <script type=\"module\" async src=\"{name}\"></script>\n")).concat();
    let page = format!(
        "{}    <meta name=\"theme-color\" content=\"#1f6f4a\">\n    \
         <link rel=\"stylesheet\" href=\"{STYLES}\">\n{early}    \
         <link rel=\"manifest\" href=\"manifest.webmanifest\">\n    \
         <link rel=\"apple-touch-icon\" href=\"icons/icon-192.png\">\n    \
         <script type=\"module\" src=\"engine/offline.js\"></script>\n  </head>{after}",
        rest.replacen("<head>\n", &policy, 1)
    );
    Ok((page, styles))
}

/// The service worker with the names of all files and the mark of their contents.
fn with_files(made: &Path) -> Result<String> {
    let script = fs::read_to_string(made.join("sw.js"))?;
    let (mut now, mut later, mut all) = (Vec::new(), Vec::new(), String::new());
    for name in names(made)? {
        let mark = mark(&fs::read(made.join(&name))?);
        all.push_str(&format!("{name} {mark:016x}\n"));
        if is_later(&name) {
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

/// Whether a file is fetched when it is needed.
fn is_later(name: &str) -> bool {
    LATER.iter().any(|end| name.ends_with(end))
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

pub(crate) fn copy_tree(from: &Path, to: &Path) -> Result<()> {
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
    let (mut page, mut module) = (0, 0);
    for name in names(site)?.iter().filter(|name| !is_later(name)) {
        // A page uses one of the modules.
        if MODULES.contains(&name.as_str()) {
            module = module.max(size(name)?);
        } else {
            page += size(name)?;
        }
    }
    let (page, module) = (page / 1000, module / 1000);
    println!("{} is built: page {page} kB, engine {module} kB, not compressed", site.display());
    println!("try it with: python3 -m http.server --directory {}", site.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_has_one_style_and_the_policy() {
        let head =
            "<head>\n    <link rel=\"stylesheet\" href=\"css/base.css\">\n    <title>T</title>\n  </head>\n<body>";
        let (page, styles) = with_head(head).unwrap();
        assert_eq!(
            (styles, page.matches("stylesheet").count()),
            (vec!["css/base.css".into(), "engine/site.css".into()], 1)
        );
        assert!(page.contains("'wasm-unsafe-eval'") && page.ends_with("  </head>\n<body>"), "{page}");
        assert!(with_head("<body>").is_err());
    }

    #[test]
    fn the_service_worker_knows_all_files_by_their_contents() {
        let folder = tempfile::tempdir().unwrap();
        let script = "const VERSION = \"\";\nconst FILES = [];\nconst LATER = {};\n";
        for (name, content) in [("sw.js", script), ("a.js", "1"), ("b.weights", "2")] {
            fs::write(folder.path().join(name), content).unwrap();
        }
        let first = with_files(folder.path()).unwrap();
        assert!(first.contains("\"a.js\",") && first.contains("\"b.weights\": \""), "{first}");
        assert!(!first.contains("\"sw.js\""));
        fs::write(folder.path().join("a.js"), "3").unwrap();
        assert_ne!(with_files(folder.path()).unwrap().lines().next(), first.lines().next());
        fs::write(folder.path().join("sw.js"), "nothing").unwrap();
        assert!(with_files(folder.path()).is_err());
    }
}
