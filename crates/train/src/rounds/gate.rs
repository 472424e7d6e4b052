//! The matches of a round: is it better than the best so far, and how strong is it?

use turncoat_arena::stats::sprt::{Decision, Sprt};
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{Setting, Spec, StopFlag, seed};

use super::{Encounter, Hear, LoopError, LoopEvent, LoopSettings};
use crate::matches::{MatchError, MatchPlan, MatchResult};

/// How all players of the tests search, so that their evaluations alone differ: at full width to this depth.
const DEPTH: u32 = 4;
/// Random plies of the openings.
const PLIES: u32 = 8;
/// The hypotheses of the test: no better than the best so far, or as much better.
const HYPOTHESES: [f64; 2] = [0.0, 20.0];
/// The errors allowed to the test, either way.
const ERROR: f64 = 0.05;

/// The name of the evaluation that a loop begins with, and of the yardstick.
pub(super) const HAND: &str = "hand";

/// Our engine with an evaluation: a name or a file.
fn engine(evaluation: &str) -> Result<Spec, MatchError> {
    // Not within the text, since a path may have commas.
    let spec: Spec = format!("turncoat:depth={DEPTH},solve=10,selectivity=5,hash=1").parse()?;
    Ok(spec.with_default("eval", evaluation))
}

/// The fixed opponents: names, and players that search as deep.
fn yardsticks(variant: VariantKind) -> Result<[(&'static str, Spec); 2], MatchError> {
    let classic = match variant {
        VariantKind::Reversed => "gene45",
        VariantKind::Reversi => "six-stage",
    };
    Ok([(HAND, engine(HAND)?), (classic, format!("{classic}:depth={DEPTH}").parse()?)])
}

/// Plays the matches of weights; `None` if the flag is raised. `best` names the best so far and its evaluation.
pub(super) fn play(
    settings: &LoopSettings,
    round: u32,
    weights: &str,
    best: (&str, &str),
    stop: &StopFlag,
    hear: Hear<'_>,
) -> Result<Option<(Encounter, bool, Vec<Encounter>)>, LoopError> {
    let [elo0, elo1] = HYPOTHESES;
    let sprt = Sprt { elo0, elo1, alpha: ERROR, beta: ERROR };
    let meet = |number: u64, opponent: &str, spec: Spec, games: u64, sprt: Option<Sprt>| {
        let seed = seed::derive(settings.seed, &[u64::from(round), number]);
        let setting = Setting { variant: settings.variant, geometry: Geometry::EIGHT, seed };
        let plan = MatchPlan { players: [engine(weights)?, spec], setting, plies: PLIES, games, sprt };
        let result = plan.play(stop, &|played| hear(LoopEvent::Match(opponent, played, games)))?;
        Ok::<_, MatchError>(result.map(|result| Encounter { opponent: opponent.to_owned(), result }))
    };
    let Some(test) = meet(0, best.0, engine(best.1)?, settings.gate, Some(sprt))? else {
        return Ok(None);
    };
    let accepted = is_accepted(&sprt, &test.result);
    let mut met = Vec::new();
    for (number, (name, spec)) in (1..).zip(yardsticks(settings.variant)?) {
        let Some(encounter) = meet(number, name, spec, settings.yardstick, None)? else {
            return Ok(None);
        };
        met.push(encounter);
    }
    Ok(Some((test, accepted, met)))
}

/// Whether a round takes the best one's place. A test that its games have not decided goes by who is ahead.
fn is_accepted(sprt: &Sprt, result: &MatchResult) -> bool {
    match sprt.decide(&turncoat_arena::stats::elo::Pentanomial(result.pairs)) {
        Some(decision) => decision == Decision::H1,
        None => result.share() > 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_test_decides_and_otherwise_who_is_ahead() {
        let sprt = Sprt { elo0: 0.0, elo1: 20.0, alpha: ERROR, beta: ERROR };
        let result = |won, lost, pairs| MatchResult { won, drawn: 0, lost, pairs };
        assert!(is_accepted(&sprt, &result(180, 20, [0, 0, 20, 0, 80])));
        assert!(!is_accepted(&sprt, &result(20, 180, [80, 0, 20, 0, 0])));
        assert!(is_accepted(&sprt, &result(11, 9, [0, 0, 9, 0, 1])));
        assert!(!is_accepted(&sprt, &result(10, 10, [0, 0, 10, 0, 0])));
    }

    #[test]
    fn both_games_have_yardsticks() {
        for variant in VariantKind::BOTH {
            let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
            for (name, spec) in yardsticks(variant).unwrap() {
                assert!(spec.build(setting).is_ok(), "{name}");
            }
        }
    }
}
