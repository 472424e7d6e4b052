//! `book`: opening books.

mod chances;
mod check;
mod export;
mod files;
mod grow;
mod import;
mod show;
mod solve;
mod tree;

use anyhow::Result;
use clap::{Args, Subcommand};

use crate::args::Common;

/// `book`
#[derive(Debug, Args)]
pub(crate) struct BookArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Show what a book knows about a position: its moves with score, depth and the positions behind them
    #[command(after_help = "Examples:\n  turncoat book show\n  turncoat book show f5d6 --variant reversi")]
    Show(show::ShowArgs),
    /// Print the best line from a position on
    #[command(after_help = "Example: turncoat book line f5d6 --variant reversi")]
    Line(show::ShowArgs),
    /// Draw the main lines from a position on, as an SVG picture
    #[command(after_help = "Example: turncoat book tree f5 --plies 8 --margin 1 --out tree.svg")]
    Tree(tree::TreeArgs),
    /// Count the positions of a book, by plies
    #[command(after_help = "Example: turncoat book stats books/reversed.book")]
    Stats(show::StatsArgs),
    /// Search more positions, and keep them; a book that is not there is made
    #[command(after_help = "Examples:\n  turncoat book grow my.book --minutes 60\n  \
                      turncoat book grow my.book --plies 4 --depth 12 --variant reversi\n  \
                      turncoat book grow my.book --plies 0 --depth 20 --line-plies 24 --margin 0.5")]
    Grow(grow::GrowArgs),
    /// Solve every position of the first plies of a small board
    #[command(after_help = "Example: turncoat book solve six.book --size 6 --plies 5 --answers 10 --hash 4096")]
    Solve(solve::SolveBookArgs),
    /// Check a book: its digest, its positions, their orientation, and the values that follow from their moves
    #[command(after_help = "Example: turncoat book check books/reversed.book")]
    Check(check::CheckBookArgs),
    /// Write the positions or the lines of a book: JSON, OBF, GGF or transcripts
    #[command(after_help = "Example: turncoat book export --to obf --out book.obf")]
    Export(export::ExportBookArgs),
    /// Count the moves and results of games: GGF, WTHOR, or a transcript a line
    #[command(after_help = "Example: turncoat book import my.book games.ggf")]
    Import(import::ImportArgs),
    /// Add the positions of other books to a book
    #[command(after_help = "Example: turncoat book merge mine.book yours.book --out ours.book")]
    Merge(import::MergeArgs),
}

pub(super) fn run(args: &BookArgs, common: &Common) -> Result<()> {
    match &args.what {
        What::Show(args) => show::show(args, common),
        What::Line(args) => show::line(args, common),
        What::Tree(args) => tree::run(args, common),
        What::Stats(args) => show::stats(args, common),
        What::Grow(args) => grow::run(args, common),
        What::Solve(args) => solve::run(args, common),
        What::Check(args) => check::run(args, common),
        What::Export(args) => export::run(args, common),
        What::Import(args) => import::run(args, common),
        What::Merge(args) => import::merge(args, common),
    }
}
