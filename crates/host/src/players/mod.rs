//! Players behind protocols: `py:FILE`, `line:COMMAND`, `gtp:COMMAND`, `nboard:COMMAND`, `botzone:COMMAND`.

mod botzone;
pub(crate) mod course;
mod gtp;
pub(crate) mod guest;
mod line;
mod nboard;

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{BuildError, Player, Setting, Spec};
use turncoat_util::shell::split;

use self::guest::Guest;
use crate::hosting::{CPU_SECONDS, Hosting};
use crate::python::{self, NoPython};
use crate::sandbox::{self, Launch, NoSandbox};

/// The kinds of foreign players: what stands before the colon, and what it is.
pub const KINDS: [(&str, &str); 5] = [
    ("py", "py:FILE, a Python file with the course's class AI"),
    ("line", "line:COMMAND, a position a line in, a move a line out"),
    ("gtp", "gtp:COMMAND, the Go Text Protocol for Othello"),
    ("nboard", "nboard:COMMAND, the protocol of NBoard"),
    ("botzone", "botzone:COMMAND, the JSON lines of botzone.org"),
];

/// Whether a description is that of a foreign program.
pub fn is_foreign(spec: &Spec) -> bool {
    KINDS.iter().any(|(name, _)| *name == spec.name())
}

/// Why a player cannot be made.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HostError {
    /// A built-in player cannot.
    #[error(transparent)]
    BuiltIn(#[from] BuildError),
    /// Programs cannot be confined.
    #[error(transparent)]
    Sandbox(#[from] NoSandbox),
    /// There is no Python for it.
    #[error(transparent)]
    Python(#[from] NoPython),
    /// The description is none.
    #[error("{spec:?}: {fault}")]
    Spec {
        /// The description.
        spec: String,
        /// What is wrong.
        fault: String,
    },
}

/// Makes the player of a description, built in or foreign. A foreign program is started when it is first needed.
///
/// # Errors
/// If there is no such player or program, or it cannot be run here.
pub fn build(spec: &Spec, setting: Setting, hosting: &Hosting) -> Result<Box<dyn Player>, HostError> {
    if !is_foreign(spec) {
        return Ok(turncoat_players::build(spec, setting)?);
    }
    if !hosting.trust {
        sandbox::check()?;
    }
    let fault = |fault: &str| HostError::Spec { spec: spec.to_string(), fault: fault.to_owned() };
    let rest = spec.rest().map(str::trim).filter(|rest| !rest.is_empty());
    let rest = rest.ok_or_else(|| fault("a file or a command is missing after the colon"))?;
    let name = spec.to_string();
    let (hosting, number) = (hosting.clone(), setting.seed);
    if spec.name() == "py" {
        let launch = course::launch(Path::new(rest), &hosting, number).map_err(|error| error.of(spec))?;
        let dialogue = course::Course::default();
        return Ok(Box::new(Guest::new(name, setting, hosting, launch, dialogue)));
    }
    let launch = command(rest).map_err(|text| fault(&text))?;
    Ok(match spec.name() {
        "line" => Box::new(Guest::new(name, setting, hosting, launch, line::Line)),
        "gtp" => Box::new(Guest::new(name, setting, hosting, launch, gtp::Gtp::default())),
        "nboard" => Box::new(Guest::new(name, setting, hosting, launch, nboard::Nboard::default())),
        _ => {
            if setting.geometry != Geometry::EIGHT {
                return Err(fault("Botzone plays on 8x8"));
            }
            Box::new(Guest::new(name, setting, hosting, launch, botzone::Botzone::default()))
        }
    })
}

/// The command of a player: words as a shell splits them, the first of which is a program.
fn command(text: &str) -> Result<Launch, String> {
    let mut words: Vec<OsString> = split(text)
        .ok_or("the command ends within quotes or with a backslash")?
        .into_iter()
        .map(OsString::from)
        .collect();
    let program = words.first().ok_or("a command is missing after the colon")?;
    let path = Path::new(program);
    if path.components().count() > 1 && !path.exists() {
        return Err(format!("there is no program {}", path.display()));
    }
    if path.components().count() == 1 && sandbox::find(program).is_none() {
        return Err(format!("no program {} is on the path", path.display()));
    }
    let python = python::meant_by(program);
    if let Some(python) = &python {
        words[0].clone_from(&python.program);
    }
    let mut folders = sandbox::folders_of(&words);
    folders.extend(python.map_or_else(Vec::new, |python| python.folders));
    let here = std::env::current_dir().ok();
    let place = here.filter(|here| folders.iter().any(|folder| here.starts_with(folder)));
    Ok(Launch {
        words: absolute(words),
        folders,
        place,
        environment: one_thread(),
        cpu_seconds: CPU_SECONDS,
        tasks: sandbox::TASKS,
    })
}

/// Words that name files do so wherever the program is started.
fn absolute(words: Vec<OsString>) -> Vec<OsString> {
    let absolute = |word: OsString| {
        let path = PathBuf::from(&word);
        if path.is_relative() && path.exists() && path.components().count() > 0 {
            std::path::absolute(&path).map_or(word, PathBuf::into_os_string)
        } else {
            word
        }
    };
    words.into_iter().map(absolute).collect()
}

/// Asks the usual libraries of numbers to use one thread: programs are measured, not machines.
pub(crate) fn one_thread() -> Vec<(String, String)> {
    ["OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA"]
        .map(|library| (format!("{library}_NUM_THREADS"), "1".to_owned()))
        .to_vec()
}

/// What tells one version of a foreign program from another: the contents of the files that it is described by.
pub fn contents(spec: &Spec) -> Option<String> {
    let words = split(spec.rest()?)?;
    let read = |word: &String| {
        let path = Path::new(word);
        let small = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() < 1 << 24);
        small.then(|| fs::read(path).ok()).flatten()
    };
    let files: Vec<u8> = words.iter().filter_map(read).flatten().collect();
    (!files.is_empty()).then(|| String::from_utf8_lossy(&files).into_owned())
}

/// Lines of a Python source that import a module which the course forbids, counted from 1.
pub fn forbidden_imports(source: &str) -> Vec<usize> {
    let is_os = |name: &str| {
        let name = name.split_whitespace().next().unwrap_or_default();
        name == "os" || name.starts_with("os.")
    };
    let forbidden = |line: &str| {
        line.split(';').map(str::trim).any(|statement| {
            if let Some(names) = statement.strip_prefix("import ") {
                names.split(',').any(is_os)
            } else {
                statement.strip_prefix("from ").is_some_and(is_os)
            }
        })
    };
    let lines = source.lines().zip(1..);
    lines.filter(|(line, _)| forbidden(line)).map(|(_, number)| number).collect()
}

/// A variant as messages name it.
pub(crate) const fn title(variant: VariantKind) -> &'static str {
    variant.title()
}

/// Why a Python program cannot be started at all.
pub(crate) enum LaunchError {
    Python(NoPython),
    File(String),
}

impl LaunchError {
    fn of(self, spec: &Spec) -> HostError {
        match self {
            Self::Python(error) => HostError::Python(error),
            Self::File(fault) => HostError::Spec { spec: spec.to_string(), fault },
        }
    }
}

/// The Python of this machine.
pub(crate) fn python() -> Result<python::Python, LaunchError> {
    python::find().map_err(LaunchError::Python)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_as_a_shell_does() {
        assert_eq!(split(r#"a "b c" d\ e 'f"g' """#).unwrap(), ["a", "b c", "d e", "f\"g", ""]);
        assert!(split("a 'b").is_none());
        assert!(split("a \\").is_none());
    }

    #[test]
    fn forbidden_imports_are_found() {
        let source = "import numpy\nimport sys, os\n  from os.path import join\nimport oscar\nx = 1; import os as o\n";
        assert_eq!(forbidden_imports(source), [2, 3, 5]);
    }

    #[test]
    fn what_is_missing_is_named() {
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 0 };
        let hosting = Hosting { trust: true, ..Hosting::default() };
        let fault = |text: &str| match build(&text.parse().unwrap(), setting, &hosting) {
            Ok(_) => panic!("{text}"),
            Err(error) => error.to_string(),
        };
        assert!(fault("line:").contains("a file or a command is missing"));
        assert!(fault("gtp:no-such-engine --fast").contains("no program no-such-engine is on the path"));
        assert!(fault("gtp:./no/such engine").contains("there is no program ./no/such"));
        assert!(fault("nobody").contains("no player is called"));
    }
}
