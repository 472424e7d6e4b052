//! The genetic lab: genes, algorithms, games and runs.

mod algorithms;
mod ends;
mod experiments;
mod games;
mod layouts;
mod rates;
mod runs;
mod shown;

use turncoat_players::Roster;
use turncoat_train::genetic::Lab;

/// A small experiment with binary genes, as in gene45's report.
pub(crate) const BINARY: &str = r#"
title = "Binary"
player = "gene45:depth=1,final=0"
seed = 7
generations = 4
keep = 3

[genome]
kind = "binary"
groups = ["board", "action", "stable", "frontier", "discs"]
bits = 7
[genome.group.stable]
bits = 8
signed = false
[genome.group.frontier]
bits = 6

[algorithm]
kind = "binary"
population = 8

[fitness]
schedule = "own-games"
score = "least-colour"

[[yardstick]]
player = "random"
games = 6
who = "any"
"#;

/// A small experiment of numbers; the algorithm is to be filled in.
pub(crate) const REAL: &str = r#"
title = "Real"
player = "nine-weights:depth=1"
seed = 7
generations = 4

[genome]
kind = "real"
groups = ["mobility", "frontier", "stable", "discs", "board_weight"]
start = [0, 6]

[algorithm]
kind = "ALGORITHM"
population = 9

[fitness]
score = "wins-minus-losses"
"#;

pub(crate) fn real(algorithm: &str) -> String {
    REAL.replace("ALGORITHM", algorithm)
}

pub(crate) fn lab(text: &str) -> Lab {
    Lab::read(text, 1, &Roster::default()).unwrap_or_else(|error| panic!("{error}"))
}
