//! The positions of the usability test.

use rand::RngExt;
use turncoat_board::{Color, Game, Move, Position};
use turncoat_players::Setting;
use turncoat_players::seed::stream;
use turncoat_record::transcript;

use super::Test;

/// The fixed positions: games that lead to them. In the last two the side to move has no move.
pub(super) const FIXED: [&str; 10] = [
    "",
    "e6f4g3d6e3f6c7d7g7",
    "f5f6c4c5c6b5b6f3e6d6d7d3f7b7",
    "e6f6c4e7f7d6f5g5g7h7h5d3c7h4c5b5b4c6a6a5f4e3b6",
    "c4c3c2d6c6b2f5f6f7c5e6c7c8b3a3d7a2b4e7b5a4f4f3d8d3g3e8g6h6e3",
    "e6f4d3c6g3f5g6h2f3f7d6g2c5h5b6g4g5c4c3b5h4d7c8b7a4f6c7b4e7g7f2b2a3b3c2a2a7a5h7",
    "d3e3f3e2f4g3f6c4g2g4e1e6c6g6b4b7g7g8h2f1c3d1f7b2b3a2g5c2a3b5d6d2c1b1a4d7f2h6h8f8a1h1d8h4e7h3",
    "d3e3f2e2f1e1f6c3c4b4c5g3f3f4h4h3g2g7e6f7e7f5b5d6f8g5d7c7a3d2c2h1h6b2d1a6b6a4c1a5g1b3b8e8h2g4b7h7h8d8h5c8a7",
    "c4c5c6b5d6e7a6d3e2c7e6a4c3c2b7d7f7f1b6f6e3d8f5a5d2g5e8f8g6a7h4d1b3f2c8b8f3g4g8h7g3h3c1h8a8a3g2e1h6g7h2f4g1h1a2h5b4b2",
    "f5d6c7f4f3g4d3c4b5d7e3f2e7b4c5c6b3g6g3f6c3c2e2b6d1d2g5b1a5h3g1a6a4f7f8e6b2a1a2a3h5e8g7h7h8g2c1c8h6e1b8b7d8g8a7a8h4",
];

/// The games whose last positions are asked about, each made when it is its turn.
pub(super) fn games(setting: Setting, test: &Test) -> impl Iterator<Item = Game> {
    let start = Position::start(setting.geometry);
    let fixed = FIXED.iter().filter_map(move |text| transcript::parse(text, setting.variant, start).ok());
    let seed = test.seed;
    let random = (0..test.random).map(move |number| random_game(setting, seed, number));
    fixed.chain(random)
}

/// A game by lot. Every fourth ends where there is no move, if one can be found; colours alternate otherwise.
fn random_game(setting: Setting, seed: u64, number: u64) -> Game {
    let mut lots = stream(seed, &[number]);
    let wanted = if number.is_multiple_of(2) { Color::Black } else { Color::White };
    let without_move = number % 4 == 3;
    let mut found = Game::new(setting.variant, setting.geometry);
    for _ in 0..200 {
        let plies = lots.random_range(0..u32::from(setting.geometry.area()) - 4);
        let mut game = Game::new(setting.variant, setting.geometry);
        let fits = |game: &Game| {
            let position = game.position();
            if without_move {
                position.must_pass()
            } else {
                !position.legal_moves().is_empty() && position.side() == wanted
            }
        };
        while game.outcome().is_none() {
            let enough = game.moves().len() >= plies as usize || without_move;
            if enough && fits(&game) {
                return game;
            }
            let moves: Vec<_> = game.position().legal_moves().into_iter().collect();
            let played =
                if moves.is_empty() { Move::Pass } else { Move::Place(moves[lots.random_range(0..moves.len())]) };
            if game.play(played).is_err() {
                break;
            }
        }
        found = game;
    }
    found.undo();
    found
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use turncoat_board::{Geometry, VariantKind};
    use turncoat_players::StopFlag;

    #[test]
    fn the_positions_have_both_colours_and_some_have_no_move() {
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 0 };
        let test = Test {
            random: 40,
            seed: 1,
            limit: Duration::from_secs(5),
            forbids_os: true,
            all: false,
            stop: StopFlag::default(),
        };
        let games: Vec<Game> = games(setting, &test).collect();
        assert_eq!(games.len(), 50);
        for color in [Color::Black, Color::White] {
            let of_color = |game: &&Game| game.position().side() == color;
            assert!(games[..10].iter().filter(of_color).count() == 5);
            assert!(games[10..].iter().filter(of_color).count() >= 10);
        }
        let without = games.iter().filter(|game| game.position().must_pass()).count();
        assert!(without >= 10, "{without}");
        assert!(games.iter().all(|game| game.outcome().is_none()));
    }
}
