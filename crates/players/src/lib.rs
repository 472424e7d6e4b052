//! Named players and how they are asked.
//!
//! A player is written `name` or `name:key=value,…` ([`Spec`]), built for a variant, a size and a seed
//! ([`build`]), and asked with a position and [`Limits`]. It reports every better choice as it finds it,
//! can be stopped at any moment, and always has a legal move in hand.
//!
//! ```
//! use turncoat_board::{Geometry, Position, VariantKind};
//! use turncoat_players::{Limits, Setting, Spec, build};
//!
//! let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 7 };
//! let mut player = build(&"greedy".parse::<Spec>().unwrap(), setting).unwrap();
//! let position = Position::start(Geometry::EIGHT);
//! let thought = player.choose(position, &Limits::default(), &mut |_| {}).unwrap().unwrap();
//! assert!(position.legal_moves().contains(thought.best));
//! ```

mod classic;
mod duration;
pub mod flagship;
mod greedy;

mod player;
mod random;
mod registry;
pub mod seed;
mod spec;

pub use duration::parse_duration;
pub use player::{Explanation, Fault, Player, Thought, Turn, candidate_list};
pub use registry::{BuildError, Kind, OptionHelp, Setting, build, build_with, check, export, kinds, parameters};
pub use spec::{Options, Spec, SpecError};
pub use turncoat_search::{Limits, StopFlag};
