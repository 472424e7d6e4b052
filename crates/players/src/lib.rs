//! Named players and how they are asked.
//!
//! A [`Roster`] parses a text such as `name` or `name:key=value,…` to a [`Spec`], which builds the player for a
//! variant, a size and a seed. A [`Player`] is asked with a position and [`Limits`]. It reports every better choice
//! as it finds it, can be stopped at any moment, and always has a legal move in hand.
//!
//! ```
//! use turncoat_board::{Geometry, Position, VariantKind};
//! use turncoat_players::{Limits, Roster, Setting};
//!
//! let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 7 };
//! let mut player = Roster::default().parse("greedy").unwrap().build(setting).unwrap();
//! let position = Position::start(Geometry::EIGHT);
//! let info = player.choose(position, &Limits::default(), &mut |_| {}).unwrap().unwrap();
//! assert!(position.legal_moves().contains(info.best));
//! ```

pub mod adaptive;
pub mod book;
mod classic;
mod duration;
pub mod flagship;
mod folder;
mod greedy;
mod options;
mod play;
mod player;
mod random;
mod registry;
mod roster;
pub mod seed;
mod spec;

pub use duration::parse_duration;
pub use folder::{FilePlayer, PlayerFolder};
pub use options::{Files, Options, PARAMETER_OPTIONS, SpecError};
pub use play::{Foul, guarded, play_game};
pub use player::{Explanation, Fault, MoveInfo, Player, Turn, candidate_list};
pub use registry::{Kind, OptionHelp, Setting};
pub use roster::{Program, Programs, Roster, check_name};
pub use spec::{BuildError, Spec};
#[cfg(target_family = "wasm")]
pub use turncoat_search::use_clock;
pub use turncoat_search::{Clock, Limits, StopFlag, SystemClock};
#[cfg(all(target_family = "wasm", target_feature = "atomics"))]
pub use turncoat_search::{hire, serve};
