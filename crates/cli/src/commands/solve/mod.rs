//! `solve`: perfect play.

mod answer;
mod check;
mod file;
mod known;

use std::iter;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use turncoat_board::{Game, Geometry, Move, Position};
use turncoat_players::StopFlag;
use turncoat_players::flagship::BestSolver;
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, Solution};

use self::answer::{Answer, Found};
use super::{read_position, signals};
use crate::args::Common;
use crate::failure::misuse;
use crate::output;
use crate::view::progress::SolveProgress;

/// `solve`
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), "start", or - for standard input; small
    /// boards are solved from the start if none is given
    #[arg(value_name = "POSITION", allow_hyphen_values = true, conflicts_with = "file")]
    position: Option<String>,
    /// Solve every position of an OBF file and check the scores that it gives
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Find only the winner, which is faster
    #[arg(long)]
    wld: bool,
    /// Solve every legal move
    #[arg(long)]
    all_moves: bool,
    /// Prove it, also where the book that comes with the program knows it
    #[arg(long)]
    no_book: bool,
}

pub(crate) fn run(args: &SolveArgs, common: &Common) -> Result<()> {
    if common.depth.is_some() {
        return Err(misuse("--depth has no meaning here: a solve goes to the end of the game; --time bounds it"));
    }
    if let Some(file) = &args.file {
        return file::run(file, args, common);
    }
    let game = match &args.position {
        Some(text) => read_position(text, common)?,
        None if common.geometry() == Geometry::EIGHT => {
            return Err(misuse("a position is needed: its text, a transcript, or a file with --file"));
        }
        None => Game::new(common.variant(), common.geometry()),
    };
    let position = game.position();
    if let Some(answer) = known::known(&game, args)? {
        return tell(&answer, &SolveProgress::new(position.geometry(), false, false), common);
    }
    let task = SolveJob::new(args, common, position.empties())?;
    let (answer, shown) = task.solve(position);
    tell(&answer, &shown, common)?;
    if answer.is_solved() {
        return Ok(());
    }
    bail!("{}: {}", task.why_stopped(), answer.unsolved());
}

fn tell(answer: &Answer, shown: &SolveProgress, common: &Common) -> Result<()> {
    if common.json {
        output::json(&answer.object(None))
    } else if common.quiet {
        output::line(answer.value())
    } else {
        output::line(answer.text(shown))
    }
}

/// A solver with what the command line asked of it.
struct SolveJob<'a> {
    args: &'a SolveArgs,
    common: &'a Common,
    solver: BestSolver,
    goal: Goal,
    stop: StopFlag,
}

/// Mebibytes of the table of a long solve.
const USUAL_HASH: usize = 512;

impl<'a> SolveJob<'a> {
    fn new(args: &'a SolveArgs, common: &'a Common, empties: u32) -> Result<Self> {
        // A small tree does not fill a large table, and touching all of it takes time.
        let useful = match empties {
            0..18 => 16,
            _ => USUAL_HASH << empties.saturating_sub(20),
        };
        let mebibytes = common.hash.map_or(USUAL_HASH, |hash| hash as usize).min(useful);
        // Before the table, which may take a while to be made.
        let stop = signals::stop_flag().context("cannot handle signals")?;
        Ok(Self {
            args,
            common,
            solver: BestSolver::new(mebibytes, common.threads(), common.variant(), common.geometry())?,
            goal: if args.wld { Goal::Result } else { Goal::Score },
            stop,
        })
    }

    fn is_interrupted(&self) -> bool {
        self.stop.is_raised()
    }

    /// What ended a solve before its end.
    fn why_stopped(&self) -> &'static str {
        if self.is_interrupted() { "interrupted" } else { "out of time" }
    }

    fn limits(&self) -> Limits {
        Limits { time: self.common.time, stop: self.stop.clone(), ..Limits::default() }
    }

    /// Solves one move of a position.
    fn solve_move(&self, position: Position, played: Move) -> (Found, u64) {
        let next = match played {
            Move::Place(square) => position.play(square).unwrap_or(position),
            Move::Pass => position.pass(),
        };
        let limits = self.limits();
        let found = self.solver.solve(next, self.goal, &limits, &|_| {});
        let nodes = found.nodes;
        let solution = Solution {
            lower: -found.upper,
            upper: -found.lower,
            line: iter::once(played).chain(found.line).collect(),
            likely: None,
            ..found
        };
        (Found::new(&solution, self.goal, position.geometry()), nodes)
    }

    /// Solves a position, or every move of it if that was asked for.
    fn solve(&self, position: Position) -> (Answer, SolveProgress) {
        let shown = SolveProgress::new(position.geometry(), !self.common.quiet, self.common.verbose);
        let observe = |progress: &_| shown.note(progress);
        let started = Instant::now();
        let limits = self.limits();
        let (whole, each) = if self.args.all_moves {
            let found = self.solver.solve_moves(position, self.goal, &limits, &observe);
            (found.whole, found.each)
        } else {
            let found = self.solver.solve(position, self.goal, &limits, &observe);
            (found, Vec::new())
        };
        shown.end();
        let found = |solution: &Solution| Found::new(solution, self.goal, position.geometry());
        let answer = Answer {
            position,
            whole: found(&whole),
            each: each.iter().map(found).collect(),
            nodes: whole.nodes,
            seconds: started.elapsed().as_secs_f64(),
            is_known: false,
        };
        (answer, shown)
    }
}
