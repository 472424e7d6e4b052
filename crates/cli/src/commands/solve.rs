//! `solve`: perfect play.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::Serialize;
use turncoat_board::{Color, Geometry, Move, Position, Score};
use turncoat_record::obf::{self, Entry};
use turncoat_search::Limits;
use turncoat_search::endgame::{Goal, HandMade, Solution, Solver};

use super::read_position;
use crate::args::Common;
use crate::failure::misuse;
use crate::output;
use crate::view::progress::{Journal, count};

/// `solve`
#[derive(Debug, Args)]
pub(crate) struct SolveArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), "start", or - for standard input; small
    /// boards are solved from the start if none is given
    #[arg(
        value_name = "POSITION",
        allow_hyphen_values = true,
        conflicts_with = "file"
    )]
    position: Option<String>,
    /// Solve every position of an OBF file and check the scores that it gives
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    /// Find out only who wins, which is faster
    #[arg(long)]
    wld: bool,
    /// Solve every legal move
    #[arg(long)]
    all_moves: bool,
}

/// The JSON object of a solved position.
#[derive(Serialize)]
struct Solved {
    position: String,
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    best: Option<String>,
    line: String,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<SolvedMove>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
}

#[derive(Serialize)]
struct SolvedMove {
    #[serde(rename = "move")]
    label: String,
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    line: String,
}

/// The last JSON object of a file.
#[derive(Serialize, Default)]
struct Totals {
    summary: bool,
    positions: u64,
    checked: u64,
    wrong: u64,
    nodes: u64,
    seconds: f64,
}

/// A solver with what the command line asked of it.
struct Task<'a> {
    args: &'a SolveArgs,
    common: &'a Common,
    solver: Solver,
    goal: Goal,
}

pub(crate) fn run(args: &SolveArgs, common: &Common) -> Result<()> {
    if let Some(file) = &args.file {
        return solve_file(file, args, common);
    }
    let position = match &args.position {
        Some(text) => read_position(text, common)?.position(),
        None if common.size == Geometry::EIGHT => {
            return Err(misuse(
                "a position is wanted: its text, a transcript, or a file with --file",
            ));
        }
        None => Position::start(common.size),
    };
    let task = Task::new(args, common, position.empties())?;
    let (solved, journal) = task.solve(position)?;
    if common.json {
        return output::json(&solved);
    }
    if common.quiet {
        return output::line(solved.value());
    }
    output::line(solved.text(position, &journal))
}

fn solve_file(path: &Path, args: &SolveArgs, common: &Common) -> Result<()> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("{name}"))?;
    let entries: Vec<(usize, Entry)> = obf::read(BufReader::new(file), common.size)
        .collect::<Result<_, _>>()
        .map_err(|error| misuse(format!("{name}: {error}")))?;
    let most = entries
        .iter()
        .map(|(_, entry)| entry.position.empties())
        .max();
    let task = Task::new(args, common, most.unwrap_or(0))?;
    let mut summary = Totals {
        summary: true,
        ..Totals::default()
    };
    for (line, entry) in &entries {
        let (mut solved, _) = task.solve(entry.position)?;
        solved.check(entry, args.wld);
        summary.add(&solved);
        if common.json {
            output::json(&solved)?;
        } else if !common.quiet || solved.ok == Some(false) {
            output::line(format_args!("line {line}: {}", solved.row(entry.position)))?;
        }
    }
    if common.json {
        output::json(&summary)?;
    } else {
        output::line(summary.text())?;
    }
    if summary.wrong > 0 {
        bail!(
            "{} of {} positions differ from {name}",
            summary.wrong,
            summary.checked
        );
    }
    Ok(())
}

impl<'a> Task<'a> {
    fn new(args: &'a SolveArgs, common: &'a Common, empties: u32) -> Result<Self> {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = common.threads.map_or(cores, usize::from);
        // A small tree does not fill a large table, and touching all of it takes time.
        let usual = if empties < 18 { 16 } else { 512 };
        let mebibytes = common.hash.map_or(usual, |hash| hash as usize);
        Ok(Self {
            args,
            common,
            solver: Solver::new(mebibytes, threads, HandMade)?,
            goal: if args.wld { Goal::Result } else { Goal::Score },
        })
    }

    fn solve(&self, position: Position) -> Result<(Solved, Journal)> {
        let journal = Journal::new(!self.common.quiet, self.common.verbose);
        let started = Instant::now();
        let limits = Limits {
            time: self.common.time,
            ..Limits::default()
        };
        let observe = |progress: &_| journal.note(progress);
        let variant = self.common.variant;
        let mut moves = Vec::new();
        let best = if self.args.all_moves && !position.is_over() {
            moves = self
                .solver
                .solve_moves(position, variant, self.goal, &limits, &observe);
            let nodes = moves.iter().map(|found| found.nodes).max().unwrap_or(0);
            let mut best = moves
                .first()
                .cloned()
                .context("a position with moves has a best one")?;
            best.nodes = nodes;
            best
        } else {
            self.solver
                .solve(position, variant, self.goal, &limits, &observe)
        };
        journal.end();
        let seconds = started.elapsed().as_secs_f64();
        let geometry = position.geometry();
        let solved = Solved {
            position: position.to_string(),
            score: self.score(&best),
            lower: (!best.complete).then(|| best.lower.discs()),
            upper: (!best.complete).then(|| best.upper.discs()),
            result: self.result(&best),
            best: best.best().map(|played| played.label(geometry)),
            line: transcript(&best.line, geometry),
            nodes: best.nodes,
            seconds,
            moves: moves
                .iter()
                .map(|found| self.solved_move(found, geometry))
                .collect(),
            expected: None,
            ok: None,
        };
        Ok((solved, journal))
    }

    fn solved_move(&self, found: &Solution, geometry: Geometry) -> SolvedMove {
        SolvedMove {
            label: found.best().map_or_else(String::new, |m| m.label(geometry)),
            score: self.score(found),
            result: self.result(found),
            line: transcript(&found.line, geometry),
        }
    }

    /// The score, if it was asked for and is known.
    fn score(&self, found: &Solution) -> Option<i32> {
        let score = found.score().map(Score::discs);
        // A bound that happens to be exact is not what `--wld` promises, except for a draw.
        score.filter(|&discs| !self.args.wld || discs == 0)
    }

    /// Who wins, if only that was asked for.
    fn result(&self, found: &Solution) -> Option<&'static str> {
        if !self.args.wld || !found.complete {
            return None;
        }
        Some(match (found.lower.discs(), found.upper.discs()) {
            (1.., _) => "win",
            (_, ..=-1) => "loss",
            _ => "draw",
        })
    }
}

fn transcript(line: &[Move], geometry: Geometry) -> String {
    let squares = line.iter().filter_map(|played| played.square());
    squares.map(|square| geometry.label(square)).collect()
}

impl Solved {
    /// Compares with what the file says.
    fn check(&mut self, entry: &Entry, wld: bool) {
        let Some(expected) = entry.best().map(Score::discs) else {
            return;
        };
        let name = |discs: i32| match discs.signum() {
            1 => "win",
            -1 => "loss",
            _ => "draw",
        };
        let agrees = |score: Option<i32>, result: Option<&str>, expected: i32| {
            if wld {
                result == Some(name(expected))
            } else {
                score == Some(expected)
            }
        };
        let geometry = entry.position.geometry();
        let moves_agree = self.moves.iter().all(|found| {
            let known = entry
                .scores
                .iter()
                .find(|(played, _)| played.label(geometry) == found.label);
            known.is_none_or(|(_, score)| agrees(found.score, found.result, score.discs()))
        });
        self.expected = Some(expected);
        self.ok = Some(moves_agree && agrees(self.score, self.result, expected));
    }

    /// The answer alone.
    fn value(&self) -> String {
        match (self.result, self.score, self.lower.zip(self.upper)) {
            (Some(result), ..) => result.to_owned(),
            (None, Some(score), _) => format!("{score:+}"),
            (None, None, Some((lower, upper))) => format!("{lower:+} to {upper:+}"),
            _ => "unknown".to_owned(),
        }
    }

    /// One line of a file's results.
    fn row(&self, position: Position) -> String {
        let check = match (self.ok, self.expected) {
            (Some(true), _) => "ok".to_owned(),
            (Some(false), Some(expected)) => format!("WRONG, {expected:+} expected"),
            _ => "unchecked".to_owned(),
        };
        format!(
            "{} empties, {} {}, {} nodes, {:.2} s: {check}",
            position.empties(),
            self.value(),
            self.best.as_deref().unwrap_or("-"),
            count(self.nodes),
            self.seconds,
        )
    }

    /// Everything, for people.
    fn text(&self, position: Position, journal: &Journal) -> String {
        let side = match position.side() {
            Color::Black => "black",
            Color::White => "white",
        };
        let mut text = format!("score  {} for {side}, to move\n", self.value());
        if let Some(best) = &self.best {
            text += &format!("best   {best}\nline   {}\n", self.line);
        }
        for found in &self.moves {
            let value = found.score.map_or_else(
                || found.result.unwrap_or("?").to_owned(),
                |score| format!("{score:+}"),
            );
            text += &format!("move   {:<4} {value:>4}  {}\n", found.label, found.line);
        }
        text += &journal.proofs();
        let rate = self.nodes as f64 / self.seconds.max(1e-9) / 1e6;
        text += &format!(
            "nodes  {} in {:.2} s, {rate:.1} million a second",
            self.nodes, self.seconds
        );
        text
    }
}

impl Totals {
    fn add(&mut self, solved: &Solved) {
        self.positions += 1;
        self.checked += u64::from(solved.ok.is_some());
        self.wrong += u64::from(solved.ok == Some(false));
        self.nodes += solved.nodes;
        self.seconds += solved.seconds;
    }

    fn text(&self) -> String {
        format!(
            "{} positions, {} checked, {} wrong; {} nodes in {:.2} s, {:.1} million a second",
            self.positions,
            self.checked,
            self.wrong,
            self.nodes,
            self.seconds,
            self.nodes as f64 / self.seconds.max(1e-9) / 1e6
        )
    }
}
