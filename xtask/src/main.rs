//! The project's chores: tests, benchmarks, fuzzing. It depends on next to nothing, so that it builds in seconds.

mod bench;
mod fuzz;
mod levels;
mod load;
mod page;
mod python;
mod setup;
mod shell;
mod stages;
mod start;
mod stop;
mod test;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test [NAME]... [--repeat N] [--load N]
                           everything CI checks, or the named stages and suites (browser, clock, sandbox);
                           again and again, or beside N busy loops
  setup                    installs what the tests need beside Rust
  python                   the tests of the Python package alone
  wheel                    builds the Python package for pip, into target/wheels
  page types               writes the page's types from the API's schemas, crates/server/types
  screenshots              takes the documentation's pictures of the page, docs/images/page
  fuzz [TARGET] [RUNS]     feeds random inputs to one parser or to all of them (default 10000000 runs each)
  bench dispatch [ROUNDS]  the dispatched binary against a build for x86-64-v3
  bench classics [--quick] the classic players beside the figures of their reports
  bench signature          the search's node count with vector instructions and without
  bench search [SECONDS]   what each technique of the midgame search brings; depth in that many seconds
  bench clock [MOVES MS N] how late the player answers beside N busy threads
  bench start [ROUNDS]     time and memory to the first move with the trained evaluation
  bench levels [GAMES [FIRST LAST]]
                           every level of turncoat against the one below, in both games (default 200 games)
  bench lost [POSITIONS [PLAYER]...]
                           discs that moves lose where every move is solved (default 60, levels 12 to 20)
  bench solver FILE [COUNT]
                           one thread on the first positions of an OBF file (default 10), in both games
  bench threads FILE [COUNT] [ROUNDS]
                           two threads on one solve against two solves side by side
  bench growth [GAMES]     how the effort grows with the empties; draws docs/images/growth.svg
  bench crates [ROUNDS]    our move generator against the rules crates of crates.io
  bench genetic [ROUNDS]   generations of the genetic lab by population, depth and threads
  bench page               first paint, moves answered, fifty analyses at once, memory
  bench python [ROUNDS]    arrays against numpy, the driver of clusters against its chunks
  bench stop [ROUNDS]      how soon the engine answers when a front end stops its search
  bench arena [GAMES]      the arena's own time beside that of players who use 10 ms a move
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test", rest @ ..] => test::run(rest),
        ["setup"] => setup::run(),
        ["screenshots"] => page::screenshots(),
        ["page", "types"] => page::write_types(),
        ["python"] => python::test(),
        ["wheel"] => python::wheel(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["bench", "dispatch", rest @ ..] => bench::dispatch(rest),
        ["bench", "classics", rest @ ..] => bench::classics(rest),
        ["bench", "signature"] => bench::signature(),
        ["bench", "search", rest @ ..] => bench::search(rest),
        ["bench", "clock", rest @ ..] => bench::clock(rest),
        ["bench", "levels", rest @ ..] => levels::run(rest),
        ["bench", "start", rest @ ..] => start::run(rest),
        ["bench", "crates", rest @ ..] => bench::crates(rest),
        ["bench", "python", rest @ ..] => python::bench(rest),
        ["bench", "arena", rest @ ..] => bench::arena(rest),
        ["bench", "page"] => page::bench(),
        ["bench", "stop", rest @ ..] => stop::run(rest),
        ["bench", rest @ ..] if matches!(rest, ["genetic" | "growth" | "lost" | "solver" | "threads", ..]) => {
            bench::figures(rest)
        }
        _ => {
            if !words.is_empty() {
                eprintln!("xtask: there is no command {:?}\n", words.join(" "));
            }
            eprint!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
