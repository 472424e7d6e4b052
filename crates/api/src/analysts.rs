//! Players that analyse, kept so that searches of one client share a transposition table.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use turncoat_board::{Game, Geometry, VariantKind};
use turncoat_players::{Clock, Player, Roster, SystemClock};

use crate::players::analyst;
use crate::{ApiFault, opponents};

/// Players that are kept; beyond, the one that was asked longest ago is dropped.
const MOST: usize = 16;

/// Who analyses what for whom.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Key {
    client: String,
    player: String,
    careful: bool,
    variant: VariantKind,
    geometry: Geometry,
}

/// The players that analyse. Those that a client asks for with the same text share their memory: the page's two searches
/// of a game, and the searches of a game's positions one after the other, build on each other.
pub struct Analysts {
    roster: Roster,
    kept: Mutex<VecDeque<Analyst>>,
    clock: SystemClock,
}

/// A player that is kept.
struct Analyst {
    key: Key,
    player: Box<dyn Player>,
    asked: Duration,
}

impl Default for Analysts {
    fn default() -> Self {
        Self::new(opponents())
    }
}

impl Analysts {
    /// Players of a roster.
    pub fn new(roster: Roster) -> Self {
        Self { roster, kept: Mutex::default(), clock: SystemClock::default() }
    }

    /// A player for an analysis of this game by this client.
    ///
    /// # Errors
    /// If a request may not ask the player, or it does not play this game.
    pub fn player(&self, text: &str, game: &Game, client: &str) -> Result<Box<dyn Player>, ApiFault> {
        self.kept_player(text, false, game, client)
    }

    /// The same player, but as careful as level 20 with cuts by probability, unless the text says how careful it is.
    ///
    /// # Errors
    /// As [`player`](Self::player).
    pub fn careful(&self, text: &str, game: &Game, client: &str) -> Result<Box<dyn Player>, ApiFault> {
        self.kept_player(text, true, game, client)
    }

    fn kept_player(&self, text: &str, careful: bool, game: &Game, client: &str) -> Result<Box<dyn Player>, ApiFault> {
        let key = Key {
            client: client.to_owned(),
            player: text.to_owned(),
            careful,
            variant: game.variant(),
            geometry: game.geometry(),
        };
        let mut kept = self.kept();
        let place = kept.iter().position(|known| known.key == key);
        let original = match place.and_then(|place| kept.remove(place)) {
            Some(known) => known.player,
            None => analyst(&self.roster, text, careful, game)?,
        };
        let Some(fork) = original.fork() else {
            return Ok(original);
        };
        kept.push_front(Analyst { key, player: original, asked: self.clock.now() });
        kept.truncate(MOST);
        Ok(fork)
    }

    /// Drops the players that have not been asked for so long. Their memory is freed when their searches end.
    pub fn forget(&self, unasked: Duration) {
        let now = self.clock.now();
        self.kept().retain(|known| now.saturating_sub(known.asked) < unasked);
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<Analyst>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Analysts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Analysts")
    }
}

#[cfg(test)]
mod tests {
    use turncoat_players::Limits;

    use super::*;

    #[test]
    fn searches_of_one_client_share_their_memory() {
        let game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        let analysts = Analysts::default();
        let nodes = |client| {
            let mut player = analysts.player("turncoat", &game, client).unwrap();
            let limits = Limits { depth: Some(8), ..Limits::default() };
            player.analyze(game.position(), &limits, &mut |_| {}).unwrap()[0].nodes
        };
        let (first, again, other) = (nodes("one"), nodes("one"), nodes("other"));
        assert!(again < first / 2, "{again} of {first} positions");
        assert_eq!(other, first);
    }

    #[test]
    fn only_so_many_are_kept() {
        let game = Game::new(VariantKind::Reversed, Geometry::FOUR);
        let analysts = Analysts::default();
        for client in 0..2 * MOST {
            analysts.player("turncoat", &game, &client.to_string()).unwrap();
        }
        analysts.player("random", &game, "one").unwrap();
        assert_eq!(analysts.kept().len(), MOST);
        analysts.forget(Duration::from_mins(1));
        assert_eq!(analysts.kept().len(), MOST);
        analysts.forget(Duration::ZERO);
        assert!(analysts.kept().is_empty());
    }
}
