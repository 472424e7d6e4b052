//! Mutated inputs: the corpus of every fuzz target, changed at random, must not make it panic.

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use anyhow::{Result, anyhow};
use turncoat_fuzz::TARGETS;
use turncoat_util::{SplitMix64, panic_message};

use crate::{Findings, Tell};

/// Texts that numbers and lengths are often wrong about.
const EXTREMES: [&[u8]; 12] = [
    b"-1",
    b"0",
    b"18446744073709551616",
    b"1e999",
    b"nan",
    b"\0",
    b"\xff\xfe",
    b"\r\n",
    b"\x1b[2J",
    b"=1+1",
    b"\xef\xbb\xbf",
    b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
];

/// Feeds `count` mutated inputs to the parsers, in turn.
///
/// # Errors
/// If a corpus cannot be read.
pub fn run(seed: u64, count: usize, tell: Tell<'_>) -> Result<Findings> {
    let corpora = TARGETS.iter().map(|(name, _)| corpus(name)).collect::<Result<Vec<_>>>()?;
    let mut rng = SplitMix64::for_number(seed, 4);
    let mut findings = Findings::default();
    for number in 0..count {
        let at = number % TARGETS.len();
        let (name, target) = TARGETS[at];
        let input = mutated(&corpora[at], &mut rng);
        let caught = catch_unwind(AssertUnwindSafe(|| target(&input)));
        let result =
            caught.map_err(|panic| anyhow!("{}; input {:?}", panic_message(&*panic), input.escape_ascii().to_string()));
        findings.add(name, result, tell);
    }
    Ok(findings)
}

fn corpus(target: &str) -> Result<Vec<Vec<u8>>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz/corpus").join(target);
    let mut paths: Vec<_> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    Ok(paths.iter().map(fs::read).collect::<Result<_, _>>()?)
}

/// An input of the corpus with one to eight changes.
pub(crate) fn mutated(corpus: &[Vec<u8>], rng: &mut SplitMix64) -> Vec<u8> {
    let mut input = corpus[rng.below(corpus.len())].clone();
    for _ in 0..=rng.below(8) {
        change(&mut input, &corpus[rng.below(corpus.len())], rng);
    }
    input
}

/// Changes bytes at one place; `other` is what may be inserted.
pub(crate) fn change(input: &mut Vec<u8>, other: &[u8], rng: &mut SplitMix64) {
    let at = rng.below(input.len() + 1);
    let end = (at + 1 + rng.below(16)).min(input.len());
    match rng.below(7) {
        0 if at < input.len() => input[at] ^= 1 << rng.below(8),
        1 if at < input.len() => input[at] = rng.next_u64() as u8,
        2 => drop(input.drain(at..end)),
        3 => input.truncate(at),
        4 => drop(input.splice(at..at, EXTREMES[rng.below(EXTREMES.len())].iter().copied())),
        5 => {
            let copy = input[at..end].to_vec();
            drop(input.splice(at..at, copy));
        }
        _ => {
            let from = rng.below(other.len() + 1);
            let part = other[from..(from + 32).min(other.len())].to_vec();
            drop(input.splice(at..at, part));
        }
    }
}
