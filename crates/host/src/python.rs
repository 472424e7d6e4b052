//! The Python that hosts the course's programs.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

/// A Python with numpy, and the folders that it needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Python {
    pub(crate) program: OsString,
    pub(crate) folders: Vec<PathBuf>,
}

/// Why programs in Python cannot be run.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum NoPython {
    /// There is none.
    #[error(
        "there is no Python here, and the course's programs need one: install Python 3 (Debian: apt install \
         python3 python3-numpy), or name one in the variable TURNCOAT_PYTHON"
    )]
    Missing,
    /// The chosen one is not there.
    #[error("there is no {0} on this machine's path")]
    NotHere(String),
    /// It has no numpy.
    #[error(
        "{0} has no numpy, and the course's programs need it: {0} -m pip install numpy (Debian: apt install \
         python3-numpy)"
    )]
    NoNumpy(String),
}

/// Asks a Python who it is and where its things are. The folder where it is started comes first on its path, and may have
/// files of any name in it, which nobody has confined.
const WHO: &str = "import sys\nsys.path[:] = [p for p in sys.path if p]\nimport os\nprint(sys.executable)\nprint(sys.prefix)\nprint(sys.base_prefix)\n\
                   print(os.path.realpath(sys.executable))\nfor p in sys.path: print(p)\n\
                   import numpy\nprint('numpy')";

/// Finds it: the one of this name, that of `TURNCOAT_PYTHON`, the usual one, or `python3` on the path.
pub(crate) fn find(chosen: Option<&str>, usual: Option<&OsStr>) -> Result<Python, NoPython> {
    let usual = || named().unwrap_or_else(|| usual.unwrap_or_else(|| "python3".as_ref()).to_owned());
    let name = chosen.map_or_else(usual, OsString::from);
    match asked(name.clone()) {
        Ok((python, true)) => Ok(python),
        Ok((python, false)) => Err(NoPython::NoNumpy(python.program.to_string_lossy().into_owned())),
        Err(_) if chosen.is_some() => Err(NoPython::NotHere(name.to_string_lossy().into_owned())),
        Err(error) => Err(error),
    }
}

fn named() -> Option<OsString> {
    env::var_os("TURNCOAT_PYTHON").filter(|name| !name.is_empty())
}

/// The Python that the first word of a command means by `python` or `python3`: what is on the path may be a script
/// that chooses among several, and looks for them where the sandbox shows nothing.
pub(crate) fn meant_by(word: &OsStr) -> Option<Python> {
    if word != "python" && word != "python3" {
        return None;
    }
    let (python, _) = asked(named().unwrap_or_else(|| word.to_owned())).ok()?;
    Some(python)
}

/// A Python, and whether it has numpy.
type Answer = Result<(Python, bool), NoPython>;

/// How long something is known to be missing: somebody may install it.
const MISSING_FOR: Duration = Duration::from_secs(10);

/// Whether an answer of this age still holds.
fn holds(answer: &Answer, age: Duration) -> bool {
    matches!(answer, Ok((_, true))) || age < MISSING_FOR
}

/// Asks a program once: that takes as long as a game of quick programs.
fn asked(name: OsString) -> Answer {
    static ASKED: Mutex<BTreeMap<OsString, (Instant, Answer)>> = Mutex::new(BTreeMap::new());
    let mut asked = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    asked.retain(|_, (at, answer)| holds(answer, at.elapsed()));
    let ask_now = |name: &OsString| (Instant::now(), ask(name));
    asked.entry(name).or_insert_with_key(ask_now).1.clone()
}

/// Asks a program for its folders, and whether it has numpy.
fn ask(name: &OsStr) -> Answer {
    let output = Command::new(name).args(["-c", WHO]).stdin(Stdio::null()).output().map_err(|_| NoPython::Missing)?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut lines = text.lines();
    let program = lines.next().filter(|program| !program.is_empty()).ok_or(NoPython::Missing)?;
    let numpy = text.lines().any(|line| line == "numpy");
    let mut folders: Vec<PathBuf> = Vec::new();
    for path in text.lines().map(Path::new) {
        let folder = if path.is_dir() { Some(path) } else { path.parent() };
        let Some(folder) = folder.filter(|folder| folder.is_absolute() && folder.is_dir()) else {
            continue;
        };
        let known = folders.iter().any(|known| folder.starts_with(known));
        let system = ["/usr", "/bin", "/lib", "/lib64"].iter().any(|s| folder.starts_with(s));
        if !known && !system && folder != Path::new("/") {
            folders.push(folder.to_owned());
        }
    }
    let program = program.into();
    Ok((Python { program, folders }, numpy))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_python_is_asked_once() {
        let folder = tempfile::tempdir().unwrap();
        let (python, asked) = (folder.path().join("python"), folder.path().join("asked"));
        fs::write(&python, format!("#!/bin/sh\necho x >>{}\necho $0\n", asked.display())).unwrap();
        fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
        let found = super::asked(python.clone().into_os_string()).unwrap();
        assert_eq!(super::asked(python.clone().into_os_string()).unwrap(), found);
        assert_eq!((&found.0.program, found.1), (&python.into_os_string(), false));
        assert_eq!(fs::read_to_string(asked).unwrap(), "x\n");
        // What is installed meanwhile is found, without a new start.
        let (soon, later) = (Duration::from_secs(1), Duration::from_mins(1));
        let answers = [Ok((found.0.clone(), true)), Ok((found.0, false)), Err(NoPython::Missing)];
        assert_eq!(answers.clone().map(|answer| holds(&answer, soon)), [true; 3]);
        assert_eq!(answers.map(|answer| holds(&answer, later)), [true, false, false]);
    }
}
