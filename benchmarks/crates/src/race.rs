//! The measurement: rounds in which every contender runs once, each round from another starting place.

use std::time::Instant;

use crate::args::Args;
use crate::contenders::Contender;

/// The leaves at each depth from the start of a game of Othello.
const LEAVES: [u64; 15] = [
    1,
    4,
    12,
    56,
    244,
    1_396,
    8_200,
    55_092,
    390_216,
    3_005_288,
    24_571_284,
    212_258_800,
    1_939_886_636,
    18_429_641_748,
    184_042_084_512,
];

/// One contender's times.
pub struct Times {
    /// What the table calls it.
    pub name: String,
    /// Whether it is one of ours.
    pub ours: bool,
    /// The leaves it counted.
    pub leaves: u64,
    /// The seconds of all its runs, sorted.
    seconds: Vec<f64>,
}

impl Times {
    /// The seconds of its fastest run.
    pub fn best(&self) -> f64 {
        self.seconds[0]
    }

    /// The seconds of its middle run; of an even number, the mean of the middle two.
    pub fn median(&self) -> f64 {
        let last = self.seconds.len() - 1;
        f64::midpoint(self.seconds[last / 2], self.seconds[last.div_ceil(2)])
    }
}

/// Runs all contenders and checks that they count the same.
pub fn run(contenders: &[Contender], args: Args) -> Vec<Times> {
    let mut all: Vec<Times> = contenders.iter().map(not_run).collect();
    for round in 0..args.rounds {
        eprintln!("round {} of {}", round + 1, args.rounds);
        for step in 0..contenders.len() {
            let which = (round + step) % contenders.len();
            time(&contenders[which], args.depth, &mut all[which]);
        }
    }
    for times in &mut all {
        times.seconds.sort_by(f64::total_cmp);
    }
    check(&all, args.depth);
    all
}

fn not_run(contender: &Contender) -> Times {
    Times { name: contender.name.clone(), ours: contender.ours, leaves: 0, seconds: Vec::new() }
}

fn time(contender: &Contender, depth: u32, times: &mut Times) {
    let start = Instant::now();
    times.leaves = (contender.perft)(depth);
    times.seconds.push(start.elapsed().as_secs_f64());
}

/// The known number at a known depth, else the same for all.
fn check(all: &[Times], depth: u32) {
    let known = LEAVES.get(depth as usize).copied();
    let expected = known.unwrap_or(all[0].leaves);
    for times in all {
        assert_eq!(times.leaves, expected, "{} at {depth}", times.name);
    }
}
