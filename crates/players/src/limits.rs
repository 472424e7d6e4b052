//! How long a player may think.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Bounds of one decision; the first that is reached ends it. Without any, the player's own hold.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Wall-clock time.
    pub time: Option<Duration>,
    /// Plies.
    pub depth: Option<u32>,
    /// Positions entered.
    pub nodes: Option<u64>,
    /// Stops the player from outside.
    pub stop: StopFlag,
}

/// A flag that another thread raises to stop a player, which then answers with its best move so far.
///
/// ```
/// use turncoat_players::StopFlag;
///
/// let flag = StopFlag::default();
/// let other_thread = flag.clone();
/// other_thread.raise();
/// assert!(flag.is_raised());
/// ```
#[derive(Debug, Clone, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks the player to stop.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Makes the flag usable again.
    pub fn lower(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether the player should stop.
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
