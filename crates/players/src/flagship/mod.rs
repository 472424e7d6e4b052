//! `turncoat`: the project's own player. Deep selective search in the middle game, perfect play at the end.

mod engine;

use std::sync::Arc;

use turncoat_board::{Position, Reversed, Variant, VariantKind, VariantTask};
use turncoat_eval::Calibrated;
use turncoat_eval::classic::Gene45;
use turncoat_search::pvs::Hand;
use turncoat_search::table::Table;

use self::engine::{Engine, Mind};
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
/// gene45's values in discs: fitted to the results of its own games, one number for all stages.
const GENE45_DISCS: f64 = 0.012;

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
            .unwrap_or_else(|| "hand".to_owned());
        let table =
            Table::new(hash).map_err(|error| options.fault(format!("hash={hash}: {error}")))?;
        let make = Make {
            eval,
            setting,
            table: Arc::new(table),
            threads,
            solve,
        };
        let engine = setting
            .variant
            .run(make)
            .map_err(|fault| options.fault(fault))?;
        Ok(Self {
            engine,
            depth,
            time,
        })
    }
}

/// What an engine is made of.
struct Make {
    eval: String,
    setting: Setting,
    table: Arc<Table>,
    threads: usize,
    solve: Option<u32>,
}

impl VariantTask for Make {
    type Output = Result<Box<dyn Engine>, String>;

    fn run<V: Variant>(self, variant: V) -> Self::Output {
        let Self {
            eval,
            setting,
            table,
            threads,
            solve,
        } = self;
        let geometry = setting.geometry;
        Ok(match (eval.as_str(), setting.variant) {
            ("hand", _) => Box::new(Mind::new(
                variant,
                geometry,
                Hand::<V>::new(geometry),
                table,
                threads,
                solve,
            )),
            ("gene45", VariantKind::Reversed) => {
                let gene45 = Gene45::new(&Gene45::published(), geometry)
                    .ok_or("the parameters do not fit")?;
                let estimator =
                    Calibrated::new(gene45, geometry, &[GENE45_DISCS; 65], 0x6765_6e65_3435);
                Box::new(Mind::new(
                    Reversed, geometry, estimator, table, threads, solve,
                ))
            }
            ("gene45", VariantKind::Reversi) => {
                return Err("gene45 judges Reversed Reversi alone".to_owned());
            }
            (other, _) => return Err(format!("eval={other}: it is hand or gene45")),
        })
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
