//! `cargo xtask bench levels`: one Elo scale from `random` to the highest level, from games between players of like strength.
//!
//! The games are kept beside the binary that played them. So a run that was interrupted continues, and one of more games
//! has only the others to play; other binaries begin anew. Levels are limited by depth or positions, not by time: the games
//! are the same on any machine.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;
use turncoat_arena::stats::ratings::{Pairwise, Rating};
use turncoat_util::digest;

use crate::argument;
use crate::program::{json, turncoat};

/// The games with a classic of each, which shows where the scale meets players that are not the engine's own.
const VARIANTS: [(&str, &str); 2] = [("reversed", "gene45:depth=3"), ("reversi", "six-stage:depth=3")];
/// Games of each level against the two players below it. A level takes two to three times as long as the one below from
/// the tenth on, and the highest have few games and large errors.
const GAMES: [u32; 20] = [300, 300, 300, 300, 300, 300, 300, 300, 300, 200, 150, 100, 60, 40, 24, 16, 10, 6, 4, 4];
/// The levels that the classic meets.
const CLASSIC_MEETS: [usize; 4] = [4, 6, 8, 10];
const CLASSIC_GAMES: u32 = 100;

/// Two players by their place on the scale, and how many games they play.
type Encounter = (usize, usize, u32);

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let percent = argument(words, 0, 100_u32)?;
    let last = argument(words, 1, GAMES.len())?;
    ensure!((1..=10_000).contains(&percent), "the games are 1 to 10000 percent of the usual ones, not {percent}");
    ensure!((10..=GAMES.len()).contains(&last), "the last level is 10 to {}, not {last}", GAMES.len());
    let binary = turncoat()?;
    let folder = binary.with_file_name("levels").join(digest(fs::read(&binary)?));
    fs::create_dir_all(&folder)?;
    let [reversed, reversi] = VARIANTS;
    let scale = |game| scale(&binary, &folder, game, &encounters(percent, last));
    print(&scale(reversed)?, &scale(reversi)?, last);
    Ok(())
}

/// The ratings of all players of a game.
fn scale(
    binary: &Path,
    folder: &Path,
    (variant, classic): (&str, &str),
    encounters: &[Encounter],
) -> Result<Vec<Rating>> {
    let players = players(classic);
    let mut results = Pairwise::new(players.len());
    for (number, &(a, b, games)) in (1..).zip(encounters) {
        let store = folder.join(format!("{variant}-{a}-{b}.db"));
        let summary = json(&mut play(binary, store, variant, [&players[a], &players[b]], games))?;
        let [won, drawn, lost] = counts(&summary)?;
        results.add(a, b, won as f64 + drawn as f64 / 2.0);
        results.add(b, a, lost as f64 + drawn as f64 / 2.0);
        eprintln!(
            "{variant}, {number} of {}: {} – {}: {won} won, {drawn} drawn, {lost} lost",
            encounters.len(),
            players[a],
            players[b]
        );
    }
    Ok(results.ratings_above(0))
}

/// Everyone on the scale, from the bottom up; the classic comes last.
fn players(classic: &str) -> Vec<String> {
    let levels = (1..=GAMES.len()).map(|level| format!("turncoat:level={level},hash=8"));
    ["random", "greedy"].map(str::to_owned).into_iter().chain(levels).chain([classic.to_owned()]).collect()
}

/// Everyone up to a level against the two below, and the classic against some levels.
fn encounters(percent: u32, last: usize) -> Vec<Encounter> {
    // Whole pairs of games.
    let share = |games: u32| (games * percent / 200).max(1) * 2;
    let place = |level: usize| level + 1;
    let mut all = vec![(place(0), 0, share(GAMES[0]))];
    for (level, games) in (1..=last).zip(GAMES) {
        all.extend([1, 2].map(|below| (place(level), place(level) - below, share(games))));
    }
    let classic = place(GAMES.len() + 1);
    all.extend(CLASSIC_MEETS.map(|level| (classic, place(level), share(CLASSIC_GAMES))));
    all
}

/// A match that begins or continues.
fn play(binary: &Path, store: PathBuf, variant: &str, players: [&str; 2], games: u32) -> Command {
    let mut command = Command::new(binary);
    command.arg("match").args(players).args(["--json", "--quiet", "--variant", variant]);
    command.args(["--openings", "balanced", "--games", &games.to_string()]);
    if store.exists() {
        command.arg("--resume");
    }
    command.arg("--store").arg(store);
    command
}

/// Games won, drawn and lost, from the summary of a match.
fn counts(summary: &Value) -> Result<[u64; 3]> {
    let count = |name| summary[name].as_u64().with_context(|| format!("no {name} in {summary}"));
    Ok([count("wins")?, count("draws")?, count("losses")?])
}

/// Prints the table of the documentation and that of the levels.
fn print(reversed: &[Rating], reversi: &[Rating], last: usize) {
    println!("| player | Reversed: Elo | Reversi: Elo |\n|---|---:|---:|");
    let text = |rating: &Rating| format!("{:.0} ± {:.0}", rating.elo, rating.error);
    println!("| `random` | 0 | 0 |");
    for place in 1..=last + 1 {
        let name = if place == 1 { "`greedy`".to_owned() } else { format!("level {}", place - 1) };
        println!("| {name} | {} | {} |", text(&reversed[place]), text(&reversi[place]));
    }
    let classic = GAMES.len() + 2;
    println!("| `{}` | {} | |", VARIANTS[0].1, text(&reversed[classic]));
    println!("| `{}` | | {} |", VARIANTS[1].1, text(&reversi[classic]));
    println!("\nRATINGS of crates/players/src/flagship/levels.rs:\n");
    for place in 2..=last + 1 {
        let pair = |rating: &Rating| format!("({:.0}, {:.0})", rating.elo, rating.error);
        println!("    [{}, {}],", pair(&reversed[place]), pair(&reversi[place]));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn everyone_is_connected_with_random() {
        let players = players("gene45");
        assert_eq!((players.len(), players[3].as_str()), (23, "turncoat:level=2,hash=8"));
        for percent in [1, 100, 250] {
            let mut reached = vec![false; players.len()];
            reached[0] = true;
            for (a, b, games) in encounters(percent, 20) {
                assert!(games >= 2 && games.is_multiple_of(2));
                // Each player is reached from below.
                assert!(reached[b] && b != a);
                reached[a] = true;
            }
            assert!(reached.iter().all(|&reached| reached));
        }
        assert!(encounters(100, 20).contains(&(21, 19, 4)) && !encounters(100, 19).contains(&(21, 19, 4)));
    }

    #[test]
    fn a_summary_is_counted() {
        assert_eq!(counts(&json!({"wins": 6, "draws": 2, "losses": 1})).unwrap(), [6, 2, 1]);
        assert!(counts(&json!({"wins": 6})).is_err());
    }
}
