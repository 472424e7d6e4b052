//! Some of a plan's games on one thread: what other machines are asked for.

use std::ops::Range;

use turncoat_board::{Geometry, Variant};
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation};

use super::{SearchMemory, SelfplayPlan, play};
use crate::games::TrainingGame;
use crate::openings::enumerated;

/// Plays the games with these numbers; fewer if the flag is raised.
///
/// # Errors
/// If the evaluation is unknown or its file is damaged, or memory runs out.
pub fn play_chunk(plan: &SelfplayPlan, games: Range<u64>, stop: &StopFlag) -> Result<Vec<TrainingGame>, String> {
    let variant = plan.variant;
    let chunk = Chunk { plan, games, stop };
    with_evaluation(&plan.evaluation, variant, Geometry::EIGHT, chunk)?
}

struct Chunk<'a> {
    plan: &'a SelfplayPlan,
    games: Range<u64>,
    stop: &'a StopFlag,
}

impl EvaluationTask for Chunk<'_> {
    type Output = Result<Vec<TrainingGame>, String>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let openings = enumerated(self.plan.enumerated_plies);
        let memory = SearchMemory::new().map_err(|error| error.to_string())?;
        let games = self.games.take_while(|_| !self.stop.is_raised());
        Ok(games.map(|number| play(variant, &evaluation, self.plan, &openings, number, &memory)).collect())
    }
}

/// Whether an evaluation can be had.
pub(super) struct IsThere;

impl EvaluationTask for IsThere {
    type Output = ();

    fn run<V: Variant, E: Evaluation + 'static>(self, _variant: V, _evaluation: E) {}
}
