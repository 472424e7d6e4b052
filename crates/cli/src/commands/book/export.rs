//! `book export`: the positions of a book, or its lines as games.

use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde_json::json;
use turncoat_board::{Game, Move, Score};
use turncoat_book::{Book, Walk};
use turncoat_record::ggf::{self, Ggf};
use turncoat_record::obf::{self, ScoredPosition};
use turncoat_record::{Record, transcript};

use super::files::open;
use crate::args::Common;
use crate::output;

/// `book export`
#[derive(Debug, Args)]
pub(super) struct ExportBookArgs {
    /// The book [default: the one that comes with the program]
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
    /// The format
    #[arg(long, value_enum)]
    to: BookFormat,
    /// Only so many plies
    #[arg(long, value_name = "N", default_value_t = 60)]
    plies: u32,
    /// Write to a file; an existing one is kept unless --force is given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    force: bool,
}

/// Formats of books.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum BookFormat {
    /// One object per position
    Json,
    /// Positions with the scores of their moves, rounded to whole discs
    Obf,
    /// Lines to the last positions of the book, as games
    Ggf,
    /// The same as transcripts
    Transcript,
}

pub(super) fn run(args: &ExportBookArgs, common: &Common) -> Result<()> {
    let book = open(args.book.as_deref(), common)?;
    let mut text = String::new();
    for at in book.walk(args.plies) {
        if let Some(line) = written(&book, &at, args) {
            text += &line;
            text.push('\n');
        }
    }
    match &args.out {
        Some(path) => output::file(path, &text, args.force),
        None if text.is_empty() => Ok(()),
        None => output::line(text.trim_end_matches('\n')),
    }
}

/// The line of a position, if it has one in the format.
fn written(book: &Book, at: &Walk, args: &ExportBookArgs) -> Option<String> {
    match args.to {
        BookFormat::Json => {
            let entry = book.find(at.position)?;
            Some(
                json!({
                    "position": at.position.to_string(), "line": transcript::write(&game(book, at)),
                    "value": entry.value(), "score": entry.score(), "depth": entry.depth(),
                    "exact": entry.is_proven(), "complete": entry.is_complete(),
                    "best": book.best_move(at.position).map(|square| book.geometry().label(square)),
                })
                .to_string(),
            )
        }
        BookFormat::Obf => {
            let whole = |value: f64| Score::new(value.round() as i32).ok();
            let scores = book.moves(at.position).into_iter();
            let scores = scores.filter_map(|known| Some((Move::Place(known.square), whole(known.value?)?)));
            Some(obf::write(&ScoredPosition { position: at.position, scores: scores.collect() }))
        }
        BookFormat::Ggf | BookFormat::Transcript => {
            let is_last =
                at.position.legal_moves().into_iter().all(|square| book.behind_move(at.position, square) == 0);
            let ends = is_last || Book::placed(at.position) == args.plies;
            ends.then(|| {
                let game = game(book, at);
                let mut line = String::new();
                let _ = match args.to {
                    BookFormat::Ggf => write!(line, "{}", ggf::write(&Ggf::new(Record::new(game)))),
                    _ => write!(line, "{}", transcript::write(&game)),
                };
                line
            })
        }
    }
}

/// The game that leads to a position.
fn game(book: &Book, at: &Walk) -> Game {
    let mut game = Game::new(book.variant(), book.geometry());
    for &played in &at.moves {
        // Legal: the book was walked by the rules.
        let _ = game.play(played);
    }
    game
}
