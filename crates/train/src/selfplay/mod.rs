//! Games of a player against itself: what the evaluation is trained on.
//!
//! A game begins with an enumerated or random opening, continues with a search of small depth, and ends with perfect play.
//! Each game depends on the run's seed and its own number alone, so that any number of threads and any
//! interruption give the same games: [`play_chunk`] plays some of them, a [`SelfplayRun`] keeps them.

mod chunk;
mod run;

use std::collections::VecDeque;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use turncoat_board::{Color, Geometry, Move, Position, Square, Variant, VariantKind};
use turncoat_eval::{Evaluation, HandMade, UNITS};
use turncoat_players::StopFlag;
use turncoat_players::flagship::{error_model_for, with_evaluation};
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, Solution, Solver};
use turncoat_search::pvs::Selectivity;
use turncoat_search::transposition::{TableTooLarge, TranspositionTable};
use turncoat_util::SplitMix64;

pub use self::chunk::play_chunk;
pub use self::run::SelfplayRun;
use crate::games::{Ply, TrainingGame};
use crate::openings::{Randomness, enumerated, random_plies};
use crate::sample::{Cuts, best_move, random_move};

/// How games are played.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SelfplayPlan {
    /// The game.
    pub variant: VariantKind,
    /// The board; the full one unless told.
    #[serde(default = "eight", skip_serializing_if = "is_eight")]
    pub size: Geometry,
    /// The evaluation: its name or a file of weights.
    pub evaluation: String,
    /// How many games.
    pub games: u64,
    /// Games of different seeds differ.
    pub seed: u64,
    /// How far the players look ahead.
    pub depth: u32,
    /// How bold their cuts are, where the evaluation has an error model; at full width unless told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selectivity: Option<u8>,
    /// From this many empty squares on play is perfect.
    pub solve: u32,
    /// Every this many games one begins with an enumerated opening; 0 for none.
    #[serde(default)]
    pub enumerate_every: u64,
    /// How many plies are enumerated.
    #[serde(default)]
    pub enumerated_plies: u32,
    /// Random play at the start of the others.
    pub random: Vec<Randomness>,
    /// How many games one file holds.
    #[serde(default = "usual_shard")]
    pub shard: u64,
}

fn usual_shard() -> u64 {
    4096
}

pub(crate) const fn eight() -> Geometry {
    Geometry::EIGHT
}

pub(crate) fn is_eight(size: &Geometry) -> bool {
    *size == Geometry::EIGHT
}

/// The selectivity with this number.
fn selectivity_of(number: u8) -> Option<Selectivity> {
    Selectivity::ALL.get(usize::from(number)).copied()
}

/// The most games of a run.
const MOST_GAMES: u64 = 1_000_000_000;

impl SelfplayPlan {
    /// What is wrong with the plan, if anything, a missing evaluation included.
    pub fn fault(&self) -> Option<String> {
        let check = |good: bool, fault: &str| (!good).then(|| fault.to_owned());
        check((1..=MOST_GAMES).contains(&self.games), "games: 1 to 1,000,000,000")
            .or(check((1..=20).contains(&self.depth), "depth is 1 to 20 plies"))
            .or(check(
                self.selectivity.is_none_or(|number| selectivity_of(number).is_some()),
                "selectivity: 0, the boldest, to 5",
            ))
            .or(check(self.solve <= 20, "solve: at most 20 empty squares"))
            .or(check(self.shard > 0, "shard: at least one game"))
            .or(check(self.enumerated_plies <= 9, "enumerated_plies: at most 9"))
            .or(check(!self.random.is_empty(), "random: at least one kind of opening"))
            .or(self.random.iter().find_map(|kind| {
                let [least, most] = kind.plies;
                let good = least <= most && most <= 50 && kind.share > 0.0 && kind.share < 1e9;
                let balanced = kind.lead.is_none_or(|lead| lead <= 64);
                check(good, "random: plies are [least, most] up to 50, shares above 0")
                    .or(check(balanced, "random: lead is at most 64 discs"))
            }))
            .or_else(|| {
                let task = chunk::IsThere(self);
                with_evaluation(&self.evaluation, self.variant, self.size, task).flatten().err()
            })
    }

    /// The file of the evaluation, if it is one: names have neither slashes nor dots.
    pub fn evaluation_file(&self) -> Option<&Path> {
        let name = &self.evaluation;
        name.contains(['/', '.']).then(|| Path::new(name))
    }

    /// The most plies that a game begins with before anyone thinks.
    fn most_random(&self) -> u64 {
        let plies = self.random.iter().map(|kind| kind.plies[1]);
        plies.max().unwrap_or(0).into()
    }

    /// How many files the games fill.
    pub const fn shards(&self) -> u64 {
        self.games.div_ceil(self.shard)
    }

    /// The numbers of the games of one file; none if there is no such file.
    pub fn games_of(&self, shard: u64) -> Range<u64> {
        let first = shard.saturating_mul(self.shard).min(self.games);
        first..first.saturating_add(self.shard).min(self.games)
    }
}

/// One thread's table.
pub struct SearchMemory {
    table: Arc<TranspositionTable>,
}

/// How often an opening is drawn before one is taken in which a side is too far ahead.
const MOST_DRAWS: u32 = 50;
/// Memory of one thread: small, since trees are.
const MEBIBYTES: usize = 1;

impl SearchMemory {
    /// A new one.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn new() -> Result<Self, TableTooLarge> {
        Ok(Self { table: Arc::new(TranspositionTable::new(MEBIBYTES)?) })
    }

    /// The exact score of a position for its mover.
    pub fn exact_score(&self, variant: VariantKind, position: Position) -> i32 {
        self.solve(variant, position).lower.discs()
    }

    fn solve(&self, variant: VariantKind, position: Position) -> Solution {
        let solver = Solver::with_table(Arc::clone(&self.table), 1, HandMade::new(variant, position.geometry()));
        solver.solve(position, variant, Goal::Score, &Limits::default(), &|_| {})
    }
}

/// A plan's player and openings.
pub struct Selfplay<'a, V, E> {
    plan: &'a SelfplayPlan,
    variant: V,
    pub(crate) evaluation: &'a E,
    cuts: Option<Cuts>,
    openings: Vec<Vec<Square>>,
}

impl<'a, V: Variant, E: Evaluation> Selfplay<'a, V, E> {
    /// The player of a plan whose evaluation is this one.
    ///
    /// # Errors
    /// If the error model beside the evaluation cannot be used, or there is none and the plan wants cuts.
    pub fn new(plan: &'a SelfplayPlan, variant: V, evaluation: &'a E) -> Result<Self, String> {
        let openings = enumerated(plan.size, plan.enumerated_plies);
        let selectivity = plan.selectivity.and_then(selectivity_of).filter(|&bold| bold != Selectivity::FULL_WIDTH);
        let cuts = selectivity.map(|selectivity| {
            let found = error_model_for(&plan.evaluation, V::KIND, plan.size, evaluation)?;
            let model = found.ok_or_else(|| format!("selectivity: there is no error model for {}", plan.evaluation))?;
            Ok::<_, String>(Cuts { model, selectivity })
        });
        Ok(Self { plan, variant, evaluation, cuts: cuts.transpose()?, openings })
    }

    /// The board.
    pub const fn size(&self) -> Geometry {
        self.plan.size
    }

    /// Plays the game with this number.
    pub fn play(&self, number: u64, memory: &SearchMemory) -> TrainingGame {
        memory.table.clear();
        let (opening, played_at_random) = self.opening(number, memory);
        let mut plies: Vec<Ply> = Vec::with_capacity(60);
        let mut exact_from = None;
        // What the solver has found and is still to be played.
        let mut perfect = VecDeque::new();
        let choose = |position: Position, _| {
            let number = plies.len();
            let (square, score) = if let Some(&square) = opening.get(number) {
                (square, 0)
            } else if let Some(found) = perfect.pop_front() {
                found
            } else if position.empties() <= self.plan.solve {
                exact_from.get_or_insert(number);
                perfect = perfect_moves(&memory.solve(V::KIND, position));
                perfect.pop_front()?
            } else {
                let (square, value) = self.best_move(position, memory);
                (square, (value + UNITS / 2).div_euclid(UNITS))
            };
            plies.push(Ply { square, score: score.clamp(-64, 64) as i8 });
            Some(square)
        };
        let last = Position::start(self.plan.size).playout(choose).last();
        let result = last.and_then(|last| last.final_score(V::KIND, Color::Black));
        TrainingGame {
            random: played_at_random as u8,
            exact_from: exact_from.unwrap_or(plies.len()) as u8,
            result: result.map_or(0, |score| score.discs() as i8),
            plies,
        }
    }

    /// Plays the games with these numbers on all threads; `None` if the flag is raised. `played` hears of each.
    ///
    /// # Errors
    /// If memory runs out.
    pub fn play_all(
        &self,
        games: Range<u64>,
        stop: &StopFlag,
        played: impl Fn(&TrainingGame) + Sync,
    ) -> Result<Option<Vec<TrainingGame>>, TableTooLarge> {
        let games = games.into_par_iter().map_init(SearchMemory::new, |memory, number| {
            if stop.is_raised() {
                return Ok(None);
            }
            let game = self.play(number, memory.as_ref().map_err(|&error| error)?);
            played(&game);
            Ok(Some(game))
        });
        Ok(games.collect::<Result<Vec<_>, _>>()?.into_iter().collect())
    }

    /// The plies before anyone thinks, and how many plies from the start on count as random.
    fn opening(&self, number: u64, memory: &SearchMemory) -> (Vec<Square>, usize) {
        let Self { plan, openings, .. } = self;
        let mut random = SplitMix64::for_number(plan.seed, number);
        let (mut random_plies, mut lead) = random_plies(&plan.random, &mut random);
        let mut known: &[Square] = &[];
        if plan.enumerate_every > 0 && number.is_multiple_of(plan.enumerate_every) && !openings.is_empty() {
            let (round, all) = (number / plan.enumerate_every, openings.len() as u64);
            known = &openings[(round % all) as usize];
            // The first time an opening is played as it is, later with more and more random plies: up to as many as
            // other games have.
            random_plies = plan.most_random().min(known.len() as u64 + round / all) as u32;
            lead = None;
        }
        let mut plies = Vec::new();
        for _ in 0..MOST_DRAWS {
            plies.clear();
            let choose = |position: Position, _| {
                let number = plies.len();
                let square = match known.get(number) {
                    Some(&square) => square,
                    None if number < random_plies as usize => random_move(position, &mut random)?,
                    None => return None,
                };
                plies.push(square);
                Some(square)
            };
            let last = Position::start(plan.size).playout(choose).last();
            let value = last
                .filter(|last| !last.is_over())
                .zip(lead)
                .map(|(last, lead)| (self.best_move(last, memory).1, lead));
            if value.is_none_or(|(value, lead)| value.unsigned_abs() <= lead * UNITS as u32) {
                break;
            }
        }
        let at_random = if plies.len() > known.len() { plies.len() } else { 0 };
        (plies, at_random)
    }

    fn best_move(&self, position: Position, memory: &SearchMemory) -> (Square, i32) {
        best_move(self.variant, self.evaluation, self.plan.depth, self.cuts.as_ref(), position, &memory.table)
    }
}

/// The moves of a solver's line, each with its score for its mover.
fn perfect_moves(solution: &Solution) -> VecDeque<(Square, i32)> {
    let scores = [solution.lower.discs(), -solution.lower.discs()].into_iter().cycle();
    let scored = |(played, score): (&Move, i32)| played.square().map(|square| (square, score));
    solution.line.iter().zip(scores).filter_map(scored).collect()
}

#[cfg(test)]
mod tests {
    use turncoat_board::Reversed;

    use super::*;

    fn plan() -> SelfplayPlan {
        SelfplayPlan {
            variant: VariantKind::Reversed,
            size: Geometry::EIGHT,
            evaluation: "hand".to_owned(),
            games: 12,
            seed: 3,
            depth: 1,
            selectivity: None,
            solve: 8,
            enumerate_every: 3,
            enumerated_plies: 2,
            random: vec![Randomness { plies: [6, 30], share: 1.0, lead: None }],
            shard: 5,
        }
    }

    #[test]
    fn games_are_whole_exact_at_the_end_and_alike_each_time() {
        let (plan, hand) = (plan(), HandMade::new(VariantKind::Reversed, Geometry::EIGHT));
        let selfplay = Selfplay::new(&plan, Reversed, &hand).unwrap();
        let memory = SearchMemory::new().unwrap();
        let solver = Solver::new(1, 1, hand).unwrap();
        for number in 0..plan.games {
            let game = selfplay.play(number, &memory);
            let replay = game.replay(plan.size).expect("legal moves");
            let exact: Vec<_> = replay[usize::from(game.exact_from)..].to_vec();
            assert!(exact.iter().all(|at| at.score == at.result));
            let first = exact[0].position;
            let solved = solver.solve(first, VariantKind::Reversed, Goal::Score, &Limits::default(), &|_| {});
            assert_eq!(solved.score().unwrap().discs(), exact[0].result);
            let fresh = SearchMemory::new().unwrap();
            assert_eq!(game, selfplay.play(number, &fresh));
        }
    }

    #[test]
    fn short_openings_do_not_make_games_random() {
        let mut plan = plan();
        (plan.enumerate_every, plan.enumerated_plies) = (1, 1);
        plan.random[0].plies = [2, 4];
        let hand = HandMade::new(VariantKind::Reversed, Geometry::EIGHT);
        let selfplay = Selfplay::new(&plan, Reversed, &hand).unwrap();
        let memory = SearchMemory::new().unwrap();
        let random: Vec<u8> = [0, 1, 2, 3, 4, 100]
            .map(|round| round * selfplay.openings.len() as u64)
            .map(|number| selfplay.play(number, &memory).random)
            .to_vec();
        // None of the plies of an opening are random when it is first played.
        assert_eq!(random, [0, 2, 3, 4, 4, 4]);
    }

    #[test]
    fn cuts_need_an_error_model() {
        let mut plan = plan();
        (plan.depth, plan.selectivity) = (6, Some(0));
        let hand = HandMade::new(VariantKind::Reversed, Geometry::EIGHT);
        let memory = SearchMemory::new().unwrap();
        let bold = Selfplay::new(&plan, Reversed, &hand).unwrap().play(1, &memory);
        let full = SelfplayPlan { selectivity: None, ..plan.clone() };
        assert_ne!(bold, Selfplay::new(&full, Reversed, &hand).unwrap().play(1, &memory));
        plan.selectivity = Some(6);
        assert!(plan.fault().unwrap().contains("selectivity"));
        (plan.selectivity, plan.random[0].lead) = (None, Some(65));
        assert_eq!(plan.fault().unwrap(), "random: lead is at most 64 discs");
        plan.random[0].lead = Some(64);
        assert_eq!(plan.fault(), None);
        // Of the other game: there is none for it.
        plan.selectivity = Some(0);
        let foreign = HandMade::new(VariantKind::Reversi, Geometry::EIGHT);
        assert!(Selfplay::new(&plan, Reversed, &foreign).is_err_and(|fault| fault.contains("no error model")));
    }

    #[test]
    fn files_hold_all_games_once() {
        let plan = plan();
        let games: Vec<u64> = (0..plan.shards()).flat_map(|shard| plan.games_of(shard)).collect();
        assert_eq!(games, (0..12).collect::<Vec<u64>>());
    }
}
