//! The command line.

/// What the program prints when it does not understand its arguments.
pub const USAGE: &str = "\
Usage: perft-crates [DEPTH] [--rounds ROUNDS]

Counts the leaves DEPTH plies (default 11) after the start of a game with every contender, ROUNDS times
(default 5) in turns.
";

/// What to measure.
#[derive(Clone, Copy)]
pub struct Args {
    /// How deep to count; at least 1.
    pub depth: u32,
    /// How often each contender runs; at least 1.
    pub rounds: usize,
}

impl Args {
    /// Reads the words after the program's name; nothing if they make no sense.
    pub fn parse(words: &[String]) -> Option<Self> {
        let mut args = Self { depth: 11, rounds: 5 };
        let mut words = words.iter();
        while let Some(word) = words.next() {
            match word.as_str() {
                "--rounds" => args.rounds = words.next()?.parse().ok()?,
                depth => args.depth = depth.parse().ok()?,
            }
        }
        (args.depth > 0 && args.rounds > 0).then_some(args)
    }
}
