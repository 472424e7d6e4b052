//! `cargo xtask bench NAME`: builds what a measurement needs and runs it. The measurements are in `benchmarks/`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use crate::shell::{self, cargo, root, target};
use crate::{page, python, setup, site, yardstick};

/// A measurement of the package `turncoat-benchmarks`, or one of its two companions.
struct Bench {
    name: &'static str,
    arguments: &'static str,
    about: &'static str,
    needs: Need,
}

/// What a measurement needs beside its own package.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Need {
    Nothing,
    /// A core of its own, so that the scheduler does not move it about.
    Core,
    /// The binary.
    Program,
    /// The binary, and a Python for the course's programs.
    Programs,
    /// The binary, and one built for x86-64-v3 throughout.
    Native,
    /// The binary, and one without vector instructions.
    Portable,
    /// The binary, and that of an older commit.
    Yardstick,
    /// A browser.
    Browser,
    /// A browser, the page with the engine in it, and the binaries.
    Site,
    /// The package of other people's crates, which it is.
    Crates,
    /// The Python package, whose script it is.
    Python,
    /// The same in a Python that has `torch`.
    Torch,
}

const fn bench(name: &'static str, arguments: &'static str, about: &'static str, needs: Need) -> Bench {
    Bench { name, arguments, about, needs }
}

const BENCHES: &[Bench] = &[
    bench("arena", "[GAMES]", "the arena's overhead over players that use 10 ms a move", Need::Nothing),
    bench(
        "book",
        "[file|growth|lost|random|narrow|match]",
        "a book of a million positions; growth; what its moves lose; 6x6; with a book against without",
        Need::Program,
    ),
    bench("browser", "[FILE]", "the engine in Chromium beside this machine's own", Need::Site),
    bench("classics", "[--quick]", "the classic players beside the figures of their reports", Need::Core),
    bench("clock", "[MOVES MS N]", "how late the player answers beside N busy threads", Need::Nothing),
    bench("cluster", "[ROUNDS]", "two nodes of Ray against one, with programs of 10 ms a move", Need::Python),
    bench("crates", "[ROUNDS]", "the move generator against the rules crates of crates.io", Need::Crates),
    bench("crowd", "", "how long others wait for a server beside a hostile crowd; its memory", Need::Program),
    bench("dispatch", "[ROUNDS]", "the dispatched binary against a build for x86-64-v3", Need::Native),
    bench("evaluation", "[ROUNDS [FILE.net]...]", "what a leaf costs with pattern weights and networks", Need::Core),
    bench("fit", "VARIANT GAMES", "fits the hand-made evaluation to exact scores", Need::Nothing),
    bench("genetic", "[ROUNDS]", "generations of the genetic lab by population, depth and threads", Need::Nothing),
    bench("growth", "[GAMES]", "a solve's effort by empties; draws docs/images/growth.svg", Need::Nothing),
    bench(
        "ladder",
        "[PROGRAMS [PART [GAMES]]]",
        "a new program on a busy ladder; watchers; a term of games; kills",
        Need::Programs,
    ),
    bench("levels", "[PERCENT [LAST]]", "one Elo scale from random to the last level, in both games", Need::Program),
    bench("lost", "[POSITIONS [PLAYER]...]", "discs that moves lose where every move is solved", Need::Nothing),
    bench("page", "", "first paint, answers to moves, fifty analyses at once, memory", Need::Browser),
    bench("python", "[ROUNDS]", "arrays against numpy, the cluster driver against its chunks", Need::Python),
    bench(
        "review",
        "[GAMES [EVERY [VARIANT [THREADS]]]]",
        "how long the review of a game takes, and how many marks are as at level 20",
        Need::Nothing,
    ),
    bench("search", "[SECONDS]", "each technique of the midgame search; depth in that many seconds", Need::Core),
    bench("signature", "", "the search's node count with vector instructions and without", Need::Portable),
    bench("solver", "FILE [COUNT]", "one thread on the first positions of an OBF file, in both games", Need::Nothing),
    bench("start", "[ROUNDS]", "time and memory to the first move with the trained evaluation", Need::Program),
    bench("stop", "[ROUNDS]", "how soon the engine answers when a front end stops its search", Need::Program),
    bench(
        "team",
        "[SECONDS [THREADS [POSITIONS]]]",
        "how much sooner several threads reach a depth in the middle game",
        Need::Nothing,
    ),
    bench(
        "threads",
        "FILE [COUNT [ROUNDS [THREADS]]]",
        "threads on one solve against as many solves at once",
        Need::Nothing,
    ),
    bench("training", "[MINUTES [GAMES]]", "a network trained with PyTorch on a core, and its games", Need::Torch),
    bench("weak", "[FROM TO GAMES]", "nodes to find the winner by empties, and to solve 8x8 weakly", Need::Nothing),
    bench(
        "yardstick",
        "[TIME GAMES VARIANT COMMIT SEED]",
        "the player against an older one at equal time",
        Need::Yardstick,
    ),
];

/// Prints the names.
pub(crate) fn list() {
    println!("Usage: cargo xtask bench NAME [ARGUMENT]...\n");
    for Bench { name, arguments, about, .. } in BENCHES {
        println!("  {:37} {about}", format!("{name} {arguments}"));
    }
}

pub(crate) fn run(name: &str, words: &[&str]) -> Result<()> {
    let known = BENCHES.iter().find(|bench| bench.name == name);
    let bench = known.with_context(|| format!("unknown benchmark {name:?}; `cargo xtask bench` lists them"))?;
    match bench.needs {
        Need::Crates => return crates(words),
        Need::Python => return python::bench(name, words),
        Need::Torch => return python::train(words),
        _ => {}
    }
    shell::run(&mut cargo(["build", "--release", "--locked", "--package", "turncoat-benchmarks"]))?;
    let mut command = pinned(release(&target()).join("turncoat-benchmarks"), bench.needs == Need::Core);
    command.arg(name).args(words).current_dir(root());
    if matches!(
        bench.needs,
        Need::Program | Need::Programs | Need::Native | Need::Portable | Need::Site | Need::Yardstick
    ) {
        command.env("TURNCOAT", program(&target(), |_| ())?);
    }
    match bench.needs {
        Need::Programs => _ = command.env("TURNCOAT_PYTHON", setup::python()?),
        Need::Native => {
            let native = |build: &mut Command| _ = build.env("RUSTFLAGS", "-Ctarget-cpu=x86-64-v3");
            command.env("TURNCOAT_V3", program(&target().join("x86-64-v3"), native)?);
        }
        Need::Portable | Need::Site => {
            let portable = |build: &mut Command| _ = build.args(["--features", "portable"]);
            command.env("TURNCOAT_PORTABLE", program(&target().join("portable"), portable)?);
        }
        Need::Yardstick => {
            command.env("TURNCOAT_YARDSTICK", yardstick::build(words.get(3).unwrap_or(&yardstick::COMMIT))?);
        }
        _ => {}
    }
    if matches!(bench.needs, Need::Browser | Need::Site) {
        setup::run()?;
        page::lend(&mut command);
    }
    if bench.needs == Need::Site {
        site::build()?;
        page::lend_lighthouse(&mut command)?;
    }
    shell::run(&mut command)
}

/// The other crates: rounds of perft 11.
fn crates(words: &[&str]) -> Result<()> {
    let rounds = words.first().unwrap_or(&"5");
    shell::run(&mut crates_cargo(["run", "--release", "--locked", "--", "11", "--rounds", rounds]))
}

/// A cargo command in the package of the other crates, which builds into a folder of its own.
pub(crate) fn crates_cargo<const N: usize>(words: [&str; N]) -> Command {
    let mut command = cargo(words);
    command.current_dir(root().join("benchmarks/crates")).env("CARGO_TARGET_DIR", target().join("bench-crates"));
    command
}

/// The binary, built into this folder.
fn program(folder: &Path, change: impl FnOnce(&mut Command)) -> Result<PathBuf> {
    let mut build = cargo(["build", "--release", "--locked", "--package", "turncoat", "--target-dir"]);
    change(build.arg(folder));
    shell::run(&mut build)?;
    Ok(release(folder).join("turncoat"))
}

fn release(folder: &Path) -> PathBuf {
    folder.join("release")
}

/// The program, on one core where `taskset` is there.
fn pinned(program: PathBuf, pin: bool) -> Command {
    if !pin || !Command::new("taskset").args(["-c", "0", "true"]).status().is_ok_and(|status| status.success()) {
        return Command::new(program);
    }
    let mut command = Command::new("taskset");
    command.args(["-c", "0"]).arg(program);
    command
}
