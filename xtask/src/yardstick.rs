//! `cargo xtask yardstick`: an older binary, rebuilt from the history and kept, for matches against the player of today.

use std::env::consts::EXE_SUFFIX;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

use crate::shell::{self, cargo, output, root, target};

/// The usual yardstick. It already has the trained evaluation, the sandbox and the server of the second edition; the commit
/// after it, "Several threads search the middle game", is the first of those that made the search stronger.
pub(crate) const COMMIT: &str = "dba6db5b79d35bde9fb7bb20b71eb7a94934a3e6";

/// The binary of a commit, built unless it is there.
///
/// # Errors
/// If this is not a clone, the commit is unknown, or it does not build.
pub(crate) fn build(commit: &str) -> Result<PathBuf> {
    build_from(&root(), &target().join("yardstick"), commit)
}

fn build_from(root: &Path, folder: &Path, commit: &str) -> Result<PathBuf> {
    let hash = resolve(root, commit)?;
    let kept = folder.join(&hash);
    let binary = kept.join(format!("turncoat{EXE_SUFFIX}"));
    if binary.is_file() {
        eprintln!("{} is there", binary.display());
        return Ok(binary);
    }
    let tree = Worktree::add(root, folder.join(format!("tree-{hash}")), &hash)?;
    // All yardsticks share the built dependencies. The compiler is that of today: only the project's code differs.
    let built = folder.join("build");
    let mut build = cargo(["build", "--release", "--locked", "--package", "turncoat", "--target-dir"]);
    shell::run(build.arg(&built).current_dir(&tree.path))?;
    fs::create_dir_all(&kept)?;
    // Renamed when it is whole, so that a binary that is there can be run.
    let staged = binary.with_extension("new");
    fs::copy(built.join("release").join(format!("turncoat{EXE_SUFFIX}")), &staged)
        .and_then(|_| fs::rename(&staged, &binary))
        .with_context(|| binary.display().to_string())?;
    eprintln!("{} is built", binary.display());
    Ok(binary)
}

/// The short hash of a commit of the clone at this root.
fn resolve(root: &Path, commit: &str) -> Result<String> {
    let place = root.display();
    let top = output(git(root).args(["rev-parse", "--show-toplevel"]))
        .with_context(|| format!("{place} is not a git clone, and a yardstick is built from its history"))?;
    // A folder without a history may lie in a clone of something else.
    let is_top = fs::canonicalize(top.trim_end()).ok() == Some(fs::canonicalize(root)?);
    ensure!(is_top, "{place} is not a git clone, but a folder in that of {}", top.trim_end());
    let name = format!("{commit}^{{commit}}");
    let hash = output(git(root).args(["rev-parse", "--verify", "--quiet", "--short=12", &name])).ok();
    let hash = hash.with_context(|| {
        format!("{commit:?} is not a commit of this clone; if it is shallow, `git fetch --unshallow` gets the others")
    })?;
    Ok(hash.trim_end().to_owned())
}

fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("-C").arg(root);
    // In a hook these name another repository.
    for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(name);
    }
    command
}

/// The files of a commit in a folder of their own, removed at the end.
struct Worktree<'a> {
    root: &'a Path,
    path: PathBuf,
}

impl<'a> Worktree<'a> {
    fn add(root: &'a Path, path: PathBuf, hash: &str) -> Result<Self> {
        let tree = Self { root, path };
        // A build that was killed has left it behind.
        tree.remove();
        output(git(root).args(["worktree", "add", "--detach"]).arg(&tree.path).arg(hash))?;
        Ok(tree)
    }

    /// Removes the folder and what git knows of it, as far as they are there.
    fn remove(&self) {
        let _ = fs::remove_dir_all(&self.path);
        let _ = output(git(self.root).args(["worktree", "prune"]));
    }
}

impl Drop for Worktree<'_> {
    fn drop(&mut self) {
        self.remove();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A clone whose only commit is a program that prints a word.
    fn clone() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let files = [
            ("Cargo.toml", "[package]\nname = \"turncoat\"\nversion = \"0.1.0\"\nedition = \"2024\"\n"),
            ("Cargo.lock", "version = 4\n\n[[package]]\nname = \"turncoat\"\nversion = \"0.1.0\"\n"),
            ("src/main.rs", "fn main() { println!(\"old\"); }\n"),
        ];
        fs::create_dir(folder.path().join("src")).unwrap();
        for (name, text) in files {
            fs::write(folder.path().join(name), text).unwrap();
        }
        let me = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "commit.gpgsign=false"];
        for words in [&["init", "--quiet"][..], &["add", "."], &["commit", "--quiet", "-m", "old"]] {
            output(git(folder.path()).args(me).args(words)).expect("the test needs git (Debian: apt-get install git)");
        }
        folder
    }

    #[test]
    fn a_commit_is_built_once_and_leaves_no_worktree() {
        let clone = clone();
        let folder = clone.path().join("target/yardstick");
        fs::write(clone.path().join("src/main.rs"), "fn main() { println!(\"new\"); }\n").unwrap();
        // What a build that was killed has left.
        let hash = resolve(clone.path(), "HEAD").unwrap();
        fs::create_dir_all(folder.join(format!("tree-{hash}/src"))).unwrap();
        let binary = build_from(clone.path(), &folder, "HEAD").unwrap();
        assert_eq!(binary, folder.join(&hash).join(format!("turncoat{EXE_SUFFIX}")));
        assert_eq!(output(&mut Command::new(&binary)).unwrap(), "old\n");
        assert!(!folder.join(format!("tree-{hash}")).exists());
        let trees = output(git(clone.path()).args(["worktree", "list"])).unwrap();
        assert_eq!(trees.lines().count(), 1, "{trees}");
        fs::write(&binary, "kept").unwrap();
        assert_eq!(build_from(clone.path(), &folder, &hash).unwrap(), binary);
        assert_eq!(fs::read_to_string(&binary).unwrap(), "kept");
    }

    #[test]
    fn what_is_not_a_commit_of_a_clone_is_refused() {
        let clone = clone();
        let refused = |root: &Path, commit| format!("{:#}", build_from(root, root, commit).unwrap_err());
        for commit in ["nothing", "--help", "", "HEAD~1"] {
            let said = refused(clone.path(), commit);
            assert!(said.contains(&format!("{commit:?} is not a commit")), "{said}");
        }
        assert!(refused(&clone.path().join("src"), "HEAD").contains("not a git clone, but a folder in"));
        let elsewhere = tempfile::tempdir().unwrap();
        assert!(refused(elsewhere.path(), "HEAD").contains("is not a git clone, and"));
    }
}
