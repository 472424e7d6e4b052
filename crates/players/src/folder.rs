//! Players that lie as files in a folder: parameter files (`.toml`), weights of patterns (`.weights`) and networks
//! (`.net`), each called as its file.
//!
//! A name is that of a file in the folder itself: paths lead nowhere, and links are not followed. What a file says is kept
//! until the file changes.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use std::{fmt, fs, io};

use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::network::read_network;
use turncoat_eval::patterns::read_weights;
use turncoat_util::read_file;

use crate::flagship::MOST_WEIGHTS;
use crate::options::{FILE_OPTION, Options, read};
use crate::registry::kinds;
use crate::{BuildError, Kind, Roster, SpecError};

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
    found: Result<Arc<FilePlayer>, String>,
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
    /// The sizes it plays on, in squares a side.
    pub sides: &'static [u8],
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
        self.names().iter().filter_map(|name| self.find(name)).collect()
    }

    /// The files that end like players and are none, with the reasons. An error model belongs to the weights beside it.
    pub fn faults(&self) -> Vec<(String, String)> {
        let mut names = self.names();
        names.retain(|name| !name.ends_with(".probcut.toml"));
        let fault = |name: String| self.look_at(&name).err().map(|why| (name, why));
        names.into_iter().filter_map(fault).collect()
    }

    /// The names of files that end like players.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.root).into_iter().flatten().flatten();
        let mut names: Vec<String> = entries.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.retain(|name| has_known_end(name));
        names.sort_unstable();
        names.truncate(MOST_FILES);
        names
    }

    /// The player of this name.
    pub fn find(&self, name: &str) -> Option<Arc<FilePlayer>> {
        self.look_at(name).ok()
    }

    /// The player of this name, or why there is none.
    fn look_at(&self, name: &str) -> Result<Arc<FilePlayer>, String> {
        if !is_name(name) {
            return Err("names are made of letters, digits, '.', '_', '-' and '+'".to_owned());
        }
        let path = self.root.join(name);
        let file = fs::symlink_metadata(&path).map_err(|error| error.to_string())?;
        if !file.is_file() {
            return Err("it is no regular file, and links are not followed".to_owned());
        }
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
    fn read(name: &str, path: &Path) -> Result<Self, String> {
        let path = path.to_str().ok_or("its path is not text")?;
        match ending(name) {
            Some("toml") => Self::of_parameters(name, path),
            Some("net") => {
                Self::of_evaluation(name, path, |file| read_network(file).map(|net| (net.variant, Geometry::EIGHT)))
            }
            _ => {
                Self::of_evaluation(name, path, |file| read_weights(file).map(|found| (found.variant, found.geometry)))
            }
        }
    }

    fn of_evaluation<F: fmt::Display>(
        name: &str,
        path: &str,
        made_for: impl Fn(&[u8]) -> Result<(VariantKind, Geometry), F>,
    ) -> Result<Self, String> {
        let file = read_file(path, MOST_WEIGHTS).map_err(|error| error.to_string())?;
        // Its error model is read with it.
        let beside = Path::new(path).with_extension("probcut.toml");
        if fs::symlink_metadata(&beside).is_ok_and(|beside| !beside.is_file()) {
            return Err(format!("{} is no regular file", beside.display()));
        }
        let (variant, geometry) = made_for(&file).map_err(|fault| fault.to_string())?;
        let sides: &[u8] = match geometry.side() {
            8 => &[8],
            6 => &[6],
            _ => &[4],
        };
        let kind = kinds().find(|kind| kind.has_option("eval")).ok_or("no player takes it")?;
        Ok(Self { name: name.to_owned(), kind, variant, option: ("eval", path.to_owned()), text: None, sides })
    }

    fn of_parameters(name: &str, path: &str) -> Result<Self, String> {
        let text = read(path)?;
        let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let player =
            table.get("player").and_then(toml::Value::as_str).ok_or("it does not say whose parameters it has")?;
        let kind = kinds().find(|kind| kind.has_parameters() && kind.name == player);
        let kind = kind.ok_or_else(|| format!("no player with parameters is called {player:?}"))?;
        let roster = Roster::default().with_files(&[(name.to_owned(), text.clone())]).sealed();
        let parsed = roster.parse(&format!("{player}:{FILE_OPTION}={name}")).and_then(|spec| spec.parameters());
        let (schema, _) = parsed.map_err(|error| match error {
            BuildError::Spec(error) => error.fault,
            error => error.to_string(),
        })?;
        let (name, text) = (name.to_owned(), Some(text));
        Ok(Self { option: (FILE_OPTION, name.clone()), name, kind, variant: schema.variant, text, sides: kind.sides })
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
    name.chars().all(is_plain) && has_known_end(name)
}

fn has_known_end(name: &str) -> bool {
    ending(name).is_some_and(|end| ["toml", "weights", "net"].contains(&end))
}

fn ending(name: &str) -> Option<&str> {
    Path::new(name).extension()?.to_str()
}

impl fmt::Debug for PlayerFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerFolder({})", self.root.display())
    }
}
