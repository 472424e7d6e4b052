//! Players that lie as files in a folder: parameter files (`.toml`), weights of patterns (`.weights`) and networks
//! (`.net`), each called as its file.
//!
//! A name is that of a file in the folder itself: paths lead nowhere, and links are not followed. What a file says is kept
//! until the file changes.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use std::{fmt, fs, io};

use turncoat_board::VariantKind;
use turncoat_eval::network::read_network;
use turncoat_eval::patterns::read_weights;
use turncoat_util::read_file;

use crate::flagship::MOST_WEIGHTS;
use crate::options::{FILE_OPTION, Options, read};
use crate::registry::kinds;
use crate::{Kind, Roster, SpecError};

/// Files that are listed at most.
const MOST_FILES: usize = 1000;

/// A folder of players.
pub struct PlayerFolder {
    root: PathBuf,
    known: Mutex<HashMap<String, Known>>,
}

/// What was found in a file of this length and time.
struct Known {
    stamp: (u64, Option<SystemTime>),
    found: Option<Arc<FilePlayer>>,
}

/// A player that is a file.
pub struct FilePlayer {
    /// The name of the file.
    pub name: String,
    /// What it is a player of: with other parameters, or with another evaluation.
    pub kind: &'static Kind,
    /// The game that it was made for.
    pub variant: VariantKind,
    /// The option that stands for the file, and its value.
    option: (&'static str, String),
    /// The text of a parameter file.
    text: Option<String>,
}

impl PlayerFolder {
    /// The players of a folder.
    ///
    /// # Errors
    /// If it cannot be listed.
    pub fn open(root: &Path) -> io::Result<Self> {
        fs::read_dir(root)?;
        Ok(Self { root: root.to_owned(), known: Mutex::default() })
    }

    /// All players as they are now, by their names. Files that are none are left out.
    pub fn players(&self) -> Vec<Arc<FilePlayer>> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| is_name(name));
        names.sort_unstable();
        names.truncate(MOST_FILES);
        names.iter().filter_map(|name| self.find(name)).collect()
    }

    /// The player of this name.
    pub fn find(&self, name: &str) -> Option<Arc<FilePlayer>> {
        let path = self.root.join(Some(name).filter(|name| is_name(name))?);
        let file = fs::symlink_metadata(&path).ok().filter(fs::Metadata::is_file)?;
        let stamp = (file.len(), file.modified().ok());
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        match known.get(name) {
            Some(known) if known.stamp == stamp => known.found.clone(),
            _ => {
                let found = FilePlayer::read(name, &path).map(Arc::new);
                known.insert(name.to_owned(), Known { stamp, found: found.clone() });
                found
            }
        }
    }
}

impl FilePlayer {
    fn read(name: &str, path: &Path) -> Option<Self> {
        let end = path.extension()?.to_str()?;
        let path = path.to_str()?;
        if end != "toml" {
            // Its error model is read with it.
            let beside = fs::symlink_metadata(Path::new(path).with_extension("probcut.toml"));
            let file = read_file(path, MOST_WEIGHTS).ok().filter(|_| !beside.is_ok_and(|beside| !beside.is_file()))?;
            let variant = match end {
                "net" => read_network(&file).ok()?.variant,
                _ => read_weights(&file).ok()?.variant,
            };
            let kind = kinds().find(|kind| kind.has_option("eval"))?;
            return Some(Self { name: name.to_owned(), kind, variant, option: ("eval", path.to_owned()), text: None });
        }
        let text = read(path).ok()?;
        let files = [(name.to_owned(), text.clone())];
        let roster = Roster::default().with_files(&files).sealed();
        kinds().filter(|kind| kind.has_parameters()).find_map(|kind| {
            let spec = roster.parse(&format!("{}:{FILE_OPTION}={name}", kind.name)).ok()?;
            let (schema, _) = spec.parameters().ok()?;
            let (name, text) = (name.to_owned(), Some(text.clone()));
            Some(Self { option: (FILE_OPTION, name.clone()), name, kind, variant: schema.variant, text })
        })
    }

    /// The sizes it plays on, in squares a side.
    pub fn sides(&self) -> &'static [u8] {
        if self.text.is_some() { self.kind.sides } else { &[8] }
    }

    /// Its options, with those that were asked for.
    pub(crate) fn options(&self, text: &str, asked: Option<&str>) -> Result<Options, SpecError> {
        let mut options = Options::parse(text, asked, self.kind.options)?;
        let (key, value) = &self.option;
        options.set(key, value);
        if let Some(text) = &self.text {
            options.read_file(&[(value.clone(), text.clone())], true);
        }
        Ok(options)
    }
}

/// Whether a file of this name may be a player: one that can be written in a player's text.
fn is_name(name: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+".contains(c);
    let is_known = |end: &OsStr| end == "toml" || end == "weights" || end == "net";
    name.chars().all(is_plain) && Path::new(name).extension().is_some_and(is_known)
}

impl fmt::Debug for PlayerFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerFolder({})", self.root.display())
    }
}
