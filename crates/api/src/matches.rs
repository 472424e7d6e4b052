//! Matches that are started from the page, on one's own machine.

use serde::{Deserialize, Serialize};

use crate::{ApiFault, Code, Contests};

/// The most games of a match from the page.
const MOST_GAMES: u64 = 1_000;
/// The shortest and the longest time for a move, in seconds.
const SHORTEST: f64 = 0.01;
const LONGEST: f64 = 60.0;

/// Whoever plays matches for the page. What it shows is the match that was started last.
pub trait Matches: Contests {
    /// How the match stands.
    fn state(&self) -> MatchView;

    /// Starts a match.
    ///
    /// # Errors
    /// If one is under way, the players cannot play it, or its games cannot be kept.
    fn start(&self, request: &MatchRequest) -> Result<MatchView, ApiFault>;

    /// Stops it; its games stay.
    fn stop(&self) -> MatchView;
}

/// A match to be played.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct MatchRequest {
    /// A player, as in `turncoat:level=3`.
    pub first: String,
    /// Its opponent.
    pub second: String,
    /// How many games; an even number, since colours are swapped.
    pub games: u64,
    /// Seconds for a move.
    pub seconds: f64,
    /// `reversed` or `reversi`.
    pub variant: String,
    /// Squares a side.
    pub size: u8,
}

impl MatchRequest {
    /// Makes sure that it can be played in reasonable time.
    ///
    /// # Errors
    /// If it cannot.
    pub fn check(&self) -> Result<(), ApiFault> {
        let games = (2..=MOST_GAMES).contains(&self.games) && self.games.is_multiple_of(2);
        if games && (SHORTEST..=LONGEST).contains(&self.seconds) {
            return Ok(());
        }
        let wanted = format_args!(
            "a match has an even number of games up to {MOST_GAMES} and {SHORTEST} to {LONGEST} seconds for a move"
        );
        Err(ApiFault::new(Code::BadMatch, wanted).with("games", MOST_GAMES).with("seconds", LONGEST))
    }
}

/// How a match stands.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MatchView {
    /// Whether it is being played.
    pub running: bool,
    /// Its players; none if there was no match yet.
    pub players: Vec<String>,
    /// Games played.
    pub games: u64,
    /// Games in all.
    pub total: u64,
    /// Why it ended before its last game, if that was not asked for.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub error: Option<String>,
    /// The file of its games.
    #[cfg_attr(feature = "openapi", schema(required))]
    pub store: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_can_be_played_is_asked_for() {
        let request = |games, seconds| MatchRequest {
            first: "greedy".to_owned(),
            second: "random".to_owned(),
            games,
            seconds,
            variant: "reversed".to_owned(),
            size: 8,
        };
        assert!(request(2, 1.0).check().is_ok() && request(1000, 60.0).check().is_ok());
        for (games, seconds) in [(0, 1.0), (3, 1.0), (1002, 1.0), (2, 0.0), (2, -1.0), (2, 61.0), (2, f64::NAN)] {
            assert_eq!(request(games, seconds).check().unwrap_err().code, Code::BadMatch, "{games} {seconds}");
        }
    }
}
