//! `cargo xtask bench levels`: every level of `turncoat` against the one below, to see that each is stronger.

use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::argument;
use crate::program::{json, turncoat};

/// The levels that there are.
const HIGHEST: u8 = 20;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (games, first, last) = (argument(words, 0, 200_u32)?, argument(words, 1, 2)?, argument(words, 2, HIGHEST)?);
    ensure!(2 <= first && first <= last && last <= HIGHEST, "levels that have one below are 2 to {HIGHEST}");
    let binary = turncoat()?;
    for variant in ["reversed", "reversi"] {
        println!("\n{variant}, {games} games each:\n");
        println!("| level | won | drawn | lost | score % | discs a game | Elo above the one below |");
        println!("|---:|---:|---:|---:|---:|---:|---:|");
        for level in first..=last {
            let names = [level, level - 1].map(|level| format!("turncoat:level={level},hash=8"));
            let summary = json(
                Command::new(&binary)
                    .args(["match", &names[0], &names[1], "--json", "--quiet"])
                    .args(["--variant", variant, "--games", &games.to_string()])
                    .args(["--concurrency", "1"]),
            )?;
            println!("{}", row(level, &summary)?);
        }
    }
    Ok(())
}

/// A row of the table from the summary of a match.
fn row(level: u8, summary: &Value) -> Result<String> {
    let number = |name: &str| summary[name].as_f64();
    let count = |name: &str| number(name).with_context(|| format!("no {name} in {summary}"));
    let (won, drawn, lost) = (count("wins")?, count("draws")?, count("losses")?);
    let score = 100.0 * (won + drawn / 2.0) / (won + drawn + lost);
    let margin = number("margin").unwrap_or_default();
    // Where all pairs went alike there is no error.
    let elo = match (number("elo"), number("elo_error")) {
        (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
        (Some(elo), None) => format!("{elo:+.0}"),
        (None, _) => "beyond measure".to_owned(),
    };
    Ok(format!("| {level} | {won} | {drawn} | {lost} | {score:.1} | {margin:+.1} | {elo} |"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_summary_becomes_a_row() {
        let summary = json!({"wins": 6, "draws": 2, "losses": 2, "margin": -1.5, "elo": 147.19, "elo_error": null});
        assert_eq!(row(3, &summary).unwrap(), "| 3 | 6 | 2 | 2 | 70.0 | -1.5 | +147 |");
        assert!(row(3, &json!({})).is_err());
    }
}
