//! The engine as a WebAssembly module, by whichever toolchain there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::setup::{self, is_there};
use crate::shell::{self, cargo, output, root, target};

const TARGET: &str = "wasm32-unknown-unknown";
/// How long rustup may take; where it cannot reach its server, it tries for much longer.
const PATIENCE: Duration = Duration::from_mins(1);
/// Debian's compiler for the web, which brings the standard library as source.
const DEBIAN: [&str; 4] = ["rustc-web", "cargo-web", "rust-web-src", "lld"];
/// What every browser since 2023 has.
const FEATURES: [&str; 6] =
    ["simd", "bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "reference-types"];

/// Builds the module and returns where it lies.
pub(crate) fn module() -> Result<PathBuf> {
    let folder = target().join("browser");
    let mut build = if has_target() || add_target() { cargo(["build"]) } else { debian()? };
    build
        .args(["--release", "--locked", "--package", "turncoat-browser", "--target", TARGET, "--target-dir"])
        .arg(&folder)
        // Nothing unwinds there, and names for a debugger are not sent to anybody.
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128");
    shell::run(&mut build)?;
    optimised(&folder.join(TARGET).join("release").join("turncoat_browser.wasm"))
}

/// Whether the compiler can build for the browser as it is.
fn has_target() -> bool {
    let library = output(Command::new("rustc").args(["--print", "target-libdir", "--target", TARGET]));
    library.is_ok_and(|folder| Path::new(folder.trim()).is_dir())
}

/// Asks rustup for the target; `false` where there is no rustup, or no way to its server.
fn add_target() -> bool {
    if !is_there("rustup") || Path::new("/usr/bin/rustc").is_file() && standard_library().is_some() {
        return false;
    }
    eprintln!("\x1b[1m> rustup target add {TARGET}\x1b[0m");
    let added = Command::new("rustup").args(["target", "add", TARGET]).stderr(Stdio::null()).spawn();
    let Ok(mut added) = added else {
        return false;
    };
    let began = Instant::now();
    while began.elapsed() < PATIENCE {
        match added.try_wait() {
            Ok(Some(status)) => return status.success(),
            Ok(None) => sleep(Duration::from_millis(200)),
            Err(_) => break,
        }
    }
    let _ = added.kill();
    let _ = added.wait();
    false
}

/// Debian's compiler, installed if it is not there. It builds the standard library too.
fn debian() -> Result<Command> {
    if standard_library().is_none() || !is_there("wasm-ld") {
        let about = format!("the engine of the browser: rustup cannot add {TARGET} here");
        setup::install_packages(&DEBIAN, &about)?;
    }
    standard_library().context("rust-web-src has no source of the standard library")?;
    let mut command = Command::new("/usr/bin/cargo");
    command.args(["build", "-Z", "build-std=std,panic_abort"]).current_dir(root());
    // Building the standard library is not stable; the toolchain of this run is not the one that builds.
    command.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", "/usr/bin/rustc").env_remove("RUSTUP_TOOLCHAIN");
    command.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    Ok(command)
}

/// Where Debian's compiler finds the source of its standard library.
fn standard_library() -> Option<PathBuf> {
    let root = output(Command::new("/usr/bin/rustc").args(["--print", "sysroot"])).ok()?;
    let source = Path::new(root.trim()).join("lib/rustlib/src/rust/library/std");
    source.is_dir().then_some(source)
}

/// The module made smaller and faster by binaryen, where that is installed.
fn optimised(module: &Path) -> Result<PathBuf> {
    if !is_there("wasm-opt") {
        eprintln!("wasm-opt is not there (Debian: binaryen): the module stays as it is, a fifth larger and slower");
        return Ok(module.to_owned());
    }
    let small = module.with_extension("small.wasm");
    let is_new = |path: &Path| fs::metadata(path).and_then(|data| data.modified());
    if let (Ok(made), Ok(built)) = (is_new(&small), is_new(module))
        && made > built
    {
        return Ok(small);
    }
    let features = FEATURES.map(|name| format!("--enable-{name}"));
    shell::run(Command::new("wasm-opt").arg("-O3").args(features).arg(module).arg("-o").arg(&small))?;
    Ok(small)
}
