//! What another machine needs of a program: its own files, and its text with places for them.
//!
//! The system's programs, such as Python, do not travel: each machine has its own.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_util::shell::{join, split};

use super::{Program, Protocol};
use crate::sandbox;

/// Stands in a text for the folder that the files are put into.
pub const PLACE: char = '\u{fffc}';

/// The most files of a program.
const MOST_FILES: usize = 2_000;
/// The most bytes of a program.
const MOST_BYTES: u64 = 64 << 20;

/// What another machine needs of a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Luggage {
    /// The player's text, in which [`PLACE`] stands for the folder.
    pub text: String,
    /// The folder in which the files lie here.
    pub folder: PathBuf,
    /// The files by their paths within it, in order; none if the program is the system's.
    pub files: Vec<PathBuf>,
}

/// Why a program cannot travel.
#[derive(Debug, Error)]
pub enum LuggageError {
    /// Its command cannot be read.
    #[error("{0}: the command ends within quotes or with a backslash")]
    Command(String),
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// It has too many files.
    #[error("{text} has more than {MOST_FILES} files, or more than {} MiB", MOST_BYTES >> 20)]
    TooLarge {
        /// Its text.
        text: String,
    },
}

impl Program {
    /// What another machine needs to run it.
    ///
    /// # Errors
    /// If its files cannot be listed, or are too many.
    pub fn luggage(&self) -> Result<Luggage, LuggageError> {
        let words = match self.protocol {
            Protocol::Course => vec![self.target.clone()],
            _ => split(&self.target).ok_or_else(|| LuggageError::Command(self.text.clone()))?,
        };
        let own: Vec<Option<PathBuf>> = words.iter().map(|word| own(word)).collect();
        let shown = self.options.folder.as_deref().map(absolute).transpose()?;
        let mut needed: Vec<PathBuf> = shown.iter().cloned().collect();
        for path in own.iter().flatten() {
            needed.extend(sandbox::with_imports(path, |file| self.hosting.entrants.contains(file)));
        }
        let folder = common(own.iter().flatten().filter_map(|path| path.parent()).chain(shown.as_deref()));
        let place = |path: &Path| {
            let within = path.strip_prefix(&folder).unwrap_or(path);
            if within.as_os_str().is_empty() { PLACE.to_string() } else { format!("{PLACE}/{}", within.display()) }
        };
        let words: Vec<String> =
            words.iter().zip(&own).map(|(word, own)| own.as_deref().map_or_else(|| word.clone(), place)).collect();
        let target = match self.protocol {
            Protocol::Course => words.concat(),
            _ => join(words.iter().map(String::as_str)),
        };
        let mut text = format!("{}:{target}", self.protocol.name());
        for (key, value) in self.options.others() {
            text += &format!(",{key}={value}");
        }
        if let Some(shown) = &shown {
            text += &format!(",folder={}", place(shown));
        }
        let mut all = Listing { text: &self.text, files: Vec::new(), bytes: 0 };
        for path in &needed {
            all.add(path)?;
        }
        let mut files: Vec<PathBuf> =
            all.files.iter().filter_map(|file| file.strip_prefix(&folder).ok()).map(Path::to_owned).collect();
        files.sort();
        files.dedup();
        Ok(Luggage { text, folder, files })
    }
}

/// The file of a word, if it is the program's own.
fn own(word: &str) -> Option<PathBuf> {
    let path = Path::new(word);
    let is_named = path.exists() && !word.is_empty();
    let path = is_named.then(|| std::path::absolute(path).ok()).flatten()?;
    // A Python of a virtual environment is as much the machine's as the system's.
    let real = path.canonicalize().unwrap_or_else(|_| path.clone());
    let is_machines = |path: &Path| sandbox::is_of_system(path) || sandbox::is_installed(path);
    (!is_machines(&path) && !is_machines(&real)).then_some(path)
}

fn absolute(folder: &str) -> Result<PathBuf, LuggageError> {
    Path::new(folder).canonicalize().map_err(|error| LuggageError::Io { path: folder.into(), error })
}

/// The deepest folder that holds all of these.
fn common<'a>(mut folders: impl Iterator<Item = &'a Path>) -> PathBuf {
    let Some(first) = folders.next() else { return PathBuf::new() };
    folders.fold(first.to_owned(), |mut common, folder| {
        while !folder.starts_with(&common) && common.pop() {}
        common
    })
}

/// The files of a program, as many as there may be.
struct Listing<'a> {
    text: &'a str,
    files: Vec<PathBuf>,
    bytes: u64,
}

impl Listing<'_> {
    /// Adds a file, or all files of a folder. Links out of it lead nowhere on another machine, and are left out.
    fn add(&mut self, path: &Path) -> Result<(), LuggageError> {
        let failed = |error| LuggageError::Io { path: path.to_owned(), error };
        let data = fs::metadata(path).map_err(failed)?;
        if data.is_dir() {
            let root = path.canonicalize().map_err(failed)?;
            let mut names: Vec<OsString> = fs::read_dir(path)
                .map_err(failed)?
                .map(|entry| Ok(entry.map_err(failed)?.file_name()))
                .collect::<Result<_, _>>()?;
            names.sort();
            for name in names.into_iter().filter(|name| name != "__pycache__") {
                let inner = path.join(name);
                // A link to a folder above would have no end.
                let is_below = |real: PathBuf| real.starts_with(&root) && real != root;
                if inner.canonicalize().is_ok_and(is_below) {
                    self.add(&inner)?;
                }
            }
        } else if data.is_file() {
            self.bytes += data.len();
            self.files.push(path.to_owned());
        }
        if self.files.len() > MOST_FILES || self.bytes > MOST_BYTES {
            return Err(LuggageError::TooLarge { text: self.text.to_owned() });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Hosting;

    fn luggage(text: &str) -> Luggage {
        Program::parse(text, &Hosting::default()).unwrap().luggage().unwrap()
    }

    #[test]
    fn what_travels_is_the_programs_own() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let put = |name: &str, text: &str| {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let ai = put("li/ai.py", "import helper\nclass AI: pass\n");
        put("li/helper.py", "");
        put("li/deep/weights.npy", "1");
        put("li/__pycache__/x.pyc", "");
        let bot = put("my bots/bot.py", "print()");
        let found = luggage(&format!("py:{ai}"));
        assert_eq!((found.text.as_str(), found.folder), ("py:\u{fffc}/ai.py", root.join("li")));
        assert_eq!(found.files, [Path::new("ai.py"), Path::new("helper.py")]);
        let whole = luggage(&format!("py:{ai},python=python3,folder={}", root.join("li").display()));
        assert_eq!(whole.text, "py:\u{fffc}/ai.py,python=python3,folder=\u{fffc}");
        assert_eq!(whole.files.len(), 3, "{:?}", whole.files);
        let found = luggage(&format!("botzone:python3 -u '{bot}' /usr/bin/env"));
        assert_eq!(found.files, [Path::new("bot.py")]);
        assert_eq!(split(found.text.strip_prefix("botzone:").unwrap()).unwrap()[2], "\u{fffc}/bot.py");
        let both = luggage(&format!("line:'{bot}' {ai}"));
        assert_eq!((both.folder, both.files.len()), (root, 3));
        assert_eq!(luggage("gtp:python3 -c pass").files, Vec::<PathBuf>::new());
        assert!(Program::parse("py:nowhere.py,folder=/no/where", &Hosting::default()).unwrap().luggage().is_err());
    }

    #[test]
    fn links_out_of_a_folder_stay_behind() {
        let folder = tempfile::tempdir().unwrap();
        let ai = folder.path().join("ai.py");
        fs::write(&ai, "class AI: pass").unwrap();
        std::os::unix::fs::symlink("/etc/passwd", folder.path().join("passwd")).unwrap();
        std::os::unix::fs::symlink(".", folder.path().join("itself")).unwrap();
        let text = format!("py:{},folder={}", ai.display(), folder.path().display());
        assert_eq!(luggage(&text).files, [Path::new("ai.py")]);
    }
}
