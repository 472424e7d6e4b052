//! Games of a list, counted.

use serde::{Deserialize, Serialize};
use turncoat_board::{Color, Geometry, Position, VariantKind};
use turncoat_record::transcript;

use crate::{ApiFault, GameTextError};

/// Transcripts to count, from the usual start.
#[derive(Debug, Clone, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct CountRequest {
    /// Squares a side: 8, 6 or 4.
    pub size: u8,
    /// The games, one a line.
    pub games: String,
}

/// The discs at the end of each game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CountAnswer {
    /// In the order of the lines; null for what is no game.
    pub counted: Vec<Option<CountedGame>>,
}

/// The discs after the last move of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct CountedGame {
    /// Black's discs.
    pub black: u32,
    /// White's discs.
    pub white: u32,
    /// Whether neither side can move.
    pub over: bool,
}

/// Plays the games out. Both variants have the same moves, so that none is asked for.
///
/// # Errors
/// If there is no such size.
pub fn count_games(request: &CountRequest) -> Result<CountAnswer, ApiFault> {
    let geometry = Geometry::from_side(request.size).map_err(GameTextError::from)?;
    let counted = request.games.lines().map(|moves| count(moves, geometry)).collect();
    Ok(CountAnswer { counted })
}

fn count(moves: &str, geometry: Geometry) -> Option<CountedGame> {
    let game = transcript::parse(moves, VariantKind::default(), Position::start(geometry)).ok()?;
    let position = game.position();
    let discs = |color| position.discs(color).count();
    Some(CountedGame { black: discs(Color::Black), white: discs(Color::White), over: position.is_over() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_counted_and_others_are_not() {
        let games = "f5d6\nhello\nf5f5\n\n".to_owned();
        let counted = count_games(&CountRequest { size: 8, games }).unwrap().counted;
        let two = |black, white| Some(CountedGame { black, white, over: false });
        assert_eq!(counted, [two(3, 3), None, None, two(2, 2)]);
        assert!(count_games(&CountRequest { size: 5, games: String::new() }).is_err());
    }
}
