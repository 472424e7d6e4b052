//! The collecting end of a run: stores finished games, counts them in order, decides.

use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use turncoat_players::StopFlag;

use super::RunError;
use crate::played::Finished;
use crate::results::Results;
use crate::stats::sprt::{Decision, Sprt};
use crate::store::Store;

/// Games are committed at the latest this long after they were finished.
const BATCH: Duration = Duration::from_millis(50);

/// What a thread hands over.
pub(super) type PlayedOrError = Result<Finished, RunError>;

/// Counts what can be counted, in the order of numbers, until the test is decided; games that were
/// finished beyond the decision are forgotten. `counted` is called after each game.
///
/// # Errors
/// If `counted` fails; the game it was called for is counted.
pub fn settle(
    results: &mut Results,
    sprt: Option<&Sprt>,
    counted: &mut dyn FnMut(&Results) -> io::Result<()>,
) -> io::Result<Option<Decision>> {
    while results.count_next().is_some() {
        counted(results)?;
        let pair_is_whole = results.games().len().is_multiple_of(2);
        let decision = sprt.filter(|_| pair_is_whole).and_then(|sprt| sprt.decide(&results.against(0, 1).pairs));
        if decision.is_some() {
            results.drop_waiting();
            return Ok(decision);
        }
    }
    Ok(None)
}

/// Takes the games of all threads.
pub(super) struct Collector<'a> {
    pub(super) results: &'a mut Results,
    pub(super) store: Option<&'a mut Store>,
    pub(super) sprt: Option<&'a Sprt>,
    pub(super) counted: &'a mut dyn FnMut(&Results) -> io::Result<()>,
    pub(super) decided: Option<Decision>,
    pub(super) batch: Vec<Finished>,
    /// When the batch must be committed.
    pub(super) due: Option<Instant>,
}

impl Collector<'_> {
    /// Counts what is among the results already.
    pub(super) fn settle(&mut self) -> Result<(), RunError> {
        self.decided = settle(self.results, self.sprt, self.counted)?;
        Ok(())
    }

    /// Takes finished games until all threads are done. After a failure or a decision it still takes them,
    /// so that no thread hangs on a full queue, and the first failure is what it returns.
    pub(super) fn collect(
        &mut self,
        receiver: &Receiver<PlayedOrError>,
        halt: &StopFlag,
        stop: &StopFlag,
    ) -> Result<(), RunError> {
        let mut failure = None;
        loop {
            let report = receiver.recv_timeout(self.time_left());
            let over = matches!(report, Err(RecvTimeoutError::Disconnected));
            match report {
                Ok(Ok(finished)) => self.add(finished),
                Ok(Err(error)) => failure = failure.or(Some(error)),
                Err(_) => {}
            }
            if over || self.time_left().is_zero() {
                self.flush(&mut failure);
            }
            if over {
                return failure.map_or(Ok(()), Err);
            }
            if failure.is_some() || self.decided.is_some() || stop.is_raised() {
                halt.raise();
            }
        }
    }

    fn add(&mut self, finished: Finished) {
        self.batch.push(finished);
        let wait = if self.store.is_some() { BATCH } else { Duration::ZERO };
        self.due.get_or_insert_with(|| Instant::now() + wait);
    }

    fn time_left(&self) -> Duration {
        self.due.map_or(BATCH, |due| due.saturating_duration_since(Instant::now()))
    }

    /// Stores the batch, then counts it: a game that was shown is on the disk. After a failure
    /// games are still taken in, so that they can be kept elsewhere, but no longer shown. Those that
    /// cannot be stored are not tried again: they are played again when the run is resumed.
    fn flush(&mut self, failure: &mut Option<RunError>) {
        self.due = None;
        let batch = std::mem::take(&mut self.batch);
        if self.decided.is_some() {
            return;
        }
        if let Some(store) = &mut self.store
            && !batch.is_empty()
            && !matches!(failure, Some(RunError::Store(_)))
            && let Err(error) = store.write(&batch)
        {
            failure.get_or_insert(error.into());
        }
        for finished in batch {
            self.results.add(finished.played);
        }
        if failure.is_none() {
            *failure = self.settle().err();
        }
    }
}
