//! Stores of games as a source of the API: ladders, tournaments and matches, also while they run.

mod ladder;
mod run;

use std::path::Path;
use std::sync::Arc;

use turncoat_api::{ApiFault, Code, Contests};
use turncoat_arena::{StoreError, StoreFault};

use self::ladder::LadderContests;
use self::run::RunContests;
use crate::store::is_ladder;

/// Games in a list that is asked for.
const PAGE: usize = 100;

/// The source of a store, whichever kind it is.
///
/// # Errors
/// If it is neither, or cannot be read.
pub fn contests(path: &Path) -> Result<Arc<dyn Contests>, StoreError> {
    if !path.exists() {
        return Err(StoreError { path: path.to_owned(), fault: StoreFault::Missing });
    }
    if is_ladder(path) {
        return Ok(Arc::new(LadderContests::open(path)?));
    }
    Ok(Arc::new(RunContests::open(path)?))
}

/// A store that cannot be read now.
fn unreadable(error: &StoreError) -> ApiFault {
    ApiFault::new(Code::ServerFailed, error)
}
