//! Foreign programs in the lab's games. Whoever can run them is given from outside: the lab itself knows the players
//! that are built in.

use std::time::Duration;

use turncoat_players::{BuildError, Player, Setting, Spec};

/// What a foreign program has for a move: it has a clock of its own, and one that says nothing must come to an end.
pub const MOVE_TIME: Duration = Duration::from_secs(5);

/// Whoever runs foreign programs.
pub trait Foreign: Send + Sync {
    /// Whether a description is that of a foreign program.
    fn knows(&self, spec: &Spec) -> bool;

    /// Tells one version of the program from another.
    fn fingerprint(&self, spec: &Spec) -> String;

    /// Makes the player.
    ///
    /// # Errors
    /// If there is no such program, or it cannot be run here.
    fn make(&self, spec: &Spec, setting: Setting) -> Result<Box<dyn Player>, BuildError>;
}

/// Nobody who could: all players are built in.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoForeign;

impl Foreign for NoForeign {
    fn knows(&self, _: &Spec) -> bool {
        false
    }

    fn fingerprint(&self, _: &Spec) -> String {
        String::new()
    }

    fn make(&self, spec: &Spec, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        turncoat_players::build(spec, setting)
    }
}
