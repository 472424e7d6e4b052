//! The measurements behind docs/benchmarks. `cargo xtask bench NAME` builds what they need and runs them; xtask itself
//! depends on nothing of the project, so that it builds in seconds.

mod arena;
mod book;
mod book_match;
mod browser;
mod classics;
mod clock;
mod crowd;
mod dispatch;
mod evaluation;
mod fit;
mod genetic;
mod growth;
mod ladder;
mod levels;
mod lost;
mod machine;
mod narrow;
mod page;
mod positions;
mod program;
mod review;
mod search;
mod solver;
mod start;
mod stop;
mod team;
mod weak;
mod yardstick;

use std::process::ExitCode;
use std::str::FromStr;

use anyhow::{Context, Result, bail};

fn run(name: &str, words: &[&str]) -> Result<()> {
    match name {
        "arena" => arena::run(words),
        "book" => book::run(words),
        "browser" => browser::run(words),
        "classics" => classics::run(words),
        "clock" => clock::run(words),
        "crowd" => crowd::run(),
        "dispatch" => dispatch::run(words),
        "evaluation" => evaluation::run(words),
        "fit" => fit::run(words),
        "genetic" => genetic::run(words),
        "growth" => growth::run(words),
        "ladder" => ladder::run(words),
        "levels" => levels::run(words),
        "lost" => lost::run(words),
        "page" => page::run(),
        "review" => review::run(words),
        "search" => search::run(words),
        "signature" => dispatch::signature(),
        "solver" => solver::one_thread(words),
        "start" => start::run(words),
        "stop" => stop::run(words),
        "team" => team::run(words),
        "threads" => solver::threads(words),
        "weak" => weak::run(words),
        "yardstick" => yardstick::run(words),
        _ => bail!("unknown benchmark {name:?}; `cargo xtask bench` lists them"),
    }
}

/// The argument at this place, or its default.
fn argument<T: FromStr<Err: std::error::Error + Send + Sync + 'static>>(
    words: &[&str],
    place: usize,
    default: T,
) -> Result<T> {
    words.get(place).map_or(Ok(default), |word| word.parse().with_context(|| format!("{word:?}")))
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        [name, rest @ ..] => run(name, rest),
        [] => run("", &[]),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error:#}");
            ExitCode::FAILURE
        }
    }
}
