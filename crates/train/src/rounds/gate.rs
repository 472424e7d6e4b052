//! The matches of a round: is it better than the best so far, and how strong is it?

use serde::{Deserialize, Serialize};
use turncoat_arena::stats::sprt::{Decision, Sprt};
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{Setting, Spec, seed};

use super::{Encounter, LoopError, LoopSettings, Workers};
use crate::matches::{MatchError, MatchPlan, MatchResult};

/// How all players of the tests search, so that their evaluations alone differ: at full width to this depth.
const DEPTH: u32 = 4;
/// Random plies of the openings.
const PLIES: u32 = 8;
/// The test: no better than the best so far, or as much better.
const SPRT: Sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };

/// The name of the evaluation that a loop begins with, and of the yardstick.
pub(super) const HAND: &str = "hand";

/// Our engine with an evaluation: a name or a file.
fn engine(evaluation: &str) -> Result<Spec, MatchError> {
    // Not within the text, since a path may have commas.
    let spec: Spec = format!("turncoat:depth={DEPTH},solve=10,selectivity=5,hash=1").parse()?;
    Ok(spec.with_default("eval", evaluation))
}

/// A match of a round's weights: plain data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Contest {
    variant: VariantKind,
    size: Geometry,
    seed: u64,
    /// The evaluation of the round: a file.
    weights: String,
    rival: Rival,
    /// Games; the most where a test may end it earlier.
    pub(super) games: u64,
    tested: bool,
}

/// Whom a round's weights meet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
enum Rival {
    /// Our engine with another evaluation: what it is called, and its name or file.
    Engine { name: String, evaluation: String },
    /// Another player that looks as far ahead.
    Player(String),
}

impl Contest {
    /// Who plays how, and from where.
    pub(super) fn plan(&self) -> Result<MatchPlan, MatchError> {
        let rival = match &self.rival {
            Rival::Engine { evaluation, .. } => engine(evaluation)?,
            Rival::Player(name) => format!("{name}:depth={DEPTH}").parse()?,
        };
        let setting = Setting { variant: self.variant, geometry: self.size, seed: self.seed };
        let players = [engine(&self.weights)?, rival];
        let plies = PLIES.min(self.size.side().into());
        Ok(MatchPlan { players, setting, plies, games: self.games, sprt: self.sprt() })
    }

    /// The test that may end it earlier.
    pub(super) fn sprt(&self) -> Option<Sprt> {
        self.tested.then_some(SPRT)
    }

    /// What the opponent is called.
    pub(super) fn name(&self) -> &str {
        match &self.rival {
            Rival::Engine { name, .. } | Rival::Player(name) => name,
        }
    }

    /// The files that it needs.
    pub(super) fn files(&mut self) -> Vec<&mut String> {
        let rival = match &mut self.rival {
            Rival::Engine { evaluation, .. } if evaluation != HAND => Some(evaluation),
            _ => None,
        };
        [&mut self.weights].into_iter().chain(rival).collect()
    }
}

/// The fixed opponents.
fn yardsticks(variant: VariantKind) -> [Rival; 2] {
    let classic = match variant {
        VariantKind::Reversed => "gene45",
        VariantKind::Reversi => "six-stage",
    };
    [Rival::Engine { name: HAND.to_owned(), evaluation: HAND.to_owned() }, Rival::Player(classic.to_owned())]
}

/// Plays the matches of weights; `None` if they are stopped. `best` names the best so far and its evaluation.
pub(super) fn play(
    settings: &LoopSettings,
    round: u32,
    weights: &str,
    best: (String, String),
    workers: &mut dyn Workers,
) -> Result<Option<(Encounter, bool, Vec<Encounter>)>, LoopError> {
    let mut meet = |number: u64, rival: Rival, games: u64, tested: bool| {
        let seed = seed::derive(settings.seed, &[u64::from(round), number]);
        let (variant, size) = (settings.variant, settings.size);
        let contest = Contest { variant, size, seed, weights: weights.to_owned(), rival, games, tested };
        let result = workers.meet(&contest)?;
        Ok::<_, LoopError>(result.map(|result| Encounter { opponent: contest.name().to_owned(), result }))
    };
    let best = Rival::Engine { name: best.0, evaluation: best.1 };
    let Some(test) = meet(0, best, settings.gate, true)? else {
        return Ok(None);
    };
    let accepted = is_accepted(&test.result);
    let mut met = Vec::new();
    for (number, rival) in (1..).zip(yardsticks(settings.variant)) {
        let Some(encounter) = meet(number, rival, settings.yardstick, false)? else {
            return Ok(None);
        };
        met.push(encounter);
    }
    Ok(Some((test, accepted, met)))
}

/// Whether a round takes the best one's place. A test that its games have not decided goes by who is ahead.
fn is_accepted(result: &MatchResult) -> bool {
    result.decision(&SPRT).map_or_else(|| result.share() > 0.5, |decision| decision == Decision::H1)
}

#[cfg(test)]
mod tests {
    use turncoat_board::Geometry;

    use super::*;

    #[test]
    fn the_test_decides_and_otherwise_who_is_ahead() {
        let result = |won, lost, pairs| MatchResult { won, drawn: 0, lost, pairs };
        assert!(is_accepted(&result(180, 20, [0, 0, 20, 0, 80])));
        assert!(!is_accepted(&result(20, 180, [80, 0, 20, 0, 0])));
        assert!(is_accepted(&result(11, 9, [0, 0, 9, 0, 1])));
        assert!(!is_accepted(&result(10, 10, [0, 0, 10, 0, 0])));
    }

    #[test]
    fn both_games_have_yardsticks() {
        for variant in VariantKind::BOTH {
            for size in [Geometry::EIGHT, Geometry::SIX] {
                for rival in yardsticks(variant) {
                    let weights = HAND.to_owned();
                    let contest = Contest { variant, size, seed: 1, weights, rival, games: 2, tested: false };
                    let plan = contest.plan().unwrap();
                    assert!(plan.players[1].build(plan.setting).is_ok(), "{}", contest.name());
                }
            }
        }
    }
}
