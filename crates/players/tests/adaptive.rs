//! The adapting player: what it learns, and that it is its base where it is not sure.

use turncoat_board::{Color, Game, Geometry, Move, Position, Square, VariantKind};
use turncoat_eval::classic::Linear;
use turncoat_players::adaptive::OpponentModel;
use turncoat_players::{Limits, Player, Setting, Spec, StopFlag, Turn, play_game, seed};
use turncoat_search::Watch;
use turncoat_search::minimax::{self, Minimax, Style, Ties};

/// A position after this many plies of random play, with a move to make.
fn random_position(number: u64, plies: usize) -> Position {
    use rand::RngExt;
    let mut dice = seed::stream(7, &[number]);
    let mut position = Position::start(Geometry::EIGHT);
    for _ in 0..plies {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        let next = match moves.len() {
            0 => position.pass(),
            count => position.play(moves[dice.random_range(0..count)]).unwrap(),
        };
        if next.is_over() {
            break;
        }
        position = next;
    }
    if position.must_pass() { position.pass() } else { position }
}

fn build(text: &str, geometry: Geometry) -> Box<dyn Player> {
    let setting = Setting { variant: VariantKind::Reversed, geometry, seed: 3 };
    text.parse::<Spec>().unwrap().build(setting).unwrap()
}

/// Plays a game from the start or from a random position and returns it.
fn play(number: u64, opening: Game, players: [&mut dyn Player; 2]) -> Game {
    let (mut game, limits, stop) = (opening, Limits::default(), StopFlag::default());
    let ask = |game: &Game, player: &mut dyn Player| {
        let grace = std::time::Duration::ZERO;
        player.prepare(&Turn { game, move_time: None, game_time: None, grace, stop: &stop })?;
        player.choose(game.position(), &limits, &mut |_| {})
    };
    play_game(&mut game, number, players, ask, |_| true).unwrap();
    game
}

/// The games of a match in which the first player has black in even games.
fn play_match(first: &str, second: &str, games: u64, plies: usize, geometry: Geometry) -> Vec<Game> {
    let (mut first, mut second) = (build(first, geometry), build(second, geometry));
    let one = |number: u64| {
        let start = if plies == 0 { Position::start(geometry) } else { random_position(number / 2, plies) };
        let opening = Game::from_position(VariantKind::Reversed, start);
        let players: [&mut dyn Player; 2] =
            if number.is_multiple_of(2) { [&mut *first, &mut *second] } else { [&mut *second, &mut *first] };
        play(number, opening, players)
    };
    (0..games).map(one).collect()
}

fn moves(games: &[Game]) -> Vec<&[Move]> {
    games.iter().map(Game::moves).collect()
}

/// Games that the first player has won.
fn won(games: &[Game]) -> usize {
    let color = |number: usize| if number.is_multiple_of(2) { Color::Black } else { Color::White };
    let score = |(number, game): (usize, &Game)| game.position().final_score(game.variant(), color(number)).unwrap();
    games.iter().enumerate().filter(|&game| score(game).discs() > 0).count()
}

#[test]
fn the_model_finds_the_weights_of_a_linear_opponent() {
    // Nobody has these weights; the opponent looks one ply ahead.
    let weights = "player = \"linear\"\nvariant = \"reversed\"\nmoves = 3\nfrontier = -1\n\
        board = [-20, 5, -3, 2, 8, -1, 1, 3, -2, 1]\n";
    let (schema, parameters) = Linear::read(weights).unwrap();
    let evaluation = Linear::new(&schema, &parameters, Geometry::EIGHT).unwrap();
    let search = Minimax {
        evaluation: &evaluation,
        style: Style::PLAIN,
        variant: VariantKind::Reversed,
        depth: 1,
        ties: Ties::First,
    };
    let mut model = OpponentModel::new(VariantKind::Reversed, Geometry::EIGHT);
    let mut watch = Watch::start(&Limits::default());
    let (mut asked, mut hit) = (0, 0);
    for number in 0..400 {
        let position = random_position(number, 4 + number as usize % 44);
        if position.legal_moves().count() < 2 {
            continue;
        }
        let chosen = minimax::choose(search, position, &mut watch, &mut |_| {}).unwrap().square;
        if number >= 300 {
            let replies = model.predict(position, &Limits::default());
            assert!((replies.iter().map(|reply| reply.chance).sum::<f64>() - 1.0).abs() < 1e-9);
            let likely = replies.iter().max_by(|a, b| a.chance.total_cmp(&b.chance)).unwrap();
            asked += 1;
            hit += u32::from(likely.square == chosen);
        }
        model.learn(position, chosen);
        if number % 25 == 24 {
            model.settle();
        }
    }
    assert!(hit * 10 > asked * 6, "{hit} of {asked}");
    assert!(model.trust(30) > 0.3, "{}", model.trust(30));
}

#[test]
fn it_plays_as_its_base_while_it_is_not_sure() {
    for (base, given) in [("gene45:depth=2", "gene45,depth=2"), ("linear:depth=1,final=4", "linear,depth=1,final=4")] {
        let usual = play_match(base, "nine-weights:depth=1", 4, 6, Geometry::EIGHT);
        let never = play_match(&format!("adaptive:base={given},sure=2"), "nine-weights:depth=1", 4, 6, Geometry::EIGHT);
        assert_eq!(moves(&usual), moves(&never));
        // What it has not seen it cannot predict.
        let first = play_match(&format!("adaptive:base={given}"), "nine-weights:depth=1", 1, 6, Geometry::EIGHT);
        assert_eq!(moves(&usual[..1]), moves(&first));
    }
}

#[test]
fn it_always_plays_the_same_and_legal() {
    for side in [6, 4] {
        let geometry = Geometry::from_side(side).unwrap();
        let games = || play_match("adaptive:base=gene45,depth=1,sure=0", "greedy", 6, 0, geometry);
        assert_eq!(moves(&games()), moves(&games()));
    }
}

#[test]
fn what_lost_is_not_played_again() {
    // From the start all of these play the same games again and again.
    let six = Geometry::from_side(6).unwrap();
    let opponents = ["greedy", "gene45:depth=1", "gene45:depth=2", "nine-weights:depth=2", "top-six:depth=2"];
    let points = |player: &str| -> usize {
        opponents.iter().map(|opponent| won(&play_match(player, opponent, 8, 0, six))).sum()
    };
    let (base, adaptive) = (points("linear:depth=1,final=0"), points("adaptive:base=linear,depth=1,final=0"));
    assert!(adaptive > base, "{adaptive} games, {base} without learning");
}

#[test]
fn a_search_that_is_stopped_answers() {
    let mut player = build("adaptive:base=gene45,depth=2,sure=0", Geometry::EIGHT);
    let position = random_position(1, 30);
    let limits = Limits::default();
    limits.stop.raise();
    let info = player.choose(position, &limits, &mut |_| {}).unwrap().unwrap();
    assert!(position.legal_moves().contains(info.best));
}

#[test]
fn bad_options_are_named() {
    let fault = |text: &str| match text.parse::<Spec>() {
        Err(error) => error.to_string(),
        Ok(spec) => spec.check().unwrap_err().to_string(),
    };
    for (text, expected) in [
        ("adaptive:base=turncoat", "base=turncoat: it is one of gene45, nine-weights, top-six"),
        ("adaptive:base=adaptive", "base=adaptive: it is one of"),
        ("adaptive:base=nine-weights,final=3", "no option is called \"final\": it has depth"),
        ("adaptive:sure=3", "sure is a number from 0 to 2"),
        ("adaptive:sure=maybe", "\"maybe\" does not fit sure"),
        ("adaptive:playouts=0", "playouts is 1 to 1000"),
        ("adaptive:depth=0", "depth is 1 to 60 plies"),
        ("adaptive:beam=2", "no option is called \"beam\": it has base, sure, playouts"),
        ("adaptive:weights=nowhere.toml", "weights=nowhere.toml"),
    ] {
        assert!(fault(text).contains(expected), "{text}: {}", fault(text));
    }
}
