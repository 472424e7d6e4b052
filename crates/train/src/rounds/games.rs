//! The games of a round, in files, and the error model of its weights.

use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use turncoat_board::{Variant, VariantKind};
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation, write_error_model};
use turncoat_search::pvs::ErrorModel;

use super::workers::Keep;
use super::{Hear, LoopError, LoopEvent, LoopSettings};
use crate::probcut::Spreads;
use crate::selfplay::{Selfplay, SelfplayPlan};

/// Plays the games of a plan, from the file with this number on. Whether it came to an end, rather than being stopped.
pub(super) fn play(
    plan: &SelfplayPlan,
    first: u64,
    stop: &StopFlag,
    hear: Hear<'_>,
    keep: Keep<'_>,
) -> Result<bool, LoopError> {
    let task = Play { plan, first, stop, hear, keep };
    with_evaluation(&plan.evaluation, plan.variant, plan.size, task).map_err(LoopError::Evaluation)?
}

struct Play<'a> {
    plan: &'a SelfplayPlan,
    first: u64,
    stop: &'a StopFlag,
    hear: Hear<'a>,
    keep: Keep<'a>,
}

impl EvaluationTask for Play<'_> {
    type Output = Result<bool, LoopError>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let selfplay = Selfplay::new(self.plan, variant, &evaluation).map_err(LoopError::Evaluation)?;
        let played = AtomicU64::new(self.plan.games_of(self.first).start);
        for shard in self.first..self.plan.shards() {
            let games = selfplay.play_all(self.plan.games_of(shard), self.stop, |_| {
                let all = played.fetch_add(1, Ordering::Relaxed) + 1;
                (self.hear)(LoopEvent::Games(all, self.plan.depth));
            });
            let Some(games) = games.map_err(LoopError::Memory)? else {
                return Ok(false);
            };
            if !(self.keep)(shard, &games)? {
                break;
            }
        }
        Ok(true)
    }
}

/// What came of fitting an error model.
pub(super) enum Fitted {
    /// The model as a file.
    File(String),
    /// The games were too few for one.
    TooFew,
    /// The flag was raised.
    Stopped,
}

/// The error model of a file of weights.
pub(super) fn error_model(
    settings: &LoopSettings,
    weights: &Path,
    stop: &StopFlag,
    hear: Hear<'_>,
) -> Result<Fitted, LoopError> {
    let name = weights.display().to_string();
    let task =
        Fit { settings, name: weights.file_name().unwrap_or_default().to_string_lossy().into_owned(), stop, hear };
    with_evaluation(&name, settings.variant, settings.size, task).map_err(LoopError::Evaluation)?
}

struct Fit<'a> {
    settings: &'a LoopSettings,
    name: String,
    stop: &'a StopFlag,
    hear: Hear<'a>,
}

impl EvaluationTask for Fit<'_> {
    type Output = Result<Fitted, LoopError>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let LoopSettings { size, deepest, seed, fitted: games, .. } = *self.settings;
        let played = AtomicU64::new(0);
        let heard = || (self.hear)(LoopEvent::ErrorModel(played.fetch_add(1, Ordering::Relaxed) + 1, games));
        let spreads = Spreads::from_games(variant, &evaluation, size, deepest, seed, games, self.stop, heard);
        let Some(spreads) = spreads.map_err(LoopError::Memory)? else {
            return Ok(Fitted::Stopped);
        };
        let (kind, checksum): (VariantKind, u64) = (V::KIND, evaluation.checksum());
        let end = spreads.fit_end();
        // What would not be taken from the file is not put there.
        let good = spreads.fit().filter(|fit| ErrorModel::new(kind, size, checksum, fit, end.as_ref()).is_ok());
        Ok(good.map_or(Fitted::TooFew, |fit| {
            Fitted::File(write_error_model(&self.name, kind, size, checksum, &fit, end.as_ref()))
        }))
    }
}
