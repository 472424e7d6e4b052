//! What a ladder knows while it runs. Whatever must outlast it is in the store first.

use std::collections::{BTreeMap, VecDeque};
use std::time::Instant;

use turncoat_api::{ContestRow, ContestantState, LiveBoard, LiveView};
use turncoat_arena::StoreError;
use turncoat_players::Roster;
use turncoat_players::seed::stream;

use super::members::told_apart;
use super::{LadderError, Options, now};
use crate::challenge::{self, Rung};
use crate::rows::contest_rows;
use crate::store::rows::open_pairs;
use crate::store::{Pair, PlayerRow, Store, VersionRow, players, tallies, versions};
use crate::table::{Line, Tallies, table};

/// What the lots of challenges are for, beside the numbers of the arena.
const CHALLENGES: u64 = 0x6c61_6464;

/// A player and its versions.
#[derive(Debug, Clone)]
pub(super) struct Member {
    pub(super) row: PlayerRow,
    /// The version that plays.
    pub(super) current: Option<VersionRow>,
    /// The version in the folder, by its number in the store.
    pub(super) latest: Option<i64>,
}

impl Member {
    fn plays(&self) -> Option<i64> {
        let version = self.current.as_ref().filter(|_| self.row.state == ContestantState::Playing)?;
        Some(version.id)
    }
}

/// A version that waits for its test.
#[derive(Debug, Clone)]
pub(super) struct Job {
    pub(super) player: i64,
    pub(super) version: VersionRow,
    pub(super) title: String,
}

/// What a ladder knows.
#[derive(Debug)]
pub(super) struct State {
    pub(super) store: Store,
    pub(super) members: Vec<Member>,
    pub(super) tallies: Tallies,
    /// The table of those that play.
    pub(super) lines: Vec<Line>,
    pub(super) queue: VecDeque<Job>,
    pub(super) testing: Vec<Job>,
    /// Pairs that are being played.
    pub(super) playing: Vec<Pair>,
    /// Pairs that an earlier process did not finish.
    open: Vec<Pair>,
    /// Games and tests that there are cores for.
    pub(super) allowed: usize,
    pub(super) live: BTreeMap<u64, LiveBoard>,
    told_live: Option<LiveView>,
    /// Until when nothing is begun after trouble.
    pub(super) resting: Option<Instant>,
    pub(super) games: u64,
    is_changed: bool,
    seed: u64,
}

impl State {
    /// Reads the store; yardsticks are entered.
    pub(super) fn open(mut store: Store, options: &Options) -> Result<Self, LadderError> {
        let mut yardsticks = Vec::new();
        for text in &options.yardsticks {
            let spec = Roster::default().parse(text)?;
            let setting = turncoat_players::Setting {
                variant: options.plan.variant,
                geometry: options.plan.size,
                seed: options.plan.seed,
            };
            spec.build(setting)?;
            // No file can have this name.
            let id = store.player(&format!("/{text}"), text, true)?;
            let version = store.version(id, &spec.fingerprint().unwrap_or_default(), text, now())?;
            store.promote(&version, text)?;
            yardsticks.push(id);
        }
        let current = store.reading(versions)?;
        let mut members = Vec::new();
        for mut row in store.reading(players)? {
            let leaves = row.is_yardstick && !yardsticks.contains(&row.id);
            if leaves {
                row.state = ContestantState::Gone;
                store.set_state(row.id, row.state, None)?;
            }
            let current = row.version.and_then(|version| current.get(&version).cloned());
            members.push(Member { latest: row.version, current, row });
        }
        let tallies = store.reading(tallies)?;
        let open = store.reading(open_pairs)?;
        let games = store
            .reading(|connection| connection.query_row("SELECT count(*) FROM games", [], |row| row.get::<_, i64>(0)))?;
        let mut state = Self {
            store,
            members,
            tallies,
            lines: Vec::new(),
            queue: VecDeque::new(),
            testing: Vec::new(),
            playing: Vec::new(),
            open,
            allowed: 1,
            live: BTreeMap::new(),
            told_live: None,
            resting: None,
            games: games as u64,
            is_changed: true,
            seed: options.plan.seed,
        };
        state.rate();
        Ok(state)
    }

    /// The member of this number in the store.
    pub(super) fn member(&mut self, player: i64) -> Option<&mut Member> {
        self.members.iter_mut().find(|member| member.row.id == player)
    }

    /// Computes the table anew.
    pub(super) fn rate(&mut self) {
        let playing: Vec<i64> = self.members.iter().filter_map(Member::plays).collect();
        self.lines = table(&playing, &self.tallies);
        self.is_changed = true;
    }

    /// Programs that are in the folder.
    pub(super) fn programs(&self) -> usize {
        let is_there = |member: &&Member| !member.row.is_yardstick && member.row.state != ContestantState::Gone;
        self.members.iter().filter(is_there).count()
    }

    /// Games and tests that use a core.
    pub(super) fn at_work(&self) -> usize {
        self.playing.len() + self.testing.len()
    }

    /// What becomes of a player.
    pub(super) fn set(&mut self, player: i64, state: ContestantState, words: Option<String>) -> Result<(), StoreError> {
        self.store.set_state(player, state, words.as_deref())?;
        if let Some(member) = self.member(player) {
            (member.row.state, member.row.words) = (state, words);
        }
        self.rate();
        Ok(())
    }

    /// Lets a version play.
    pub(super) fn promote(&mut self, version: VersionRow, title: &str) -> Result<(), StoreError> {
        let player = version.player;
        let is_taken = self.members.iter().any(|member| {
            member.row.id != player && member.row.title == title && member.row.state != ContestantState::Gone
        });
        let Some(name) = self.member(player).map(|member| member.row.name.clone()) else { return Ok(()) };
        let title = if is_taken { told_apart(title, &name) } else { title.to_owned() };
        self.store.promote(&version, &title)?;
        if let Some(member) = self.member(player) {
            (member.row.state, member.row.words) = (ContestantState::Playing, None);
            (member.row.title, member.row.version) = (title, Some(version.id));
            member.current = Some(version);
        }
        self.rate();
        Ok(())
    }

    /// The next pair to be played, if there is a core for it.
    pub(super) fn next_pair(&mut self, goal: Option<u64>) -> Result<Option<Pair>, StoreError> {
        let rests = self.resting.is_some_and(|until| Instant::now() < until);
        // Tests come first: whoever has just uploaded something waits for its result.
        let waits = !self.queue.is_empty() && self.testing.len() < self.allowed;
        if rests || waits || self.at_work() >= self.allowed {
            return Ok(None);
        }
        while let Some(pair) = self.open.pop() {
            let plays = |version: i64| self.lines.iter().any(|line| line.version == version);
            if plays(pair.a) && plays(pair.b) {
                self.playing.push(pair);
                return Ok(Some(pair));
            }
            self.store.drop_pair(pair.number)?;
        }
        let mut rungs = self.rungs();
        if goal.is_some_and(|goal| rungs.iter().all(|rung| rung.is_yardstick || rung.games >= goal)) {
            return Ok(None);
        }
        rungs.sort_by(|a, b| self.elo(b.version).total_cmp(&self.elo(a.version)));
        let met = |a: i64, b: i64| {
            let decided = self.playing.iter().filter(|pair| [(a, b), (b, a)].contains(&(pair.a, pair.b)));
            self.tallies.between(a, b).games() + 2 * decided.count() as u64
        };
        let mut lots = stream(self.seed, &[CHALLENGES, self.games, self.playing.len() as u64]);
        let Some((a, b)) = challenge::next(&rungs, met, &mut lots) else { return Ok(None) };
        let pair = self.store.pair(a, b)?;
        self.playing.push(pair);
        Ok(Some(pair))
    }

    fn elo(&self, version: i64) -> f64 {
        self.lines.iter().find(|line| line.version == version).map_or(0.0, |line| line.rating.elo)
    }

    fn rungs(&self) -> Vec<Rung> {
        let is_yardstick =
            |version: i64| self.members.iter().any(|member| member.plays() == Some(version) && member.row.is_yardstick);
        let rung = |line: &Line| {
            let decided = self.playing.iter().filter(|pair| pair.a == line.version || pair.b == line.version);
            let games = line.total.games() + 2 * decided.count() as u64;
            Rung { version: line.version, is_yardstick: is_yardstick(line.version), games }
        };
        self.lines.iter().map(rung).collect()
    }

    /// Whether every program has its games and nothing is left to do.
    pub(super) fn is_done(&self, goal: Option<u64>) -> bool {
        let idle = self.queue.is_empty() && self.at_work() == 0;
        idle && goal.is_some_and(|goal| self.rungs().iter().all(|rung| rung.is_yardstick || rung.games >= goal))
    }

    /// The table, if it has changed since it was last asked for.
    pub(super) fn changed_table(&mut self) -> Option<(Vec<ContestRow>, u64)> {
        std::mem::take(&mut self.is_changed).then(|| (self.rows(), self.games))
    }

    /// The lines of the table for people.
    pub(super) fn rows(&self) -> Vec<ContestRow> {
        let players: Vec<PlayerRow> = self.members.iter().map(|member| member.row.clone()).collect();
        let current = self.members.iter().filter_map(|member| member.current.clone());
        contest_rows(&players, &current.map(|version| (version.id, version)).collect(), &self.lines)
    }

    /// What is going on, as pages show it, if it has changed since it was last asked for.
    pub(super) fn changed_live(&mut self) -> Option<LiveView> {
        let titles = |jobs: &mut dyn Iterator<Item = &Job>| jobs.map(|job| job.title.clone()).collect();
        let live = LiveView {
            boards: self.live.values().cloned().collect(),
            testing: titles(&mut self.testing.iter()),
            queue: titles(&mut self.queue.iter()),
        };
        if self.told_live.as_ref() == Some(&live) {
            return None;
        }
        self.told_live = Some(live.clone());
        Some(live)
    }
}
