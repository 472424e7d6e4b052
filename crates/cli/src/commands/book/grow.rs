//! `book grow`: more positions, and deeper ones.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use turncoat_board::Position;
use turncoat_book::{Aim, Book, GrowLimits, GrowSettings, Growth, Progress, grow};
use turncoat_players::book::{BookSearch, book_evaluation};
use turncoat_players::flagship::usual_evaluation;
use turncoat_players::{Setting, Spec};

use super::files::Kept;
use crate::args::Common;
use crate::commands::signals;
use crate::failure::misuse;
use crate::output;
use crate::view::lines::BETWEEN_LINES;
use crate::view::live::status_line;
use crate::view::progress::count;

/// `book grow`
#[derive(Debug, Args)]
pub(super) struct GrowArgs {
    /// The book; made if it is not there
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Search every position of the first plies, so many of them
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=12))]
    plies: u32,
    /// How many plies lines may have
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = clap::value_parser!(u32).range(0..=60))]
    line_plies: u32,
    /// How many discs a line may lose to the best moves
    #[arg(long, value_name = "DISCS", default_value_t = 1.0, allow_hyphen_values = true)]
    margin: f64,
    /// Lines also begin at openings of the first plies that leave neither side further ahead
    #[arg(long, value_name = "DISCS", allow_hyphen_values = true)]
    balanced: Option<f64>,
    /// Instead of new positions: moves that lose at most this much to the best of their position are searched to --depth, so
    /// that choices are surer
    #[arg(long, value_name = "DISCS", allow_hyphen_values = true)]
    choices: Option<f64>,
    /// Answers of either side to what a rival plays who looks so many plies ahead, instead of lines near the best of both
    #[arg(long, value_name = "PLIES", conflicts_with = "choices", value_parser = clap::value_parser!(u32).range(1..=60))]
    rival: Option<u32>,
    /// Stop after so many minutes, when the searches under way have ended
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Stop after so many searches
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Stop after the batch in which so many nodes were entered
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// What evaluates positions: a name or a file, as in turncoat:eval= [default: the trained one]
    #[arg(long, value_name = "NAME|FILE")]
    eval: Option<String>,
    /// How bold cuts by probability are: 0 boldest, 5 none
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=5))]
    selectivity: u8,
    /// Search the positions of another evaluation again
    #[arg(long)]
    rescore: bool,
}

/// How deep positions are searched unless `--depth` says otherwise.
const DEPTH: u32 = 16;
/// Mebibytes of a search's table.
const HASH: u32 = 16;

impl GrowArgs {
    fn settings(&self, common: &Common) -> Result<GrowSettings> {
        let discs = [("margin", Some(self.margin)), ("balanced", self.balanced), ("choices", self.choices)];
        for (name, discs) in discs {
            if discs.is_some_and(|discs| !(0.0..=64.0).contains(&discs)) {
                return Err(misuse(format!("--{name} is 0 to 64 discs")));
            }
        }
        if self.minutes.is_some_and(|minutes| !(0.0..=1e6).contains(&minutes)) {
            return Err(misuse("--minutes is 0 to a million"));
        }
        if common.time.is_some() {
            return Err(misuse(
                "--time has no meaning here: --depth says how deep to search, --minutes how long to grow",
            ));
        }
        let depth = common.depth.unwrap_or(DEPTH);
        let Self { plies, line_plies, margin, balanced, choices, rival, .. } = *self;
        let aim = Aim::new(depth, choices, rival).map_err(misuse)?;
        Ok(GrowSettings { depth, plies, line_plies, margin, balanced, aim })
    }
}

pub(super) fn run(args: &GrowArgs, common: &Common) -> Result<()> {
    let settings = args.settings(common)?;
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let name = |variant, geometry| {
        let usual = || usual_evaluation(variant, geometry).to_owned();
        book_evaluation(&args.eval.clone().unwrap_or_else(usual), variant, geometry).map_err(misuse)
    };
    let (mut book, mut kept) =
        Kept::open(&args.file, common, |variant, geometry| Ok(Book::new(variant, geometry, name(variant, geometry)?)))?;
    let evaluation = name(book.variant(), book.geometry())?;
    if evaluation.checksum != book.evaluation().checksum {
        if !args.rescore {
            return Err(misuse(format!(
                "{}: its scores are those of another evaluation ({}): --rescore searches them again",
                args.file.display(),
                book.evaluation().name
            )));
        }
        book.take_evaluation(evaluation.clone());
    }
    let hash = common.hash.unwrap_or(HASH);
    let text = format!("turncoat:eval={},selectivity={},hash={hash}", evaluation.name, args.selectivity);
    let player: Spec = text.parse().map_err(misuse)?;
    let setting = Setting { variant: book.variant(), geometry: book.geometry(), seed: 1 };
    let searcher = |_| BookSearch::new(&player, setting, stop.clone()).map_err(misuse);
    let mut searchers = (0..common.threads()).map(searcher).collect::<Result<Vec<_>>>()?;
    let limits = GrowLimits { positions: args.positions, nodes: args.nodes };
    let view = Watched::new(common);
    let (began, deadline) = (view.began, args.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes)));
    let is_late = || deadline.is_some_and(|deadline| began.elapsed() >= deadline);
    let is_over = || stop.is_raised() || is_late();
    let ended = grow(&mut book, &settings, limits, &mut searchers, &is_over, &mut |book, progress| {
        view.show(book, progress);
        kept.save_now_and_then(book)
    });
    let took = view.end();
    kept.save(&mut book)?;
    let ended = ended?;
    tell(&book, &kept, ended, took, common)?;
    if stop.is_raised() && matches!(ended, Growth::Stopped(_)) {
        bail!("stopped; the same command continues");
    }
    Ok(())
}

/// Says what a book has become.
fn tell(book: &Book, kept: &Kept, ended: Growth, took: Duration, common: &Common) -> Result<()> {
    let Progress { searched, nodes } = ended.progress();
    let seconds = took.as_secs_f64();
    let start = book.find(Position::start(book.geometry()));
    let is_complete = matches!(ended, Growth::Complete(_));
    if common.json {
        return output::json(&json!({
            "summary": true, "searched": searched, "nodes": nodes, "seconds": seconds,
            "positions": book.entries().len(), "score": start.map(turncoat_book::Entry::value),
            "complete": is_complete,
        }));
    }
    let worth = start.map_or_else(String::new, |start| format!(", {:+.2} for black at the start", start.value()));
    output::line(format_args!(
        "{searched} positions searched, {} nodes in {seconds:.1} s; {} in {}{worth}{}",
        count(nodes),
        book.entries().len(),
        kept.path().file_name().unwrap_or_default().display(),
        if is_complete { "; complete" } else { "" }
    ))
}

/// The progress of a book on standard error.
pub(super) struct Watched {
    began: Instant,
    shown: bool,
    line: ProgressBar,
    last: std::cell::Cell<Duration>,
}

impl Watched {
    pub(super) fn new(common: &Common) -> Self {
        let shown = !common.quiet;
        Self { began: Instant::now(), shown, line: status_line(shown), last: std::cell::Cell::default() }
    }

    pub(super) fn show(&self, book: &Book, progress: Progress) {
        let elapsed = self.began.elapsed();
        let text = || {
            let Progress { searched, nodes } = progress;
            let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
            let all = book.entries().len();
            format!(
                "{:8.0} s, {searched} positions searched, {all} in the book, {speed:.1} million nodes a second",
                elapsed.as_secs_f64()
            )
        };
        if !self.line.is_hidden() {
            self.line.set_message(text());
        } else if self.shown && elapsed >= self.last.get() + BETWEEN_LINES {
            self.last.set(elapsed);
            output::note(text());
        }
    }

    pub(super) fn end(&self) -> Duration {
        self.line.finish_and_clear();
        self.began.elapsed()
    }
}
