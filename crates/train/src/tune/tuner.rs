//! A checked tuning: which games its iterations play, and what they teach.

use serde::Serialize;
use turncoat_arena::{Openings, Source};
use turncoat_players::seed;

use super::error::SettingsError;
use super::settings::TuneSettings;
use super::spsa::Spsa;
use super::subject::Subject;
use crate::genetic::{Batch, BatchGame, ColorTally, Counts, fitness};
use crate::run_folder::{Digest, FolderError, RunFolder, digest_of_file};

/// What the seed of games is derived with: it is not that of the signs.
const GAMES: u64 = 203;

/// A checked tuning.
#[derive(Debug, Clone)]
pub struct Tuner {
    settings: TuneSettings,
    subject: Subject,
    spsa: Spsa,
    openings: Openings,
}

/// What the values of a run depend on. Files stand in it by their digests.
#[derive(Serialize)]
struct Known<'a> {
    files: Vec<String>,
    openings: Option<String>,
    settings: &'a TuneSettings,
}

impl Tuner {
    /// Checks settings and finds the player's parameters.
    ///
    /// # Errors
    /// If a value makes no sense, the player or the openings cannot be had, or a parameter is not one of the player's.
    pub fn new(settings: TuneSettings) -> Result<Self, SettingsError> {
        settings.check_numbers()?;
        let subject = Subject::new(&settings)?;
        let spsa =
            Spsa { axes: subject.axes(), gains: settings.gains, iterations: settings.iterations, seed: settings.seed };
        let source = settings.openings.as_deref().map_or_else(|| Ok(Source::usual(settings.size)), str::parse)?;
        let seed = seed::derive(settings.seed, &[GAMES]);
        let openings = Openings::new(&source, settings.variant, settings.size, seed)?;
        Ok(Self { settings, subject, spsa, openings })
    }

    /// Its settings.
    pub const fn settings(&self) -> &TuneSettings {
        &self.settings
    }

    /// The player.
    pub const fn subject(&self) -> &Subject {
        &self.subject
    }

    /// The algorithm.
    pub const fn spsa(&self) -> &Spsa {
        &self.spsa
    }

    /// What the values of its iterations depend on.
    pub(super) fn digest(&self, folder: &RunFolder) -> Result<Digest, FolderError> {
        let files = self.subject.files().map(digest_of_file).collect::<Result<_, _>>()?;
        Digest::new(&Known { files, openings: self.openings.digest(), settings: &self.settings }, folder)
    }

    /// The iterations of the batch after `done`, which is the end of another one or the beginning.
    fn batch(&self, done: u64) -> impl Iterator<Item = u64> + use<> {
        done + 1..=done.saturating_add(self.settings.batch).min(self.settings.iterations)
    }

    /// The games of the next batch: in each iteration, the plus player meets the minus player from every opening with
    /// both colours.
    pub fn games(&self, done: u64, values: &[f64]) -> Batch {
        let (mut contenders, mut games, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for iteration in self.batch(done) {
            let trial = self.spsa.trial(iteration, values);
            let [plus, minus] = [0, 1].map(|side| (contenders.len() + side) as u32);
            contenders.extend([&trial.plus, &trial.minus].map(|side| self.subject.contender(side)));
            for pair in 0..self.settings.pairs {
                let number = (iteration - 1) * self.settings.pairs + pair;
                let opening = starts.len() as u64;
                starts.push(self.openings.get(number).position());
                for (black, white) in [(plus, minus), (minus, plus)] {
                    games.push(BatchGame { black, white, opening, number, counts: Counts::Both });
                }
            }
        }
        Batch {
            variant: self.settings.variant,
            size: self.settings.size,
            seed: seed::derive(self.settings.seed, &[GAMES]),
            plies: 0,
            starts,
            contenders,
            games,
        }
    }

    /// Moves the values by the results of a batch, one iteration after the other. Answers with how many iterations are
    /// done, and adds the games of the plus players to the tally.
    pub fn learn(&self, done: u64, values: &mut [f64], batch: &Batch, margins: &[i8], tally: &mut ColorTally) -> u64 {
        let tallies = fitness::count(batch, margins, batch.contenders.len());
        let mut last = done;
        for (iteration, sides) in self.batch(done).zip(tallies.chunks_exact(2)) {
            let plus = &sides[0];
            let result = (f64::from(plus.wins()) - f64::from(plus.losses)) / self.settings.pairs as f64;
            self.spsa.learn(iteration, values, result);
            tally.include(plus);
            last = iteration;
        }
        last
    }
}
