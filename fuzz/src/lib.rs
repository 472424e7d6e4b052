//! The fuzz targets of the parsers.
//!
//! Each target is a function of twenty lines that states what must hold of any input. The fuzzer calls
//! it (`cargo xtask fuzz`), and a plain test replays the saved corpus on every run of the tests.
#![allow(clippy::missing_panics_doc)] // Panicking is how a target reports.

use std::path::Path;
use std::str::from_utf8;

use turncoat_arena::stats::elo::Pentanomial;
use turncoat_arena::stats::sprt::Sprt;
use turncoat_board::{Geometry, Position, Setup, VariantKind, parse_move};
use turncoat_eval::classic::{Gene45, NineWeights, ShiftingWeights, SixStage, TopSix};
use turncoat_players::{Setting, Spec, build};
use turncoat_record::{input, obf, svg, transcript};
use turncoat_train::genetic::{Lab, algorithm};

/// A target: its name, which is also the folder of its corpus, and its body.
pub type Target = (&'static str, fn(&[u8]));

/// All targets.
pub const TARGETS: &[Target] = &[
    ("position", position),
    ("transcript", transcript),
    ("obf", obf),
    ("input", input),
    ("spec", spec),
    ("parameters", parameters),
    ("openings", openings),
    ("sprt", sprt),
    ("experiment", experiment),
];

/// The first byte chooses the size of the board, the rest is the text, if it is one.
fn split(data: &[u8]) -> Option<(Geometry, &str)> {
    let (first, rest) = data.split_first()?;
    Some((
        Geometry::ALL[usize::from(*first) % 3],
        from_utf8(rest).ok()?,
    ))
}

/// What is read as a position is one, and is read again from what it is written as.
pub fn position(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    let _ = parse_move(text, geometry);
    match Position::parse(text, geometry) {
        Ok(position) => {
            assert_eq!(
                Position::parse(&position.to_string(), geometry).as_ref(),
                Ok(&position)
            );
            assert!((position.board().mover() & position.board().other()).is_empty());
            assert!(Setup::parse(text, geometry).is_ok());
            let _ = svg::draw(
                position,
                svg::Marks {
                    legal: true,
                    last: None,
                },
            );
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
            let again =
                transcript::parse(&written, VariantKind::Reversed, Position::start(geometry))
                    .unwrap();
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
                assert_eq!(
                    obf::parse_line(&obf::write(&entry), geometry),
                    Ok(Some(entry))
                );
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
}

/// Whatever is given where a position is wanted is read or refused.
pub fn input(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    match input::parse(text, VariantKind::Reversi, geometry) {
        Ok(game) => assert_eq!(game.geometry(), geometry),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// The description of a player is refused or makes a player.
pub fn spec(data: &[u8]) {
    let Some((geometry, text)) = split(data) else {
        return;
    };
    let Ok(spec) = text.parse::<Spec>() else {
        return;
    };
    assert_eq!(spec.to_string().parse::<Spec>().as_ref(), Ok(&spec));
    // A description may name a file of weights; which files there are is not the fuzzer's business.
    if spec.rest().is_some_and(|rest| rest.contains("weights")) {
        return;
    }
    for variant in VariantKind::BOTH {
        let setting = Setting {
            variant,
            geometry,
            seed: 1,
        };
        if let Err(error) = build(&spec, setting) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// A file of parameters is refused or survives being written and read again.
pub fn parameters(data: &[u8]) {
    let Ok(text) = from_utf8(data) else { return };
    let schemas = [
        Gene45::SCHEMA,
        NineWeights::SCHEMA,
        TopSix::SCHEMA,
        ShiftingWeights::SCHEMA,
        SixStage::SCHEMA,
    ];
    // The file names its player; a file of nobody is everybody's to refuse.
    let schema = schemas
        .iter()
        .find(|schema| text.contains(schema.player))
        .unwrap_or(&schemas[0]);
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
    let read =
        turncoat_arena::read_openings(rest, Path::new("file"), VariantKind::Reversed, geometry);
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

/// An experiment is refused, or has a first population of its genes whose parameters a file can hold.
pub fn experiment(data: &[u8]) {
    let Ok(text) = from_utf8(data) else {
        return;
    };
    // Which files of weights there are is not the fuzzer's business, nor how much memory a player wants.
    if text.contains("weights") || text.contains("hash") {
        return;
    }
    match Lab::read(text, 1, None) {
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
