//! `book show`, `book line` and `book stats`: what a book knows.

use std::collections::BTreeMap;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use serde_json::json;
use turncoat_api::{BookMoveView, book_view};
use turncoat_board::{Game, Move};
use turncoat_book::Book;

use super::chances::{Chances, chances};
use super::files::open;
use crate::args::Common;
use crate::commands::read_position;
use crate::output;

/// `book show`, `book line`
#[derive(Debug, Args)]
pub(super) struct ShowArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), "start", or - for standard input
    #[arg(value_name = "POSITION", default_value = "start", allow_hyphen_values = true)]
    position: String,
    /// The book [default: the one that comes with the program]
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,
}

/// `book stats`
#[derive(Debug, Args)]
pub(super) struct StatsArgs {
    /// The book [default: the one that comes with the program]
    #[arg(value_name = "FILE")]
    book: Option<PathBuf>,
}

impl ShowArgs {
    /// The book, and the game that leads to the position in the book's variant and size.
    pub(super) fn read(&self, common: &Common) -> Result<(Book, Game)> {
        let book = open(self.book.as_deref(), common)?;
        let common = Common { variant: Some(book.variant()), size: Some(book.geometry()), ..common.clone() };
        let game = read_position(&self.position, &common)?;
        Ok((book, game))
    }
}

pub(super) fn show(args: &ShowArgs, common: &Common) -> Result<()> {
    let (book, game) = args.read(common)?;
    let view = book_view(Some(&book), &game);
    if common.json {
        return output::json(&view);
    }
    let side = game.position().side();
    if !common.quiet {
        let known = match view.score {
            _ if game.position().is_over() => "the game is over".to_owned(),
            Some(score) => format!(
                "{score:+.2}{} for {side}, to move; {} positions from here on",
                if view.exact { "=" } else { "" },
                view.positions
            ),
            None if view.moves.is_empty() => "out of book".to_owned(),
            None => format!("out of book, {side} to move"),
        };
        let name = view.name.as_ref().map_or_else(String::new, |name| format!(", {}", name.english));
        output::line(format_args!("{} on {}{name}: {known}", book.variant().title(), book.geometry()))?;
    }
    let has_games = view.moves.iter().any(|known| known.games > 0);
    if !view.moves.is_empty() && !common.quiet {
        let games = if has_games { format!(" {:>7} {:>6}", "games", "won") } else { String::new() };
        output::line(format_args!("{:<5} {:>8} {:>6} {:>9}{games}  line", "move", "score", "depth", "positions"))?;
    }
    view.moves.iter().try_for_each(|known| output::line(row(known, has_games)))
}

fn row(known: &BookMoveView, has_games: bool) -> String {
    let BookMoveView { label, depth, positions, line, .. } = known;
    let score = known.score.map_or_else(String::new, |score| format!("{score:+.2}"));
    let exact = if known.exact { "=" } else { " " };
    let games = if has_games {
        let points = f64::from(2 * known.wins + known.draws) * 50.0 / f64::from(known.games.max(1));
        format!(" {:>7} {:>6}", known.games, if known.games > 0 { format!("{points:.1}%") } else { String::new() })
    } else {
        String::new()
    };
    format!("{label:<5} {score:>7}{exact} {depth:>6} {positions:>9}{games}  {line}")
}

pub(super) fn line(args: &ShowArgs, common: &Common) -> Result<()> {
    let (book, game) = args.read(common)?;
    let moves = book.line(game.position());
    let labels: Vec<String> =
        moves.iter().filter_map(|played| played.square()).map(|square| book.geometry().label(square)).collect();
    if common.json {
        let passes = moves.iter().filter(|played| **played == Move::Pass).count();
        return output::json(&json!({
            "line": labels.concat(), "plies": labels.len(), "passes": passes,
            "score": book.find(game.position()).map(turncoat_book::Entry::value),
        }));
    }
    output::line(if labels.is_empty() { "out of book".to_owned() } else { labels.concat() })
}

pub(super) fn stats(args: &StatsArgs, common: &Common) -> Result<()> {
    let book = open(args.book.as_deref(), common)?;
    let mut layers: BTreeMap<u32, Layer> = BTreeMap::new();
    for entry in book.entries() {
        let ply = entry.board().discs().count().saturating_sub(4);
        let layer = layers.entry(ply).or_default();
        layer.positions += 1;
        layer.exact += usize::from(entry.is_proven());
        layer.complete += usize::from(entry.is_complete());
        layer.least = layer.least.min(entry.depth());
        layer.most = layer.most.max(entry.depth());
    }
    let stale = book.entries().iter().filter(|entry| entry.is_stale()).count();
    let evaluation = book.evaluation();
    let chances = chances(&book);
    if common.json {
        let layers: Vec<_> = layers
            .iter()
            .map(|(ply, layer)| {
                json!({
                    "ply": ply, "positions": layer.positions, "complete": layer.complete, "exact": layer.exact,
                    "depth": [layer.least, layer.most],
                })
            })
            .collect();
        return output::json(&json!({
            "variant": book.variant().name(), "size": book.geometry().side(), "evaluation": evaluation.name,
            "checksum": format!("{:016x}", evaluation.checksum), "positions": book.entries().len(), "stale": stale,
            "games": book.games_counted(), "plies": layers,
            "random": chances.iter().map(|it| json!({"won": it.won, "drawn": it.drawn, "lost": it.lost})).collect::<Vec<_>>(),
        }));
    }
    output::line(format_args!(
        "{} on {}: {} positions, scored by {} ({:016x})",
        book.variant().title(),
        book.geometry(),
        book.entries().len(),
        evaluation.name,
        evaluation.checksum
    ))?;
    if stale > 0 {
        output::line(format_args!("{stale} of them by another evaluation: book grow --rescore searches them again"))?;
    }
    if book.games_counted() > 0 {
        output::line(format_args!("{} games, {} positions in them", book.games_counted(), book.counted()))?;
    }
    output::line(format_args!("{:>5} {:>9} {:>9} {:>7}  depth", "plies", "positions", "complete", "exact"))?;
    layers.iter().try_for_each(|(ply, layer)| output::line(layer.row(*ply)))?;
    for (plies, Chances { won, drawn, lost }) in chances.iter().enumerate() {
        let [won, drawn, lost] = [won, drawn, lost].map(|share| 100.0 * share);
        output::line(format_args!(
            "after {plies} random plies black wins {won:.1} %, draws {drawn:.1} %, loses {lost:.1} %"
        ))?;
    }
    Ok(())
}

/// The positions with so many discs.
struct Layer {
    positions: usize,
    complete: usize,
    exact: usize,
    least: u32,
    most: u32,
}

impl Default for Layer {
    fn default() -> Self {
        Self { positions: 0, complete: 0, exact: 0, least: u32::MAX, most: 0 }
    }
}

impl Layer {
    fn row(&self, ply: u32) -> String {
        let Self { positions, complete, exact, least, most } = self;
        let depth = if least == most { most.to_string() } else { format!("{least}-{most}") };
        format!("{ply:>5} {positions:>9} {complete:>9} {exact:>7}  {depth}")
    }
}
