//! The systems that there is a program for.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use crate::setup::{self, is_there};
use crate::shell::{self, output, target};
use crate::toolchain;

/// Libraries of Windows itself; the program may need no other.
const OF_WINDOWS: [&str; 8] = [
    "advapi32.dll",
    "bcrypt.dll",
    "bcryptprimitives.dll",
    "kernel32.dll",
    "msvcrt.dll",
    "ntdll.dll",
    "userenv.dll",
    "ws2_32.dll",
];

/// A system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct System {
    pub(super) name: &'static str,
    pub(super) triple: &'static str,
    /// The C compiler that also links, and the Debian package that has it, if it is not this machine's own.
    cross: Option<(&'static str, &'static str)>,
}

impl System {
    pub(super) const LINUX: Self = Self { name: "linux-x86_64", triple: "x86_64-unknown-linux-gnu", cross: None };
    pub(super) const ARM: Self = Self {
        name: "linux-aarch64",
        triple: "aarch64-unknown-linux-gnu",
        cross: Some(("aarch64-linux-gnu-gcc", "gcc-aarch64-linux-gnu libc6-dev-arm64-cross")),
    };
    pub(super) const WINDOWS: Self = Self {
        name: "windows-x86_64",
        triple: "x86_64-pc-windows-gnu",
        cross: Some(("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")),
    };
    pub(super) const ALL: [Self; 3] = [Self::LINUX, Self::ARM, Self::WINDOWS];

    pub(super) fn from_name(name: &str) -> Result<Self> {
        let names = Self::ALL.map(|system| system.name);
        let found = Self::ALL.into_iter().find(|system| system.name == name);
        found.with_context(|| format!("there is no release for {name:?}: it is one of {}", names.join(", ")))
    }

    pub(super) fn is_windows(&self) -> bool {
        *self == Self::WINDOWS
    }

    pub(super) fn is_static_glibc(&self) -> bool {
        !self.is_windows()
    }

    /// The name of the program's file.
    pub(super) fn program(&self) -> &'static str {
        if self.is_windows() { "turncoat.exe" } else { "turncoat" }
    }

    /// Where cargo puts the program.
    pub(super) fn program_path(&self) -> PathBuf {
        target().join(self.triple).join("dist").join(self.program())
    }

    /// Builds the program; its path.
    pub(super) fn build(&self) -> Result<PathBuf> {
        let mut build = toolchain::cargo_build(self.triple, "std,panic_unwind")?;
        build.args(["--profile", "dist", "--locked", "--package", "turncoat", "--target", self.triple]);
        build.arg("--target-dir").arg(target());
        let name = self.triple.replace('-', "_");
        if let Some((compiler, packages)) = self.cross {
            if !is_there(compiler) {
                let packages: Vec<&str> = packages.split(' ').collect();
                setup::install_packages(&packages, &format!("the release for {}", self.name))?;
            }
            build.env(format!("CC_{name}"), compiler);
            build.env(format!("CARGO_TARGET_{}_LINKER", name.to_uppercase()), compiler);
        }
        let mut flags = vec!["-C".to_owned(), "target-feature=+crt-static".to_owned()];
        let mut of_c = Vec::new();
        for renamed in toolchain::renamed_places()? {
            flags.push(format!("--remap-path-prefix={renamed}"));
            of_c.push(format!("-ffile-prefix-map={renamed}"));
        }
        if self.is_windows() {
            flags.extend(["-C", "link-arg=-Wl,--no-insert-timestamp"].map(str::to_owned));
        }
        build.env("CARGO_ENCODED_RUSTFLAGS", flags.join("\x1f")).env(format!("CFLAGS_{name}"), of_c.join(" "));
        shell::run(&mut build)?;
        Ok(self.program_path())
    }

    /// Makes sure that the program needs nothing that a bare system lacks, and has no symbols in it.
    pub(super) fn check(&self, program: &Path) -> Result<()> {
        if self.is_windows() {
            return check_libraries(program);
        }
        let read = |what: &str| output(Command::new("readelf").args(["--wide", what]).arg(program));
        let (heads, dynamic, sections) = (read("--program-headers")?, read("--dynamic")?, read("--sections")?);
        ensure!(!heads.contains("INTERP") && !dynamic.contains("(NEEDED)"), "{} is not static", program.display());
        ensure!(!sections.contains(".symtab"), "{} is not stripped", program.display());
        Ok(())
    }
}

fn check_libraries(program: &Path) -> Result<()> {
    let read = output(Command::new("x86_64-w64-mingw32-objdump").arg("--private-headers").arg(program))?;
    for name in read.lines().filter_map(|line| line.trim().strip_prefix("DLL Name: ")) {
        let name = name.to_lowercase();
        if !OF_WINDOWS.contains(&name.as_str()) && !name.starts_with("api-ms-win-") {
            bail!("{} needs {name}", program.display());
        }
    }
    Ok(())
}
