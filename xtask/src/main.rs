//! The project's chores: tests, benchmarks, fuzzing. It depends on next to nothing, so that it builds in seconds.

mod attack;
mod bench;
mod bundle;
#[path = "../../crates/server/src/comments.rs"]
mod comments;
mod dist;
mod fuzz;
mod load;
mod packages;
mod page;
mod python;
mod setup;
mod shell;
mod site;
mod stages;
mod test;
mod toolchain;
mod wasm;
mod workflows;
mod yardstick;

use std::process::ExitCode;

const USAGE: &str = "\
Usage: cargo xtask COMMAND

  test [NAME]... [--repeat N] [--load N]
                           everything CI checks, or the named stages and suites (browser, clock, sandbox,
                           static: the browser's with the engine in the browser);
                           again and again, or beside N busy loops
  setup                    installs what the tests need beside Rust
  python                   the tests of the Python package alone
  wheel                    builds the Python package for pip, into target/wheels
  dist [SYSTEM]...         archives of a release, into target/artefacts: linux-x86_64 (the default), linux-aarch64,
                           windows-x86_64, or all
  dist wheels              the Python package as it is released: a wheel for any Linux, and the sources
  dist npm                 the engine of the browser as a package for npm, for pages and Node.js
  dist check               builds the release of this commit twice, in two places, and compares the bytes
  dist try [NAME]...       installs and uses what dist has built, in bare Debian chroots, under QEMU and Wine
  page types               writes the page's types from the API's schemas, crates/server/types
  site                     the page with the engine in it, static files for any web host, into target/site
  screenshots              takes the documentation's pictures of the page, docs/images/page
  film                     takes the README's moving picture of the page, docs/images/page/film.webp
  fuzz [TARGET] [RUNS]     feeds random inputs to one parser or to all of them (default 10000000 runs each)
  attack [--seed N] [--length PERCENT]
                           hostile programs, kills, damaged files, mutated inputs, bad requests; 100 is the long run
  bench [NAME [ARGUMENT]...]
                           runs a measurement; lists them without a name
  yardstick [COMMIT]       rebuilds the binary of a commit (default: the usual yardstick), into target/yardstick
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["test", rest @ ..] => test::run(rest),
        ["setup"] => setup::run(),
        ["dist", rest @ ..] => dist::run(rest),
        ["site"] => site::build(),
        ["film"] => page::film(),
        ["screenshots"] => page::screenshots(),
        ["page", "types"] => page::write_types(),
        ["python"] => python::test(),
        ["wheel"] => python::wheel(),
        ["fuzz", rest @ ..] => fuzz::run(rest),
        ["attack", rest @ ..] => attack::run(rest),
        ["bench"] => {
            bench::list();
            Ok(())
        }
        ["bench", name, rest @ ..] => bench::run(name, rest),
        ["yardstick"] => yardstick::build(yardstick::COMMIT).map(drop),
        ["yardstick", commit] => yardstick::build(commit).map(drop),
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
