//! Matches and tournaments between players.
//!
//! A [`Plan`] says everything that the games of a run depend on. Its [`Schedule`] numbers the games; the
//! [`runner`] plays them on several threads, each under a [`Referee`]; [`Results`] count them in the order
//! of their numbers; a [`Store`] keeps them, so that a run can be interrupted and resumed. What the
//! results say is in [`stats`] and [`standings`], what is written about them in [`report`].
//!
//! ```
//! use turncoat_arena::{Arena, Control, Entrant, Finish, Openings, RunOptions, Results, Schedule, Source, run};
//! use turncoat_board::{Geometry, VariantKind};
//! use turncoat_players::{Setting, StopFlag};
//!
//! let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::SIX, seed: 7 };
//! let entrant = |name: &str, index| Entrant::from_spec(name, &name.parse().unwrap(), setting, index).unwrap();
//! let arena = Arena {
//!     entrants: vec![entrant("greedy", 0), entrant("random", 1)],
//!     openings: Openings::new(&Source::Random { plies: 6 }, setting.variant, setting.geometry, 7).unwrap(),
//!     control: Control::default(),
//! };
//! let mut results = Results::new(2);
//! let options = RunOptions { concurrency: 2, stop: StopFlag::default(), watcher: None };
//! let schedule = Schedule::round_robin(2, 25);
//! let finish = run(&arena, schedule, &mut results, None, None, &options, &mut |_| Ok(())).unwrap();
//! assert_eq!(finish, Finish::Complete);
//! assert_eq!(results.against(0, 1).games(), 50);
//! ```

mod difference;
mod efforts;
mod entrant;
pub mod faults;
mod from_book;
mod ladder;
mod openings;
mod plan;
mod played;
mod referee;
pub mod report;
mod results;
pub mod runner;
mod schedule;
mod standings;
pub mod stats;
mod store;
mod swiss;
mod words;
mod written;

pub use difference::Difference;
pub use efforts::{Effort, Efforts, WrittenEfforts};
pub use entrant::Entrant;
pub use ladder::{Ladder, Rung};
pub use openings::{OpeningFault, Openings, OpeningsError, Source, read as read_openings};
pub use plan::{Format, MOST_GAMES, MOST_PLAYERS, Plan, PlanError};
pub use played::{Ending, Finished, Played};
pub use referee::{Control, Referee, Verdict};
pub use results::{Results, Tally};
pub use runner::{Arena, Finish, RunError, RunOptions, run};
pub use schedule::{Fixture, Schedule};
pub use standings::{Standing, standings};
pub use store::{Contents, Place, Store, StoreError, StoreFault, StoreKind, beside};
pub use swiss::Swiss;
pub use words::signed;
pub use written::{NotOfTheRun, Written};
