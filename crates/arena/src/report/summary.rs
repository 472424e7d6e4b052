//! Results as the objects of the API.

use turncoat_api::{CrossCell, GameObject, LadderRow, MatchSummary, SprtObject, TableRow, TournamentSummary};

use super::Report;
use crate::ladder::Rung;
use crate::played::Played;
use crate::standings::{Standing, standings};
use crate::words::signed;

impl Played {
    /// The object of this game between players of these names.
    pub fn object<'a>(&'a self, names: &'a [String]) -> GameObject<'a> {
        GameObject {
            game: self.fixture.number + 1,
            black: &names[self.fixture.black],
            white: &names[self.fixture.white],
            winner: self.winner_name(),
            margin: self.ending.margin(),
            reason: self.ending.reason(),
            detail: self.ending.detail(),
            start: self.start.as_deref(),
            moves: &self.moves,
        }
    }
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
        let row = |standing: Standing| TableRow {
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

/// The difference in Elo with its error or bound, for people.
pub fn elo_text(summary: &MatchSummary<'_>) -> String {
    let pairs: u64 = summary.pairs.iter().sum();
    let by = format!("(95 %, from {pairs} complete pairs)");
    match (summary.elo, summary.elo_error, summary.elo_lower, summary.elo_upper) {
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
        _ if summary.wins > 0 => "unknown: every game was won, and they are few".to_owned(),
        _ if summary.losses > 0 => "unknown: every game was lost, and they are few".to_owned(),
        _ => "–".to_owned(),
    }
}

/// The likelihood of superiority, for people.
pub fn los_text(summary: &MatchSummary<'_>) -> String {
    summary.los.map_or_else(String::new, |los| format!(", likelihood of superiority {:.1} %", 100.0 * los))
}
