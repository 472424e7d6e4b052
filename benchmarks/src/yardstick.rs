//! `cargo xtask bench yardstick`: the player of today against that of an older commit, at equal time, with one thread each.
//!
//! Both are programs behind GTP, so that the protocol costs them the same. It tells a program when a game begins, and the
//! transposition table lasts for a game, as it does inside the arena.

use std::path::Path;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use turncoat_util::shell;

use crate::machine::machine;
use crate::program::{build, turncoat};

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let word = |place: usize, default| words.get(place).copied().unwrap_or(default);
    let (time, games) = (word(0, "100ms"), word(1, "200"));
    let variants = match word(2, "both") {
        "both" => vec!["reversed", "reversi"],
        one => vec![one],
    };
    // Another seed begins with other openings, so that matches of several days can be added up. Its place is after the commit's.
    let seed = word(4, "1");
    let games_at_a_time = thread::available_parallelism()?.to_string();
    let (today, yardstick) = (turncoat()?, build("TURNCOAT_YARDSTICK")?);
    let players = [player(&today, time)?, player(&yardstick, time)?];
    println!("{}; {time} a move", machine());
    for variant in variants {
        // The match itself shows its progress, can be interrupted, and then says how to resume.
        let mut command = Command::new(&today);
        command.arg("match").args(&players).args(["--trust", "--openings", "balanced"]);
        command.args(["--variant", variant, "--games", games, "--seed", seed, "--concurrency", &games_at_a_time]);
        let status = command.status().with_context(|| format!("{command:?}"))?;
        ensure!(status.success(), "{command:?}: {status}");
    }
    Ok(())
}

/// A binary as a player that thinks for this long.
fn player(binary: &Path, time: &str) -> Result<String> {
    let binary = binary.to_str().with_context(|| format!("{} is not UTF-8", binary.display()))?;
    let words = [binary, "engine", "gtp", "--time", time, "--player", "turncoat:threads=1"];
    Ok(format!("gtp:{}", shell::join(words)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_binary_is_a_player_wherever_it_lies() {
        let text = player(Path::new("/my target/turncoat"), "100ms").unwrap();
        assert_eq!(text, "gtp:'/my target/turncoat' engine gtp --time 100ms --player turncoat:threads=1");
    }
}
