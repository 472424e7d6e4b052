//! Lines of the table as the objects of the API.

use std::collections::BTreeMap;

use turncoat_api::{ContestRow, ContestantState};
use turncoat_arena::Tally;

use crate::store::{PlayerRow, VersionRow};
use crate::table::Line;

/// The lines of all players: those that play in the order of the table, then the others. Who has gone is left out.
pub(crate) fn contest_rows(
    players: &[PlayerRow],
    versions: &BTreeMap<i64, VersionRow>,
    lines: &[Line],
) -> Vec<ContestRow> {
    let place = |player: &PlayerRow| {
        let plays = player.version.filter(|_| player.state == ContestantState::Playing);
        plays.and_then(|version| lines.iter().position(|line| line.version == version))
    };
    let mut placed: Vec<(usize, ContestRow)> = Vec::new();
    for player in players.iter().filter(|player| player.state != ContestantState::Gone) {
        let place = place(player);
        let line = place.map(|place| &lines[place]);
        let version = player.version.and_then(|version| versions.get(&version)).map(|version| version.number);
        placed.push((place.unwrap_or(usize::MAX), contest_row(player, version, line)));
    }
    placed.sort_by_key(|(place, _)| *place);
    placed.into_iter().map(|(_, row)| row).collect()
}

/// The line of a player.
pub(crate) fn contest_row(player: &PlayerRow, version: Option<u64>, line: Option<&Line>) -> ContestRow {
    let total = line.map_or_else(Tally::default, |line| line.total);
    ContestRow {
        rank: line.and_then(|line| line.rank),
        name: player.name.clone(),
        title: player.title.clone(),
        version: version.filter(|_| !player.is_yardstick),
        yardstick: player.is_yardstick,
        state: player.state,
        words: player.words.clone(),
        rating: line.map_or(0.0, |line| line.rating.elo),
        rating_error: line.map_or(0.0, |line| line.rating.error),
        games: total.games(),
        wins: total.wins,
        draws: total.draws,
        losses: total.losses,
        faults: total.faults,
        course_points: 5 * (total.wins as i64 - total.losses as i64),
        margin: total.mean_margin(),
    }
}
