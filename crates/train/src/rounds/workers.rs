//! Who does the work of a loop: the threads of this machine, and for its games also other machines.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use turncoat_players::StopFlag;

use super::gate::Contest;
use super::{Hear, LoopError, LoopEvent, games};
use crate::games::{TrainingGame, read_shard, write_shard};
use crate::matches::MatchResult;
use crate::selfplay::{SelfplayPlan, play_chunk};

/// Takes the games of a file by its number, and says whether to continue.
pub type Keep<'a> = &'a mut dyn FnMut(u64, &[TrainingGame]) -> Result<bool, LoopError>;

/// What is done on this machine: it is told when to stop, and where to tell its progress.
pub type Work<'a> = &'a mut (dyn FnMut(&StopFlag, Hear<'_>) + Send);

/// Does the work of a loop. What comes of it does not depend on who does it.
pub trait Workers {
    /// Plays the games of a plan, from the file with this number on. Whether it came to an end, rather than being stopped.
    ///
    /// # Errors
    /// If the evaluation cannot be used, memory runs out, or the games cannot be kept.
    fn selfplay(&mut self, plan: &SelfplayPlan, first: u64, keep: Keep<'_>) -> Result<bool, LoopError>;

    /// Plays a match; `None` if it was stopped.
    ///
    /// # Errors
    /// If a player cannot be built or fails.
    fn meet(&mut self, contest: &Contest) -> Result<Option<MatchResult>, LoopError>;

    /// Does what other machines have no part in.
    fn here(&mut self, work: Work<'_>);
}

/// All of it on the threads of the pool that the loop is in.
pub struct Here<'a> {
    /// Interrupts it.
    pub stop: &'a StopFlag,
    /// Hears of the progress.
    pub hear: Hear<'a>,
}

impl Workers for Here<'_> {
    fn selfplay(&mut self, plan: &SelfplayPlan, first: u64, keep: Keep<'_>) -> Result<bool, LoopError> {
        games::play(plan, first, self.stop, self.hear, keep)
    }

    fn meet(&mut self, contest: &Contest) -> Result<Option<MatchResult>, LoopError> {
        let hear = |played| (self.hear)(LoopEvent::Match(contest.name(), played, contest.games));
        Ok(contest.plan()?.play(self.stop, &hear)?)
    }

    fn here(&mut self, work: Work<'_>) {
        work(self.stop, self.hear);
    }
}

/// Games that any machine can play: plain data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum LoopGames {
    /// Training games.
    Selfplay(SelfplayPlan),
    /// A match.
    Match(Contest),
}

impl LoopGames {
    /// The places for files of weights, which another machine has elsewhere.
    pub fn files(&mut self) -> Vec<&mut String> {
        match self {
            Self::Selfplay(plan) => {
                plan.evaluation_file().is_some().then_some(&mut plan.evaluation).into_iter().collect()
            }
            Self::Match(contest) => contest.files(),
        }
    }

    /// Plays the games with these numbers on one thread: a file of training games, or the half points of a match.
    ///
    /// # Errors
    /// If an evaluation cannot be used, a player fails, or the flag is raised.
    pub fn play(&self, numbers: Range<u64>, stop: &StopFlag) -> Result<Vec<u8>, LoopError> {
        match self {
            Self::Selfplay(plan) => {
                let games = play_chunk(plan, numbers, stop).map_err(LoopError::Evaluation)?;
                Ok(write_shard(plan.variant, plan.size, &games))
            }
            Self::Match(contest) => Ok(contest.plan()?.play_some(numbers, stop)?),
        }
    }
}

/// Has games played elsewhere, those with these numbers: what [`LoopGames::play`] says of parts of them, in order.
/// `None` if it was stopped.
pub type PlayElsewhere<'a> = &'a mut dyn FnMut(&LoopGames, Range<u64>) -> Result<Option<Vec<Vec<u8>>>, LoopError>;

/// Files of games that are asked for at once, for each core: seconds of work, which are lost if the loop is killed.
const FILES_OF_A_CORE: u64 = 8;
/// Games of a test that are asked for at once, for each core: it may be decided by fewer.
const GAMES_OF_A_CORE: u64 = 64;

/// [`Workers::selfplay`] by machines with so many cores.
///
/// # Errors
/// As there, or if what comes back is not what was asked for.
pub fn selfplay_elsewhere(
    plan: &SelfplayPlan,
    first: u64,
    keep: Keep<'_>,
    cores: u64,
    play: PlayElsewhere<'_>,
) -> Result<bool, LoopError> {
    let games = LoopGames::Selfplay(plan.clone());
    let at_once = FILES_OF_A_CORE * cores.max(1);
    let mut shard = first;
    while shard < plan.shards() {
        let end = (shard + at_once).min(plan.shards());
        let numbers = plan.games_of(shard).start..plan.games_of(end - 1).end;
        let Some(chunks) = play(&games, numbers.clone())? else {
            return Ok(false);
        };
        let mut played = Vec::new();
        for chunk in &chunks {
            played.extend(
                read_shard(chunk, plan.variant, plan.size).map_err(|fault| LoopError::Elsewhere(fault.to_string()))?,
            );
        }
        check_count(played.len(), &numbers)?;
        for (number, games) in (shard..end).zip(played.chunks(plan.shard as usize)) {
            if !keep(number, games)? {
                return Ok(true);
            }
        }
        shard = end;
    }
    Ok(true)
}

/// [`Workers::meet`] by machines with so many cores.
///
/// # Errors
/// As there, or if what comes back is not what was asked for.
pub fn meet_elsewhere(
    contest: &Contest,
    cores: u64,
    play: PlayElsewhere<'_>,
) -> Result<Option<MatchResult>, LoopError> {
    let (games, sprt) = (LoopGames::Match(contest.clone()), contest.sprt());
    // Pairs are whole.
    let all = contest.games.next_multiple_of(2);
    let at_once = if sprt.is_some() { GAMES_OF_A_CORE * cores.max(1) } else { all };
    let mut result = MatchResult::default();
    for first in (0..all).step_by(at_once.max(1) as usize) {
        let numbers = first..(first + at_once).min(all);
        let Some(chunks) = play(&games, numbers.clone())? else {
            return Ok(None);
        };
        let points = chunks.concat();
        check_count(points.len(), &numbers)?;
        for pair in points.as_chunks().0 {
            result.add(*pair).ok_or_else(|| LoopError::Elsewhere("no game has such points".to_owned()))?;
            if sprt.is_some_and(|sprt| result.decision(&sprt).is_some()) {
                return Ok(Some(result));
            }
        }
    }
    Ok(Some(result))
}

fn check_count(found: usize, numbers: &Range<u64>) -> Result<(), LoopError> {
    let expected = numbers.end - numbers.start;
    if found as u64 == expected {
        return Ok(());
    }
    Err(LoopError::Elsewhere(format!("{found} games came back for {expected}")))
}
