//! `turncoat`: the project's own player. Deep selective search in the middle game, perfect play at the end.

mod engine;
mod error_models;
mod evaluations;
mod levels;
mod mistakes;
mod opening;
mod solver;
mod time;

use std::sync::Arc;
use std::time::Duration;

use turncoat_board::{Geometry, Position, Variant, VariantKind};
use turncoat_eval::Evaluation;
use turncoat_search::pvs::{Constants, Selectivity};
use turncoat_search::transposition::TranspositionTable;

use self::engine::{Engine, Listener, SearchEngine, SearchSettings};
pub use self::error_models::{error_model_for, write_error_model};
pub(crate) use self::evaluations::MOST_WEIGHTS;
#[cfg(not(target_family = "wasm"))]
pub use self::evaluations::trained_file;
pub use self::evaluations::{
    EVALUATIONS, EvaluationTask, install_weights, read_weight_file, trained, trained_weights, usual_evaluation,
    with_evaluation,
};
use self::levels::skill;
pub use self::levels::{LevelRating, level_rating};
use self::mistakes::Mistakes;
use self::opening::Opening;
pub use self::solver::BestSolver;
use crate::registry::{ALL_SIDES, Setting};
use crate::seed::stream;
use crate::{Explanation, Fault, Kind, Limits, MoveInfo, OptionHelp, Options, Player, SpecError, parse_duration};

pub(crate) const KIND: Kind = Kind {
    name: "turncoat",
    about: "the project's own: deep search in the middle game, perfect play at the end",
    variants: &VariantKind::BOTH,
    sides: ALL_SIDES,
    options: &OPTIONS,
    make: |options, setting| Ok(Box::new(Flagship::from_options(options, setting)?)),
    parameters: None,
};

/// The options for everybody.
const BASIC: [OptionHelp; 11] = [
    OptionHelp {
        key: "level",
        value: "1-20",
        about: "1 errs like a beginner, 10 and up do their best, each two or three times as long",
    },
    OptionHelp { key: "nodes", value: "N", about: "looks at no more positions than this" },
    OptionHelp {
        key: "depth",
        value: "PLIES",
        about: "looks this far ahead, and to the end when 4 more squares are empty",
    },
    OptionHelp { key: "time", value: "TIME", about: "thinks at most this long, as in 100ms" },
    OptionHelp { key: "eval", value: "patterns|gene45|hand|FILE", about: "what evaluates positions" },
    OptionHelp {
        key: "selectivity",
        value: "0-5",
        about: "how bold cuts by probability are: 0 boldest, 5 none (0 up to a second a move, else 1)",
    },
    OptionHelp { key: "solve", value: "EMPTIES", about: "plays perfectly from this many empty squares on" },
    OptionHelp {
        key: "book",
        value: "on|exact|off|FILE",
        about: "plays from an opening book: the program's, what is proven in it, none, or a file's",
    },
    OptionHelp {
        key: "variety",
        value: "DISCS",
        about: "draws among the moves of the book that lose at most this much (0.2)",
    },
    OptionHelp { key: "hash", value: "MIB", about: "memory of the search (32)" },
    OptionHelp { key: "threads", value: "N", about: "threads of the search (1)" },
];

/// All options: those for everybody, then the constants of the search.
const OPTIONS: [OptionHelp; BASIC.len() + Constants::NAMES.len()] = {
    let mut all = [BASIC[0]; BASIC.len() + Constants::NAMES.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < BASIC.len() {
            BASIC[i]
        } else {
            let (key, value, about) = Constants::NAMES[i - BASIC.len()];
            OptionHelp { key, value, about }
        };
        i += 1;
    }
    all
};

/// Depth without any limit: a good move in a moment.
const OWN_DEPTH: u32 = 10;
/// Beside a book of exact scores, what it leaves is solved: a move takes about a second. All moves take that with fewer empties.
const SOLVED_BESIDE_BOOK: u32 = 21;
const ALL_SOLVED_BESIDE_BOOK: u32 = 18;
const OWN_HASH: usize = 32;
const MOST_THREADS: usize = 1024;
struct Flagship {
    engine: Box<dyn Engine>,
    /// Makes more engines with the same table.
    make: MakeEngine,
    depth: Option<u32>,
    nodes: Option<u64>,
    time: Option<Duration>,
    threads: Option<usize>,
    mistakes: Mistakes,
    opening: Option<Opening>,
    variant: VariantKind,
    seed: u64,
    game: u64,
}

impl Flagship {
    fn from_options(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        for other in ["depth", "nodes", "solve", "selectivity"] {
            options.refuse_both("level", other)?;
        }
        let skill = match options.take::<String>("level")? {
            None => None,
            Some(level) => {
                let skill = level.parse().ok().and_then(skill);
                Some(skill.ok_or_else(|| options.fault("level is 1 to 20".to_owned()))?)
            }
        };
        let depth: Option<u32> = options.take("depth")?;
        if depth.is_some_and(|depth| !(1..=60).contains(&depth)) {
            return Err(options.fault("depth is 1 to 60 plies".to_owned()));
        }
        let time = options.take::<String>("time")?.map(|text| parse_duration(&text));
        let time = time.transpose().map_err(|error| options.fault(format!("time: {error}")))?;
        let hash = options.take("hash")?.unwrap_or(OWN_HASH);
        if hash == 0 {
            return Err(options.fault("hash is at least 1 MiB".to_owned()));
        }
        let threads: Option<usize> = options.take("threads")?;
        if threads.is_some_and(|threads| !(1..=MOST_THREADS).contains(&threads)) {
            return Err(options.fault(format!("threads is 1 to {MOST_THREADS}")));
        }
        let solve: Option<u32> = options.take("solve")?;
        if solve.is_some_and(|solve| solve > 60) {
            return Err(options.fault("solve is 0 to 60 empties".to_owned()));
        }
        let usual = usual_evaluation(setting.variant, setting.geometry);
        let eval = options.take::<String>("eval")?.unwrap_or_else(|| usual.to_owned());
        let table = TranspositionTable::new(hash).map_err(|error| options.fault(format!("hash={hash}: {error}")))?;
        let selectivity = match options.take::<usize>("selectivity")? {
            None => None,
            Some(index) => {
                let known = Selectivity::ALL.get(index).copied();
                Some(known.ok_or_else(|| options.fault("selectivity is 0 (boldest) to 5 (none)".to_owned()))?)
            }
        };
        let constants = constants(options)?;
        let book: Option<String> = options.take("book")?;
        let variety: Option<f64> = options.take("variety")?;
        if variety.is_some_and(|discs| !(0.0..=64.0).contains(&discs)) {
            return Err(options.fault("variety is 0 to 64 discs".to_owned()));
        }
        let opening = Opening::from_option(book.as_deref(), variety, setting);
        let opening = opening.map_err(|fault| options.fault(format!("book: {fault}")))?;
        let settings = match skill {
            Some(skill) => SearchSettings { selectivity: Some(skill.selectivity), solve: skill.solve, constants },
            None => SearchSettings { selectivity, solve, constants },
        };
        let make = MakeEngine { eval, geometry: setting.geometry, table: Arc::new(table), settings };
        let engine = make.engine(setting.variant).map_err(|fault| options.fault(format!("eval: {fault}")))?;
        Ok(Self {
            engine,
            make,
            depth: skill.map_or(depth, |skill| skill.depth),
            nodes: options.take("nodes")?.or(skill.and_then(|skill| skill.nodes)),
            time,
            threads,
            mistakes: skill.map_or(Mistakes::NONE, |skill| skill.mistakes),
            opening,
            variant: setting.variant,
            seed: setting.seed,
            game: 0,
        })
    }

    /// The limits of a decision: those of the asker and the player's own. Without any, what is left by a book of exact scores is
    /// solved from so many empties on.
    fn limits(&self, given: &Limits, position: Position, solved: u32) -> Limits {
        let mut limits = given.clone();
        limits.time = least(self.time, limits.time);
        if let Some(budget) = &mut limits.game {
            budget.move_limit = least(self.time, budget.move_limit);
        }
        limits.depth = least(self.depth, limits.depth);
        limits.nodes = least(self.nodes, limits.nodes);
        limits.threads = self.threads.or(limits.threads);
        if limits.depth.is_none() && limits.time.is_none() && limits.nodes.is_none() {
            let empties = position.empties();
            let is_left = self.opening.as_ref().is_some_and(Opening::is_exact) && empties <= solved;
            limits.depth = Some(if is_left { empties } else { OWN_DEPTH });
        }
        limits
    }
}

/// The constants of the search, with those that the player's text sets.
fn constants(options: &mut Options) -> Result<Constants, SpecError> {
    let mut constants = Constants::USUAL;
    for &(name, values, _) in Constants::NAMES {
        let Some(value) = options.take(name)? else { continue };
        if !constants.set(name, value) {
            return Err(options.fault(format!("{name} is {values}")));
        }
    }
    Ok(constants)
}

/// The lesser of two bounds, either of which may be missing.
fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// Makes an engine with an evaluation.
#[derive(Clone)]
struct MakeEngine {
    eval: String,
    geometry: Geometry,
    table: Arc<TranspositionTable>,
    settings: SearchSettings,
}

impl MakeEngine {
    fn engine(&self, variant: VariantKind) -> Result<Box<dyn Engine>, String> {
        with_evaluation(&self.eval, variant, self.geometry, self.clone()).flatten()
    }
}

impl EvaluationTask for MakeEngine {
    type Output = Result<Box<dyn Engine>, String>;

    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output {
        let Self { eval, geometry, table, settings } = self;
        let error_model = error_model_for(&eval, V::KIND, geometry, &evaluation)?;
        Ok(Box::new(SearchEngine::new(variant, geometry, evaluation, error_model, settings, table)))
    }
}

impl Player for Flagship {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let limits = self.limits(limits, position, SOLVED_BESIDE_BOOK);
        // The same position of the same game is always answered alike.
        let dice = || stream(self.seed, &[self.game, position.board().salted_hash(0)]);
        if self.mistakes != Mistakes::NONE {
            let moves = self.engine.think(position, &limits, Listener::All(&mut |_| {}));
            let mut dice = dice();
            let chosen = self.mistakes.choose(self.variant, position, moves, &mut dice);
            chosen.iter().for_each(report);
            return Ok(chosen);
        }
        if let Some(known) = self.opening.as_ref().and_then(|opening| opening.choose(position, dice)) {
            report(&known);
            return Ok(Some(known));
        }
        Ok(self.engine.think(position, &limits, Listener::Best(report)).into_iter().next())
    }

    fn explain(&self, position: Position) -> Option<Explanation> {
        Some(self.engine.explain(position))
    }

    fn analyze(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&[MoveInfo]),
    ) -> Option<Vec<MoveInfo>> {
        if let Some(proven) = self.opening.as_ref().and_then(|opening| opening.analyze(position)) {
            report(&proven);
            return Some(proven);
        }
        let limits = Limits { game: None, ..self.limits(limits, position, ALL_SOLVED_BESIDE_BOOK) };
        Some(self.engine.think(position, &limits, Listener::All(report)))
    }

    fn fork(&self) -> Option<Box<dyn Player>> {
        let engine = self.make.engine(self.variant).ok()?;
        Some(Box::new(Self { engine, make: self.make.clone(), opening: self.opening.clone(), ..*self }))
    }

    fn new_game(&mut self, game: u64) {
        self.game = game;
        self.engine.forget();
    }
}
