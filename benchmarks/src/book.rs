//! `cargo xtask bench book`: opening books. `file` opens one of a million positions and looks into it, `growth` compares a
//! book that grows with plain analysis, `lost` compares the book's moves with those of a search, `random` solves positions of 6x6
//! after random plies, `narrow` looks for the longest way of only moves there. `match` plays with a book against without.

use std::collections::BTreeSet;
use std::fs;
use std::hint::black_box;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use turncoat_board::{Board, Color, Geometry, Position, Square, VariantKind};
use turncoat_book::{Book, Evaluation, Found, GrowLimits, GrowSettings, Search, grow};
use turncoat_players::book::{BookSearch, book_evaluation, read_book, shipped_book};
use turncoat_players::flagship::{BestSolver, usual_evaluation};
use turncoat_players::{Limits, Setting, Spec, StopFlag};
use turncoat_search::endgame::Goal;
use turncoat_util::SplitMix64;

use crate::machine::{best_and_median, cpu_seconds, machine};
use crate::narrow;
use crate::{argument, book_match};

pub(crate) fn run(words: &[&str]) -> Result<()> {
    println!("{}\n", machine());
    match words {
        [] | ["file", ..] => file(argument(words, 1, 1_000_000)?),
        ["growth", ..] => growth(argument(words, 1, 12)?, argument(words, 2, 60)?),
        ["lost", ..] => lost(argument(words, 1, 200)?, argument(words, 2, 20)?, argument(words, 3, 24)?),
        ["random", ..] => random(argument(words, 1, 12)?, argument(words, 2, 100)?),
        ["narrow", ..] => narrow::run(argument(words, 1, 6)?),
        ["match", ..] => {
            let word = |place: usize, default| words.get(place).copied().unwrap_or(default);
            book_match::run(word(1, "2000"), word(2, "100ms"), word(3, "both"), word(4, "1"))
        }
        _ => bail!(
            "bench book file [POSITIONS], growth [DEPTH [SEARCHES]], lost [POSITIONS [DEPTH [REFERENCE]]], random [PLIES [COUNT]], narrow [PLIES] or match [GAMES [TIME [VARIANT [SEED]]]]"
        ),
    }
}

/// A question to a book.
type Ask = fn(&Book, Position) -> usize;

/// A book of so many positions from its file: processor time until it is open and of a look-up, memory.
fn file(positions: usize) -> Result<()> {
    let boards = boards(positions);
    let mut book =
        Book::new(VariantKind::Reversed, Geometry::EIGHT, Evaluation { name: "none".to_owned(), checksum: 1 });
    for &board in &boards {
        let best = board.legal_moves(Geometry::EIGHT).first();
        book.insert(board, Found { score: 0.5, depth: 16, is_exact: false, best, nodes: 0 });
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("million.book");
    fs::write(&path, book.write())?;
    let bytes = fs::metadata(&path)?.len();
    drop(book);
    let mut times = Vec::new();
    for _ in 0..15 {
        let began = cpu_seconds()?;
        black_box(read_book(&path)?);
        times.push(cpu_seconds()? - began);
    }
    let (best, median) = best_and_median(&mut times);
    let book = read_book(&path)?;
    let memory = size_of_val(book.entries());
    println!("{} positions, {bytes} bytes: opened in {:.1} ms (median {:.1})", boards.len(), best * 1e3, median * 1e3);
    println!(
        "memory: {memory} bytes, {:.2} times the file; twice that while it is opened",
        memory as f64 / bytes as f64
    );
    let mut random = SplitMix64::new(1);
    let asked: Vec<Position> = (0..100_000).filter_map(|_| book.position(boards[random.below(boards.len())])).collect();
    let asks: [(&str, Ask); 2] = [
        ("its score", |book, position| usize::from(book.find(position).is_some())),
        ("all of its moves", |book, position| book.moves(position).len()),
    ];
    for (what, ask) in asks {
        let mut times = Vec::new();
        for _ in 0..5 {
            let began = cpu_seconds()?;
            black_box(asked.iter().map(|&position| ask(&book, position)).sum::<usize>());
            times.push((cpu_seconds()? - began) / asked.len() as f64);
        }
        let (best, median) = best_and_median(&mut times);
        println!("a look-up of a position and {what}: {:.2} µs (median {:.2})", best * 1e6, median * 1e6);
    }
    Ok(())
}

/// The first positions of the game up to symmetry, in the order of a book.
fn boards(count: usize) -> Vec<Board> {
    let mut layer = BTreeSet::from([Board::start(Geometry::EIGHT).canonical().0]);
    let mut all = Vec::with_capacity(count);
    while all.len() < count {
        all.extend(layer.iter().take(count - all.len()));
        let nexts = |board: &Board| {
            let board = *board;
            let play = move |square: Square| Some(board.play(square, Geometry::EIGHT)?.canonical().0);
            board.legal_moves(Geometry::EIGHT).into_iter().filter_map(play)
        };
        let can_move = |board: &Board| !board.legal_moves(Geometry::EIGHT).is_empty();
        layer = layer.iter().flat_map(nexts).filter(can_move).collect();
    }
    all
}

/// Who wins 6x6 after so many random plies, if both sides play perfectly from there on.
fn random(plies: u32, count: u64) -> Result<()> {
    println!("| game | random plies | positions | black wins % | draws % | loses % | s a position |");
    println!("|---|---:|---:|---:|---:|---:|---:|");
    for variant in VariantKind::BOTH {
        let solver = BestSolver::new(512, 1, variant, Geometry::SIX)?;
        let (mut results, began) = ([0u32; 3], cpu_seconds()?);
        for number in 0..count {
            let mut random = SplitMix64::for_number(1, number);
            let mut position = Position::start(Geometry::SIX);
            for _ in 0..plies {
                let moves: Vec<Square> = position.legal_moves().into_iter().collect();
                let next = if moves.is_empty() {
                    Some(position.pass())
                } else {
                    position.play(moves[random.below(moves.len())])
                };
                position = next.context("an illegal move")?;
            }
            let solution = solver.solve(position, Goal::Result, &Limits::default(), &|_| {});
            let sign = if position.side() == Color::Black { 1 } else { -1 };
            // Bounds of one sign tell the winner.
            let result = sign * (solution.lower.discs().signum() + solution.upper.discs().signum());
            results[(1 - result.signum()) as usize] += 1;
        }
        let seconds = (cpu_seconds()? - began) / count as f64;
        let [won, drawn, lost] = results.map(|result| 100.0 * f64::from(result) / count as f64);
        println!("| {variant} | {plies} | {count} | {won:.0} | {drawn:.0} | {lost:.0} | {seconds:.2} |");
    }
    Ok(())
}

fn search(variant: VariantKind) -> Result<BookSearch> {
    let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
    Ok(BookSearch::new(&"turncoat:hash=16".parse()?, setting, StopFlag::default())?)
}

/// Nodes a processor second of a book that grows on two threads, and of two threads that analyse the same positions.
fn growth(depth: u32, searches: u64) -> Result<()> {
    let variant = VariantKind::Reversed;
    let name = usual_evaluation(variant, Geometry::EIGHT);
    let evaluation = book_evaluation(name, variant, Geometry::EIGHT).map_err(anyhow::Error::msg)?;
    let settings = GrowSettings { depth, ..GrowSettings::default() };
    let limits = GrowLimits { positions: Some(searches), nodes: None };
    for round in 1..=3 {
        let mut book = Book::new(variant, Geometry::EIGHT, evaluation.clone());
        let mut searchers = [search(variant)?, search(variant)?];
        let (before, began) = (processor()?, Instant::now());
        let grown = grow(&mut book, &settings, limits, &mut searchers, &|| false, &mut |_, _| anyhow::Ok(()))?;
        let growing = Speed::of(grown.progress().nodes, before, began)?;
        let positions: Vec<Position> = book.entries().iter().filter_map(|entry| book.position(entry.board())).collect();
        let (before, began) = (processor()?, Instant::now());
        let halves = positions.split_at(positions.len() / 2);
        let nodes = thread::scope(|scope| {
            let halves = [halves.0, halves.1].map(|half| scope.spawn(move || analysed(half, variant, depth)));
            halves
                .into_iter()
                .map(|half| half.join().map_err(|_| anyhow::anyhow!("a thread broke"))?)
                .sum::<Result<u64>>()
        })?;
        let plain = Speed::of(nodes, before, began)?;
        println!(
            "round {round}, depth {depth}, {} positions: growth {growing}; plain analysis {plain}; ratio {:.3}",
            positions.len(),
            growing.per_processor / plain.per_processor
        );
    }
    Ok(())
}

fn analysed(positions: &[Position], variant: VariantKind, depth: u32) -> Result<u64> {
    let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
    let mut player = "turncoat:hash=16,threads=1".parse::<Spec>()?.build(setting)?;
    let limits = Limits { depth: Some(depth), threads: Some(1), ..Limits::default() };
    let mut nodes = 0;
    for &position in positions {
        nodes += player.choose(position, &limits, &mut |_| {})?.map_or(0, |info| info.nodes);
    }
    Ok(nodes)
}

/// Million nodes a second of the clock, and of all processors together.
struct Speed {
    per_clock: f64,
    per_processor: f64,
}

impl Speed {
    fn of(nodes: u64, before: f64, began: Instant) -> Result<Self> {
        let millions = nodes as f64 / 1e6;
        Ok(Self {
            per_clock: millions / began.elapsed().as_secs_f64(),
            per_processor: millions / (processor()? - before),
        })
    }
}

impl std::fmt::Display for Speed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:.2} M nodes/s, {:.2} M a processor second", self.per_clock, self.per_processor)
    }
}

/// Seconds that all threads of this process have had of processors, in hundredths.
fn processor() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat").context("processor time, which needs Linux")?;
    let fields: Vec<&str> = text.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |place: usize| fields.get(place).context("no time")?.parse::<f64>().context("no time");
    Ok((ticks(11)? + ticks(12)?) / 100.0)
}

/// Discs that the book's move and that of a search lose against each other, by a deeper search of both where they differ.
fn lost(count: usize, depth: u32, reference: u32) -> Result<()> {
    println!(
        "| game | positions | moves differ | discs lost by the book | by depth {depth} |\n|---|---:|---:|---:|---:|"
    );
    for variant in VariantKind::BOTH {
        let book = shipped_book(variant, Geometry::EIGHT).map_err(anyhow::Error::msg)?.context("there is no book")?;
        let complete = book.entries().iter().filter(|entry| entry.is_complete());
        let mut positions: Vec<Position> = complete.filter_map(|entry| book.position(entry.board())).collect();
        let mut random = SplitMix64::new(1);
        for index in 0..positions.len() {
            let other = index + random.below(positions.len() - index);
            positions.swap(index, other);
        }
        positions.truncate(count);
        let (mut differ, mut losses) = (0, [0.0, 0.0]);
        for (done, &position) in positions.iter().enumerate() {
            let mut search = search(variant)?;
            let own = book.best_move(position).context("the book has no move")?;
            let found = search.search(position, depth).and_then(|found| found.best).context("no move")?;
            // The same by symmetry is the same.
            let after = |square| position.play(square).map(|after: Position| after.board().canonical().0);
            if after(own) != after(found) {
                differ += 1;
                let mut worth = |square| -> Result<f64> {
                    let after = position.play(square).context("an illegal move")?;
                    let (after, sign) = if after.must_pass() { (after.pass(), 1.0) } else { (after, -1.0) };
                    Ok(sign * search.search(after, reference - 1).context("no score")?.score)
                };
                let worths = [worth(own)?, worth(found)?];
                let best = worths[0].max(worths[1]);
                losses = [losses[0] + best - worths[0], losses[1] + best - worths[1]];
            }
            eprint!("\r{} of {} positions", done + 1, positions.len());
        }
        eprintln!();
        let mean = |loss: f64| loss / positions.len() as f64;
        println!("| {variant} | {} | {differ} | {:.3} | {:.3} |", positions.len(), mean(losses[0]), mean(losses[1]));
    }
    Ok(())
}
