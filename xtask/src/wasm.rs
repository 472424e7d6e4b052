//! The engine as a WebAssembly module, by whichever toolchain there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::setup::{self, is_there};
use crate::shell::{self, target};
use crate::toolchain;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// The parts of the standard library, where it is built too.
const PARTS: &str = "std,panic_abort";
const SIMD: &str = "+simd128";
/// What every browser since 2023 has.
const FEATURES: [&str; 6] =
    ["simd", "bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "reference-types"];

/// What a module needs whose memory several workers share: how much it has at first and at most, in bytes, is what
/// `engine/worker.js` gives it; a worker sets up the stack and the thread-local values of a thread.
const SHARED: [&str; 8] = [
    "--shared-memory",
    "--import-memory",
    "--initial-memory=16777216",
    "--max-memory=536870912",
    "--export=__stack_pointer",
    "--export=__wasm_init_tls",
    "--export=__tls_size",
    "--export=__tls_align",
];

/// The modules: one for one thread, which every browser runs, and one for several, where the standard library can be built
/// for it.
pub(crate) struct Modules {
    pub(crate) one: PathBuf,
    pub(crate) several: Option<PathBuf>,
}

/// Builds both.
pub(crate) fn modules() -> Result<Modules> {
    // The usual one first: where it needs Debian's compiler, that brings the source for the other.
    let one = module()?;
    let several = if let Some(build) = toolchain::cargo_build_anew(TARGET, PARTS)? {
        let linked = SHARED.map(|word| format!("-Clink-arg={word}"));
        let features = format!("-Ctarget-feature={SIMD},+atomics,+bulk-memory,+mutable-globals");
        Some(built(build, &target().join("browser-threads"), [&[features][..], &linked].concat(), &["threads"])?)
    } else {
        eprintln!("the source of the standard library is not there: the engine of the browser has one thread");
        None
    };
    Ok(Modules { one, several })
}

/// Builds the module for one thread.
pub(crate) fn module() -> Result<PathBuf> {
    let build = toolchain::cargo_build(TARGET, PARTS)?;
    built(build, &target().join("browser"), vec![format!("-Ctarget-feature={SIMD}")], &[])
}

fn built(mut build: Command, folder: &Path, mut flags: Vec<String>, features: &[&str]) -> Result<PathBuf> {
    // Debian's compiler has no linker of its own.
    if build.get_program() == "/usr/bin/cargo" {
        if !is_there("wasm-ld") {
            setup::install_packages(&["lld"], "it links the engine of the browser")?;
        }
        build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    }
    flags.extend(toolchain::renamed_places()?.map(|renamed| format!("--remap-path-prefix={renamed}")));
    build
        .args(["--release", "--locked", "--package", "turncoat-browser", "--target", TARGET, "--target-dir"])
        .arg(folder)
        // Nothing unwinds there, and names for a debugger are not sent to anybody.
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    shell::run(&mut build)?;
    optimised(&folder.join(TARGET).join("release").join("turncoat_browser.wasm"), features)
}

/// The module made smaller and faster by binaryen, where that is installed.
fn optimised(module: &Path, more: &[&str]) -> Result<PathBuf> {
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
    let features = FEATURES.iter().chain(more).map(|name| format!("--enable-{name}"));
    shell::run(Command::new("wasm-opt").arg("-O3").args(features).arg(module).arg("-o").arg(&small))?;
    Ok(small)
}
