//! `adaptive`: plays as its base, learns how its opponent plays, and plays against that where it is sure enough.
//!
//! It watches the opponent's moves in the games it is shown. A [`model`] is fitted to them, and a [`memory`]
//! keeps the answers themselves. Where the model has predicted well, the rest of the game is [played in the
//! head](playouts) after each legal move; a move that wins clearly more often than the base's is played instead. What was
//! learnt lasts as long as the player: over the games of a match. `docs/adapting.md` tells how far that carries.

mod fit;
mod memory;
mod model;
mod playouts;
mod variation;

use turncoat_board::{Game, Move, Position, VariantKind};
use turncoat_search::Watch;

pub use self::fit::Reply;
use self::memory::Memory;
pub use self::model::OpponentModel;
use self::playouts::Playouts;
use crate::classic::{self, DEPTH, FINAL, TIME, WEIGHTS};
use crate::registry::{ALL_SIDES, Setting};
use crate::seed::derive;
use crate::{BuildError, Explanation, Fault, Kind, Limits, MoveInfo, OptionHelp, Options, Player, SpecError, Turn};

pub(crate) const KIND: Kind = Kind {
    name: "adaptive",
    about: "a classic that learns to predict its opponent, and plays against the prediction",
    variants: &VariantKind::BOTH,
    sides: ALL_SIDES,
    options: &[
        OptionHelp { key: "base", value: "CLASSIC", about: "plays as this one does, with its options (linear)" },
        OptionHelp {
            key: "sure",
            value: "CHANCE",
            about: "plays against a prediction that gives the moves made this chance or more (0.35; above 1 never)",
        },
        OptionHelp { key: "playouts", value: "GAMES", about: "games in the head for each legal move (4)" },
        DEPTH,
        TIME,
        FINAL,
        WEIGHTS,
    ],
    make: |options, setting| Ok(Box::new(Adaptive::from_options(options, setting)?)),
    parameters: None,
};

/// Who it may play like.
const BASES: &[Kind] = &classic::KINDS;
const USUAL_BASE: &str = "linear";
const SURE: f64 = 0.35;
const PLAYOUTS: u32 = 4;
/// How much more often a move must win in the head to be played: a share of the playouts.
const MARGIN: f64 = 0.3;
/// Before, playouts are too long to tell much, except along games that were played.
const MOST_EMPTIES: u32 = 40;
/// How constant an opponent is whose games are played again.
const CONSTANT: f64 = 0.8;
/// How far the base looks ahead in playouts at most.
const PLAYOUT_DEPTH: u32 = 3;

struct Adaptive {
    base: Box<dyn Player>,
    model: OpponentModel,
    memory: Memory,
    setting: Setting,
    sure: f64,
    playouts: u32,
    /// The game's number.
    game: u64,
    /// Where the game stood that was shown last, and after how many moves.
    shown: Option<(Position, usize)>,
}

impl Adaptive {
    fn from_options(options: &mut Options, setting: Setting) -> Result<Self, SpecError> {
        let sure = options.take("sure")?.unwrap_or(SURE);
        if !(0.0..=2.0).contains(&sure) {
            return Err(options.fault("sure is a number from 0 to 2".to_owned()));
        }
        let playouts = options.take("playouts")?.unwrap_or(PLAYOUTS);
        if !(1..=1000).contains(&playouts) {
            return Err(options.fault("playouts is 1 to 1000".to_owned()));
        }
        let base = build_base(options, setting)?;
        let model = OpponentModel::new(setting.variant, setting.geometry);
        Ok(Self { base, model, memory: Memory::default(), setting, sure, playouts, game: 0, shown: None })
    }

    /// Learns the opponent's moves since the game was last shown. A game that is new may have begun with an opening that
    /// nobody chose: what was played before teaches nothing.
    fn watch(&mut self, game: &Game) {
        let known = self.shown.filter(|(position, moves)| game.positions().get(*moves) == Some(position));
        if let Some((_, known)) = known {
            for (before, played) in game.positions().iter().zip(game.moves()).skip(known) {
                if let Move::Place(square) = *played
                    && before.side() != game.position().side()
                {
                    self.model.learn(*before, square);
                    self.memory.learn(*before, square);
                }
            }
        } else {
            self.model.settle();
        }
        self.shown = Some((game.position(), game.moves().len()));
    }

    /// Whether the opponent's moves can be predicted from here on, or are known from a game that was played.
    fn is_sure(&self, position: Position) -> bool {
        let moves = position.legal_moves();
        // With `sure` above 1 it never is.
        if moves.count() < 2 || self.sure > 1.0 {
            return false;
        }
        let was_here = || {
            let mut next = moves.into_iter().filter_map(|square| position.play(square));
            self.memory.constancy() >= CONSTANT && next.any(|next| self.memory.answer(next).is_some())
        };
        // The replies are a few plies ahead.
        let trust = || self.model.trust(position.empties().saturating_sub(3));
        position.empties() <= MOST_EMPTIES && trust() >= self.sure || was_here()
    }
}

/// Builds the base with the options that are left.
fn build_base(options: &mut Options, setting: Setting) -> Result<Box<dyn Player>, SpecError> {
    let name = options.take::<String>("base")?.unwrap_or_else(|| USUAL_BASE.to_owned());
    let kind = BASES.iter().find(|kind| kind.name == name).ok_or_else(|| {
        let known: Vec<&str> = BASES.iter().map(|kind| kind.name).collect();
        options.fault(format!("base={name}: it is one of {}", known.join(", ")))
    })?;
    kind.check_options(options)?;
    kind.build(options.clone(), setting).map_err(|error| match error {
        BuildError::Spec(error) => error,
        error => options.fault(error.to_string()),
    })
}

impl Player for Adaptive {
    fn prepare(&mut self, turn: &Turn<'_>) -> Result<(), Fault> {
        self.watch(turn.game);
        self.base.prepare(turn)
    }

    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        if !self.is_sure(position) {
            return self.base.choose(position, limits, report);
        }
        // With a clock the base has half of the time, and playouts end with a tenth of it left.
        let mut watch = Watch::start(&Limits { time: limits.time.map(|time| time.mul_f64(0.9)), ..limits.clone() });
        let halved = Limits { time: limits.time.map(|time| time / 2), ..limits.clone() };
        let Some(usual) = self.base.choose(position, &halved, report)? else { return Ok(None) };
        if usual.exact {
            return Ok(Some(usual));
        }
        let depth = limits.depth.map_or(PLAYOUT_DEPTH, |depth| depth.min(PLAYOUT_DEPTH));
        let mut playouts = Playouts {
            base: &mut *self.base,
            model: &self.model,
            memory: &self.memory,
            variant: self.setting.variant,
            limits: &Limits { depth: Some(depth), nodes: None, ..halved },
            watch: &mut watch,
            seed: derive(self.setting.seed, &[self.game, u64::from(position.empties())]),
        };
        let Some(square) = playouts.better(position, usual.best, self.playouts, MARGIN) else {
            return Ok(Some(usual));
        };
        let better = MoveInfo { nodes: usual.nodes, ..MoveInfo::at_sight(square) };
        report(&better);
        Ok(Some(better))
    }

    fn explain(&self, position: Position) -> Option<Explanation> {
        self.base.explain(position)
    }

    fn learns(&self) -> bool {
        true
    }

    fn new_game(&mut self, game: u64) {
        self.base.new_game(game);
        self.game = game;
        self.shown = None;
    }
}
