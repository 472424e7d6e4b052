//! Some of a plan's games on one thread: what other machines are asked for.

use std::ops::Range;

use turncoat_board::Variant;
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation};

use super::{SearchMemory, Selfplay, SelfplayPlan};
use crate::games::TrainingGame;

/// Plays the games with these numbers; fewer if the flag is raised.
///
/// # Errors
/// If the evaluation is unknown or its file is damaged, or memory runs out.
pub fn play_chunk(plan: &SelfplayPlan, games: Range<u64>, stop: &StopFlag) -> Result<Vec<TrainingGame>, String> {
    let variant = plan.variant;
    let chunk = Chunk { plan, games, stop };
    with_evaluation(&plan.evaluation, variant, plan.size, chunk)?
}

struct Chunk<'a> {
    plan: &'a SelfplayPlan,
    games: Range<u64>,
    stop: &'a StopFlag,
}

impl EvaluationTask for Chunk<'_> {
    type Output = Result<Vec<TrainingGame>, String>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let selfplay = Selfplay::new(self.plan, variant, &evaluation)?;
        let memory = SearchMemory::new().map_err(|error| error.to_string())?;
        let games = self.games.take_while(|_| !self.stop.is_raised());
        Ok(games.map(|number| selfplay.play(number, &memory)).collect())
    }
}

/// Whether the player of a plan can be had.
pub(super) struct IsThere<'a>(pub(super) &'a SelfplayPlan);

impl EvaluationTask for IsThere<'_> {
    type Output = Result<(), String>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        Selfplay::new(self.0, variant, &evaluation).map(|_| ())
    }
}
