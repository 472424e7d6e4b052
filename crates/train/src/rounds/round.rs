//! A round: games, weights, tests, and what is kept of them.

use std::fs;
use std::io;
use std::sync::Mutex;

use turncoat_players::StopFlag;

use super::games::{self, Fitted};
use super::run::{BEST, BEST_MODEL, LoopRun, LoopStep, text};
use super::{Hear, LoopError, LoopEvent, RoundRecord, Workers, gate};
use crate::games::write_shard;
use crate::patterns::{self, Event, Gathered, TrainingError};
use crate::run_folder::{FolderError, RunFolder};

impl LoopRun {
    /// Goes through a round.
    pub(super) fn round(&mut self, round: u32, workers: &mut dyn Workers) -> Result<LoopStep, LoopError> {
        if self.state.games.is_none() && !self.play_games(round, workers)? {
            return Ok(LoopStep::Interrupted);
        }
        let mut fitted = Ok(None);
        workers.here(&mut |stop, hear| fitted = self.fit(round, stop, hear));
        let Some(gathered) = fitted? else {
            return Ok(LoopStep::Interrupted);
        };
        let opponent = self.state.best.map_or_else(|| gate::HAND.to_owned(), |best| format!("round {best}"));
        let best = (opponent, self.evaluation());
        let played = gate::play(&self.settings, round, &text(&self.weights(round)), best, workers)?;
        let Some((test, accepted, yardsticks)) = played else {
            return Ok(LoopStep::Interrupted);
        };
        let record = RoundRecord {
            round,
            depth: self.settings.depth(round),
            games: self.state.games.unwrap_or_default(),
            fitted_games: gathered.games,
            positions: gathered.positions,
            accepted,
            test,
            yardsticks,
        };
        self.keep(record.clone())?;
        Ok(LoopStep::Round(record))
    }

    /// Plays what is missing of a round's games; whether they are over, rather than stopped.
    fn play_games(&mut self, round: u32, workers: &mut dyn Workers) -> Result<bool, LoopError> {
        if self.state.games_end.is_none() {
            self.state.games_end = self.settings.games_end(round, self.seconds(), self.state.rest);
            self.save()?;
        }
        let plan = self.settings.selfplay(round, self.evaluation());
        let folder = RunFolder::create_or_open(&self.games(round))?;
        let name = |shard: u64| format!("{shard:06}.games");
        let first = (0..plan.shards()).find(|&shard| !folder.file(&name(shard)).exists()).unwrap_or(plan.shards());
        let mut games = plan.games_of(first).start;
        let over = workers.selfplay(&plan, first, &mut |shard, played| {
            folder.replace(&name(shard), write_shard(plan.variant, plan.size, played))?;
            games += played.len() as u64;
            self.save()?;
            Ok(self.state.games_end.is_none_or(|end| self.state.seconds < end))
        })?;
        if over {
            (self.state.games, self.state.games_over) = (Some(games), self.seconds());
            self.save()?;
        }
        Ok(over)
    }

    /// Fits the weights of a round; `None` if it was stopped.
    fn fit(&self, round: u32, stop: &StopFlag, hear: Hear<'_>) -> Result<Option<Gathered>, LoopError> {
        let folder = RunFolder::create_or_open(&self.weights_folder(round))?;
        let first = round.saturating_sub(1).max(1);
        let settings = patterns::Settings {
            passes: self.settings.passes,
            size: self.settings.size,
            ..patterns::Settings::new(
                self.settings.variant,
                (first..=round).map(|round| self.games(round)).collect(),
                self.state.best.map(|best| self.weights(best)),
            )
        };
        let gathered = Mutex::new(Gathered::default());
        let trained = patterns::train(&settings, &folder, &|event| {
            if let (Event::Gathered(found), Ok(mut gathered)) = (event, gathered.lock()) {
                *gathered = found;
            }
            hear(LoopEvent::Fitting(event));
            !stop.is_raised()
        });
        match trained {
            Err(TrainingError::Stopped) => Ok(None),
            trained => {
                trained?;
                Ok(Some(gathered.into_inner().unwrap_or_default()))
            }
        }
    }

    /// Keeps what a round came to.
    fn keep(&mut self, record: RoundRecord) -> Result<(), LoopError> {
        let round = record.round;
        if record.accepted {
            // An error model of other weights would be refused beside the new ones.
            match fs::remove_file(self.folder.file(BEST_MODEL)) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(FolderError::io(self.folder.file(BEST_MODEL))(error).into());
                }
                _ => {}
            }
            let weights = self.weights(round);
            self.folder.replace(BEST, fs::read(&weights).map_err(FolderError::io(weights))?)?;
        }
        self.log.append(&record)?;
        if record.accepted {
            self.state.best = Some(round);
        }
        self.rounds.push(record);
        let seconds = self.seconds();
        self.state.rest = Some(seconds - self.state.games_over);
        self.state.round_ends.push(seconds);
        (self.state.games, self.state.games_end) = (None, None);
        self.save()?;
        self.write_report()?;
        Ok(patterns::tidy(&RunFolder::create_or_open(&self.weights_folder(round))?)?)
    }

    /// Fits the error model of the best weights, and writes the last report.
    pub(super) fn conclude(&mut self, workers: &mut dyn Workers) -> Result<LoopStep, LoopError> {
        if let Some(best) = self.best() {
            let mut fitted = Ok(Fitted::Stopped);
            workers.here(&mut |stop, hear| fitted = games::error_model(&self.settings, &best, stop, hear));
            match fitted? {
                Fitted::Stopped => return Ok(LoopStep::Interrupted),
                Fitted::TooFew => {}
                Fitted::File(text) => self.folder.replace(BEST_MODEL, text)?,
            }
        }
        self.state.complete = true;
        self.save()?;
        self.write_report()?;
        Ok(LoopStep::Complete)
    }
}
