//! The crates as packages: all that can be published, in an order in which they can be.

use anyhow::Result;

use crate::shell::{self, cargo};

/// What is never published: it is of use in the repository alone, or published otherwise.
const KEPT: [&str; 6] =
    ["turncoat-attack", "turncoat-benchmarks", "turncoat-browser", "turncoat-fuzz", "turncoat-python", "xtask"];
/// Libraries for other people's programs; they are built from their packages too.
const LIBRARIES: [&str; 3] = ["turncoat-board", "turncoat-util", "turncoat-record"];

/// Packs every crate, builds the libraries from what their packages hold, and the rules without `std`.
pub(crate) fn check() -> Result<()> {
    let package = ["package", "--locked", "--allow-dirty", "--quiet"];
    let kept = KEPT.map(|name| ["--exclude", name]);
    shell::run(cargo(package).args(["--workspace", "--no-verify"]).args(kept.as_flattened()))?;
    let libraries = LIBRARIES.map(|name| ["--package", name]);
    shell::run(cargo(package).args(libraries.as_flattened()))?;
    let bare = ["--package", "turncoat-board", "--no-default-features", "--features", "serde"];
    shell::run(cargo(["check", "--release", "--locked"]).args(bare))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Component, Path, PathBuf};

    use crate::shell::root;

    /// All sources below a folder.
    fn sources(folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
        entries
            .flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|end| end == "rs"))
            .collect()
    }

    /// Whether a path leads out of its crate, from a file so many folders below the crate's own.
    fn leaves(path: &str, depth: usize) -> bool {
        let up = Path::new(path).components().take_while(|part| *part == Component::ParentDir).count();
        up > depth
    }

    /// A package holds only what lies in its crate's folder, and those that are not built from it here would show that
    /// when they are published. Tests may read what they like.
    #[test]
    fn no_crate_includes_what_its_package_lacks() {
        let mut seen = 0;
        for entry in fs::read_dir(root().join("crates")).unwrap() {
            let folder = entry.unwrap().path();
            for file in sources(&folder.join("src")) {
                let text = fs::read_to_string(&file).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap_or_default();
                let depth = file.strip_prefix(&folder).unwrap().components().count() - 1;
                for part in text.split("include_str!(\"").skip(1).chain(text.split("include_bytes!(\"").skip(1)) {
                    let path = part.split('"').next().unwrap_or_default();
                    seen += 1;
                    assert!(!leaves(path, depth), "{}: {path} is not in its package", file.display());
                }
            }
        }
        assert!(seen > 20, "only {seen} files are included");
        assert!(leaves("../../README.md", 1) && !leaves("../README.md", 1));
    }
}
