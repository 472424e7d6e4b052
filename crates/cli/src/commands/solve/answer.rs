//! What a solve has found, as text and as JSON.

use serde::Serialize;
use turncoat_board::{Color, Geometry, Move, Position};
use turncoat_search::endgame::{Goal, Solution};

use super::check::{Difference, Verdict};
use crate::view::progress::{SolveProgress, count};

/// What is proven of a position or of one of its moves.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The move, or the best one of the position.
    pub(super) best: Option<Move>,
    goal: Goal,
    geometry: Geometry,
    /// Discs for the mover.
    lower: i32,
    upper: i32,
    pub(super) is_solved: bool,
    line: String,
}

impl Found {
    pub(super) fn new(solution: &Solution, goal: Goal, geometry: Geometry) -> Self {
        let squares = solution.line.iter().filter_map(|played| played.square());
        Self {
            best: solution.best(),
            goal,
            geometry,
            lower: solution.lower.discs(),
            upper: solution.upper.discs(),
            is_solved: solution.complete,
            line: squares.map(|square| geometry.label(square)).collect(),
        }
    }

    /// Whether this score is still possible, or with `--wld` one of its sign.
    pub(super) fn allows(&self, discs: i32) -> bool {
        match (self.goal, discs.signum()) {
            (Goal::Score, _) => (self.lower..=self.upper).contains(&discs),
            (Goal::Result, 1) => self.upper > 0,
            (Goal::Result, -1) => self.lower < 0,
            (Goal::Result, _) => self.lower <= 0 && self.upper >= 0,
        }
    }

    /// Whether it is proven to be better than this score, or with `--wld` than one of its sign.
    pub(super) fn exceeds(&self, discs: i32) -> bool {
        match self.goal {
            Goal::Score => self.lower > discs,
            Goal::Result => self.lower.signum() > discs.signum(),
        }
    }

    /// The move's name.
    pub(super) fn label(&self) -> Option<String> {
        self.best.map(|played| played.label(self.geometry))
    }

    /// The score, if it was asked for and is known. A bound that happens to be exact is not what `--wld`
    /// promises, except for a draw.
    pub(super) fn score(&self) -> Option<i32> {
        let exact = self.lower == self.upper && (self.goal == Goal::Score || self.lower == 0);
        exact.then_some(self.lower)
    }

    /// Who wins, if only that was asked for.
    fn result(&self) -> Option<&'static str> {
        if self.goal == Goal::Score || !self.is_solved {
            return None;
        }
        Some(match (self.lower, self.upper) {
            (1.., _) => "win",
            (_, ..=-1) => "loss",
            _ => "draw",
        })
    }

    /// Score, result or bounds in short.
    pub(super) fn value(&self) -> String {
        match (self.result(), self.score()) {
            (Some(result), _) => result.to_owned(),
            (None, Some(score)) => format!("{score:+}"),
            (None, None) => format!("{:+} to {:+}", self.lower, self.upper),
        }
    }

    /// The bounds, where they are all that is known.
    fn bounds(&self) -> Option<(i32, i32)> {
        (!self.is_solved).then_some((self.lower, self.upper))
    }
}

/// A position and everything found about it.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) position: Position,
    pub(super) whole: Found,
    /// Its moves, the best one first, if they were asked for.
    pub(super) each: Vec<Found>,
    pub(super) nodes: u64,
    pub(super) seconds: f64,
    /// Whether the book knew it.
    pub(super) is_known: bool,
}

impl Answer {
    /// Whether everything that was asked for is known.
    pub(super) fn is_solved(&self) -> bool {
        self.whole.is_solved && self.each.iter().all(|found| found.is_solved)
    }

    /// The answer alone.
    pub(super) fn value(&self) -> String {
        self.whole.value()
    }

    /// What is not solved, and what is proven anyway.
    pub(super) fn unsolved(&self) -> String {
        if !self.whole.is_solved {
            return format!("not solved, {} is proven", self.value());
        }
        let open = self.each.iter().filter(|found| !found.is_solved).count();
        format!("{open} of {} moves not solved", self.each.len())
    }

    /// The moves with what is known of them, in one line.
    pub(super) fn moves(&self) -> String {
        let told = |found: &Found| format!("{} {}", found.label().unwrap_or_default(), found.value());
        self.each.iter().map(told).collect::<Vec<_>>().join(", ")
    }

    /// One line of a file's results.
    pub(super) fn row(&self, verdict: &Verdict) -> String {
        format!(
            "{} empties, {} {}, {} nodes, {:.2} s: {verdict}",
            self.position.empties(),
            self.value(),
            self.whole.label().as_deref().unwrap_or("-"),
            count(self.nodes),
            self.seconds,
        )
    }

    /// Everything, for people.
    pub(super) fn text(&self, shown: &SolveProgress) -> String {
        let side = match self.position.side() {
            Color::Black => "black",
            Color::White => "white",
        };
        let score = if self.whole.is_solved { self.value() } else { self.unsolved() };
        let mut text = format!("score  {score} for {side}, to move\n");
        if let Some(best) = self.whole.label() {
            text += &format!("best   {best}\nline   {}\n", self.whole.line);
        }
        let values: Vec<String> = self.each.iter().map(Found::value).collect();
        let width = values.iter().map(String::len).max().unwrap_or(0).max(4);
        for (found, value) in self.each.iter().zip(values) {
            let label = found.label().unwrap_or_default();
            text += &format!("move   {label:<4} {value:>width$}  {}\n", found.line);
        }
        if self.is_known {
            return text + "book   the line as far as it goes there; --no-book proves it again";
        }
        text += &shown.proofs();
        let rate = self.nodes as f64 / self.seconds.max(1e-9) / 1e6;
        text += &format!("nodes  {} in {:.2} s, {rate:.1} million a second", self.nodes, self.seconds);
        text
    }

    /// Everything, for scripts; with what the file said.
    pub(super) fn object<'a>(&self, checked: Option<(Option<i32>, &'a Verdict)>) -> SolutionObject<'a> {
        let (expected, verdict) = checked.unzip();
        let whole = &self.whole;
        SolutionObject {
            position: self.position.to_string(),
            solved: self.is_solved(),
            score: whole.score(),
            lower: whole.bounds().map(|(lower, _)| lower),
            upper: whole.bounds().map(|(_, upper)| upper),
            result: whole.result(),
            best: whole.label(),
            line: whole.line.clone(),
            nodes: self.nodes,
            seconds: self.seconds,
            moves: self.each.iter().map(MoveObject::new).collect(),
            expected: expected.flatten(),
            ok: verdict.and_then(Verdict::ok),
            differences: verdict.map_or(&[], Verdict::differences),
        }
    }
}

/// The JSON object of a position.
#[derive(Serialize)]
pub(super) struct SolutionObject<'a> {
    position: String,
    solved: bool,
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
    moves: Vec<MoveObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    differences: &'a [Difference],
}

#[derive(Serialize)]
struct MoveObject {
    #[serde(rename = "move")]
    label: Option<String>,
    solved: bool,
    score: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lower: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    upper: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'static str>,
    line: String,
}

impl MoveObject {
    fn new(found: &Found) -> Self {
        Self {
            label: found.label(),
            solved: found.is_solved,
            score: found.score(),
            lower: found.bounds().map(|(lower, _)| lower),
            upper: found.bounds().map(|(_, upper)| upper),
            result: found.result(),
            line: found.line.clone(),
        }
    }
}
