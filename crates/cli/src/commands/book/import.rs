//! `book import` and `book merge`: games and other books.

use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;
use serde_json::json;
use turncoat_board::Game;
use turncoat_book::Book;
use turncoat_players::book::book_evaluation;
use turncoat_players::flagship::usual_evaluation;
use turncoat_record::diagram::Blocks;
use turncoat_record::input;

use super::files::{Kept, note_stale, open, write};
use crate::args::Common;
use crate::commands::{self, read_records};
use crate::failure::misuse;
use crate::output;

/// `book import`
#[derive(Debug, Args)]
pub(super) struct ImportArgs {
    /// The book; made if it is not there
    #[arg(value_name = "BOOK")]
    book: PathBuf,
    /// Files of games: GGF, WTHOR (.wtb), or a transcript a line
    #[arg(value_name = "GAMES", required = true)]
    games: Vec<PathBuf>,
    /// Count the first plies of each game, so many
    #[arg(long, value_name = "N", default_value_t = 24)]
    plies: usize,
}

/// `book merge`
#[derive(Debug, Args)]
pub(super) struct MergeArgs {
    /// The books; what the first one says counts where two are equal
    #[arg(value_name = "BOOK", required = true, num_args = 2..)]
    books: Vec<PathBuf>,
    /// The new book
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Overwrite it
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &ImportArgs, common: &Common) -> Result<()> {
    let (mut book, mut kept) = Kept::open(&args.book, common, |variant, geometry| {
        let evaluation = book_evaluation(usual_evaluation(variant, geometry), variant, geometry).map_err(misuse)?;
        Ok(Book::new(variant, geometry, evaluation))
    })?;
    let common = &Common { variant: Some(book.variant()), size: Some(book.geometry()), ..common.clone() };
    let mut games = Vec::new();
    for path in &args.games {
        games.extend(read_games(path, common)?);
    }
    let counted = book.add_games(&games, args.plies);
    kept.save(&mut book)?;
    let left_out = games.len() - counted;
    if common.json {
        return output::json(
            &json!({"summary": true, "games": counted, "left_out": left_out, "all": book.games_counted()}),
        );
    }
    let left_out = match left_out {
        0 => String::new(),
        count => format!("; {count} left out, which are not finished or of another game, size or start"),
    };
    output::line(format_args!("{counted} games counted, {} in all{left_out}", book.games_counted()))
}

/// The games of a file: those of GGF, WTHOR and logs, or of each line.
fn read_games(path: &Path, common: &Common) -> Result<Vec<Game>> {
    if let Some(records) = read_records(path, common)? {
        return Ok(records.into_iter().map(|record| record.game).collect());
    }
    let mut games = Vec::new();
    for line in Blocks::new(commands::open(path)?) {
        let (number, text) = line.map_err(|error| misuse(format!("{}: {error}", path.display())))?;
        let text = text.split('%').next().unwrap_or_default();
        if text.trim().is_empty() {
            continue;
        }
        let game = input::parse(text, common.variant(), common.geometry())
            .map_err(|error| misuse(format!("{}, line {number}: {error}", path.display())))?;
        games.push(game);
    }
    Ok(games)
}

pub(super) fn merge(args: &MergeArgs, common: &Common) -> Result<()> {
    let mut books = args.books.iter();
    let Some(first) = books.next() else { return Err(misuse("there is nothing to merge")) };
    let mut book = open(Some(first), common)?;
    for path in books {
        let other = open(Some(path), common)?;
        book.merge(&other).map_err(|error| misuse(format!("{}: {error}", path.display())))?;
    }
    write(&args.out, &book, args.force)?;
    note_stale(&book);
    let positions = book.entries().len();
    if common.json {
        return output::json(&json!({"summary": true, "positions": positions, "games": book.games_counted()}));
    }
    output::line(format_args!("{positions} positions in {}", args.out.display()))
}
