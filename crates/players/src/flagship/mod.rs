//! `turncoat`: the project's own player. Deep selective search in the middle game, perfect play at the end.

mod engine;
mod evaluations;

use std::sync::Arc;

use turncoat_board::{Geometry, Position, Variant, VariantKind};
use turncoat_eval::Estimator;
use turncoat_search::pvs::Level;
use turncoat_search::table::Table;

use self::engine::{Engine, Mind};
pub use self::evaluations::{
    EVALUATIONS, EstimatorTask, fit_for, usual_evaluation, with_evaluation, write_fit,
};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Fault, Kind, Limits, OptionHelp, Options, Player, SpecError, Thought, parse_duration};

pub(crate) const KIND: Kind = Kind {
    name: "turncoat",
    about: "the project's own: deep search in the middle game, perfect play at the end",
    variants: &VariantKind::BOTH,
    sides: ALL_SIDES,
    options: &[
        OptionHelp {
            key: "depth",
            value: "PLIES",
            about: "looks at most this far ahead",
        },
        OptionHelp {
            key: "time",
            value: "TIME",
            about: "thinks at most this long, as in 100ms",
        },
        OptionHelp {
            key: "eval",
            value: "hand|gene45",
            about: "what judges positions",
        },
        OptionHelp {
            key: "selectivity",
            value: "0-5",
            about: "how bold cuts by probability are: 0 boldest, 5 none (1)",
        },
        OptionHelp {
            key: "solve",
            value: "EMPTIES",
            about: "plays perfectly from this many empty squares on",
        },
        OptionHelp {
            key: "hash",
            value: "MIB",
            about: "memory of the search (32)",
        },
        OptionHelp {
            key: "threads",
            value: "N",
            about: "threads of the solver (1)",
        },
    ],
    make: |options, setting| Ok(Box::new(Flagship::take(options, setting)?)),
    parameters: None,
};

/// Depth without any limit: a good move in a moment.
const OWN_DEPTH: u32 = 10;
const OWN_HASH: usize = 32;
/// Cuts by probability as bold as pays.
const OWN_SELECTIVITY: u8 = 1;

struct Flagship {
    engine: Box<dyn Engine>,
    depth: Option<u32>,
    time: Option<std::time::Duration>,
}

impl Flagship {
    fn take(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        let depth: Option<u32> = options.take("depth")?;
        if depth.is_some_and(|depth| !(1..=60).contains(&depth)) {
            return Err(options.fault("depth is 1 to 60 plies".to_owned()));
        }
        let time = options
            .take::<String>("time")?
            .map(|text| parse_duration(&text));
        let time = time
            .transpose()
            .map_err(|error| options.fault(format!("time: {error}")))?;
        let hash = options.take("hash")?.unwrap_or(OWN_HASH);
        let threads = options.take("threads")?.unwrap_or(1);
        let solve = options.take("solve")?;
        let eval = options
            .take::<String>("eval")?
            .unwrap_or_else(|| usual_evaluation(setting.variant, setting.geometry).to_owned());
        let table =
            Table::new(hash).map_err(|error| options.fault(format!("hash={hash}: {error}")))?;
        let level: u8 = options.take("selectivity")?.unwrap_or(OWN_SELECTIVITY);
        let level = Level::ALL.get(usize::from(level)).copied();
        let level = level
            .ok_or_else(|| options.fault("selectivity is 0 (boldest) to 5 (none)".to_owned()))?;
        let make = Make {
            geometry: setting.geometry,
            table: Arc::new(table),
            threads,
            solve,
            level,
        };
        let engine = with_evaluation(&eval, setting.variant, setting.geometry, make);
        let engine = engine.map_err(|fault| options.fault(format!("eval: {fault}")))?;
        Ok(Self {
            engine,
            depth,
            time,
        })
    }
}

/// What an engine is made of.
struct Make {
    geometry: Geometry,
    table: Arc<Table>,
    threads: usize,
    solve: Option<u32>,
    level: Level,
}

impl EstimatorTask for Make {
    type Output = Box<dyn Engine>;

    fn run<V: Variant, E: Estimator + 'static>(self, variant: V, estimator: E) -> Self::Output {
        let Self {
            geometry,
            table,
            threads,
            solve,
            level,
        } = self;
        let fit = fit_for(V::KIND, geometry, &estimator);
        Box::new(Mind::new(
            variant, geometry, estimator, fit, level, table, threads, solve,
        ))
    }
}

impl Player for Flagship {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&Thought),
    ) -> Result<Option<Thought>, Fault> {
        let mut limits = limits.clone();
        limits.time = match (self.time, limits.time) {
            (Some(own), Some(given)) => Some(own.min(given)),
            (own, given) => own.or(given),
        };
        limits.depth = match (self.depth, limits.depth) {
            (Some(own), Some(given)) => Some(own.min(given)),
            (own, given) => own.or(given),
        };
        if limits.depth.is_none() && limits.time.is_none() && limits.nodes.is_none() {
            limits.depth = Some(OWN_DEPTH);
        }
        Ok(self.engine.think(position, &limits, report))
    }

    fn new_game(&mut self, _game: u64) {
        self.engine.forget();
    }
}
