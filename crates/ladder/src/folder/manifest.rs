//! `player.toml`: what a player says about how it is run.

use std::fs;
use std::io;
use std::path::{Component, Path};

use serde::Deserialize;
use thiserror::Error;
use turncoat_host::programs::Protocol;
use turncoat_util::shell;
use turncoat_util::{printable, read_bounded};

use super::EntryFault;

/// The most bytes of the file.
const LONGEST: u64 = 64 << 10;
/// The longest name, in characters.
const LONGEST_NAME: usize = 60;

/// What a player says about itself. Without the file, a folder is a course program in `ai.py`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// What it is called.
    pub name: Option<String>,
    /// The protocol: `py`, `line`, `gtp`, `nboard` or `botzone`.
    pub protocol: Option<String>,
    /// The file with the course's class, for `py`.
    pub file: Option<String>,
    /// The Python that runs it, by its name on the path, for `py`.
    pub python: Option<String>,
    /// The command, for other protocols; a word that is a file of the folder is that file.
    pub command: Option<String>,
    /// The level that a GTP engine is told.
    pub level: Option<u32>,
    /// The depth that an engine of NBoard is told.
    pub depth: Option<u32>,
}

/// What is wrong with a description.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ManifestError {
    /// It is not TOML, or has a value that there is not.
    #[error("{0}")]
    Toml(String),
    /// There is no such protocol.
    #[error("protocol = {0:?}: there are py, line, gtp, nboard and botzone")]
    Protocol(String),
    /// The name is empty or too long.
    #[error("name: a name has 1 to {LONGEST_NAME} characters")]
    Name,
    /// The file is not there, or not in the folder.
    #[error("file = {0:?}: there is no such file in the player's folder")]
    File(String),
    /// The file is called in a way that a player's text cannot hold.
    #[error("file = {0:?}: use letters, digits, dots, dashes and underscores alone")]
    Plain(String),
    /// The Python is a path or no Python.
    #[error("python = {0:?}: a Python is chosen by its name, as in python3.11, not by a path")]
    Python(String),
    /// The command is missing or cannot be split.
    #[error("command: {0}")]
    Command(String),
    /// A value that this protocol has no use for.
    #[error("{0} has no meaning for protocol = {1:?}")]
    Unused(&'static str, String),
}

impl Manifest {
    /// Reads the description in a folder; the default if there is none.
    ///
    /// # Errors
    /// If it is wrong.
    pub fn read(folder: &Path) -> Result<Self, EntryFault> {
        let path = folder.join("player.toml");
        let fault = |error: io::Error| EntryFault::io(Path::new("player.toml"), &error);
        let mut manifest = match fs::File::open(&path) {
            Ok(file) => {
                let bytes = read_bounded(file, LONGEST).map_err(fault)?;
                let text = String::from_utf8_lossy(&bytes);
                toml::from_str(&text).map_err(|error| ManifestError::Toml(placed(&text, &error)))?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::default(),
            Err(error) => return Err(fault(error)),
        };
        if manifest.file.is_none() && manifest.command.is_none() {
            manifest.file = Some(only_program(folder)?);
        }
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> Result<(), ManifestError> {
        let protocol = self.protocol()?;
        let is_course = protocol == Protocol::Course;
        let unused = [
            ("command", is_course && self.command.is_some()),
            ("file", !is_course && self.command.is_some() && self.file.is_some()),
            ("python", !is_course && self.python.is_some()),
            ("level", protocol != Protocol::Gtp && self.level.is_some()),
            ("depth", protocol != Protocol::Nboard && self.depth.is_some()),
        ];
        if let Some(&(name, _)) = unused.iter().find(|(_, is_unused)| *is_unused) {
            return Err(ManifestError::Unused(name, protocol.name().to_owned()));
        }
        let bad_name = |name: &String| name.trim().is_empty() || name.chars().count() > LONGEST_NAME;
        if self.name.as_ref().is_some_and(bad_name) {
            return Err(ManifestError::Name);
        }
        match &self.python {
            Some(python) if !is_python(python) => Err(ManifestError::Python(python.clone())),
            _ => Ok(()),
        }
    }

    fn protocol(&self) -> Result<Protocol, ManifestError> {
        let name = self.protocol.as_deref().unwrap_or("py");
        Protocol::from_name(name).ok_or_else(|| ManifestError::Protocol(name.to_owned()))
    }

    /// The player's text for the copy in this folder.
    ///
    /// # Errors
    /// If its file or command is not in the folder.
    pub fn spec(&self, folder: &Path) -> Result<String, ManifestError> {
        let protocol = self.protocol()?;
        let place = folder.display();
        let mut text = if protocol == Protocol::Course {
            let file = self.file.as_deref().unwrap_or("ai.py");
            if !is_plain(file) {
                return Err(ManifestError::Plain(file.to_owned()));
            }
            if !stays(Path::new(file)) || !folder.join(file).is_file() {
                return Err(ManifestError::File(file.to_owned()));
            }
            format!("py:{place}/{file}")
        } else {
            let command = self.command.as_deref().ok_or_else(|| ManifestError::Command("it is missing".to_owned()))?;
            format!("{}:{}", protocol.name(), command_in(folder, command).map_err(ManifestError::Command)?)
        };
        if let Some(python) = &self.python {
            text += &format!(",python={python}");
        }
        for (key, value) in [("level", self.level), ("depth", self.depth)] {
            text += &value.map_or_else(String::new, |value| format!(",{key}={value}"));
        }
        Ok(format!("{text},folder={place}"))
    }
}

/// What is wrong with a text, and in which line.
fn placed(text: &str, error: &toml::de::Error) -> String {
    let before = error.span().and_then(|span| text.get(..span.start));
    let line = before.map_or_else(String::new, |before| format!("line {}: ", before.matches('\n').count() + 1));
    format!("{line}{}", error.message())
}

/// The program of a folder that names none: `ai.py`, or the only Python file.
fn only_program(folder: &Path) -> Result<String, EntryFault> {
    if folder.join("ai.py").is_file() {
        return Ok("ai.py".to_owned());
    }
    let entries = fs::read_dir(folder).map_err(|error| EntryFault::io(Path::new(""), &error))?;
    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let programs: Vec<String> =
        names.filter(|name| Path::new(name).extension().is_some_and(|end| end == "py")).collect();
    match &programs[..] {
        [only] => Ok(only.clone()),
        _ => Err(EntryFault::NoProgram),
    }
}

/// The command with the files of the folder as absolute paths. Words that lead out of the folder are refused, since the
/// sandbox shows a program the files that its command names.
fn command_in(folder: &Path, command: &str) -> Result<String, String> {
    let words = shell::split(command).ok_or("it ends within quotes or with a backslash")?;
    if words.is_empty() {
        return Err("it is empty".to_owned());
    }
    let mut resolved = Vec::new();
    for word in &words {
        let path = Path::new(word);
        if folder.join(path).exists() && stays(path) && !word.is_empty() {
            resolved.push(folder.join(path).display().to_string());
        } else if path.is_absolute() || path.components().any(|part| part == Component::ParentDir) || path.exists() {
            return Err(format!("{} leads out of the player's folder", printable(word)));
        } else if resolved.is_empty() && path.components().count() > 1 {
            return Err(format!("there is no {} in the player's folder", printable(word)));
        } else {
            resolved.push(word.clone());
        }
    }
    Ok(shell::join(resolved.iter().map(String::as_str)))
}

/// Whether a path leads nowhere but down.
fn stays(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// Whether a player's text can hold a name as it is.
pub(super) fn is_plain(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c)) && !name.starts_with('-')
}

/// Whether this is the name of a Python: asking it who it is runs it outside the sandbox.
fn is_python(name: &str) -> bool {
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    version.is_some_and(|version| version.chars().all(|c| c.is_ascii_digit() || c == '.'))
}
