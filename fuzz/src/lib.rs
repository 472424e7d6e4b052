//! The fuzz targets of the parsers.
//!
//! Each target is a function of twenty lines that states what must hold of any input. The fuzzer calls
//! it (`cargo xtask fuzz`), and a plain test replays the saved corpus on every run of the tests.
#![allow(clippy::missing_panics_doc)] // Panicking is how a target reports.

use std::path::Path;
use std::str::from_utf8;
use std::sync::LazyLock;

use turncoat_arena::stats::elo::Pentanomial;
use turncoat_arena::stats::sprt::Sprt;
use turncoat_board::{Geometry, Move, Position, Setup, VariantKind};
use turncoat_eval::classic::{Gene45, Linear, NineWeights, ShiftingWeights, SixStage, TopSix};
use turncoat_eval::network::{Design, NetworkWeights, read_network, write_network};
use turncoat_eval::patterns::{Weights, read_weights, write_weights};
use turncoat_players::{Roster, Setting, Spec};
use turncoat_protocol::{botzone, course, gtp, line, nboard};
use turncoat_record::{chess_log, diagram, ggf, input, obf, svg, transcript, wthor};
use turncoat_train::games::{read_shard, write_shard};
use turncoat_train::genetic::{Lab, algorithm};
use turncoat_util::fnv1a;

/// A target: its name, which is also the folder of its corpus, and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("position", position),
    ("transcript", transcript),
    ("obf", obf),
    ("diagram", diagram),
    ("input", input),
    ("spec", spec),
    ("parameters", parameters),
    ("openings", openings),
    ("sprt", sprt),
    ("ggf", ggf),
    ("wthor", wthor),
    ("chess_log", chess_log),
    ("line", line),
    ("gtp", gtp),
    ("nboard", nboard),
    ("botzone", botzone),
    ("course", course),
    ("experiment", experiment),
    ("weights", weights),
    ("network", network),
    ("shard", shard),
];

/// The first byte chooses the size of the board, the rest is the text, if it is one.
fn split(data: &[u8]) -> Option<(Geometry, &str)> {
    let (first, rest) = data.split_first()?;
    Some((Geometry::ALL[usize::from(*first) % 3], from_utf8(rest).ok()?))
}

/// What is read as a position is one, and is read again from what it is written as.
pub fn position(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    let _ = Move::parse(text, geometry);
    match Position::parse(text, geometry) {
        Ok(position) => {
            assert_eq!(Position::parse(&position.to_string(), geometry).as_ref(), Ok(&position));
            assert!((position.board().mover() & position.board().other()).is_empty());
            assert!(Setup::parse(text, geometry).is_ok());
            let _ = svg::draw(position, svg::Marks { legal: true, last: None });
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What is read as a game is read again from what it is written as.
pub fn transcript(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    match transcript::parse(text, VariantKind::Reversed, Position::start(geometry)) {
        Ok(game) => {
            let written = transcript::write(&game);
            let again = transcript::parse(&written, VariantKind::Reversed, Position::start(geometry)).unwrap();
            // A pass at the very end is not written.
            assert!(game.moves().starts_with(again.moves()));
            assert!(game.moves().len() <= again.moves().len() + 1);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What is read as OBF is read again from what it is written as, whole files included.
pub fn obf(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let geometry = Geometry::ALL[usize::from(*first) % 3];
    for entry in obf::read(rest, geometry) {
        match entry {
            Ok((_, entry)) => {
                assert_eq!(obf::parse_line(&obf::write(&entry), geometry), Ok(Some(entry)));
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// What is read as a board in lines is read again from its rows.
pub fn diagram(data: &[u8]) {
    let Ok(text) = from_utf8(data) else {
        return;
    };
    match diagram::parse(text) {
        Ok(position) => {
            let written = position.to_string();
            let (cells, side) = written.split_at(usize::from(position.geometry().area()));
            let mut rows = String::new();
            for (index, cell) in cells.chars().enumerate() {
                if index % usize::from(position.geometry().side()) == 0 {
                    rows.push('\n');
                }
                rows.push(cell);
            }
            assert_eq!(diagram::parse(&format!("{rows}\n{side}")), Ok(position));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Whatever is given where a position is wanted is read or refused.
pub fn input(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    match input::parse(text, VariantKind::Reversi, geometry) {
        // GGF, logs of the course and boards in lines say themselves on which size they were played.
        Ok(game) => assert!(game.geometry() == geometry || text.contains(['(', '[', '\n'])),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The description of a player is refused or makes a player.
pub fn spec(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    // A player may name a file of weights; which files there are is not the fuzzer's business.
    if text.contains("weights=") || text.contains("weights =") {
        return;
    }
    let Ok(spec) = text.parse::<Spec>() else {
        return;
    };
    assert_eq!(spec.to_string().parse::<Spec>().map(|again| again.to_string()), Ok(spec.to_string()));
    for variant in VariantKind::BOTH {
        let setting = Setting { variant, geometry, seed: 1 };
        if let Err(error) = spec.build(setting) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A file of parameters is refused or survives being written and read again.
pub fn parameters(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    if text.contains("linear")
        && let Ok((schema, parameters)) = Linear::read(text)
    {
        assert_eq!(Linear::read(&schema.write(&parameters)), Ok((schema, parameters)));
    }
    let schemas = [Gene45::SCHEMA, NineWeights::SCHEMA, TopSix::SCHEMA, ShiftingWeights::SCHEMA, SixStage::SCHEMA];
    // The file names its player; a file of nobody is everybody's to refuse.
    let schema = schemas.iter().find(|schema| text.contains(schema.player)).unwrap_or(&schemas[0]);
    match schema.read(text) {
        Ok(parameters) => {
            assert!(schema.fits(&parameters));
            assert_eq!(schema.read(&schema.write(&parameters)), Ok(parameters));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// A file of openings is refused, or every one of them can be played on.
pub fn openings(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let geometry = Geometry::ALL[usize::from(*first) % 3];
    let read = turncoat_arena::read_openings(rest, Path::new("file"), VariantKind::Reversed, geometry);
    match read {
        Ok(games) => assert!(!games.is_empty() && games.iter().all(|g| g.outcome().is_none())),
        Err(error) => assert!(error.to_string().starts_with("file")),
    }
}

/// What is read as a sequential test is one: it is read again from what it is written as, and its ratio
/// is finite whatever the results.
pub fn sprt(data: &[u8]) {
    let Ok(text) = from_utf8(data) else {
        return;
    };
    match text.parse::<Sprt>() {
        Ok(sprt) => {
            assert_eq!(sprt.to_string().parse(), Ok(sprt));
            for pairs in [[0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [1, 2, 3, 2, 1]] {
                assert!(sprt.llr(&Pentanomial(pairs)).is_finite());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What is read as GGF is read again from what it is written as.
pub fn ggf(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    match ggf::parse(text) {
        Ok(games) => {
            for game in games {
                let again = ggf::parse(&ggf::write(&game)).unwrap();
                assert_eq!(again.len(), 1);
                assert_eq!(again[0].record.game.moves(), game.record.game.moves());
                assert_eq!(again[0].record.game.start(), game.record.game.start());
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What is read as a WTHOR file is written back byte by byte, but for what lies beyond its games.
pub fn wthor(data: &[u8]) {
    let _ = wthor::parse_players(data);
    let _ = wthor::parse_tournaments(data);
    match wthor::parse_games(data) {
        Ok(database) => {
            let written = wthor::write_games(&database).unwrap();
            let again = wthor::parse_games(&written).unwrap();
            assert_eq!(again.header, database.header);
            for (one, other) in again.games.iter().zip(&database.games) {
                assert_eq!(one.game.moves(), other.game.moves());
            }
            assert_eq!(database.records(&[], &[]).count(), database.games.len());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// What is read as a log of the course is read again from what it is written as.
pub fn chess_log(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    match chess_log::parse(text, VariantKind::Reversed) {
        Ok(game) => {
            let again = chess_log::parse(&chess_log::write(&game), VariantKind::Reversed).unwrap();
            assert_eq!(again.moves(), game.moves());
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Questions and answers of the line protocol are refused or survive being written and read again.
pub fn line(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    if let Ok(Some(position)) = line::parse_question(text, geometry) {
        let written = line::write_question(position);
        assert_eq!(line::parse_question(&written, geometry), Ok(Some(position)));
    }
    match line::parse_answer(text, geometry) {
        Ok(played) => {
            let written = line::write_answer(played, geometry);
            assert_eq!(line::parse_answer(&written, geometry), Ok(played));
        }
        Err(error) => assert!(!line::write_error(&error.to_string()).contains('\n')),
    }
}

/// Commands survive being written and read again; every answer ends with its first empty line.
pub fn gtp(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    if let Some(command) = gtp::parse_command(text) {
        let again = gtp::parse_command(&gtp::write_command(&command));
        assert_eq!(again.as_ref(), Some(&command));
        for answer in [Ok(text.to_owned()), Err(text.to_owned())] {
            let written = gtp::write_answer(command.id, &answer);
            let end = written.find("\n\n").unwrap();
            assert_eq!(end + 2, written.len());
            assert_eq!(gtp::parse_answer(&written).is_ok(), answer.is_ok());
        }
    }
    let _ = gtp::parse_answer(text);
    let _ = gtp::parse_color(text);
    if let Some(played) = gtp::parse_vertex(text, geometry) {
        let written = gtp::write_vertex(played, geometry);
        assert_eq!(gtp::parse_vertex(&written, geometry), Some(played));
    }
}

/// Commands and replies of NBoard survive being written and read again, each on one line.
pub fn nboard(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    if let Ok(Some(command)) = nboard::parse_command(text, geometry) {
        let written = nboard::write_command(&command, geometry);
        assert!(!written.contains('\n'));
        assert!(matches!(nboard::parse_command(&written, geometry), Ok(Some(_))));
    }
    if let Ok(Some(reply)) = nboard::parse_reply(text, geometry) {
        let written = nboard::write_reply(&reply, geometry);
        assert!(!written.contains('\n'));
        let again = nboard::parse_reply(&written, geometry).unwrap().unwrap();
        assert_eq!(nboard::write_reply(&again, geometry), written);
    }
}

/// Requests and answers of Botzone are refused or survive being written and read again.
pub fn botzone(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    match botzone::parse_request(text, VariantKind::Reversed) {
        Ok(botzone::Request::Whole(game)) => {
            let written = botzone::write_whole(&game).unwrap();
            let again = botzone::parse_request(&written, VariantKind::Reversed).unwrap();
            let botzone::Request::Whole(again) = again else {
                panic!("a whole game is told as one");
            };
            assert_eq!(again.moves(), game.moves());
        }
        Ok(botzone::Request::Next(_)) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
    if let Ok(played) = botzone::parse_answer(text) {
        assert_eq!(botzone::parse_answer(&botzone::write_answer(played, text)), Ok(played));
    }
}

/// Whatever the host of a Python program prints is read or refused, and its list judged.
pub fn course(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    let position = Position::start(geometry);
    match course::Report::parse(text) {
        Ok(course::Report::List { items, length, .. }) => {
            let list = course::CandidateList::from_json(&items, length);
            let complaints = course::judge(&list, position);
            assert!(complaints.iter().all(|c| !c.to_string().is_empty()));
            if complaints.is_empty() {
                assert!(course::decision(&list, position).is_ok());
            }
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// An experiment is refused, or has a first population of its genes whose parameters a file can hold.
pub fn experiment(data: &[u8]) {
    let Ok(text) = from_utf8(data) else {
        return;
    };
    // Which files of weights there are is not the fuzzer's business, nor how much memory a player wants.
    if text.contains("weights") || text.contains("hash") {
        return;
    }
    match Lab::read(text, 1, &Roster::default()) {
        Ok(lab) if lab.population() * lab.layout.genes().len() <= 100_000 => {
            let population = algorithm::first(&lab);
            assert_eq!(population.individuals.len(), lab.population());
            for individual in &population.individuals {
                assert!(lab.layout.fits(&individual.genome));
                let parameters = lab.layout.parameters(&individual.genome);
                assert!(lab.schema.read(&lab.schema.write(&parameters)).is_ok());
            }
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The head of a file of weights, up to the checksum of what follows.
static WEIGHTS_HEAD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let mut file = write_weights(&Weights::blank(VariantKind::Reversed, Geometry::EIGHT));
    file.truncate(20);
    file
});

/// A file of weights is refused or survives being written and read again. An even first byte is followed by a whole
/// file; an odd one by what is packed in it, since no fuzzer guesses checksums.
pub fn weights(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let mut file = rest.to_vec();
    if first & 1 == 1 {
        file.clone_from(&WEIGHTS_HEAD);
        file.extend(fnv1a(rest.iter().copied()).to_le_bytes());
        file.extend(rest);
    }
    match read_weights(&file) {
        Ok(weights) => assert_eq!(read_weights(&write_weights(&weights)), Ok(weights)),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}

/// The head of a file of a small network, up to the checksum of everything else.
static NETWORK_HEAD: LazyLock<Vec<u8>> = LazyLock::new(|| {
    let design = Design { parts: 1 << 12 | 1 << 14, units: 16, hidden: vec![16], stages: 2 };
    let network = NetworkWeights::blank(VariantKind::Reversed, design);
    let mut file = network.map(|network| write_network(&network)).unwrap_or_default();
    file.truncate(24);
    file
});

/// A file of a network is refused or survives being written and read again. An even first byte is followed by a whole
/// file, whose checksum is put right; an odd one by what is packed in it.
pub fn network(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let mut file = rest.to_vec();
    if first & 1 == 1 {
        file.clone_from(&NETWORK_HEAD);
        file.extend([0; 8]);
        file.extend(rest);
    }
    if file.len() >= 32 {
        let right = fnv1a(file[..24].iter().chain(&file[32..]).copied()).to_le_bytes();
        file[24..32].copy_from_slice(&right);
    }
    match read_network(&file) {
        Ok(network) => assert_eq!(read_network(&write_network(&network)), Ok(network)),
        Err(fault) => assert!(!fault.to_string().is_empty()),
    }
}

/// A file of games is refused, or written back byte by byte, and its games are replayed or refused. After an odd first
/// byte its checksum is put right.
pub fn shard(data: &[u8]) {
    let Some((first, rest)) = data.split_first() else {
        return;
    };
    let mut file = rest.to_vec();
    if first & 1 == 1 && file.len() >= 18 {
        let right = fnv1a(file[18..].iter().copied()).to_le_bytes();
        file[10..18].copy_from_slice(&right);
    }
    let kinds = VariantKind::BOTH.into_iter().flat_map(|variant| Geometry::ALL.map(|geometry| (variant, geometry)));
    for (variant, geometry) in kinds {
        match read_shard(&file, variant, geometry) {
            Ok(games) => {
                assert_eq!(write_shard(variant, geometry, &games), file);
                for game in games {
                    let moves = game.plies.len();
                    assert!(game.replay(geometry).is_none_or(|replay| replay.len() == moves));
                }
            }
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
}
