//! How strength grew, as a page, a picture and a table.

use std::fmt::Write as _;

use turncoat_util::escape_html;

use super::{Encounter, LoopSettings, RoundRecord};
use crate::chart::{Chart, Curve};
use crate::page;

/// The page of a loop.
pub const REPORT: &str = "report.html";
/// Differences are drawn no larger than this: one of games that were all won is infinite.
const MOST_ELO: f64 = 800.0;

/// All files of a report: names and contents. `ends` are the seconds used at the end of each round, `errors` the picture
/// of the last round's errors.
pub(super) fn files(
    settings: &LoopSettings,
    rounds: &[RoundRecord],
    ends: &[f64],
    errors: Option<&str>,
) -> [(&'static str, String); 3] {
    let chart = chart(settings, rounds, ends);
    let mut html = page::head(&format!("Training loop: {} on {}", settings.variant.title(), settings.size));
    let limit = settings
        .minutes
        .map_or_else(|| format!("{} games each", settings.games), |minutes| format!("about {minutes} min in all"));
    let _ = writeln!(
        html,
        "<p>{} of {} rounds, {limit}, seed {}. Each plays games with the best weights so far, the first one with the \
         hand-made evaluation; its weights take their place if a sequential test is passed.</p>\n<figure>{chart}</figure>",
        rounds.len(),
        settings.rounds,
        settings.seed
    );
    html += &table(rounds, ends);
    if let Some(errors) = errors {
        let _ = writeln!(html, "<h2>The last round's errors</h2>\n<figure>{errors}</figure>");
    }
    html += "</html>\n";
    [("elo.svg", chart), ("rounds.csv", csv(rounds)), (REPORT, html)]
}

/// All matches of a round, the test last.
pub(super) fn encounters(round: &RoundRecord) -> impl Iterator<Item = &Encounter> {
    round.yardsticks.iter().chain([&round.test])
}

/// The Elo of a match as it is drawn, and half its interval.
pub(super) fn elo_points(met: &Encounter) -> Option<(f64, f64)> {
    let elo = met.result.elo()?;
    let error = elo.error().filter(|error| error.is_finite()).unwrap_or_default();
    Some((elo.difference.clamp(-MOST_ELO, MOST_ELO), error))
}

fn chart(settings: &LoopSettings, rounds: &[RoundRecord], ends: &[f64]) -> String {
    let by_time = settings.minutes.is_some();
    let names: Vec<String> = rounds.first().map_or_else(Vec::new, |first| {
        first.yardsticks.iter().map(|met| format!("against {}", met.opponent)).collect()
    });
    let labels = names.into_iter().chain(["against the best round before".to_owned()]);
    let curves = labels.enumerate().map(|(index, label)| {
        let points = rounds.iter().zip(ends).filter_map(|(round, &end)| {
            let (elo, error) = elo_points(encounters(round).nth(index)?)?;
            let across = if by_time { end / 60.0 } else { f64::from(round.round) };
            Some((across, elo, error))
        });
        Curve::with_errors(&label, &points.collect::<Vec<_>>())
    });
    Chart {
        title: "Elo of each round at equal depth, with 95 % intervals".to_owned(),
        across: if by_time { "minutes" } else { "round" }.to_owned(),
        percent: false,
        curves: curves.collect(),
    }
    .draw()
}

fn table(rounds: &[RoundRecord], ends: &[f64]) -> String {
    let mut html = "<table>\n<tr><th>round<th>depth<th>games<th>positions fitted<th>minutes".to_owned();
    for met in rounds.first().into_iter().flat_map(|first| &first.yardsticks) {
        let _ = write!(html, "<th>against {}", escape_html(&met.opponent));
    }
    html += "<th>against the best before<th></tr>\n";
    for (round, end) in rounds.iter().zip(ends) {
        let _ = write!(
            html,
            "<tr><td>{}<td>{}<td>{}<td>{}<td>{:.1}",
            round.round,
            round.depth,
            round.games,
            round.positions,
            end / 60.0
        );
        for met in &round.yardsticks {
            let _ = write!(html, "<td>{}", met.result.elo_text());
        }
        let verdict = if round.accepted { "accepted" } else { "refused" };
        let test = &round.test;
        let _ = writeln!(
            html,
            "<td>{} ({}, {} games)<td>{verdict}</tr>",
            test.result.elo_text(),
            escape_html(&test.opponent),
            test.result.games()
        );
    }
    html + "</table>\n"
}

/// A line for each match: nothing in it depends on the machine.
fn csv(rounds: &[RoundRecord]) -> String {
    let mut text =
        "round,depth,games,fitted_games,positions,accepted,opponent,won,drawn,lost,elo,error,match\n".to_owned();
    for round in rounds {
        for (index, Encounter { opponent, result }) in encounters(round).enumerate() {
            let elo = result.elo();
            // That of games that were all won is no number.
            let finite = |value: Option<f64>| value.filter(|value| value.is_finite());
            let number = |value| finite(value).map_or_else(String::new, |value| format!("{value:.1}"));
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{opponent},{},{},{},{},{},{}",
                round.round,
                round.depth,
                round.games,
                round.fitted_games,
                round.positions,
                round.accepted,
                result.won,
                result.drawn,
                result.lost,
                number(elo.map(|elo| elo.difference)),
                number(elo.and_then(|elo| elo.error())),
                if index < round.yardsticks.len() { "yardstick" } else { "test" }
            );
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use turncoat_board::VariantKind;

    use super::*;
    use crate::matches::MatchResult;

    #[test]
    fn a_report_has_a_line_for_each_match_and_survives_games_all_won() {
        let met = |opponent: &str, pairs: [u64; 5]| Encounter {
            opponent: opponent.to_owned(),
            result: MatchResult { won: 2 * pairs[4], drawn: 0, lost: 2 * pairs[0], pairs },
        };
        let round = |round| RoundRecord {
            round,
            depth: 2,
            games: 100,
            fitted_games: 200,
            positions: 9000,
            accepted: round == 1,
            test: met("hand", [0, 0, 0, 0, 10]),
            yardsticks: vec![met("hand", [1, 0, 3, 0, 6]), met("<gene>", [9, 0, 0, 0, 0])],
        };
        for settings in [
            LoopSettings::minutes(VariantKind::Reversed, 1, 10.0, None),
            LoopSettings::games(VariantKind::Reversed, 1, 100, 3),
        ] {
            let [(_, svg), (_, csv), (_, html)] =
                files(&settings, &[round(1), round(2)], &[60.0, 120.0], Some("<svg/>"));
            assert!(!svg.contains("inf") && !svg.contains("NaN"));
            assert_eq!(csv.lines().count(), 7);
            assert!(csv.contains("2,2,100,200,9000,false,hand,12,0,2,"), "{csv}");
            assert!(csv.ends_with(",hand,20,0,0,,,test\n") && csv.contains(",0,0,18,,,yardstick\n"), "{csv}");
            assert!(html.contains("&lt;gene&gt;") && html.contains("all lost") && html.contains("refused"));
        }
    }
}
