//! Test sets: positions of strong play with their exact scores, on which evaluations are compared.
//!
//! - [`TestsetPlan`]: everything that the positions depend on.
//! - [`TestsetWorker`]: plays a game of a plan and solves its positions.
//! - [`TestsetFile`]: the positions as OBF, in a file that grows game by game and can be resumed.
//!
//! A game depends on the plan and its own number alone, so any number of threads and any interruption give the same file.

mod file;

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use turncoat_board::{Geometry, Position, VariantKind};
use turncoat_eval::Evaluation;
use turncoat_players::flagship::{BestSolver, trained};
use turncoat_players::{BuildError, Fault, Limits, Player, Setting, Spec, StopFlag};
use turncoat_record::obf::ScoredPosition;
use turncoat_search::endgame::Goal;
use turncoat_search::transposition::TableTooLarge;
use turncoat_util::{SplitMix64, mix64};

pub use self::file::{TestsetError, TestsetFile, read_positions};
use crate::sample::random_move;

/// A game begins with this many random plies, at least and at most.
const RANDOM_PLIES: [usize; 2] = [8, 12];
/// The largest lead in discs, by the players' own estimate, with which a game begins.
const BALANCED: f64 = 4.0;
/// Openings drawn for a game before one is taken that is not balanced.
const MOST_DRAWN: u64 = 100;
/// Memory of the solver and of the players of one thread.
const SOLVER_MEBIBYTES: usize = 64;
const PLAYER_MEBIBYTES: usize = 16;
/// The most empty squares that are solved in reasonable time.
const MOST_EMPTIES: u32 = 26;

/// Everything that the positions of a test set depend on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestsetPlan {
    /// The game.
    pub variant: VariantKind,
    /// How many games.
    pub games: u64,
    /// Games of different seeds differ.
    pub seed: u64,
    /// The level of both players.
    pub level: u8,
    /// The numbers of empty squares at which a game's positions are taken.
    pub empties: BTreeSet<u32>,
    /// The weights that the players evaluate with.
    weights: String,
}

impl TestsetPlan {
    /// A plan for the weights of this program.
    ///
    /// # Errors
    /// If it makes no sense.
    pub fn new(
        variant: VariantKind,
        games: u64,
        seed: u64,
        level: u8,
        empties: BTreeSet<u32>,
    ) -> Result<Self, PlanFault> {
        let plan = Self { variant, games, seed, level, empties, weights: own_weights(variant) };
        plan.check()?;
        Ok(plan)
    }

    /// Whether the plan makes sense, and this program would play its games.
    fn check(&self) -> Result<(), PlanFault> {
        if self.games == 0 {
            return Err(PlanFault::NoGames);
        }
        if !(1..=20).contains(&self.level) {
            return Err(PlanFault::Level(self.level));
        }
        if self.empties.is_empty() || !self.empties.iter().all(|n| (1..=MOST_EMPTIES).contains(n)) {
            return Err(PlanFault::Empties);
        }
        if self.weights != own_weights(self.variant) {
            return Err(PlanFault::OtherWeights(self.weights.clone()));
        }
        Ok(())
    }

    /// One line about the positions, for people.
    fn about(&self) -> String {
        let [least, most] = RANDOM_PLIES;
        format!(
            "{}: positions of games between turncoat:level={} after {least} to {most} random plies that leave neither \
             side more than {BALANCED} discs ahead; a best move with the exact score, for the mover",
            self.variant.title(),
            self.level
        )
    }
}

/// The checksum of the weights of this program.
fn own_weights(variant: VariantKind) -> String {
    trained(variant, Geometry::EIGHT).map_or_else(String::new, |patterns| format!("{:016x}", patterns.checksum()))
}

/// What is wrong with a plan.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PlanFault {
    /// It has no games.
    #[error("games: at least 1")]
    NoGames,
    /// There is no such level.
    #[error("level is 1 to 20, not {0}")]
    Level(u8),
    /// No empty squares, or too many to be solved.
    #[error("empties: 1 to {MOST_EMPTIES} can be solved in reasonable time")]
    Empties,
    /// Other weights would play other games.
    #[error("its games were played with the weights {0}, which are not those of this program")]
    OtherWeights(String),
}

/// Why a game cannot be played.
#[derive(Debug, Error)]
pub enum WorkerError {
    /// The player cannot be built.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The player failed.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// Memory runs out.
    #[error(transparent)]
    Memory(#[from] TableTooLarge),
}

/// What one thread needs to play games and to solve their positions.
pub struct TestsetWorker<'a> {
    plan: &'a TestsetPlan,
    player: Box<dyn Player>,
    solver: BestSolver,
    limits: Limits,
}

impl<'a> TestsetWorker<'a> {
    /// A worker for the games of this plan; `stop` ends a game.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new(plan: &'a TestsetPlan, stop: &StopFlag) -> Result<Self, WorkerError> {
        let setting = Setting { variant: plan.variant, geometry: Geometry::EIGHT, seed: plan.seed };
        let player: Spec = format!("turncoat:level={},hash={PLAYER_MEBIBYTES}", plan.level).parse()?;
        Ok(Self {
            plan,
            player: player.build(setting)?,
            solver: BestSolver::new(SOLVER_MEBIBYTES, 1, plan.variant, Geometry::EIGHT)?,
            limits: Limits { stop: stop.clone(), ..Limits::default() },
        })
    }

    /// Plays the game with this number and solves its positions; `None` if it was stopped.
    ///
    /// # Errors
    /// If the player fails.
    pub fn positions(&mut self, number: u64) -> Result<Option<Vec<ScoredPosition>>, WorkerError> {
        let Some(opening) = self.opening(number)? else {
            return Ok(None);
        };
        let mut solved = Vec::new();
        for position in self.play(opening, number)? {
            let Some(entry) = self.solve(position) else {
                return Ok(None);
            };
            solved.push(entry);
        }
        Ok((!self.limits.stop.is_raised()).then_some(solved))
    }

    /// Where a game begins: random plies that leave the game balanced.
    fn opening(&mut self, number: u64) -> Result<Option<Position>, WorkerError> {
        let [least, most] = RANDOM_PLIES;
        let mut last = None;
        for drawn in 0..MOST_DRAWN {
            let mut dice = SplitMix64::for_number(mix64(self.plan.seed) ^ number, drawn);
            let plies = least + dice.below(most - least + 1);
            let mut game = Position::start(Geometry::EIGHT).playout(|position, _| random_move(position, &mut dice));
            let Some(position) = game.nth(plies).filter(|position| !position.legal_moves().is_empty()) else {
                continue;
            };
            self.player.new_game(number);
            let info = self.player.choose(position, &self.limits, &mut |_| {})?;
            if self.limits.stop.is_raised() {
                return Ok(None);
            }
            last = Some(position);
            if info.and_then(|info| info.score).is_some_and(|score| score.abs() <= BALANCED) {
                break;
            }
        }
        Ok(last)
    }

    /// The positions of a game from this opening at which the plan looks: the first with each number of empty squares
    /// in which there is a choice to be made.
    fn play(&mut self, opening: Position, number: u64) -> Result<Vec<Position>, WorkerError> {
        self.player.new_game(number);
        let mut fault = None;
        let choose = |position, _| match self.player.choose(position, &self.limits, &mut |_| {}) {
            Ok(info) => info.map(|info| info.best),
            Err(found) => {
                fault = Some(found);
                None
            }
        };
        let mut wanted = self.plan.empties.clone();
        let mut found = Vec::new();
        for position in opening.playout(choose) {
            if !position.legal_moves().is_empty() && wanted.remove(&position.empties()) {
                found.push(position);
            }
            if wanted.first().is_none_or(|&least| position.empties() < least) || self.limits.stop.is_raised() {
                break;
            }
        }
        match fault {
            Some(fault) => Err(fault.into()),
            None => Ok(found),
        }
    }

    fn solve(&self, position: Position) -> Option<ScoredPosition> {
        // With an empty table the best move is the same each time, where several are.
        self.solver.forget();
        let solution = self.solver.solve(position, Goal::Score, &self.limits, &|_| {});
        let scores = vec![(solution.best()?, solution.score()?)];
        Some(ScoredPosition { position, scores })
    }
}
