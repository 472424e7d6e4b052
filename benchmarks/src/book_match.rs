//! `cargo xtask bench book match`: the player with its book against the same without, from the hundred most balanced ways to
//! play the first four plies, colours swapped.

use std::fs;
use std::process::Command;
use std::thread;

use anyhow::{Context, Result, ensure};
use turncoat_board::{Game, Geometry, Move, VariantKind};
use turncoat_players::book::shipped_book;
use turncoat_record::transcript;

use crate::program::turncoat;

const PLIES: usize = 4;
const OPENINGS: usize = 100;

/// Plays so many games of each variant, or until the test has decided.
pub(crate) fn run(games: &str, time: &str, variant: &str, seed: &str) -> Result<()> {
    let folder = tempfile::tempdir()?;
    for kind in VariantKind::BOTH.into_iter().filter(|kind| variant == "both" || variant == kind.name()) {
        let file = folder.path().join(kind.name());
        fs::write(&file, openings(kind)?)?;
        // The match itself shows its progress, can be interrupted, and then says how to resume.
        let mut command = Command::new(turncoat()?);
        command.args(["match", "turncoat:book=on", "turncoat:book=off", "--variant", kind.name(), "--time", time]);
        command.arg("--openings").arg(&file).args(["--games", games, "--seed", seed, "--sprt", "elo0=0,elo1=20"]);
        command.args(["--concurrency", &thread::available_parallelism()?.to_string()]);
        let status = command.status().with_context(|| format!("{command:?}"))?;
        ensure!(status.success(), "{command:?}: {status}");
    }
    Ok(())
}

/// The openings, a transcript a line.
fn openings(variant: VariantKind) -> Result<String> {
    let book = shipped_book(variant, Geometry::EIGHT).map_err(anyhow::Error::msg)?.context("there is no book")?;
    let mut games = vec![Game::new(variant, Geometry::EIGHT)];
    for _ in 0..PLIES {
        let mut next = Vec::new();
        for game in &games {
            for square in game.position().legal_moves() {
                let mut game = game.clone();
                game.play(Move::Place(square))?;
                next.push(game);
            }
        }
        games = next;
    }
    let worth = |game: &Game| book.find(game.position()).map_or(f64::INFINITY, |entry| entry.value().abs());
    games.sort_by(|one, other| worth(one).total_cmp(&worth(other)));
    games.truncate(OPENINGS);
    eprintln!("{variant}: {OPENINGS} openings within {:.2} discs", games.last().map_or(0.0, worth));
    Ok(games.iter().map(|game| transcript::write(game) + "\n").collect())
}
