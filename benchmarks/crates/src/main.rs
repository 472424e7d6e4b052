//! `perft-crates`: Turncoat's move generator against the rules crates of crates.io, all in one run, since
//! machines are shared and noisy.

mod args;
mod contenders;
mod machine;
mod race;
mod table;
mod tree;

use std::process::ExitCode;

use args::{Args, USAGE};

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let Some(args) = Args::parse(&words) else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    let times = race::run(&contenders::all(), args);
    println!("CPU: {}", machine::cpu());
    println!("Build: {}", machine::build());
    println!("Perft {}, {} rounds\n", args.depth, args.rounds);
    print!("{}", table::markdown(&times, args.depth));
    ExitCode::SUCCESS
}
