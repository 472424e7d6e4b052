//! A loop as a page shows it, read without disturbing the process that works on it.

use std::path::Path;

use turncoat_api::{RunDetails, RunKindView, RunState, RunView, YardstickView};

use super::report::{elo_points, encounters};
use super::run::{LOG, LoopState, read_state};
use super::{LoopSettings, RoundRecord};
use crate::run_folder::settings::{self, SETTINGS};
use crate::run_folder::{CHECKPOINT, FolderError, LOCK, read_lines};

/// The files that are read; the lock tells whether a process works on the loop.
pub(crate) const FILES: [&str; 4] = [SETTINGS, CHECKPOINT, LOG, LOCK];

/// A loop at one moment.
pub(crate) struct Reading {
    settings: LoopSettings,
    state: LoopState,
    rounds: Vec<RoundRecord>,
}

impl Reading {
    /// Reads the loop of a folder.
    ///
    /// # Errors
    /// If a file of it is not what was written.
    pub(crate) fn read(folder: &Path) -> Result<Self, FolderError> {
        let settings: LoopSettings = settings::read_kept(folder, LoopSettings::fault)?;
        let (state, mark) = read_state(folder)?;
        Ok(Self { settings, state, rounds: read_lines(&folder.join(LOG), mark)? })
    }

    /// The loop in a list, as if no process worked on it.
    pub(crate) fn view(&self, name: &str, changed: u64) -> RunView {
        let strongest = self.rounds.last().and_then(|last| last.yardsticks.last()?.result.elo());
        RunView {
            name: name.to_owned(),
            kind: RunKindView::Loop,
            state: if self.state.complete { RunState::Finished } else { RunState::Stopped },
            title: format!("Training loop: {}", self.settings.variant.title()),
            generation: self.rounds.len() as u32,
            generations: self.settings.rounds,
            best: strongest.map(|elo| elo.difference).filter(|elo| elo.is_finite()),
            mean: None,
            seconds: self.state.seconds,
            has_report: false,
            changed,
            fault: None,
        }
    }

    /// The loop with its curves.
    pub(crate) fn details(&self, run: RunView) -> RunDetails {
        let fixed = self.rounds.first().into_iter().flat_map(|first| &first.yardsticks).map(|met| met.opponent.clone());
        let opponents = fixed.chain((!self.rounds.is_empty()).then(|| "the best round before".to_owned()));
        let curve = |(index, player): (usize, String)| {
            let at = |round: &RoundRecord| Some((round.round, elo_points(encounters(round).nth(index)?)?.0));
            YardstickView { player, points: self.rounds.iter().filter_map(at).collect() }
        };
        RunDetails {
            variant: self.settings.variant.name().to_owned(),
            elo: opponents.enumerate().map(curve).collect(),
            ..RunDetails::without_curves(run)
        }
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::VariantKind;

    use super::*;
    use crate::matches::MatchResult;
    use crate::rounds::Encounter;

    #[test]
    fn a_loop_is_shown_with_a_curve_for_each_opponent() {
        let met = |opponent: &str, pairs: [u64; 5]| Encounter {
            opponent: opponent.to_owned(),
            result: MatchResult { pairs, ..MatchResult::default() },
        };
        let round = |round, won| RoundRecord {
            round,
            depth: 2,
            games: 100,
            fitted_games: 200,
            positions: 9000,
            accepted: true,
            test: met("hand", [0, 0, 0, 0, 10]),
            yardsticks: vec![met("hand", [1, 0, 3, 0, 6]), met("gene45", [2, 0, 3, 0, won])],
        };
        let reading = Reading {
            settings: LoopSettings::games(VariantKind::Reversi, 1, 100, 3),
            state: LoopState { seconds: 90.0, ..LoopState::default() },
            rounds: vec![round(1, 2), round(2, 5)],
        };
        let view = reading.view("loop", 7);
        assert_eq!(
            (view.kind, view.state, view.generation, view.generations),
            (RunKindView::Loop, RunState::Stopped, 2, 3)
        );
        assert!(view.best.is_some_and(|elo| elo > 50.0), "{view:?}");
        let details = reading.details(view);
        let players: Vec<&str> = details.elo.iter().map(|curve| curve.player.as_str()).collect();
        assert_eq!(players, ["hand", "gene45", "the best round before"]);
        // Games that were all won are drawn as the most that there is.
        assert_eq!(details.elo[2].points, [(1, 800.0), (2, 800.0)]);
        assert_eq!(details.elo[1].points[0], (1, 0.0));
    }
}
