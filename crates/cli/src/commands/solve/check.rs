//! What was found, compared with the scores that a file gives.
//!
//! A line gives scores of moves, of all of them or of some. So a score in it is compared with the score of its
//! move where that is known; the position's own score is at least the highest one given, and equal to it if
//! every move has one. What is proven against the file is wrong, also when the solve was stopped; what is not
//! proven either way is not solved.

use std::fmt;

use serde::Serialize;
use turncoat_board::{Move, Score};
use turncoat_record::obf::ScoredPosition;

use super::answer::{Answer, Found};

/// What a line of a file has come to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// The line gives no scores.
    Unchecked,
    /// What the line says is so.
    Right,
    /// What the line says is not so.
    Wrong(Vec<Difference>),
    /// The solve was stopped; this is what it says.
    Unsolved(String),
}

/// A score that differs from the one in the file.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Difference {
    /// Which move's, if not the position's.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    score: Option<i32>,
    expected: i32,
    /// The score for people, or what is known instead.
    #[serde(skip)]
    value: String,
}

impl Difference {
    fn new(label: Option<String>, found: &Found, expected: Score) -> Self {
        Self { label, score: found.score(), expected: expected.discs(), value: found.value() }
    }
}

impl Verdict {
    /// Compares; `solve_move` solves a move that nothing is known of yet.
    pub(super) fn new(answer: &Answer, entry: &ScoredPosition, solve_move: impl FnOnce(Move) -> Found) -> Self {
        let mut solved = answer.is_solved();
        let differences = if answer.each.is_empty() {
            let solve_move = |played| {
                let found = solve_move(played);
                solved &= found.is_solved;
                found
            };
            of_position(&answer.whole, entry, solve_move).into_iter().collect()
        } else {
            of_moves(&answer.each, entry)
        };
        if !differences.is_empty() {
            Self::Wrong(differences)
        } else if !solved {
            Self::Unsolved(answer.unsolved())
        } else if entry.scores.is_empty() {
            Self::Unchecked
        } else {
            Self::Right
        }
    }

    /// Whether the line is right, if that is known.
    pub(super) fn ok(&self) -> Option<bool> {
        match self {
            Self::Right => Some(true),
            Self::Wrong(_) => Some(false),
            Self::Unchecked | Self::Unsolved(_) => None,
        }
    }

    /// Whether it makes the command fail.
    pub(super) fn is_bad(&self) -> bool {
        matches!(self, Self::Wrong(_) | Self::Unsolved(_))
    }

    pub(super) fn differences(&self) -> &[Difference] {
        match self {
            Self::Wrong(differences) => differences,
            _ => &[],
        }
    }
}

/// The moves that have another score in the line.
fn of_moves(each: &[Found], entry: &ScoredPosition) -> Vec<Difference> {
    let differing = |found: &Found| {
        let &(_, expected) = listed(entry, found)?;
        (!found.allows(expected.discs())).then(|| Difference::new(found.label(), found, expected))
    };
    each.iter().filter_map(differing).collect()
}

/// Where the line must be wrong, given the score and the best move of the position. If a move is best that the line
/// does not have, its own best move is solved.
fn of_position(whole: &Found, entry: &ScoredPosition, solve_move: impl FnOnce(Move) -> Found) -> Option<Difference> {
    // The first of equals.
    let &(played, expected) = entry.scores.iter().rev().max_by_key(|(_, score)| *score)?;
    if whole.allows(expected.discs()) {
        return None;
    }
    if whole.best.is_none() || !whole.exceeds(expected.discs()) {
        return Some(Difference::new(None, whole, expected));
    }
    if let Some(&(_, score)) = listed(entry, whole) {
        return Some(Difference::new(whole.label(), whole, score));
    }
    let found = solve_move(played);
    (!found.allows(expected.discs())).then(|| Difference::new(found.label(), &found, expected))
}

/// What the line says of a move.
fn listed<'e>(entry: &'e ScoredPosition, found: &Found) -> Option<&'e (Move, Score)> {
    let mut scores = entry.scores.iter();
    scores.find(|(played, _)| found.best == Some(*played))
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unchecked => f.write_str("unchecked"),
            Self::Right => f.write_str("ok"),
            Self::Unsolved(what) => f.write_str(what),
            Self::Wrong(differences) => {
                let told: Vec<String> = differences.iter().map(ToString::to_string).collect();
                write!(f, "WRONG: {}", told.join("; "))
            }
        }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.label.as_deref().unwrap_or("the score");
        write!(f, "{name} is {}, {:+} expected", self.value, self.expected)
    }
}
