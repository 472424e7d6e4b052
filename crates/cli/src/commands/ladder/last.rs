//! The final of a ladder: a tournament of the programs that play, each in the version that was tested last.

use std::path::Path;

use anyhow::Result;
use turncoat_api::ContestantState;
use turncoat_arena::Format;
use turncoat_ladder::Options;
use turncoat_ladder::store::{PlayerRow, VersionRow, beside, open_to_read, players, versions};
use turncoat_players::{Roster, Spec};
use turncoat_util::digest;

use super::LadderArgs;
use crate::args::{ArenaArgs, Common, Points};
use crate::commands::arena;
use crate::failure::misuse;
use crate::output;

/// Plays the final, or continues it. Its games have a store of their own, which the versions that take part name.
pub(super) fn play(args: &LadderArgs, options: &Options, common: &Common) -> Result<()> {
    let entered = entered(&options.store)?;
    if entered.len() < 2 {
        let count = entered.len();
        return Err(misuse(format!("{count} programs have passed their test: a final needs two")));
    }
    let roster = Roster::default().with_programs(options.hosting.clone());
    let specs = entered.iter().map(|(_, version)| roster.parse(&version.spec).map_err(misuse));
    let specs: Vec<Spec> = specs.collect::<Result<_>>()?;
    let format = if args.swiss.is_some() { Format::Swiss } else { Format::RoundRobin };
    let mut plan = arena::plan(&specs, format, 2, &args.arena, common);
    plan.move_seconds = plan.move_seconds.or(options.plan.move_seconds);
    plan.games = args.swiss.map_or(plan.games, |rounds| 2 * rounds);
    plan.titles = entered.iter().map(|(player, _)| player.title.clone()).collect();
    plan.memory = options.plan.memory;
    let rules = format!("{:?} {} {:?} {:?}", plan.format, plan.openings, plan.move_seconds, plan.game_seconds);
    let taking_part: String = entered.iter().map(|(_, version)| version.digest.as_str()).collect();
    let store = beside(&options.store, &format!("-final-{}.db", &digest(taking_part + &rules)[..8]));
    if !common.quiet {
        output::note(format_args!("the final of {} programs is kept in {}", specs.len(), store.display()));
    }
    let resume = store.exists();
    let games = Some(plan.games).filter(|_| args.swiss.is_none());
    let of_the_final = ArenaArgs { store: Some(store), resume, games, ..args.arena.clone() };
    arena::play(plan, &specs, &of_the_final, common, Points::Course)
}

/// The programs that play, with their versions, in the order in which they came.
fn entered(store: &Path) -> Result<Vec<(PlayerRow, VersionRow)>> {
    let connection = open_to_read(store).map_err(misuse)?;
    let all = players(&connection).and_then(|players| Ok((players, versions(&connection)?)));
    let (players, versions) = all.map_err(|error| misuse(format!("{}: {error}", store.display())))?;
    let plays = |player: &PlayerRow| !player.is_yardstick && player.state == ContestantState::Playing;
    let with_version = |player: PlayerRow| {
        let version = versions.get(&player.version?)?.clone();
        Some((player, version))
    };
    Ok(players.into_iter().filter(plays).filter_map(with_version).collect())
}
