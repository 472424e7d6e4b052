//! Watches the folder by looking at it again and again: that works on every file system, also over a network.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::{EntryFault, Listing, is_ignored};

/// How long a player must stay as it is before it is taken: what is being written changes meanwhile.
pub const SETTLED: Duration = Duration::from_millis(1500);

/// What has happened in the folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sighting {
    /// A player is new or has changed, and is being waited for.
    Changing {
        /// Its name in the folder.
        name: String,
    },
    /// A player is new or has changed, and has settled.
    Settled {
        /// Its name in the folder.
        name: String,
        /// Its files.
        listing: Listing,
    },
    /// What lies under this name is not a player.
    Refused {
        /// Its name in the folder.
        name: String,
        /// Why.
        fault: EntryFault,
    },
    /// Nothing lies under this name any more.
    Left {
        /// The name.
        name: String,
    },
}

impl Sighting {
    /// The name in the folder.
    pub fn name(&self) -> &str {
        match self {
            Self::Changing { name } | Self::Settled { name, .. } | Self::Refused { name, .. } | Self::Left { name } => {
                name
            }
        }
    }
}

#[derive(Debug)]
struct Seen {
    found: Result<Listing, EntryFault>,
    since: Instant,
    told: bool,
}

/// A folder that is watched.
#[derive(Debug)]
pub struct Watch {
    folder: PathBuf,
    seen: BTreeMap<String, Seen>,
}

impl Watch {
    /// Begins to watch a folder.
    ///
    /// # Errors
    /// If it is not a folder that can be read.
    pub fn new(folder: &Path) -> io::Result<Self> {
        fs::read_dir(folder)?;
        Ok(Self { folder: folder.canonicalize()?, seen: BTreeMap::new() })
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Looks again.
    ///
    /// # Errors
    /// If the folder itself cannot be read: then nobody has left it.
    pub fn look(&mut self, now: Instant) -> io::Result<Vec<Sighting>> {
        let mut names = BTreeMap::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let text = name.to_string_lossy().into_owned();
            if !is_ignored(&text) {
                let path = name.to_str().map(|_| entry.path());
                names.entry(text).or_insert(path);
            }
        }
        let mut sightings = Vec::new();
        let gone: Vec<String> = self.seen.keys().filter(|name| !names.contains_key(*name)).cloned().collect();
        for name in gone {
            self.seen.remove(&name);
            sightings.push(Sighting::Left { name });
        }
        for (name, path) in names {
            let found = path.map_or(Err(EntryFault::Name), |path| Listing::new(&path));
            sightings.extend(self.compare(name, found, now));
        }
        Ok(sightings)
    }

    /// Compares what is found under a name with what was there before.
    fn compare(&mut self, name: String, found: Result<Listing, EntryFault>, now: Instant) -> Option<Sighting> {
        let seen = match self.seen.get_mut(&name) {
            Some(seen) if seen.found == found => seen,
            _ => {
                self.seen.insert(name.clone(), Seen { found, since: now, told: false });
                return Some(Sighting::Changing { name });
            }
        };
        if seen.told || now.saturating_duration_since(seen.since) < SETTLED {
            return None;
        }
        seen.told = true;
        Some(match &seen.found {
            Ok(listing) => Sighting::Settled { name, listing: listing.clone() },
            Err(fault) => Sighting::Refused { name, fault: fault.clone() },
        })
    }

    /// Waits for a player again that changed while it was taken.
    pub fn forget(&mut self, name: &str, now: Instant) {
        if let Some(seen) = self.seen.get_mut(name) {
            (seen.since, seen.told) = (now, false);
        }
    }
}
