//! The players of the five course reports, one file each, and `linear`, which mixes their features. `docs/classics.md`
//! cites the reports.
//!
//! All are asked the course's way: first every legal move, then ever better choices, so that the last one
//! is a legal move at any moment. What each is made of is in the evaluation crate; here is how it searches.

mod deepening;
mod gene45;
mod linear;
mod nine_weights;
mod shifting_weights;
mod six_stage;
mod top_six;

use std::time::Duration;

use turncoat_board::{Color, Position, Square};
use turncoat_eval::classic::{Parameters, Schema};
use turncoat_eval::{ClassicEvaluation, RootView};
use turncoat_search::minimax::{Minimax, choose};
use turncoat_search::{Limits, Watch};

pub(crate) use self::deepening::FINAL;
use crate::duration::parse_duration;
use crate::{Explanation, Kind, MoveInfo, OptionHelp, Options, SpecError};

pub(crate) const KINDS: [Kind; 6] =
    [gene45::KIND, nine_weights::KIND, top_six::KIND, shifting_weights::KIND, six_stage::KIND, linear::KIND];

pub(crate) const DEPTH: OptionHelp = OptionHelp { key: "depth", value: "PLIES", about: "looks at most this far ahead" };
pub(crate) const TIME: OptionHelp =
    OptionHelp { key: "time", value: "TIME", about: "thinks at most this long, as in 4.8s" };
pub(crate) const WEIGHTS: OptionHelp =
    OptionHelp { key: "weights", value: "FILE", about: "plays with the parameters of a file (see --export)" };

/// How far and how long a player looks ahead.
#[derive(Debug, Clone, Copy)]
struct OwnLimits {
    /// Set by an option.
    depth: Option<u32>,
    /// Set by an option or by the report.
    time: Option<Duration>,
}

impl OwnLimits {
    fn from_options(options: &mut Options, own_time: Option<Duration>) -> Result<Self, SpecError> {
        let depth: Option<u32> = options.take("depth")?;
        if depth.is_some_and(|depth| !(1..=60).contains(&depth)) {
            return Err(options.fault("depth is 1 to 60 plies".to_owned()));
        }
        let time = options.take::<String>("time")?.map(|text| parse_duration(&text));
        let time = time.transpose().map_err(|error| options.fault(format!("time: {error}")))?;
        Ok(Self { depth, time: time.or(own_time) })
    }

    /// The depth to search: the option's within the asker's limit, else the asker's, else the report's.
    fn depth(self, limits: &Limits, own: u32) -> u32 {
        match (self.depth, limits.depth) {
            (Some(option), Some(limit)) => option.min(limit),
            (Some(depth), None) | (None, Some(depth)) => depth,
            (None, None) => own,
        }
        .max(1)
    }
}

/// One decision under way: the watch that ends it and the choices made so far. The two are apart, so that
/// a search can hold the one while it reports through the other.
struct Decision<'a> {
    watch: Watch,
    choices: Choices<'a>,
}

/// The best choice so far, reported whenever it changes.
struct Choices<'a> {
    report: &'a mut dyn FnMut(&MoveInfo),
    best: MoveInfo,
}

impl<'a> Decision<'a> {
    /// Begins a decision with the last legal move in hand, as the course's list has it before anything was
    /// searched; `None` without a legal move.
    fn begin(
        position: Position,
        limits: &Limits,
        own: OwnLimits,
        report: &'a mut dyn FnMut(&MoveInfo),
    ) -> Option<Self> {
        let best = MoveInfo::at_sight(position.legal_moves().into_iter().last()?);
        report(&best);
        // Reserves 1/25 of a given time limit, as gene45's report reserves 0.2 s of 5 s.
        let given = limits.time.map(|time| time.saturating_sub(time / 25));
        let time = match (own.time, given) {
            (Some(own), Some(given)) => Some(own.min(given)),
            (own, given) => own.or(given),
        };
        let watch = Watch::start(&Limits { time, ..limits.clone() });
        Some(Self { watch, choices: Choices { report, best } })
    }

    /// The best move one ply ahead, before a deep search that may be cut short (ours).
    fn look<E: ClassicEvaluation>(&mut self, search: Minimax<'_, E>, position: Position) {
        let search = Minimax { depth: 1, ..search };
        if let Some(choice) = choose(search, position, &mut self.watch, &mut |_| {}) {
            self.choices.offer(choice.square, 1, false);
        }
    }

    /// Searches and reports every better move as it is found.
    fn search<E: ClassicEvaluation>(&mut self, search: Minimax<'_, E>, position: Position) {
        let Self { watch, choices } = self;
        choose(search, position, watch, &mut |choice| {
            choices.offer(choice.square, search.depth, false);
        });
    }

    fn answer(self) -> MoveInfo {
        MoveInfo { nodes: self.watch.nodes(), ..self.choices.best }
    }
}

impl Choices<'_> {
    /// A better choice was found.
    fn offer(&mut self, square: Square, depth: u32, exact: bool) {
        self.best = MoveInfo { depth, exact, ..MoveInfo::at_sight(square) };
        (self.report)(&self.best);
    }
}

fn explain<E: ClassicEvaluation>(evaluation: &E, position: Position) -> Explanation {
    let view = RootView::from_root(position);
    Explanation { value: evaluation.evaluate(&view), terms: evaluation.terms(&view) }
}

/// The parameters that were given in memory or are in the file that an option names, or the published ones.
fn take_parameters(options: &mut Options, schema: &Schema, published: Parameters) -> Result<Parameters, SpecError> {
    let file = options.take_file()?;
    match (options.parameters(), file) {
        (Some(given), _) => Ok(given.clone()),
        (None, Some((path, text))) => {
            schema.read(&text).map_err(|error| options.fault(format!("weights={path}: {error}")))
        }
        (None, None) => Ok(published),
    }
}

/// The evaluation of each colour.
struct ByColor<E> {
    black: E,
    /// Only where white has weights of its own.
    white: Option<E>,
}

impl<E> ByColor<E> {
    fn make(
        parameters: &Parameters,
        options: &Options,
        make: impl Fn(&Parameters) -> Option<E>,
    ) -> Result<Self, SpecError> {
        let fitting = |color| {
            make(&parameters.for_color(color))
                .ok_or_else(|| options.fault("the parameters do not fit this player".to_owned()))
        };
        Ok(Self {
            black: fitting(Color::Black)?,
            white: match parameters.white {
                None => None,
                Some(_) => Some(fitting(Color::White)?),
            },
        })
    }

    fn for_color(&self, color: Color) -> &E {
        match (color, &self.white) {
            (Color::White, Some(white)) => white,
            _ => &self.black,
        }
    }
}
