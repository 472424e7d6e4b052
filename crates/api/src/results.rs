//! The results of matches and tournaments, which the arena fills in.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A game of a match or a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GameObject<'a> {
    /// Its number, from 1.
    pub game: u64,
    /// Who played black.
    pub black: &'a str,
    /// Who played white.
    pub white: &'a str,
    /// `black`, `white` or `draw`.
    pub winner: &'static str,
    /// Black's score in discs; none if the game was lost by a fault.
    pub margin: Option<i32>,
    /// `finished`, or the fault that ended it.
    pub reason: &'static str,
    /// What is known of the fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub detail: Option<&'a str>,
    /// The position it began with, unless that is the start of the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<&'a str>,
    /// Its transcript from there on.
    pub moves: &'a str,
}

/// The end of a match, from the view of its first player.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatchSummary<'a> {
    /// Tells this object from the games.
    pub summary: bool,
    /// The first player.
    pub a: &'a str,
    /// The second player.
    pub b: &'a str,
    /// Games played.
    pub games: u64,
    /// How many of them differ: a game that is played again move for move tells nothing new.
    pub distinct: u64,
    /// Games that A won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games that A lost.
    pub losses: u64,
    /// Games that A lost by a fault of its own.
    pub faults: u64,
    /// Games that B lost by a fault of its own.
    pub opponent_faults: u64,
    /// The mean margin of the games that were played to their end.
    pub margin: Option<f64>,
    /// How much stronger A is; none while it has won or lost everything.
    pub elo: Option<f64>,
    /// Half the width of the 95 % confidence interval; none for too few pairs, or where everything was won or lost.
    pub elo_error: Option<f64>,
    /// The lower end of the interval; none for too few pairs, or where everything was lost.
    pub elo_lower: Option<f64>,
    /// The upper end of the interval; none for too few pairs, or where everything was won.
    pub elo_upper: Option<f64>,
    /// The likelihood that A is the stronger one; none for too few pairs.
    pub los: Option<f64>,
    /// Pairs in which A scored 0, ½, 1, 1½ and 2.
    pub pairs: [u64; 5],
    /// The sequential test, if one was asked for.
    pub sprt: Option<SprtObject>,
    /// Whether the match has come to its end.
    pub complete: bool,
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct SprtObject {
    /// H0.
    pub elo0: f64,
    /// H1.
    pub elo1: f64,
    /// The chance to accept H1 wrongly.
    pub alpha: f64,
    /// The chance to accept H0 wrongly.
    pub beta: f64,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// Where H0 is accepted.
    pub lower: f64,
    /// Where H1 is accepted.
    pub upper: f64,
    /// What was decided.
    pub decision: Option<Decision>,
}

/// What a sequential test has decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Decision {
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::H0 => "H0",
            Self::H1 => "H1",
        })
    }
}

/// The end of a tournament.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TournamentSummary<'a> {
    /// Tells this object from the games.
    pub summary: bool,
    /// Games played.
    pub games: u64,
    /// How many of them differ.
    pub distinct: u64,
    /// Who stands where, if it is a ladder.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ladder: Option<Vec<LadderRow<'a>>>,
    /// The table, best first.
    pub table: Vec<TableRow<'a>>,
    /// For each player of the table, in its order, the score against each other one in the same order.
    pub cross: Vec<Vec<Option<CrossCell>>>,
    /// Whether the tournament has come to its end.
    pub complete: bool,
}

/// A player's rung.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct LadderRow<'a> {
    /// From above, from 1.
    pub rung: usize,
    /// Who.
    pub player: &'a str,
    /// Points moved by games: +5 for a win, -5 for a loss.
    pub points: i64,
}

/// A player's line of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TableRow<'a> {
    /// The place; equal results share it.
    pub rank: usize,
    /// Who.
    pub player: &'a str,
    /// Its rating, relative to the mean.
    pub rating: f64,
    /// Half the width of the 95 % confidence interval.
    pub rating_error: f64,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Games lost by a fault of its own.
    pub faults: u64,
    /// Points: a win is 1, a draw ½.
    pub points: f64,
    /// Points of the course's platform: +5, 0 and -5.
    pub course_points: i64,
    /// The mean margin of the games that were played to their end.
    pub margin: Option<f64>,
}

/// What one player scored against another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct CrossCell {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}
