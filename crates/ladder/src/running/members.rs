//! What happens in the folder, and who plays after it.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use turncoat_api::ContestantState;
use turncoat_arena::{MOST_PLAYERS, StoreError};
use turncoat_util::printable;

use super::state::{Job, Member};
use super::{Event, REST, Shared, now};
use crate::folder::{EntryFault, Listing, Sighting, Watch, take};
use crate::store::{PlayerRow, beside};

/// The longest title, in characters.
const LONGEST: usize = 60;

/// What a player is called that does not say so itself.
fn title(name: &str) -> String {
    let stem = name.strip_suffix(".py").filter(|stem| !stem.trim().is_empty()).unwrap_or(name);
    printable(stem).chars().take(LONGEST).collect()
}

/// What a player is called whose title another has: with its name in the folder.
pub(super) fn told_apart(title: &str, name: &str) -> String {
    let name: String = printable(name).chars().take(LONGEST).collect();
    format!("{title} ({name})")
}

/// What was seen in the folder and is still to be taken in: of each name the latest.
#[derive(Debug, Default)]
pub(super) struct Seen {
    waiting: BTreeMap<String, Sighting>,
    /// Names that are being written to.
    changing: BTreeSet<String>,
    /// Until when nothing is tried again after trouble.
    resting: Option<Instant>,
}

impl Seen {
    /// Whether everything is taken in.
    pub(super) fn is_done(&self) -> bool {
        self.waiting.is_empty() && self.changing.is_empty()
    }
}

/// Why something cannot be taken in now, for whoever runs the ladder.
enum Trouble {
    Store(StoreError),
    Copy(String),
}

impl From<StoreError> for Trouble {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl Shared<'_> {
    /// Takes in what was seen. What cannot be stored now, as on a full disk, is tried again.
    pub(super) fn sight(&self, watch: &mut Watch, sightings: Vec<Sighting>, seen: &mut Seen) {
        seen.waiting.extend(sightings.into_iter().map(|sighting| (sighting.name().to_owned(), sighting)));
        if seen.resting.is_some_and(|until| Instant::now() < until) {
            return;
        }
        let mut trouble = None;
        for (name, sighting) in std::mem::take(&mut seen.waiting) {
            if let Err(error) = self.take_in(watch, &sighting, &mut seen.changing) {
                trouble = Some(error);
                seen.waiting.insert(name, sighting);
            }
        }
        let trouble = trouble.or(self.leave_missing(watch).err().map(Trouble::Store));
        seen.resting = trouble.is_some().then(|| Instant::now() + REST);
        match trouble {
            Some(Trouble::Store(error)) => self.tell(Event::Trouble { words: error.to_string() }),
            Some(Trouble::Copy(words)) => self.tell(Event::Trouble { words }),
            None => {}
        }
    }

    fn take_in(&self, watch: &mut Watch, sighting: &Sighting, changing: &mut BTreeSet<String>) -> Result<(), Trouble> {
        match sighting {
            Sighting::Changing { name } => {
                changing.insert(name.clone());
                return Ok(());
            }
            Sighting::Left { name } => self.leave(name)?,
            Sighting::Refused { name, fault } => self.refuse(name, &fault.to_string())?,
            Sighting::Settled { name, listing } => {
                if let Arrival::Changed = self.arrive(name, listing)? {
                    watch.forget(name, Instant::now());
                    return Ok(());
                }
            }
        }
        changing.remove(sighting.name());
        Ok(())
    }

    /// Programs that were removed while no ladder ran.
    fn leave_missing(&self, watch: &Watch) -> Result<(), StoreError> {
        let is_missing = |member: &&Member| {
            let there = watch.folder().join(&member.row.name);
            let is_settled = matches!(member.row.state, ContestantState::Gone | ContestantState::Refused);
            !member.row.is_yardstick && !is_settled && there.symlink_metadata().is_err()
        };
        let missing: Vec<String> =
            self.state().members.iter().filter(is_missing).map(|member| member.row.name.clone()).collect();
        missing.iter().try_for_each(|name| self.leave(name))
    }

    fn leave(&self, name: &str) -> Result<(), StoreError> {
        let mut state = self.state();
        let member = state.members.iter().find(|member| member.row.name == name);
        let Some(row) = member.map(|member| member.row.clone()) else { return Ok(()) };
        if row.state == ContestantState::Gone {
            return Ok(());
        }
        state.queue.retain(|job| job.player != row.id);
        state.set(row.id, ContestantState::Gone, None)?;
        self.tell(Event::Left { player: row.title });
        Ok(())
    }

    /// What lies under a name is not a program. A version that played before does not play on: its file is gone.
    fn refuse(&self, name: &str, words: &str) -> Result<(), StoreError> {
        let player = self.enter(name)?;
        self.state().set(player.id, ContestantState::Refused, Some(words.to_owned()))?;
        self.tell(Event::Refused { player: player.title, words: words.to_owned() });
        Ok(())
    }

    /// The player of this name, a member from now on.
    fn enter(&self, name: &str) -> Result<PlayerRow, StoreError> {
        let mut state = self.state();
        let known = state.members.iter().find(|member| member.row.name == name);
        if let Some(known) = known {
            return Ok(known.row.clone());
        }
        let id = state.store.player(name, &title(name), false)?;
        let row = PlayerRow {
            id,
            name: name.to_owned(),
            title: title(name),
            is_yardstick: false,
            state: ContestantState::Waiting,
            words: None,
            version: None,
        };
        state.members.push(Member { row: row.clone(), current: None, latest: None });
        Ok(row)
    }

    /// A player has settled: its version is entered, and tested unless it has been.
    fn arrive(&self, name: &str, listing: &Listing) -> Result<Arrival, Trouble> {
        let store = &self.options.store;
        let versions = beside(&store.canonicalize().unwrap_or_else(|_| store.clone()), "-versions");
        let taken = match take(listing, &title(name), &versions) {
            Ok(taken) => taken,
            Err(EntryFault::Changed) => return Ok(Arrival::Changed),
            Err(fault @ EntryFault::Copy { .. }) => return Err(Trouble::Copy(format!("{}: {fault}", title(name)))),
            Err(fault) => {
                self.refuse(name, &fault.to_string())?;
                return Ok(Arrival::Taken);
            }
        };
        let known = self.state().members.iter().any(|member| member.row.name == name);
        if !known && self.state().programs() >= MOST_PLAYERS {
            let words = format!("the ladder is full: it has {MOST_PLAYERS} programs");
            self.tell(Event::Refused { player: title(name), words });
            return Ok(Arrival::Taken);
        }
        let player = self.enter(name)?;
        let mut state = self.state();
        let version = state.store.version(player.id, &taken.digest, &taken.spec, now())?;
        let before = state.member(player.id).and_then(|member| member.latest.replace(version.id));
        state.queue.retain(|job| job.player != player.id);
        let is_new = before != Some(version.id);
        match version.passed {
            Some(true) => {
                let number = version.number;
                state.promote(version, &taken.title)?;
                if is_new || player.state != ContestantState::Playing {
                    self.tell(Event::Enters { player: taken.title, version: number });
                }
            }
            // A file that was written again without a change is tested again; one that lies there is not.
            Some(false) if is_new && player.state == ContestantState::Failed => {}
            _ => {
                self.tell(Event::Arrived { player: taken.title.clone(), version: version.number });
                state.queue.push_back(Job { player: player.id, version, title: taken.title });
                if player.state != ContestantState::Playing {
                    state.set(player.id, ContestantState::Testing, None)?;
                }
                drop(state);
                self.changed.notify_all();
            }
        }
        Ok(Arrival::Taken)
    }
}

/// What became of an arrival.
enum Arrival {
    Taken,
    /// It changed meanwhile and is waited for again.
    Changed,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn titles_are_printable_short_and_never_blank() {
        assert_eq!(title("li.py"), "li");
        assert_eq!(title("Li.PY"), "Li.PY");
        assert_eq!(title(" .py"), " .py");
        assert_eq!(title("a\u{1b}[2J\n.py"), "a\\u{1b}[2J\\n");
        assert_eq!(title(&"x".repeat(200)).len(), LONGEST);
        assert_eq!(told_apart("Li", "b\u{1b}.py"), "Li (b\\u{1b}.py)");
        assert!(told_apart("Li", &"\n".repeat(200)).len() < 2 * LONGEST);
    }
}
