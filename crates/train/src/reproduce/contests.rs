//! Matches that a report claims something about.

use std::time::Instant;

use serde::Deserialize;
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{Setting, Spec};

use super::{Context, Outcome, ReproduceError, Table};
use crate::matches::{MatchPlan, MatchResult};

/// A match.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct MatchRow {
    /// What it is, in the report's words.
    what: String,
    a: Contestant,
    b: Contestant,
    /// What the report says of the first.
    says: Claim,
}

/// A player, with some of its parameters changed in all stages.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
enum Contestant {
    Plain(String),
    Changed { player: String, parameter: String, value: f64 },
}

/// What a report says of a match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Claim {
    Wins,
    Loses,
    /// Nothing; it is of interest all the same.
    Nothing,
}

impl Contestant {
    fn spec(&self) -> Result<Spec, ReproduceError> {
        let (player, parameter, value) = match self {
            Self::Plain(player) => return Ok(player.parse()?),
            Self::Changed { player, parameter, value } => (player, parameter, *value),
        };
        let spec: Spec = player.parse()?;
        let (schema, mut parameters) = spec.parameters()?;
        let mut from = 0;
        for group in schema.staged.iter() {
            if group.name == parameter.as_str() {
                for stage in &mut parameters.stages {
                    stage[from..from + group.count].fill(value);
                }
                return Ok(spec.with_parameters(&parameters)?);
            }
            from += group.count;
        }
        Err(ReproduceError::Data(format!("{player} has no parameter {parameter:?} by stage")))
    }

    fn name(&self) -> String {
        match self {
            Self::Plain(player) => player.clone(),
            Self::Changed { player, parameter, value } => format!("{player} with {parameter} = {value}"),
        }
    }
}

/// Plays all matches.
pub(super) fn matches(
    context: Context<'_>,
    variant: VariantKind,
    (games, plies): (u64, u32),
    rows: &[MatchRow],
) -> Result<Option<Outcome>, ReproduceError> {
    let began = Instant::now();
    let games = context.scale.pick(4, games, games.max(1000));
    let head = ["", "players", "the report", "won, drawn, lost", "points", "Elo", "as reported?"];
    let mut table = Table::new(&format!("Pairs of games from {plies} random plies, colours swapped"), &head);
    let setting = Setting { variant, geometry: Geometry::EIGHT, seed: context.seed };
    for MatchRow { what, a, b, says } in rows {
        let plan = MatchPlan { players: [a.spec()?, b.spec()?], setting, plies, games, sprt: None };
        let hear = |played| (context.hear)(&format!("{what}: {played} of {games} games"));
        let Some(result) = plan.play(context.stop, &hear)? else {
            return Ok(None);
        };
        let claim = match says {
            Claim::Wins => "the first wins",
            Claim::Loses => "the first loses",
            Claim::Nothing => "–",
        };
        table.rows.push(vec![
            what.clone(),
            format!("{} – {}", a.name(), b.name()),
            claim.to_owned(),
            format!("{}, {}, {}", result.won, result.drawn, result.lost),
            format!("{:.1} %", 100.0 * result.share()),
            result.elo_text(),
            verdict(*says, &result).to_owned(),
        ]);
    }
    Ok(Some(Outcome { seconds: began.elapsed().as_secs_f64(), tables: vec![table], ..Outcome::default() }))
}

/// Whether a claim holds, as far as the games tell.
fn verdict(says: Claim, result: &MatchResult) -> &'static str {
    let bounds = result.elo().and_then(|elo| elo.bounds);
    let wins = match bounds {
        Some((lower, _)) if lower > 0.0 => true,
        Some((_, upper)) if upper < 0.0 => false,
        _ => return if says == Claim::Nothing { "–" } else { "too close to tell" },
    };
    match says {
        Claim::Nothing => "–",
        Claim::Wins if wins => "yes",
        Claim::Loses if !wins => "yes",
        _ => "no",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_hold_or_not_as_far_as_the_games_tell() {
        let result = |pairs| MatchResult { pairs, ..MatchResult::default() };
        let (won, even) = (result([0, 0, 2, 0, 30]), result([10, 0, 9, 0, 11]));
        assert_eq!([Claim::Wins, Claim::Loses, Claim::Nothing].map(|says| verdict(says, &won)), ["yes", "no", "–"]);
        assert_eq!(verdict(Claim::Wins, &even), "too close to tell");
    }

    #[test]
    fn a_parameter_is_changed_in_all_stages() {
        let changed = Contestant::Changed { player: "top-six".to_owned(), parameter: "c2".to_owned(), value: 0.0 };
        let text = changed.spec().unwrap().export().unwrap();
        assert_eq!(text.matches("c2 = 0\n").count(), 5, "{text}");
        let unknown = Contestant::Changed { player: "top-six".to_owned(), parameter: "c3".to_owned(), value: 0.0 };
        assert!(unknown.spec().unwrap_err().to_string().contains("c3"));
    }
}
