//! The classics as Python files: move for move as the originals.

use std::fmt::Write as _;
use std::fs;
use std::process::Command;
use std::thread;

use turncoat_board::{Color, Geometry, Position, Square, VariantKind};
use turncoat_eval::classic::features::FEATURES;
use turncoat_players::{Limits, Setting, Spec};

use super::{Folder, python, said, trust};

/// The players by their texts, with files of the folder; all look a ply or two ahead.
const PLAYERS: &[(&str, VariantKind, usize)] = &[
    ("greedy", VariantKind::Reversed, 1000),
    ("greedy", VariantKind::Reversi, 1000),
    ("gene45:depth=1,final=4", VariantKind::Reversed, 1000),
    ("gene45:depth=2,final=0", VariantKind::Reversed, 100),
    ("gene45:depth=1,final=0,weights=gene45.toml", VariantKind::Reversed, 500),
    ("nine-weights:depth=1", VariantKind::Reversed, 1000),
    ("nine-weights:depth=2,signs=literal,weights=nine-weights.toml", VariantKind::Reversed, 100),
    ("top-six:depth=1", VariantKind::Reversed, 300),
    ("top-six:depth=2,beam=3,set=genetic", VariantKind::Reversed, 50),
    ("shifting-weights:depth=1,mobility=2.5", VariantKind::Reversed, 1000),
    ("shifting-weights:depth=2", VariantKind::Reversed, 100),
    ("shifting-weights:form=greedy,weights=shifting-weights.toml", VariantKind::Reversed, 1000),
    ("six-stage:depth=1", VariantKind::Reversi, 1000),
    ("six-stage:depth=2,weights=six-stage.toml", VariantKind::Reversi, 100),
    ("linear:depth=1,final=4", VariantKind::Reversed, 500),
    ("linear:depth=2,final=0", VariantKind::Reversi, 50),
    ("linear:depth=1,final=0,weights=all.toml", VariantKind::Reversed, 200),
];

/// Positions of random games with at least two moves, from all stages of the game.
fn positions(count: usize, mut below: impl FnMut(usize) -> usize) -> Vec<Position> {
    let mut found = Vec::new();
    let mut position = Position::start(Geometry::EIGHT);
    while found.len() < count {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        if moves.len() > 1 {
            found.push(position);
        }
        position = match moves.len() {
            _ if position.is_over() => Position::start(Geometry::EIGHT),
            0 => position.pass(),
            n => position.play(moves[below(n)]).unwrap(),
        };
    }
    found
}

/// Numbers below others, by chance that is the same each time.
fn dice() -> impl FnMut(usize) -> usize {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    move |n| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    }
}

/// Parameter files with other stages and numbers than the published ones, and with weights of their own for White.
fn write_parameters(folder: &Folder) {
    let mut below = dice();
    let mut number = || (below(2001) as f64 - 1000.0) / 7.0;
    for player in ["gene45", "nine-weights", "shifting-weights", "six-stage"] {
        let (schema, mut parameters) = player.parse::<Spec>().unwrap().parameters().unwrap();
        if schema.most_stages > 1 {
            parameters = parameters.restaged(turncoat_eval::classic::StageCourse::Knots(vec![13, 30, 51]));
        }
        let mut white = parameters.for_color(Color::White);
        // The last number of six-stage is its depth, which is whole.
        let kept = usize::from(player == "six-stage");
        for own in [&mut parameters, &mut white] {
            own.shared.iter_mut().for_each(|weight| *weight = number());
            for stage in &mut own.stages {
                let weights = stage.len() - kept;
                stage[..weights].iter_mut().for_each(|weight| *weight = number());
                stage[weights..].iter_mut().for_each(|plies| *plies = plies.round());
            }
        }
        let (shared, stages) = (white.shared, white.stages);
        parameters.white = Some(turncoat_eval::classic::ColorWeights { shared, stages });
        fs::write(folder.path(&format!("{player}.toml")), schema.write(&parameters)).unwrap();
    }
    let mut all = "player = \"linear\"\nvariant = \"reversed\"\nknots = [20, 50]\n".to_owned();
    for _ in 0..2 {
        all += "[[stage]]\n";
        for (_, group) in FEATURES {
            let weights: Vec<f64> = (0..group.count).map(|_| number()).collect();
            match weights[..] {
                [weight] => writeln!(all, "{} = {weight}", group.name).unwrap(),
                _ => writeln!(all, "{} = {weights:?}", group.name).unwrap(),
            }
        }
    }
    fs::write(folder.path("all.toml"), all).unwrap();
}

/// Asks the file named after a number for its moves.
const ASK: &str = "import sys, time, importlib\nai = importlib.import_module(sys.argv[1])\n\
    for line in sys.stdin:\n\
    \x20   own, other, black = map(int, line.split())\n\
    \x20   chosen = []\n\
    \x20   ai.think(own, other, black == 1, time.time() + 600, chosen.append)\n\
    \x20   print(chosen[-1].bit_length() - 1)";

#[test]
fn the_files_play_move_for_move_as_the_players() {
    let folder = Folder::new();
    write_parameters(&folder);
    let compare = |index: usize, (text, variant, count): (&str, VariantKind, usize)| {
        let (name, file) = (format!("ai{index}"), format!("ai{index}.py"));
        let output = folder.run(&["export", "course", "--player", text, "--variant", variant.name(), "--out", &file]);
        assert!(output.status.success(), "{text}: {}", said(&output));
        let positions = positions(count, dice());
        let mut lines = String::new();
        for position in &positions {
            let (own, other) = (position.board().mover().0, position.board().other().0);
            writeln!(lines, "{own} {other} {}", u8::from(position.side() == Color::Black)).unwrap();
        }
        let asked = folder.path(&format!("{name}.txt"));
        fs::write(&asked, lines).unwrap();
        let mut command = Command::new(python());
        command.args(["-B", "-c", ASK, &name]).current_dir(folder.path("")).stdin(fs::File::open(asked).unwrap());
        let output = command.output().unwrap();
        assert!(output.status.success(), "{text}: {}", said(&output));
        let path = |file: &str| folder.path(file).display().to_string();
        let spec = text.replace("weights=", &format!("weights={}", path("")));
        let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
        let mut player = spec.parse::<Spec>().unwrap().build(setting).unwrap();
        let answers = String::from_utf8(output.stdout).unwrap();
        assert_eq!(answers.lines().count(), positions.len(), "{text}");
        for (position, answer) in positions.iter().zip(answers.lines()) {
            let best = player.choose(*position, &Limits::default(), &mut |_| {}).unwrap().unwrap().best;
            assert_eq!(best.index().to_string(), answer, "{text}: {position:?}");
        }
    };
    // A Python at a time on each of two threads: some take long, most do not.
    let compare = &compare;
    thread::scope(|scope| {
        for half in 0..2 {
            let own = PLAYERS.iter().copied().enumerate().filter(move |(index, _)| index % 2 == half);
            scope.spawn(move || own.for_each(|(index, player)| compare(index, player)));
        }
    });
}

#[test]
fn the_files_keep_to_their_platforms() {
    let folder = Folder::new();
    let exported = |words: &[&str]| {
        let output = folder.run(&[&["export"], words].concat());
        assert!(output.status.success(), "{}", said(&output));
    };
    exported(&["course", "--player", "linear", "--out", "ai.py"]);
    let mut words = vec!["check", "ai.py", "--random", "4", "--time", "500ms", "--json"];
    words.extend(trust());
    let summary = folder.objects(&words).pop().unwrap();
    assert_eq!(summary["ok"], true, "{summary}");
    exported(&["botzone", "--player", "six-stage", "--variant", "reversi", "--out", "bot.py"]);
    let bot = format!("botzone:{} bot.py", python().display());
    let mut words = vec!["match", &bot, "random", "--games", "2", "--openings", "random:40"];
    words.extend(["--variant", "reversi", "--profile", "botzone", "--json", "-q", "--time", "3s"]);
    words.extend(trust());
    let mut games = folder.objects(&words);
    games.pop();
    for game in &games {
        assert_eq!(game["reason"], "finished", "{game}");
    }
}

#[test]
fn what_cannot_be_exported_is_refused_with_the_reason() {
    let folder = Folder::new();
    let weights = concat!(env!("CARGO_MANIFEST_DIR"), "/../../weights/patterns-reversi.weights");
    for (words, expected) in [
        (&["--player", "random"][..], "random cannot be exported: it plays by chance"),
        (&["--player", "gene45:time=1s"], "gene45:time=1s cannot be exported: time= has no meaning"),
        (&["--player", "gene45", "--variant", "reversi"], "gene45 does not play Reversi"),
        (&["--player", "linear:game=reversi"], "these weights are for Reversi"),
        (&["--player", "gene45:weights=no.toml"], "weights=no.toml: No such file"),
        (&["--player", "turncoat:level=3"], "level= has no meaning for the search of the file"),
        (&["--player", "turncoat:eval=hand"], "evaluates with weights of patterns, not with hand"),
        (&["--player", "py:ai.py"], "export cannot use foreign programs"),
        (&["--player", "gene45", "--kilobytes", "1"], "the player does not fit 1000 bytes: the least is"),
        (&["--eval", weights], "patterns-reversi.weights: the weights are for reversi"),
        (&["--eval", weights, "--player", "gene45"], "cannot be used with"),
    ] {
        let output = folder.run(&[&["export", "course", "--out", "no.py"], words].concat());
        assert_eq!(output.status.code(), Some(2), "{words:?}: {}", said(&output));
        assert!(said(&output).contains(expected), "{words:?}: {}", said(&output));
        assert!(!folder.path("no.py").exists());
    }
    let output = folder.run(&["export", "course", "--variant", "reversi", "--eval", weights, "--out", "ai.py"]);
    assert!(output.status.success(), "{}", said(&output));
    let usual = folder.run(&["export", "course", "--variant", "reversi"]).stdout;
    assert_eq!(
        fs::read_to_string(folder.path("ai.py")).unwrap().trim_end(),
        String::from_utf8(usual).unwrap().trim_end()
    );
}
