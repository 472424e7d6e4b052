//! Programs as players: `py:FILE`, `line:COMMAND`, `gtp:COMMAND`, `nboard:COMMAND`, `botzone:COMMAND`.

mod botzone;
pub(crate) mod course;
pub(crate) mod dialogue;
mod gtp;
mod line;
mod luggage;
mod nboard;
mod options;
pub(crate) mod player;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{BuildError, Player, Programs, Setting, SpecError};
use turncoat_util::shell::split;

use self::dialogue::Dialogue;
pub use self::luggage::{Luggage, LuggageError, PLACE};
use self::options::ProgramOptions;
use self::player::ForeignPlayer;
use crate::hosting::{CPU_SECONDS, Hosting};
use crate::python;
use crate::sandbox::{self, Launch};

/// The protocols that programs are spoken to in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `py:FILE`, a Python file with the course's class AI.
    Course,
    /// `line:COMMAND`, a position a line in, a move a line out.
    Line,
    /// `gtp:COMMAND`, the Go Text Protocol for Othello.
    Gtp,
    /// `nboard:COMMAND`, the protocol of NBoard.
    Nboard,
    /// `botzone:COMMAND`, the JSON lines of botzone.org.
    Botzone,
}

impl Protocol {
    /// The protocol that stands before the colon of a player's text.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "py" => Some(Self::Course),
            "line" => Some(Self::Line),
            "gtp" => Some(Self::Gtp),
            "nboard" => Some(Self::Nboard),
            "botzone" => Some(Self::Botzone),
            _ => None,
        }
    }

    /// What stands before the colon.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Course => "py",
            Self::Line => "line",
            Self::Gtp => "gtp",
            Self::Nboard => "nboard",
            Self::Botzone => "botzone",
        }
    }

    /// Whether programs that speak it are known to play this variant: it is the only one there, or can be asked for.
    fn settles(self, variant: VariantKind) -> bool {
        match self {
            Self::Gtp => true,
            Self::Line => false,
            Self::Course => variant == VariantKind::Reversed,
            Self::Nboard | Self::Botzone => variant == VariantKind::Reversi,
        }
    }
}

/// A program that can play, and how it is run.
#[derive(Debug, Clone)]
pub struct Program {
    text: String,
    protocol: Protocol,
    /// The file or the command after the colon.
    target: String,
    options: ProgramOptions,
    hosting: Hosting,
}

impl Programs for Hosting {
    fn find(&self, text: &str) -> Option<Arc<dyn turncoat_players::Program>> {
        Some(Arc::new(Program::parse(text, self)?))
    }
}

impl Program {
    /// Parses a player's text; `None` if there is no protocol before the colon.
    pub fn parse(text: &str, hosting: &Hosting) -> Option<Self> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let protocol = Protocol::from_name(name.trim())?;
        let (target, options) = ProgramOptions::split_off(rest);
        let target = target.trim().to_owned();
        hosting.entrants.add(split(&target).unwrap_or_default().iter().map(String::as_str));
        Some(Self { text: text.to_owned(), protocol, target, options, hosting: hosting.clone() })
    }

    /// A note for people where the protocol has no word for the variant, so that nobody knows what the program plays.
    pub fn assumption(&self, variant: VariantKind) -> Option<String> {
        let (name, title) = (self.protocol.name(), variant.title());
        let unknown = !self.protocol.settles(variant);
        unknown.then(|| format!("{name} has no word for the variant: {self} is assumed to play {title}"))
    }

    /// The protocol that it speaks.
    pub const fn protocol(&self) -> Protocol {
        self.protocol
    }

    /// How it is run.
    pub const fn hosting(&self) -> &Hosting {
        &self.hosting
    }

    /// How a process of it is started.
    ///
    /// # Errors
    /// If the file or the command is missing, or there is no Python for it.
    pub(crate) fn launch(&self) -> Result<Launch, BuildError> {
        let fault = |fault: String| SpecError { spec: self.text.clone(), fault };
        if self.target.is_empty() {
            return Err(fault("a file or a command is missing after the colon".to_owned()).into());
        }
        self.options.check(self.protocol).map_err(fault)?;
        let folder = self.shown_folder().map_err(fault)?;
        if self.protocol == Protocol::Course {
            let file = course::file(Path::new(&self.target)).map_err(fault)?;
            let python = python::find(self.options.python.as_deref(), self.hosting.python.as_deref());
            let python = python.map_err(|error| BuildError::Program(error.to_string()))?;
            return Ok(course::launch(file, python, folder.as_deref(), &self.hosting));
        }
        Ok(command(&self.target, folder, &self.hosting).map_err(fault)?)
    }

    /// The folder that it is shown.
    fn shown_folder(&self) -> Result<Option<PathBuf>, String> {
        let Some(folder) = &self.options.folder else { return Ok(None) };
        let path = Path::new(folder).canonicalize().map_err(|error| format!("folder={folder}: {error}"))?;
        if path.is_dir() { Ok(Some(path)) } else { Err(format!("folder={folder} is not a folder")) }
    }

    /// The lines of a course program's source, counted from 1, that import a module which the course forbids.
    pub fn forbidden_imports(&self) -> Vec<usize> {
        if self.protocol != Protocol::Course {
            return Vec::new();
        }
        let source = fs::read(&self.target).unwrap_or_default();
        forbidden_imports(&String::from_utf8_lossy(&source))
    }

    fn player<D: Dialogue + 'static>(&self, setting: Setting, launch: Launch, dialogue: D) -> Box<dyn Player> {
        Box::new(ForeignPlayer::new(self.text.clone(), setting, self.hosting.clone(), launch, dialogue))
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl turncoat_players::Program for Program {
    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        if !self.hosting.trust {
            sandbox::check().map_err(|error| BuildError::Program(error.to_string()))?;
        }
        let launch = self.launch()?;
        Ok(match self.protocol {
            Protocol::Course => self.player(setting, launch, course::Course::default()),
            Protocol::Line => self.player(setting, launch, line::LineDialogue),
            Protocol::Gtp => self.player(setting, launch, gtp::Gtp::new(self.options.level)),
            Protocol::Nboard => self.player(setting, launch, nboard::Nboard::new(self.options.depth)),
            Protocol::Botzone if setting.geometry != Geometry::EIGHT => {
                return Err(SpecError { spec: self.text.clone(), fault: "Botzone plays on 8x8".to_owned() }.into());
            }
            Protocol::Botzone => self.player(setting, launch, botzone::Botzone::default()),
        })
    }

    fn contents(&self) -> Option<String> {
        let words = split(&self.target)?;
        let read = |word: &String| {
            let path = Path::new(word);
            let small = fs::metadata(path).is_ok_and(|data| data.is_file() && data.len() < 1 << 24);
            small.then(|| fs::read(path).ok()).flatten()
        };
        let files: Vec<u8> = words.iter().filter_map(read).flatten().collect();
        (!files.is_empty()).then(|| String::from_utf8_lossy(&files).into_owned())
    }
}

/// How a command line is started; its first word is a program.
fn command(text: &str, folder: Option<PathBuf>, hosting: &Hosting) -> Result<Launch, String> {
    let words = split(text).ok_or("the command ends within quotes or with a backslash")?;
    let mut words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
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
    let mut shown = sandbox::files_of(&words, |file| hosting.entrants.contains(file));
    shown.extend(python.map_or_else(Vec::new, |python| python.folders));
    shown.retain(|path| !folder.as_ref().is_some_and(|folder| path.starts_with(folder)));
    shown.extend(folder);
    let words = absolute(words);
    let place = own_folder(&words);
    Ok(Launch { words, shown, place, environment: one_thread(), cpu_seconds: CPU_SECONDS, tasks: sandbox::TASKS })
}

/// Programs that run another one, by their names without a version.
const INTERPRETERS: [&str; 12] =
    ["python", "pypy", "node", "nodejs", "java", "ruby", "perl", "lua", "php", "julia", "sh", "bash"];

/// The folder of the program, or of the script or archive that an interpreter runs: its files lie there. None for an
/// interpreter without such a file. The words are absolute.
fn own_folder(words: &[OsString]) -> Option<PathBuf> {
    let (first, rest) = words.split_first()?;
    let real = |path: &Path| path.canonicalize().ok();
    let program = if Path::new(first).is_absolute() { real(Path::new(first)) } else { real(&sandbox::find(first)?) };
    let is_interpreter = |name: &str| INTERPRETERS.contains(&name.trim_end_matches(|c: char| !c.is_alphabetic()));
    let own = match Path::new(first).file_name().and_then(OsStr::to_str) {
        Some(name) if is_interpreter(name) => {
            rest.iter().map(Path::new).find(|path| path.is_absolute() && path.exists()).and_then(real)
        }
        _ => program,
    }?;
    if own.is_dir() { Some(own) } else { own.parent().map(Path::to_owned) }
}

/// The words with relative paths made absolute: the program is started in another folder.
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

/// Limits the usual numeric libraries to one thread: programs are compared, not machines.
pub(crate) fn one_thread() -> Vec<(String, String)> {
    ["OMP", "OPENBLAS", "MKL", "NUMEXPR", "NUMBA"]
        .map(|library| (format!("{library}_NUM_THREADS"), "1".to_owned()))
        .to_vec()
}

fn forbidden_imports(source: &str) -> Vec<usize> {
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

#[cfg(test)]
mod tests {
    use turncoat_board::VariantKind;
    use turncoat_players::Roster;

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
    fn a_program_is_started_where_its_files_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().canonicalize().unwrap().join(name);
        fs::create_dir(path("engine")).unwrap();
        for name in ["engine/run", "mine.py"] {
            fs::write(path(name), "").unwrap();
        }
        std::os::unix::fs::symlink(path("engine/run"), path("linked")).unwrap();
        let place = |words: &[&str]| own_folder(&words.iter().map(OsString::from).collect::<Vec<_>>());
        let at = |name: &str| path(name).to_str().unwrap().to_owned();
        assert_eq!(place(&[&at("engine/run"), &at("mine.py")]), Some(path("engine")));
        assert_eq!(place(&[&at("linked")]), Some(path("engine")));
        assert_eq!(place(&["/usr/bin/python3.11", "-u", &at("mine.py")]), Some(path("")));
        assert_eq!(place(&["sh", "-c", "true"]), None);
    }

    #[test]
    fn where_a_protocol_cannot_tell_the_variant_it_is_assumed() {
        let noted = |text: &str, variant| Program::parse(text, &Hosting::default()).unwrap().assumption(variant);
        let (reversi, reversed) = (VariantKind::Reversi, VariantKind::Reversed);
        let text = "nboard has no word for the variant: nboard:ntest is assumed to play Reversed Reversi";
        assert_eq!(noted("nboard:ntest", reversed).unwrap(), text);
        assert!(noted("nboard:ntest", reversi).is_none() && noted("gtp:edax", reversed).is_none());
        assert!(noted("py:ai.py", reversed).is_none() && noted("py:ai.py", reversi).is_some());
        assert!(noted("line:mine", reversed).is_some() && noted("botzone:mine", reversed).is_some());
    }

    #[test]
    fn what_is_missing_is_named() {
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 0 };
        let hosting = Hosting { trust: true, ..Hosting::default() };
        let roster = Roster::default().with_programs(hosting);
        let fault = |text: &str| match roster.parse(text).and_then(|spec| spec.build(setting)) {
            Ok(_) => panic!("{text}"),
            Err(error) => error.to_string(),
        };
        assert!(fault("line:").contains("a file or a command is missing"));
        assert!(fault("py:no-such.py").contains("no-such.py: "));
        assert!(fault("line:cat,depth=3").contains("line has no word for depth"));
        assert!(fault("nboard:cat,depth=deep").contains("depth=deep: "));
        assert!(fault("gtp:no-such-engine --fast").contains("no program no-such-engine is on the path"));
        assert!(fault("gtp:./no/such engine").contains("there is no program ./no/such"));
        assert!(fault("nobody").contains("no player is called"));
    }
}
