//! Analysis: every move of a position, deeper and deeper, or every move of a game.

use std::iter;
use std::num::NonZeroUsize;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_board::{Game, Move, Position, Square};
use turncoat_players::{Limits, MoveInfo, Player};

use crate::{Analysts, ApiFault, GameText, Mark, ReviewedMove, ScoredMove, parse_json, parse_object};

/// How deep the moves of a game are searched, one round after the other, the last as deep as level 15 searches.
const ROUNDS: [u32; 5] = [2, 6, 10, 14, 16];
/// How few discs more or less would have to give a move another mark for its mark to be in doubt, and the positions of the
/// search that decides then: those of level 20.
const DOUBT: f64 = 1.0;
const CAREFUL_NODES: u64 = 4_000_000;
/// The positions of the search that decides whether a move without a mark is in doubt.
const GLANCE_NODES: u64 = 600_000;
/// With so few empty squares a search in doubt goes to the end instead, as surely as so many positions allow.
const MOST_SETTLED: u32 = 24;
const SETTLED_NODES: u64 = 30_000_000;

/// What is to be analysed.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct AnalysisRequest {
    /// Chosen by the client and repeated in every answer, so that late answers can be told apart.
    #[serde(default)]
    pub id: u64,
    /// The game.
    pub game: GameText,
    /// Who analyses.
    #[serde(default = "analyst")]
    pub player: String,
    /// Whether to review every move of the game rather than to analyse its last position.
    #[serde(default)]
    pub whole: bool,
    /// Threads that search, at most those that there are; all of them unless it is given.
    #[serde(default)]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<usize>, minimum = 1))]
    pub threads: Option<NonZeroUsize>,
}

fn analyst() -> String {
    "turncoat".to_owned()
}

/// A part of an analysis, or its end.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(untagged)]
pub enum AnalysisAnswer {
    /// The moves of a position, best first, after one more depth.
    Moves {
        /// The request's.
        id: u64,
        /// Plies searched.
        depth: u32,
        /// The moves.
        moves: Vec<ScoredMove>,
    },
    /// One move of a game; a later answer about the same move is deeper.
    Reviewed {
        /// The request's.
        id: u64,
        /// The move.
        judged: Box<ReviewedMove>,
    },
    /// The analysis is complete.
    Done {
        /// The request's.
        id: u64,
        /// Always true.
        done: bool,
    },
    /// The request is refused, or the analysis failed.
    Fault {
        /// The request's.
        id: u64,
        /// Why.
        #[serde(flatten)]
        fault: ApiFault,
    },
}

/// Why there is no analysis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AnalysisError {
    /// The player only chooses.
    #[error("this player cannot analyse; turncoat can")]
    CannotAnalyse,
    /// The position has no legal move.
    #[error("there is no move to analyse")]
    NothingToAnalyse,
}

/// An analysis that is about to run.
pub struct Analysis {
    id: u64,
    game: Game,
    player: Box<dyn Player>,
    /// Who decides where the review of a whole game is in doubt.
    careful: Option<Box<dyn Player>>,
    threads: Option<NonZeroUsize>,
}

impl AnalysisRequest {
    /// Parses a request.
    ///
    /// # Errors
    /// If the text is not a request: the answer, under the request's number if that can be read.
    pub fn parse(text: &str) -> Result<Self, AnalysisAnswer> {
        let value = parse_json(text.as_bytes()).map_err(|fault| AnalysisAnswer::Fault { id: 0, fault })?;
        let id = value["id"].as_u64().unwrap_or(0);
        parse_object(value).map_err(|fault| AnalysisAnswer::Fault { id, fault })
    }

    /// Reads the game and finds this client a player.
    ///
    /// # Errors
    /// If the game cannot be read or has no move to analyse, or the player may not be asked.
    pub fn prepare(&self, analysts: &Analysts, client: &str) -> Result<Analysis, ApiFault> {
        let game = self.game.parse()?;
        let player = analysts.player(&self.player, &game, client)?;
        if !self.whole && game.position().legal_moves().is_empty() {
            return Err(AnalysisError::NothingToAnalyse.into());
        }
        let careful = self.whole.then(|| analysts.careful(&self.player, &game, client)).transpose()?;
        Ok(Analysis { id: self.id, game, player, careful, threads: self.threads })
    }
}

impl Analysis {
    /// Runs until everything is proven or the limits are reached, reporting on the way.
    ///
    /// # Errors
    /// If the player cannot analyse.
    pub fn run(mut self, limits: &Limits, report: &mut dyn FnMut(AnalysisAnswer)) -> Result<(), AnalysisError> {
        let id = self.id;
        let limits = &Limits { threads: threads(self.threads, limits.threads), ..limits.clone() };
        let player = self.player.as_mut();
        if let Some(careful) = &mut self.careful {
            return review_game(player, careful.as_mut(), &self.game, limits, &mut |judged| {
                report(AnalysisAnswer::Reviewed { id, judged: Box::new(judged) });
            });
        }
        analyze(player, self.game.position(), limits, &mut |moves| {
            let depth = moves.first().map_or(0, |best| best.depth);
            report(AnalysisAnswer::Moves { id, depth, moves });
        })?;
        Ok(())
    }
}

/// The threads of a search for which so many are wanted where there are so many.
fn threads(wanted: Option<NonZeroUsize>, there: Option<usize>) -> Option<usize> {
    wanted.map_or(there, |wanted| Some(wanted.get().min(there.unwrap_or(1))))
}

/// Analyses every move of a position and returns the moves, best first; `report` gets them after each depth. Where the
/// side to move must pass, `pass` is the only move, with what the opponent makes of it.
///
/// # Errors
/// If the player cannot analyse, or the game is over.
pub fn analyze(
    player: &mut dyn Player,
    position: Position,
    limits: &Limits,
    report: &mut dyn FnMut(Vec<ScoredMove>),
) -> Result<Vec<ScoredMove>, AnalysisError> {
    if position.is_over() {
        return Err(AnalysisError::NothingToAnalyse);
    }
    let passes = position.must_pass();
    let started = limits.clock.now();
    let scored = |thoughts: &[MoveInfo]| -> Vec<ScoredMove> {
        let seconds = limits.clock.now().saturating_sub(started).as_secs_f64();
        let shown = if passes { 1 } else { thoughts.len() };
        let scored = |info| ScoredMove::new(Some(info), position.geometry(), seconds);
        let moves = thoughts.iter().take(shown).map(scored);
        moves.map(|reply| if passes { reply.after_pass(position.geometry()) } else { reply }).collect()
    };
    let asked = if passes { position.pass() } else { position };
    let thoughts = player.analyze(asked, limits, &mut |thoughts| report(scored(thoughts)));
    thoughts.map(|thoughts| scored(&thoughts)).ok_or(AnalysisError::CannotAnalyse)
}

/// Reviews the move at this index of a game; `None` if it is a pass.
///
/// # Errors
/// If the player cannot analyse.
pub fn review_move(
    player: &mut dyn Player,
    game: &Game,
    index: usize,
    limits: &Limits,
) -> Result<Option<ReviewedMove>, AnalysisError> {
    let Some(&Move::Place(square)) = game.moves().get(index) else {
        return Ok(None);
    };
    let moves = player.analyze(game.positions()[index], limits, &mut |_| {}).ok_or(AnalysisError::CannotAnalyse)?;
    let made = moves.iter().find(|info| info.best == square);
    Ok(moves.first().zip(made).map(|(best, made)| ReviewedMove::new(game, index, best, made)))
}

/// The best move of a position and another one, searched equally: a fraction of the effort of scoring all moves. `None`
/// if the limits end one of the searches, or the other side cannot answer the move.
pub fn compare_move(
    player: &mut dyn Player,
    position: Position,
    square: Square,
    limits: &Limits,
) -> Option<(MoveInfo, MoveInfo)> {
    // Searches by depth are made equally deep; others have equal limits.
    let reply = |depth: u32| Limits { depth: limits.depth.map(|_| depth.saturating_sub(1).max(1)), ..limits.clone() };
    compare(player, position, square, limits, reply)
}

/// The same by the positions of the first search; the second is as deep as that became.
fn compare_carefully(
    player: &mut dyn Player,
    position: Position,
    square: Square,
    limits: &Limits,
) -> Option<(MoveInfo, MoveInfo)> {
    let nodes = Some(limits.nodes.unwrap_or(CAREFUL_NODES).min(CAREFUL_NODES));
    // As level 20 sees it: what the table knows from the positions beside it would change the depth.
    player.new_game(0);
    let reply = |depth: u32| Limits { depth: Some(depth.saturating_sub(1).max(1)), ..limits.clone() };
    compare(player, position, square, &Limits { nodes, ..limits.clone() }, reply)
}

/// `reply` says the limits of the answer to the other move, from the depth to which the best one was searched.
fn compare(
    player: &mut dyn Player,
    position: Position,
    square: Square,
    limits: &Limits,
    reply: impl FnOnce(u32) -> Limits,
) -> Option<(MoveInfo, MoveInfo)> {
    let best = player.choose(position, limits, &mut |_| {}).ok()??;
    if best.best == square {
        return Some((best.clone(), best));
    }
    let after = position.play(square)?;
    if after.legal_moves().is_empty() {
        return None;
    }
    let limits = reply(best.depth);
    let reply = player.choose(after, &limits, &mut |_| {}).ok()??;
    if limits.depth.is_some_and(|depth| reply.depth < depth) && !reply.exact {
        return None;
    }
    let made = MoveInfo {
        best: square,
        score: reply.score.map(|score| -score),
        depth: reply.depth + 1,
        line: iter::once(Move::Place(square)).chain(reply.line.iter().copied()).collect(),
        ..reply
    };
    Some((best, made))
}

/// Whether a short search prefers another move.
fn finds_another(player: &mut dyn Player, position: Position, square: Square, limits: &Limits) -> bool {
    let nodes = Some(limits.nodes.unwrap_or(GLANCE_NODES).min(GLANCE_NODES));
    let found = player.choose(position, &Limits { nodes, ..limits.clone() }, &mut |_| {});
    found.is_ok_and(|found| found.is_some_and(|found| found.best != square))
}

/// Reviews every move of a game, the last one first, then all of them again at the next depth; in the end `careful` looks at
/// those whose marks are in doubt, and at those without a mark where it finds another move after a glance. The time is for all
/// of it. The first round scores all moves, the others the best one and the one that was made.
///
/// # Errors
/// If the player cannot analyse.
pub fn review_game(
    player: &mut dyn Player,
    careful: &mut dyn Player,
    game: &Game,
    limits: &Limits,
    report: &mut dyn FnMut(ReviewedMove),
) -> Result<(), AnalysisError> {
    let started = limits.clock.now();
    let left = || {
        let spent = limits.clock.now().saturating_sub(started);
        let time = limits.time.map(|time| time.saturating_sub(spent));
        (!limits.stop.is_raised() && time != Some(Duration::ZERO)).then(|| Limits { time, ..limits.clone() })
    };
    let count = game.moves().len();
    // Each move's mark, and how far it is from another one.
    let mut known = vec![(Mark::None, f64::INFINITY); count];
    for depth in ROUNDS {
        for index in (0..count).rev() {
            let Some(limits) = left() else { return Ok(()) };
            let limits = &Limits { depth: Some(depth), ..limits };
            let compared = match game.moves()[index] {
                Move::Place(square) if depth > ROUNDS[0] => {
                    compare_move(player, game.positions()[index], square, limits)
                }
                _ => None,
            };
            let reviewed = match compared {
                Some((best, made)) => Some(ReviewedMove::new(game, index, &best, &made)),
                None if limits.stop.is_raised() => None,
                None => review_move(player, game, index, limits)?,
            };
            if limits.stop.is_raised() {
                return Ok(());
            }
            if let Some(reviewed) = reviewed {
                known[index] = (reviewed.mark, reviewed.distance());
                report(reviewed);
            }
        }
    }
    for index in (0..count).rev() {
        let Some(limits) = left() else { return Ok(()) };
        let (position, Move::Place(square)) = (game.positions()[index], game.moves()[index]) else { continue };
        let is_doubt = match known[index] {
            (_, distance) if distance <= DOUBT => true,
            (Mark::None, distance) if distance.is_finite() => finds_another(careful, position, square, &limits),
            _ => false,
        };
        if !is_doubt {
            continue;
        }
        let compared = if position.empties() <= MOST_SETTLED {
            compare_move(player, position, square, &Limits { nodes: Some(SETTLED_NODES), ..limits.clone() })
        } else {
            compare_carefully(careful, position, square, &limits)
        };
        // Where neither search could be ended, what was found before stands.
        if let Some((best, made)) = compared.filter(|_| !limits.stop.is_raised()) {
            report(ReviewedMove::new(game, index, &best, &made));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use turncoat_board::{Geometry, VariantKind};

    use super::*;
    use crate::opponent;

    fn reports(game: &Game, depth: u32) -> (Vec<Vec<ScoredMove>>, Vec<ScoredMove>) {
        let mut player = opponent(&crate::opponents(), "turncoat", game, 1).unwrap();
        let limits = Limits { depth: Some(depth), ..Limits::default() };
        let mut reports = Vec::new();
        let last = analyze(player.as_mut(), game.position(), &limits, &mut |moves| reports.push(moves)).unwrap();
        (reports, last)
    }

    #[test]
    fn every_depth_is_reported_once_and_the_last_is_the_answer() {
        let (reports, last) = reports(&Game::new(VariantKind::Reversed, Geometry::EIGHT), 6);
        let depths: Vec<u32> = reports.iter().map(|moves| moves[0].depth).collect();
        assert_eq!(depths, [1, 2, 3, 4, 5, 6]);
        let scores = |moves: &[ScoredMove]| moves.iter().map(|m| (m.label.clone(), m.score)).collect::<Vec<_>>();
        assert_eq!(scores(&reports[5]), scores(&last));
    }

    #[test]
    fn threads_are_bounded_by_those_that_there_are() {
        for (wanted, there, used) in
            [(None, Some(4), Some(4)), (Some(2), Some(4), Some(2)), (Some(9), Some(4), Some(4))]
        {
            assert_eq!(threads(wanted.and_then(NonZeroUsize::new), there), used);
        }
        assert_eq!(threads(NonZeroUsize::new(9), None), Some(1));
        for refused in ["0", "-1", "\"two\""] {
            let asked = AnalysisRequest::parse(&format!(r#"{{"id": 3, "game": {{}}, "threads": {refused}}}"#));
            assert!(matches!(asked, Err(AnalysisAnswer::Fault { id: 3, .. })), "{refused}: {asked:?}");
        }
    }

    #[test]
    fn a_pass_is_worth_what_the_opponent_makes_of_it() {
        let position = Position::parse("XXXXXXXXXXXXXXO- O", Geometry::FOUR).unwrap();
        let passed = Game::from_position(VariantKind::Reversed, position.pass());
        let (_, replies) = reports(&passed, 1);
        let (_, pass) = reports(&Game::from_position(VariantKind::Reversed, position), 1);
        assert_eq!((pass.len(), pass[0].label.as_str()), (1, "pass"));
        assert_eq!(pass[0].score, replies[0].score.map(|score| -score));
    }

    #[test]
    fn two_moves_compared_have_the_scores_that_all_moves_have() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        for label in ["f5", "d6", "c3", "d3", "c4"] {
            game.play(Move::Place(Geometry::EIGHT.square(label).unwrap())).unwrap();
        }
        // Without cuts by probability, which depend on the window.
        let player = || opponent(&crate::opponents(), "turncoat:selectivity=5", &game, 1).unwrap();
        let limits = Limits { depth: Some(5), ..Limits::default() };
        let all = player().analyze(game.position(), &limits, &mut |_| {}).unwrap();
        for one in &all {
            let (best, made) = compare_move(player().as_mut(), game.position(), one.best, &limits).unwrap();
            assert_eq!((best.score, made.score), (all[0].score, one.score), "{:?}", one.best);
            assert_eq!((made.best, made.line.first()), (one.best, Some(&Move::Place(one.best))));
        }
    }
}
