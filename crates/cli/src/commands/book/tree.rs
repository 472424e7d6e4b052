//! `book tree`: the main lines of a book as a picture.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use turncoat_board::{Board, Color, Game, Move};
use turncoat_book::{Book, opening_of};
use turncoat_record::transcript;
use turncoat_util::escape_html;

use super::show::ShowArgs;
use crate::args::Common;
use crate::failure::misuse;
use crate::output;

/// `book tree`
#[derive(Debug, Args)]
pub(super) struct TreeArgs {
    #[command(flatten)]
    from: ShowArgs,
    /// How many plies to draw
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=60))]
    plies: u32,
    /// How many discs a line may lose to the best moves of both sides
    #[arg(long, value_name = "DISCS", default_value_t = 1.0, allow_hyphen_values = true)]
    margin: f64,
    /// Write the SVG picture to a file; an existing one is kept unless --force is given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    force: bool,
}

pub(super) fn run(args: &TreeArgs, common: &Common) -> Result<()> {
    if !(0.0..=64.0).contains(&args.margin) {
        return Err(misuse("--margin is 0 to 64 discs"));
    }
    let (book, game) = args.from.read(common)?;
    let mut tree = Tree { book: &book, args, seen: HashSet::new() };
    let steps = tree.steps(&game, 0.0, args.plies);
    if steps.is_empty() {
        return Err(misuse("the book has no moves here"));
    }
    let line = transcript::write(&game);
    let picture = Picture::of(&steps, &title(&book, &line, args.margin));
    match &args.out {
        Some(path) => output::file(path, &picture, args.force),
        None => output::line(picture.trim_end()),
    }
}

fn title(book: &Book, line: &str, margin: f64) -> String {
    let place = if line.is_empty() { "the start".to_owned() } else { line.to_owned() };
    format!("{} from {place} on: lines that lose at most {margin} discs, scores for Black", book.variant().title())
}

/// A move of the tree.
struct Step {
    label: String,
    side: Color,
    /// In discs for Black.
    score: f64,
    is_proven: bool,
    /// What the line has lost to the best moves so far.
    loss: f64,
    name: Option<&'static str>,
    next: Vec<Self>,
}

impl Step {
    /// Rows that it needs.
    fn rows(&self) -> usize {
        self.next.iter().map(Self::rows).sum::<usize>().max(1)
    }

    /// Moves of its longest line.
    fn plies(&self) -> usize {
        1 + self.next.iter().map(Self::plies).max().unwrap_or(0)
    }
}

struct Tree<'a> {
    book: &'a Book,
    args: &'a TreeArgs,
    /// A position is drawn once, where the best line reaches it.
    seen: HashSet<Board>,
}

impl Tree<'_> {
    /// The moves of a position that lose little enough, best first.
    fn steps(&mut self, game: &Game, loss: f64, plies: u32) -> Vec<Step> {
        let (position, side) = (game.position(), game.position().side());
        let moves = self.book.moves(position);
        let best = moves.first().and_then(|known| known.value).unwrap_or_default();
        let mut steps = Vec::new();
        for known in moves {
            let Some(value) = known.value else { continue };
            let loss = loss + best - value;
            let mut after = game.clone();
            if loss > self.args.margin || after.play(Move::Place(known.square)).is_err() {
                continue;
            }
            if after.position().must_pass() {
                // Legal, since nothing else is.
                let _ = after.play(Move::Pass);
            }
            if !self.seen.insert(after.position().board().canonical().0) {
                continue;
            }
            let placed = after.moves().iter().filter(|played| played.square().is_some()).count();
            let name = opening_of(&after).filter(|name| name.line.len() == 2 * placed).map(|name| name.english);
            let next = if plies > 1 { self.steps(&after, loss, plies - 1) } else { Vec::new() };
            let score = if side == Color::Black { value } else { -value };
            let label = position.geometry().label(known.square);
            steps.push(Step { label, side, score, is_proven: known.is_proven, loss, name, next });
        }
        steps
    }
}

const COLUMN: f64 = 104.0;
const ROW: f64 = 34.0;
const LEFT: f64 = 28.0;
const TOP: f64 = 64.0;
const DISC: f64 = 7.0;

/// The tree as SVG: a column for each ply, a row for each line, the best line first and straight.
struct Picture {
    edges: String,
    marks: String,
}

impl Picture {
    fn of(steps: &[Step], title: &str) -> String {
        let mut picture = Self { edges: String::new(), marks: String::new() };
        let (x, y) = (LEFT, TOP);
        picture.draw(steps, (x, y), 0);
        let rows: usize = steps.iter().map(Step::rows).sum();
        let plies = steps.iter().map(Step::plies).max().unwrap_or(0);
        let width = (2.0 * LEFT + COLUMN * plies as f64).max(720.0);
        let height = TOP + ROW * rows as f64;
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title>{0}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"12\" fill=\"#14251d\"/>\n\
             <text x=\"{LEFT}\" y=\"30\" fill=\"#e8f2ec\" font-size=\"16\">{0}</text>\n{1}{2}</svg>\n",
            escape_html(title),
            picture.edges,
            picture.marks
        )
    }

    /// Draws the moves that follow the one at a place: the first beside it, the others below.
    fn draw(&mut self, steps: &[Step], (x, y): (f64, f64), column: usize) {
        let mut row = y;
        for step in steps {
            let at = if column > 0 { x + COLUMN } else { x };
            let (color, width) = if step.loss == 0.0 { ("#e0a33d", 2.5) } else { ("#5b7d6c", 1.4) };
            if column > 0 {
                let (from, to, bend) = (x + 76.0, at - DISC, x + 76.0 + 12.0);
                let _ = writeln!(
                    self.edges,
                    "<path d=\"M{from} {y}C{bend} {y} {bend} {row} {to} {row}\" fill=\"none\" stroke=\"{color}\" \
                     stroke-width=\"{width}\"/>"
                );
            }
            self.mark(step, at, row);
            self.draw(&step.next, (at, row), column + 1);
            row += ROW * step.rows() as f64;
        }
    }

    fn mark(&mut self, step: &Step, x: f64, y: f64) {
        let disc = if step.side == Color::Black { "#0b0f0d" } else { "#f4f2ec" };
        let exact = if step.is_proven { "=" } else { "" };
        let bold = if step.loss == 0.0 { " font-weight=\"600\"" } else { "" };
        let _ = writeln!(
            self.marks,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{DISC}\" fill=\"{disc}\" stroke=\"#b9cfc3\"/>\
             <text x=\"{}\" y=\"{}\" fill=\"#e8f2ec\"{bold}>{} <tspan fill=\"#b9cfc3\" font-weight=\"400\">{:+.1}{exact}</tspan></text>",
            x + 12.0,
            y + 4.5,
            step.label,
            step.score
        );
        if let Some(name) = step.name {
            let _ = writeln!(
                self.marks,
                "<text x=\"{}\" y=\"{}\" fill=\"#e0a33d\" font-size=\"11\">{}</text>",
                x + 12.0,
                y - 9.0,
                escape_html(name)
            );
        }
    }
}
