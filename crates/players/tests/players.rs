//! What every built-in player must do.

use std::sync::Arc;

use turncoat_board::{Game, Geometry, Move, VariantKind};
use turncoat_book::Search;
use turncoat_players::book::{BookSearch, shipped_book};
use turncoat_players::{BuildError, Limits, Player, Program, Programs, Roster, Setting, Spec, StopFlag};

fn play_out(black: &str, white: &str, setting: Setting, game_number: u64) -> Game {
    let mut players = [black, white].map(|text| text.parse::<Spec>().unwrap().build(setting).unwrap());
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
            .choose(position, &shallow, &mut |info| {
                reported = Some(info.best);
            })
            .unwrap();
        assert_eq!(answer.as_ref().map(|t| t.best), reported, "the last report is the answer");
        game.play(answer.map_or(Move::Pass, |info| Move::Place(info.best))).unwrap();
    }
    game
}

#[test]
fn every_player_finishes_legal_games_and_repeats_them() {
    for kind in Roster::default().kinds() {
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
        Ok(spec) => spec.build(setting).err().map(|e| e.to_string()).unwrap_or_default(),
    };
    assert_eq!(refused(""), "\"\": the name of the player is missing");
    assert!(refused("nobody").starts_with("no player is called \"nobody\": there are random, greedy"));
    assert_eq!(refused("greedy:depth"), "\"greedy:depth\": \"depth\" is not an option: write key=value");
    assert_eq!(refused("greedy:depth=3"), "\"greedy:depth=3\": no option is called \"depth\": it has none");
    assert_eq!(refused("greedy:a=1,a=2"), "\"greedy:a=1,a=2\": option \"a\" is given twice");
    for (option, value, takes) in [
        ("turncoat:depth=x", "x", "depth=PLIES: looks this far ahead"),
        ("turncoat:hash=99999999999999999999", "99999999999999999999", "hash=MIB: memory of the search"),
        ("gene45:final=-1", "-1", "final=EMPTIES: searches to the end"),
        ("gene45:weights=", "", "weights=FILE: plays with the parameters of a file"),
    ] {
        let expected = format!("{option:?}: {value:?} does not fit {takes}");
        assert!(refused(option).starts_with(&expected), "{}", refused(option));
    }
}

#[test]
fn a_default_gives_way_to_what_is_given_and_to_players_without_the_option() {
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    let refused = |text: &str| text.parse::<Spec>().unwrap().with_default("hash", 0).build(setting).is_err();
    assert!(refused("turncoat:level=3"));
    assert!(!refused("turncoat:hash=1"));
    assert!(!refused("greedy"));
}

#[test]
fn a_roster_refuses_options_before_it_reads_a_file() {
    let roster = Roster::default().with_options(&["depth"]);
    let refused = roster.parse("gene45:weights=/no/such/file").unwrap_err();
    assert_eq!(refused.to_string(), "the option \"weights\" cannot be set here");
    let gene45 = roster.kinds().find(|kind| kind.name == "gene45").unwrap();
    assert_eq!(roster.options(gene45).map(|option| option.key).collect::<Vec<_>>(), ["depth"]);
}

/// Programs whose name is `copy`: the built-in player after the colon, in a version.
struct Copies(&'static str);

impl Programs for Copies {
    fn find(&self, text: &str) -> Option<Arc<dyn Program>> {
        let player = text.strip_prefix("copy:")?.parse().ok()?;
        Some(Arc::new(Copy { player, version: self.0 }))
    }
}

struct Copy {
    player: Spec,
    version: &'static str,
}

impl Program for Copy {
    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        self.player.build(setting)
    }

    fn contents(&self) -> Option<String> {
        Some(self.version.to_owned())
    }
}

#[test]
fn a_roster_knows_the_programs_of_a_provider_and_tells_their_versions_apart() {
    assert!(matches!("copy:greedy".parse::<Spec>(), Err(BuildError::Unknown { name }) if name == "copy"));
    let roster = Roster::default().with_programs(Copies("one"));
    let spec = roster.parse(" copy:greedy ").unwrap();
    assert_eq!((spec.name(), spec.rest(), spec.is_built_in()), ("copy", Some("greedy"), false));
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    assert!(spec.build(setting).is_ok());
    assert!(matches!(spec.parameters(), Err(BuildError::NoParameters { .. })));

    // A file without a protocol; only where programs may play is it looked for.
    for (file, protocol) in [("../host/src/harness.py", "py"), ("Cargo.toml", "line")] {
        let expected = format!("{file:?} is a file: a program is written with its protocol, as in {protocol}:{file}");
        assert_eq!(roster.parse(file).unwrap_err().to_string(), expected);
        assert!(matches!(file.parse::<Spec>(), Err(BuildError::Unknown { .. })));
    }

    let known = roster.with_files(&spec.files());
    assert!(known.parse("copy:greedy").is_ok());
    let changed = known.with_programs(Copies("two")).parse("copy:greedy").unwrap_err();
    assert_eq!(changed.to_string(), "\"copy:greedy\" is not the program that the run began with");
}

#[test]
fn a_book_has_the_mean_of_two_depths() {
    for variant in VariantKind::BOTH {
        let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
        let spec: Spec = "turncoat:hash=1".parse().unwrap();
        let start = Game::new(variant, Geometry::EIGHT).position();
        let position = start.play(start.legal_moves().first().unwrap()).unwrap();
        // As one search goes through the depths, what is known from earlier ones stays.
        let mut player = spec.build(setting).unwrap();
        let mut last = [None; 8];
        let limits = Limits { depth: Some(7), threads: Some(1), ..Limits::default() };
        let best =
            player.choose(position, &limits, &mut |info| last[info.depth as usize] = info.score).unwrap().unwrap();
        let mut search = BookSearch::new(&spec, setting, StopFlag::default()).unwrap();
        let found = search.search(position, 7).unwrap();
        let mean = f64::midpoint(last[6].unwrap(), best.score.unwrap());
        assert!((found.score - mean).abs() < 1e-9, "{variant}: {found:?} {mean}");
        assert_eq!((found.depth, found.best, found.nodes), (7, Some(best.best), best.nodes));
        // Nothing is known one ply deep before the only one.
        assert!(search.search(position, 1).is_some());
    }
}

#[test]
fn where_a_line_of_the_book_ends_the_move_of_a_deep_search_is_played() {
    for variant in VariantKind::BOTH {
        let book = shipped_book(variant, Geometry::EIGHT).unwrap().unwrap();
        let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
        let mut player = "turncoat:book=on,depth=1".parse::<Spec>().unwrap().build(setting).unwrap();
        let mut asked = [0, 0];
        for entry in book.entries().iter().filter(|entry| !entry.is_complete()).step_by(20) {
            let position = book.position(entry.board()).unwrap();
            let info = player.choose(position, &Limits::default(), &mut |_| {}).unwrap().unwrap();
            let is_deep = entry.depth() >= 20;
            assert_eq!(info.nodes == 0, is_deep, "{position}");
            assert!(!is_deep || Some(info.best) == book.best_move(position), "{position}");
            asked[usize::from(is_deep)] += 1;
        }
        assert!(asked.iter().all(|&count| count > 20), "{asked:?}");
    }
}
