//! Some of a plan's games on one thread: what other machines are asked for.

use std::ops::Range;

use turncoat_board::{Geometry, Variant};
use turncoat_eval::Evaluation;
use turncoat_players::StopFlag;
use turncoat_players::flagship::{EvaluationTask, with_evaluation};

use super::{Desk, Plan, play};
use crate::games::Record;
use crate::openings::enumerated;

/// Plays the games with these numbers; fewer if the flag is raised.
///
/// # Errors
/// If the evaluation cannot be had, or there is no memory.
pub fn play_chunk(plan: &Plan, games: Range<u64>, stop: &StopFlag) -> Result<Vec<Record>, String> {
    let variant = plan.variant.into();
    let chunk = Chunk { plan, games, stop };
    with_evaluation(&plan.evaluation, variant, Geometry::EIGHT, chunk)?
}

struct Chunk<'a> {
    plan: &'a Plan,
    games: Range<u64>,
    stop: &'a StopFlag,
}

impl EvaluationTask for Chunk<'_> {
    type Output = Result<Vec<Record>, String>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let openings = enumerated(self.plan.enumerated_plies);
        let desk = Desk::new().map_err(|error| error.to_string())?;
        let games = self.games.take_while(|_| !self.stop.is_raised());
        Ok(games.map(|number| play(variant, &evaluation, self.plan, &openings, number, &desk)).collect())
    }
}

/// Whether an evaluation can be had.
pub(super) struct IsThere;

impl EvaluationTask for IsThere {
    type Output = ();

    fn run<V: Variant, E: Evaluation + 'static>(self, _variant: V, _evaluation: E) {}
}
