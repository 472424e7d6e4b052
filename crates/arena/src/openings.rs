//! Where games begin: random plies by seed, a list of balanced openings that comes with the program, or a file of
//! transcripts, positions or OBF.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use rand::RngExt;
use thiserror::Error;
use turncoat_board::{Game, Geometry, Move, Square, VariantKind};
use turncoat_players::book::shipped_book;
use turncoat_players::seed;
use turncoat_record::diagram::Blocks;
use turncoat_record::input::{self, InputError};
use turncoat_record::lines::LineError;
use turncoat_record::obf::{self, ObfError};
use turncoat_util::digest;

use crate::from_book;
use crate::plan::purpose;

/// What was asked for: `random:PLIES`, `balanced`, `balanced:DISCS` or the name of a file.
///
/// ```
/// use turncoat_arena::Source;
///
/// assert_eq!("balanced".parse(), Ok(Source::Balanced));
/// assert_eq!("balanced:0.5".parse(), Ok(Source::Book { hundredths: 50 }));
/// assert_eq!("random:8".parse(), Ok(Source::Random { plies: 8 }));
/// assert_eq!("tiger.txt".parse(), Ok(Source::File("tiger.txt".into())));
/// assert!("random:many".parse::<Source>().is_err());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// So many random plies, drawn for each opening; none is the start of the board.
    Random {
        /// Discs placed; passes do not count.
        plies: u32,
    },
    /// Those that come with the program: neither side is more than a disc ahead.
    Balanced,
    /// Those of the book that comes with the program that leave neither side more than so many discs ahead.
    Book {
        /// In hundredths of a disc.
        hundredths: u32,
    },
    /// The lines of a file, one after the other, and over again when they are used up.
    File(PathBuf),
}

impl Source {
    /// The usual openings of a size: as many random plies as the board has columns.
    pub fn usual(geometry: Geometry) -> Self {
        Self::Random { plies: u32::from(geometry.side()) }
    }
}

impl FromStr for Source {
    type Err = OpeningsError;
    fn from_str(text: &str) -> Result<Self, OpeningsError> {
        if text == "balanced" {
            return Ok(Self::Balanced);
        }
        if let Some(scale) = text.strip_prefix("balanced:") {
            let discs = scale.parse().ok().filter(|discs| (0.0..=64.0).contains(discs));
            let discs: f64 = discs.ok_or_else(|| OpeningsError::Scale { found: scale.chars().take(20).collect() })?;
            return Ok(Self::Book { hundredths: (discs * 100.0).round() as u32 });
        }
        match text.strip_prefix("random:") {
            Some(plies) => match plies.parse() {
                Ok(plies) => Ok(Self::Random { plies }),
                Err(_) => Err(OpeningsError::Plies { found: plies.chars().take(20).collect() }),
            },
            None => Ok(Self::File(text.into())),
        }
    }
}

/// The openings of a run, by number.
#[derive(Debug, Clone)]
pub struct Openings {
    variant: VariantKind,
    geometry: Geometry,
    seed: u64,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    Random(u32),
    Listed(Vec<Game>),
}

/// The balanced openings of a game, made by: `turncoat train openings`.
const fn balanced(variant: VariantKind) -> &'static str {
    match variant {
        VariantKind::Reversed => include_str!("../openings/balanced-reversed.txt"),
        VariantKind::Reversi => include_str!("../openings/balanced-reversi.txt"),
    }
}

/// The usual scale of balance, in hundredths of a disc.
const A_DISC: u32 = 100;

/// Squares that random plies must leave empty, so that there is a game to play.
const LEFT_TO_PLAY: u32 = 4;

impl Openings {
    /// Makes the openings of a source; a file is read and checked.
    ///
    /// # Errors
    /// If the source cannot be read or holds something else; the error names file, line and fault.
    pub fn new(source: &Source, variant: VariantKind, geometry: Geometry, seed: u64) -> Result<Self, OpeningsError> {
        let kind = match source {
            Source::Random { plies } => {
                let most = u32::from(geometry.area()) - 4 - LEFT_TO_PLAY;
                if *plies > most {
                    return Err(OpeningsError::TooManyPlies { geometry, most });
                }
                Kind::Random(*plies)
            }
            Source::Balanced => {
                if geometry != Geometry::EIGHT {
                    return Self::new(&Source::Book { hundredths: A_DISC }, variant, geometry, seed);
                }
                let list = balanced(variant).as_bytes();
                Kind::Listed(read(list, Path::new("balanced"), variant, geometry)?)
            }
            Source::Book { hundredths } => {
                let book = shipped_book(variant, geometry).map_err(|fault| OpeningsError::Book { fault })?;
                let book = book.ok_or(OpeningsError::NoneBalanced { geometry })?;
                let games = from_book::balanced(&book, f64::from(*hundredths) / 100.0, seed);
                if games.is_empty() {
                    return Err(OpeningsError::NoneWithin { hundredths: *hundredths });
                }
                Kind::Listed(games)
            }
            Source::File(path) => {
                let unreadable = |source| OpeningsError::Unreadable { path: path.clone(), source };
                let file = File::open(path).map_err(unreadable)?;
                if file.metadata().map_err(unreadable)?.is_dir() {
                    return Err(unreadable(io::ErrorKind::IsADirectory.into()));
                }
                Kind::Listed(read(BufReader::new(file), path, variant, geometry)?)
            }
        };
        Ok(Self { variant, geometry, seed, kind })
    }

    /// The opening with this number.
    pub fn get(&self, number: u64) -> Game {
        match &self.kind {
            Kind::Random(plies) => self.random(*plies, number),
            Kind::Listed(games) => games[(number % games.len() as u64) as usize].clone(),
        }
    }

    /// How many there are before they repeat; `None` if each is drawn.
    pub fn count(&self) -> Option<u64> {
        match &self.kind {
            // No plies at all are always the same.
            Kind::Random(0) => Some(1),
            Kind::Random(_) => None,
            Kind::Listed(games) => Some(games.len() as u64),
        }
    }

    /// A text that differs when the listed openings differ; `None` if they are drawn.
    pub fn digest(&self) -> Option<String> {
        let Kind::Listed(games) = &self.kind else {
            return None;
        };
        let text: String = games.iter().map(|game| format!("{} {:?}\n", game.start(), game.moves())).collect();
        Some(digest(&text))
    }

    /// Draws until a game comes out that is not over; on small boards some are.
    fn random(&self, plies: u32, number: u64) -> Game {
        let mut stream = seed::stream(self.seed, &[purpose::OPENINGS, number]);
        for _ in 0..1000 {
            let mut game = Game::new(self.variant, self.geometry);
            for _ in 0..plies {
                if game.position().must_pass() && game.play(Move::Pass).is_err() {
                    break;
                }
                let moves: Vec<Square> = game.position().legal_moves().into_iter().collect();
                if moves.is_empty() {
                    break;
                }
                let square = moves[stream.random_range(0..moves.len())];
                if game.play(Move::Place(square)).is_err() {
                    break;
                }
            }
            if game.outcome().is_none() {
                return game;
            }
        }
        Game::new(self.variant, self.geometry)
    }
}

/// Reads openings line by line: a transcript, a position, `start` or OBF each; `%` begins a comment. The
/// path is for errors alone.
///
/// # Errors
/// If a line is none of them, its game is over, or there is none at all.
pub fn read(
    reader: impl BufRead,
    path: &Path,
    variant: VariantKind,
    geometry: Geometry,
) -> Result<Vec<Game>, OpeningsError> {
    let mut games = Vec::new();
    for line in Blocks::new(reader) {
        let (number, text) = line.map_err(|source| OpeningsError::Line { path: path.to_owned(), source })?;
        let fault = |fault| OpeningsError::Bad { path: path.to_owned(), line: number, fault };
        if let Some(game) = read_line(&text, variant, geometry).map_err(fault)? {
            games.push(game);
        }
    }
    if games.is_empty() {
        return Err(OpeningsError::Empty { path: path.to_owned() });
    }
    Ok(games)
}

fn read_line(line: &str, variant: VariantKind, geometry: Geometry) -> Result<Option<Game>, OpeningFault> {
    let text = line.split('%').next().unwrap_or_default();
    if text.trim().is_empty() {
        return Ok(None);
    }
    let game = if text.contains(';') {
        let Some(entry) = obf::parse_line(text, geometry)? else {
            return Ok(None);
        };
        Game::from_position(variant, entry.position)
    } else {
        input::parse(text, variant, geometry)?
    };
    if game.outcome().is_some() {
        return Err(OpeningFault::Over);
    }
    Ok(Some(game))
}

/// What is wrong with a line of openings.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OpeningFault {
    /// It is not OBF.
    #[error(transparent)]
    Obf(#[from] ObfError),
    /// It is neither a position nor a transcript.
    #[error(transparent)]
    Input(#[from] InputError),
    /// There is nothing left to play.
    #[error("the game is over there: nothing is left to play")]
    Over,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum OpeningsError {
    /// The number of random plies is none.
    #[error("random:{found}: the number of plies is not a whole number")]
    Plies {
        /// What stands there.
        found: String,
    },
    /// So many random plies leave no game.
    #[error("the {geometry} board has room for at most {most} random plies")]
    TooManyPlies {
        /// The size.
        geometry: Geometry,
        /// How many there may be.
        most: u32,
    },
    /// The scale of balance is none.
    #[error("balanced:{found}: the scale is 0 to 64 discs")]
    Scale {
        /// What stands there.
        found: String,
    },
    /// The book cannot be used.
    #[error("{fault}")]
    Book {
        /// Why.
        fault: String,
    },
    /// No opening of the book is balanced.
    #[error("the book has no opening within {} discs", f64::from(*hundredths) / 100.0)]
    NoneWithin {
        /// The scale in hundredths of a disc.
        hundredths: u32,
    },
    /// No list or book of this size comes with the program.
    #[error(
        "no opening book of the {geometry} board was found to take balanced openings from: take random:PLIES or a file"
    )]
    NoneBalanced {
        /// The size.
        geometry: Geometry,
    },
    /// The file cannot be opened.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A line of the file cannot be read.
    #[error("{}: {source}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Which, and why.
        source: LineError,
    },
    /// A line of the file is not an opening.
    #[error("{}, line {line}: {fault}", path.display())]
    Bad {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// Why.
        fault: OpeningFault,
    },
    /// The file holds no opening.
    #[error("{}: there is no opening in it", path.display())]
    Empty {
        /// The file.
        path: PathBuf,
    },
}

impl PartialEq for OpeningsError {
    fn eq(&self, other: &Self) -> bool {
        self.to_string() == other.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_balanced_openings_are_all_different() {
        for variant in [VariantKind::Reversed, VariantKind::Reversi] {
            let openings = Openings::new(&Source::Balanced, variant, Geometry::EIGHT, 1).unwrap();
            let count = openings.count().unwrap();
            assert!(count >= 200);
            let different: std::collections::HashSet<_> =
                (0..count).map(|number| openings.get(number).position().board().canonical().0).collect();
            assert_eq!(different.len() as u64, count);
        }
        let small = Openings::new(&Source::Balanced, VariantKind::Reversi, Geometry::FOUR, 1);
        assert!(matches!(small, Err(OpeningsError::NoneBalanced { .. })));
    }

    const START: &str = "---------------------------OX------XO--------------------------- X";

    fn listed(text: &str) -> Result<Vec<Game>, String> {
        read(text.as_bytes(), Path::new("book.txt"), VariantKind::Reversed, Geometry::EIGHT)
            .map_err(|error| error.to_string())
    }

    #[test]
    fn a_file_holds_transcripts_positions_and_obf() {
        let text = format!("% balanced\n\nf5d6c3 % tiger\r\n{START}\n{START}; D3:+2;\nstart\n");
        let games = listed(&text).unwrap();
        assert_eq!(games.len(), 4);
        assert_eq!(games[0].moves().len(), 3);
        assert!(games[1..].iter().all(|g| g.moves().is_empty()));
    }

    #[test]
    fn faults_name_file_line_and_place() {
        for (text, expected) in [
            ("f5\nf5f5\n", "book.txt, line 2: not a transcript: character 3, move 2: f5 is already occupied by black"),
            ("\nXO X\n", "book.txt, line 2: not a position: character 3: the board has 2 of its 64 cells"),
            ("e6f4e3f6g5d6e7f5c5", "book.txt, line 1: the game is over there: nothing is left to play"),
            ("% nothing\n", "book.txt: there is no opening in it"),
        ] {
            assert_eq!(listed(text).unwrap_err(), expected);
        }
        let bad = format!("f5\n{START}; A1:+2;\n");
        assert_eq!(listed(&bad).unwrap_err(), "book.txt, line 2: character 69: \"A1:+2\": this move is illegal");
    }

    #[test]
    fn random_openings_depend_on_seed_and_number_and_are_not_over() {
        for geometry in Geometry::ALL {
            let most = u32::from(geometry.area()) - 8;
            for plies in [0, 4, most] {
                let make =
                    |seed| Openings::new(&Source::Random { plies }, VariantKind::Reversed, geometry, seed).unwrap();
                for number in 0..20 {
                    let (game, again) = (make(1).get(number), make(1).get(number));
                    assert_eq!(game.moves(), again.moves());
                    assert_eq!(game.outcome(), None);
                    let placed = game.moves().iter().filter(|m| m.square().is_some());
                    assert_eq!(placed.count() as u32, plies);
                }
                let moves = |seed, number| make(seed).get(number).moves().to_vec();
                if plies > 4 {
                    assert_ne!(moves(1, 0), moves(1, 1));
                    assert_ne!(moves(1, 0), moves(2, 0));
                }
            }
            let many = Source::Random { plies: most + 1 };
            assert!(Openings::new(&many, VariantKind::Reversed, geometry, 1).is_err());
        }
    }

    #[test]
    fn listed_openings_begin_again_and_have_a_digest() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("book.txt");
        let make = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let source = Source::File(path.clone());
            Openings::new(&source, VariantKind::Reversed, Geometry::EIGHT, 1).unwrap()
        };
        let book = make("f5\nf5d6\n");
        assert_eq!(book.count(), Some(2));
        assert_eq!(book.get(0).moves().len(), 1);
        assert_eq!(book.get(3).moves().len(), 2);
        assert_eq!(book.digest(), make("% the same\nF5\nf5 d6").digest());
        assert_ne!(book.digest(), make("f5d6\nf5\n").digest());
        let missing = Source::File(folder.path().join("none.txt"));
        assert!(Openings::new(&missing, VariantKind::Reversed, Geometry::EIGHT, 1).is_err());
        let directory = Source::File(folder.path().to_owned());
        assert!(Openings::new(&directory, VariantKind::Reversed, Geometry::EIGHT, 1).is_err());
    }
}
