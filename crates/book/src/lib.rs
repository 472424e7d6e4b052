//! Opening books: positions up to symmetry with the score of a deep search, negamaxed to the start.
//!
//! A [`Book`] is a sorted list of [`Entry`]s, read whole from its file and looked up by binary search. It [grows](grow())
//! in batches of [`Task`]s: what is searched next follows from the book alone, so that one thread and many grow the
//! same book. Who searches is up to the caller ([`Search`]).
//!
//! ```
//! use turncoat_board::{Geometry, Position, VariantKind};
//! use turncoat_book::{Book, Evaluation, Found};
//!
//! let evaluation = Evaluation { name: "hand".to_owned(), checksum: 7 };
//! let mut book = Book::new(VariantKind::Reversed, Geometry::EIGHT, evaluation);
//! let start = Position::start(Geometry::EIGHT);
//! book.insert(start.board(), Found { score: 1.5, depth: 16, is_exact: false, best: start.legal_moves().first(), nodes: 0 });
//! book.settle();
//! let again = Book::read(&book.write()).unwrap();
//! assert_eq!(again.find(start).unwrap().value(), 1.5);
//! ```

mod book;
mod check;
mod entry;
mod exact;
mod file;
mod games;
mod grow;
mod lines;
mod locate;
mod merge;
mod moves;
mod names;
mod verify;

pub use book::{Book, Evaluation};
pub use check::{CheckFault, CheckReport};
pub use entry::{Entry, Found, UNITS};
pub use file::{BookFault, EntryFault, LARGEST};
pub use games::Tally;
pub use grow::{Aim, GrowLimits, GrowPlan, GrowSettings, Growth, Progress, RivalError, Search, Task, batch, grow, run};
pub use lines::Walk;
pub use locate::{file_name, folder, locate, set_folder};
pub use merge::MergeError;
pub use moves::BookMove;
pub use names::{OpeningName, opening_names, opening_of};
pub use verify::Verifier;
