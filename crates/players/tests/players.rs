//! What every built-in player must do.

use turncoat_board::{Game, Geometry, Move, VariantKind};
use turncoat_players::{Limits, Setting, Spec, build, kinds};

fn play_out(black: &str, white: &str, setting: Setting, game_number: u64) -> Game {
    let mut players = [black, white].map(|spec| build(&spec.parse().unwrap(), setting).unwrap());
    for player in &mut players {
        player.new_game(game_number);
    }
    // By depth, since a limit of time would not repeat.
    let shallow = Limits { depth: Some(2), ..Limits::default() };
    let mut game = Game::new(setting.variant, setting.geometry);
    while game.outcome().is_none() {
        let position = game.position();
        let mut reported = None;
        let answer = players[position.side() as usize]
            .choose(position, &shallow, &mut |thought| {
                reported = Some(thought.best);
            })
            .unwrap();
        assert_eq!(answer.as_ref().map(|t| t.best), reported, "the last report is the answer");
        game.play(answer.map_or(Move::Pass, |thought| Move::Place(thought.best))).unwrap();
    }
    game
}

#[test]
fn every_player_finishes_legal_games_and_repeats_them() {
    for kind in kinds() {
        for &variant in kind.variants {
            for &side in kind.sides {
                let setting = Setting { variant, geometry: Geometry::from_side(side).unwrap(), seed: 11 };
                for number in 0..3 {
                    let first = play_out(kind.name, "random", setting, number);
                    let again = play_out(kind.name, "random", setting, number);
                    assert_eq!(first.moves(), again.moves(), "{}", kind.name);
                }
            }
        }
    }
}

#[test]
fn games_of_random_players_differ_by_number_and_seed() {
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    let moves = |setting, number| play_out("random", "random", setting, number).moves().to_vec();
    assert_ne!(moves(setting, 1), moves(setting, 2));
    assert_ne!(moves(setting, 1), moves(Setting { seed: 2, ..setting }, 1));
}

#[test]
fn bad_descriptions_are_refused_with_the_reason() {
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    let refused = |text: &str| match text.parse::<Spec>() {
        Err(error) => error.to_string(),
        Ok(spec) => build(&spec, setting).err().map(|e| e.to_string()).unwrap_or_default(),
    };
    assert_eq!(refused(""), "\"\": the name of the player is missing");
    assert!(refused("nobody").starts_with("no player is called \"nobody\": there are random, greedy"));
    assert_eq!(refused("greedy:depth"), "\"greedy:depth\": \"depth\" is no option: write key=value");
    assert_eq!(refused("greedy:depth=3"), "\"greedy:depth=3\": no option is called \"depth\": it has none");
    assert_eq!(refused("greedy:a=1,a=2"), "\"greedy:a=1,a=2\": option \"a\" is given twice");
}
