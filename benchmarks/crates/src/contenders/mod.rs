//! Who is measured: one module a crate.

mod ai_othello;
mod magpie;
mod othello;
mod rust_reversi_core;
mod turncoat;

use crate::tree::perft;

/// A way to count the leaves of the game tree.
pub struct Contender {
    /// What the table calls it.
    pub name: String,
    /// Whether it is one of ours, which the others are compared with.
    pub ours: bool,
    /// The leaves at a depth from the start of a game of Othello.
    pub perft: Box<dyn Fn(u32) -> u64>,
}

/// All of them, ours first.
pub fn all() -> Vec<Contender> {
    let mut all = turncoat::contenders();
    all.extend([
        other("magpie 0.12.0", perft::<magpie::Magpie>),
        other("rust_reversi_core 1.0.2", perft::<rust_reversi_core::ReversiCore>),
        other("othello 0.1.2", perft::<othello::Othello>),
        other("ai-othello 0.1.1", perft::<ai_othello::AiOthello>),
    ]);
    all
}

fn other(name: &str, perft: fn(u32) -> u64) -> Contender {
    Contender { name: name.to_owned(), ours: false, perft: Box::new(perft) }
}
