//! Results as JSON objects, with the names that are the same everywhere.

use serde::Serialize;

use super::Report;
use crate::ladder::Rung;
use crate::played::Played;
use crate::standings::standings;
use crate::stats::sprt::Decision;
use crate::words::signed;

/// A game.
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

impl<'a> GameObject<'a> {
    /// The object of a game.
    pub fn new(played: &'a Played, names: &'a [String]) -> Self {
        Self {
            game: played.fixture.number + 1,
            black: &names[played.fixture.black],
            white: &names[played.fixture.white],
            winner: played.winner_name(),
            margin: played.ending.margin(),
            reason: played.ending.reason(),
            detail: played.ending.detail(),
            start: played.start.as_deref(),
            moves: &played.moves,
        }
    }
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

impl MatchSummary<'_> {
    /// The difference in Elo with its error or bound, for people.
    pub fn elo_text(&self) -> String {
        let pairs: u64 = self.pairs.iter().sum();
        let by = format!("(95 %, from {pairs} complete pairs)");
        match (self.elo, self.elo_error, self.elo_lower, self.elo_upper) {
            // Pairs that are all alike have more room on one side than on the other.
            (Some(elo), _, Some(lower), Some(upper)) if (lower + upper - 2.0 * elo).abs() > 0.1 => {
                let [elo, lower, upper] = [elo, lower, upper].map(|value| signed(value, 1));
                format!("{elo}, between {lower} and {upper} {by}")
            }
            (Some(elo), Some(error), ..) => format!("{} ± {error:.1} {by}", signed(elo, 1)),
            (Some(elo), None, ..) => format!("{} (too few games for an error)", signed(elo, 1)),
            (None, _, Some(lower), _) => {
                format!("at least {} (95 %, all {pairs} pairs won)", signed(lower, 1))
            }
            (None, _, _, Some(upper)) => {
                format!("at most {} (95 %, all {pairs} pairs lost)", signed(upper, 1))
            }
            _ if self.wins > 0 => "unknown: every game was won, and they are few".to_owned(),
            _ if self.losses > 0 => "unknown: every game was lost, and they are few".to_owned(),
            _ => "–".to_owned(),
        }
    }

    /// The likelihood of superiority, for people.
    pub fn los_text(&self) -> String {
        self.los.map_or_else(String::new, |los| format!(", likelihood of superiority {:.1} %", 100.0 * los))
    }
}

/// The sequential test.
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

impl<'a> Report<'a> {
    /// The summary of a match.
    pub fn match_summary(&self) -> MatchSummary<'a> {
        let tally = self.results.against(0, 1);
        let elo = tally.pairs.elo();
        let finite = |value: f64| value.is_finite().then_some(value);
        MatchSummary {
            summary: true,
            a: &self.names[0],
            b: &self.names[1],
            games: tally.games(),
            distinct: self.results.distinct(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            faults: tally.faults,
            opponent_faults: tally.opponents_faults,
            margin: tally.mean_margin(),
            elo: elo.and_then(|elo| finite(elo.difference)),
            elo_error: elo.and_then(|elo| elo.error()).and_then(finite),
            elo_lower: elo.and_then(|elo| finite(elo.bounds?.0)),
            elo_upper: elo.and_then(|elo| finite(elo.bounds?.1)),
            los: elo.and_then(|elo| elo.superiority),
            pairs: tally.pairs.0,
            sprt: self.sprt(),
            complete: self.complete,
        }
    }

    /// The state of the sequential test, if one was asked for.
    pub fn sprt(&self) -> Option<SprtObject> {
        let sprt = self.plan.sprt?;
        let pairs = self.results.against(0, 1).pairs;
        let (lower, upper) = sprt.bounds();
        Some(SprtObject {
            elo0: sprt.elo0,
            elo1: sprt.elo1,
            alpha: sprt.alpha,
            beta: sprt.beta,
            llr: sprt.llr(&pairs),
            lower,
            upper,
            decision: sprt.decide(&pairs),
        })
    }

    /// The lines of the table, best first.
    pub fn table(&self) -> Vec<TableRow<'a>> {
        let row = |standing: crate::Standing| TableRow {
            rank: standing.rank,
            player: &self.names[standing.player],
            rating: standing.rating.elo,
            rating_error: standing.rating.error,
            games: standing.total.games(),
            wins: standing.total.wins,
            draws: standing.total.draws,
            losses: standing.total.losses,
            faults: standing.total.faults,
            points: standing.points(),
            course_points: standing.course_points(),
            margin: standing.total.mean_margin(),
        };
        standings(self.results).into_iter().map(row).collect()
    }

    /// The ladder after its last whole round, if it is one.
    pub fn ladder(&self) -> Option<Vec<LadderRow<'a>>> {
        let rungs = self.plan.ladder()?.rungs(self.results.games());
        let row = |(rung, place): (Rung, usize)| LadderRow {
            rung: place,
            player: &self.names[rung.player],
            points: rung.points,
        };
        Some(rungs.into_iter().zip(1..).map(row).collect())
    }

    /// The crosstable, in the order of the table.
    pub fn cross(&self) -> Vec<Vec<Option<CrossCell>>> {
        let order: Vec<usize> = standings(self.results).iter().map(|s| s.player).collect();
        let cell = |player: usize, opponent: usize| {
            let tally = self.results.against(player, opponent);
            (tally.games() > 0).then_some(CrossCell { wins: tally.wins, draws: tally.draws, losses: tally.losses })
        };
        let line = |player: usize| order.iter().map(|&opponent| cell(player, opponent)).collect();
        order.iter().map(|&player| line(player)).collect()
    }

    /// The summary of a tournament.
    pub fn tournament_summary(&self) -> TournamentSummary<'a> {
        TournamentSummary {
            summary: true,
            games: self.results.games().len() as u64,
            distinct: self.results.distinct(),
            ladder: self.ladder(),
            table: self.table(),
            cross: self.cross(),
            complete: self.complete,
        }
    }
}
