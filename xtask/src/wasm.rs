//! The engine as a WebAssembly module, by whichever toolchain there is.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;

use crate::setup::{self, is_there};
use crate::shell::{self, target};
use crate::toolchain;

pub(crate) const TARGET: &str = "wasm32-unknown-unknown";
/// What every browser since 2023 has.
const FEATURES: [&str; 6] =
    ["simd", "bulk-memory", "sign-ext", "mutable-globals", "nontrapping-float-to-int", "reference-types"];

/// Builds the module and returns where it lies.
pub(crate) fn module() -> Result<PathBuf> {
    let folder = target().join("browser");
    let mut build = toolchain::cargo_build(TARGET, "std,panic_abort")?;
    // Debian's compiler has no linker of its own.
    if build.get_program() == "/usr/bin/cargo" {
        if !is_there("wasm-ld") {
            setup::install_packages(&["lld"], "it links the engine of the browser")?;
        }
        build.env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER", "wasm-ld");
    }
    let mut flags = vec!["-C".to_owned(), "target-feature=+simd128".to_owned()];
    flags.extend(toolchain::renamed_places()?.map(|renamed| format!("--remap-path-prefix={renamed}")));
    build
        .args(["--release", "--locked", "--package", "turncoat-browser", "--target", TARGET, "--target-dir"])
        .arg(&folder)
        // Nothing unwinds there, and names for a debugger are not sent to anybody.
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f"));
    shell::run(&mut build)?;
    optimised(&folder.join(TARGET).join("release").join("turncoat_browser.wasm"))
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
