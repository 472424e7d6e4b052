//! `train rate`: generations of a genetic run against any player, after the fact.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow};
use clap::{Args, ValueEnum};
use serde_json::json;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::rate::{Rate, RatePlan, RateStep, Rating, Representative};

use super::genetic::{failure, snapshot};
use super::lab::{View, keep_faults_off_the_terminal, pool};
use super::numbers::Numbers;
use crate::args::{Common, HostArgs, parse_player};
use crate::commands::signals;
use crate::output;

/// `train rate`
#[derive(Debug, Args)]
pub(super) struct RateArgs {
    /// The folder of a genetic run
    #[arg(value_name = "RUN")]
    run: PathBuf,
    /// The opponent
    #[arg(long, value_name = "PLAYER", value_parser = parse_player)]
    against: String,
    /// Games of each generation, half with each colour
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u32,
    /// The generations, as in 1,10..60:10 (from 10 to 60 in steps of 10) [default: all]
    #[arg(long, value_name = "LIST")]
    generations: Option<Numbers>,
    /// Who stands for a generation: its individual of this rank
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "from", value_parser = clap::value_parser!(u32).range(1..))]
    rank: u32,
    /// Who stands for a generation instead: one by chance
    #[arg(long, value_enum)]
    from: Option<From>,
    /// Random plies before the players take over [default: as in matches, the board's size]
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// What the folder of the table and the curve is called [default: after the opponent and who plays]
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<String>,
    #[command(flatten)]
    host: HostArgs,
}

/// Whom chance chooses from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum From {
    /// The individuals that were saved (`keep`), the best
    Saved,
    /// Everyone; those that were not saved are bred again, which needs no games
    All,
}

/// A name that stays within its folder.
fn parse_name(text: &str) -> Result<String, String> {
    if RatePlan::is_name(text) {
        Ok(text.to_owned())
    } else {
        Err("a name has letters, digits, -, _, ., + and =, and begins with a letter or a digit".to_owned())
    }
}

pub(super) fn run(args: &RateArgs, common: &Common) -> Result<()> {
    let stop = signals::stop_flag().context("cannot handle signals")?;
    let run = snapshot(&args.run)?;
    let roster = args.host.roster(None);
    let plan = RatePlan {
        against: args.against.clone(),
        games: args.games,
        plies: args.plies.unwrap_or_else(|| u32::from(run.lab().experiment.size)),
        seed: common.seed.unwrap_or(run.lab().seed),
        who: match args.from {
            None => Representative::Rank(args.rank as usize),
            Some(From::Saved) => Representative::Saved,
            Some(From::All) => Representative::All,
        },
    };
    let listed = args.generations.iter().flat_map(|list| &list.0);
    // No run has as many generations as do not fit.
    let generations: BTreeSet<u32> = listed.map(|&number| u32::try_from(number).unwrap_or(u32::MAX)).collect();
    let name = args.name.clone().unwrap_or_else(|| plan.usual_name());
    let mut rating = Rating::open(&run, plan, &generations, &name, &roster).map_err(failure)?;
    keep_faults_off_the_terminal();
    let pool = pool(common)?;
    let mut games = Threads { stop, roster, ..Threads::default() };
    let total = rating.planned() as u64;
    let view = View::new("generations", rating.rates().count() as u64, total, &games.played, common);
    loop {
        let why = match pool.install(|| rating.step(&mut games)) {
            Ok(RateStep::Rated(rate)) => {
                let message = format!("generation {}: {:.1} % won", rate.generation, 100.0 * rate.win_rate());
                view.advance(rating.rates().count() as u64, &message);
                continue;
            }
            Ok(RateStep::Complete) => {
                view.finish();
                return conclude(&rating, common);
            }
            Ok(RateStep::Interrupted) => "interrupted".to_owned(),
            Err(error) => error.to_string(),
        };
        view.finish();
        let done = rating.rates().count();
        let folder = rating.folder().display();
        return Err(anyhow!("{why}\n{done} of {total} generations are safe in {folder}; the same command continues"));
    }
}

fn conclude(rating: &Rating<'_>, common: &Common) -> Result<()> {
    if common.json {
        for rate in rating.rates() {
            output::json(rate)?;
        }
        return output::json(&json!({
            "summary": true, "generations": rating.planned(), "table": rating.table(), "curve": rating.curve(),
        }));
    }
    output::line("generation  individual  rank  won as black  as white  drawn  lost       won")?;
    for Rate { generation, individual, rank, tally } in rating.rates() {
        let rank = rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string());
        output::line(format_args!(
            "{generation:>10}{individual:>12}{rank:>6}{:>14}{:>10}{:>7}{:>6}{:>8.1} %",
            tally.black_wins,
            tally.white_wins,
            tally.draws,
            tally.losses,
            100.0 * tally.win_rate()
        ))?;
    }
    output::line(format_args!("table: {}", rating.table().display()))?;
    output::line(format_args!("curve: {}", rating.curve().display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_stays_within_its_folder() {
        for name in ["best", "2026-11", "a.b_c+d=e"] {
            assert_eq!(parse_name(name).as_deref(), Ok(name));
        }
        for name in ["", ".", "..", "a/b", "/tmp", "-x", "a b", "a\u{7}"] {
            assert!(parse_name(name).is_err(), "{name:?}");
        }
    }
}
