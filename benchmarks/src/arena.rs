//! `cargo xtask bench arena`: the overhead of the arena over players that use exactly the time they are given.
//!
//! A player's own time is what passes while it is asked. What the thread that stores and counts takes from
//! the players by occupying a core would be hidden in that; so processor time is compared as well (Linux
//! tells it), which other programs on the machine do not disturb.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use anyhow::Result;
use turncoat_arena::{Arena, Entrant, Format, Openings, Plan, Results, RunOptions, Source, Store};
use turncoat_board::{Geometry, Position, VariantKind};
use turncoat_players::{Fault, Limits, MoveInfo, Player, Setting, StopFlag};

use crate::argument;

/// Nanoseconds of all players.
#[derive(Default)]
struct Used {
    /// By the clock on the wall.
    own: AtomicU64,
    /// On a processor.
    processor: AtomicU64,
}

/// Spins for the time it is given, then plays the first legal move; counts its own time.
struct Spinner {
    used: Arc<Used>,
}

impl Player for Spinner {
    fn choose(
        &mut self,
        position: Position,
        limits: &Limits,
        _report: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        let (started, on_processor) = (Instant::now(), thread_nanoseconds());
        let time = limits.time.unwrap_or_default();
        let best = position.legal_moves().into_iter().next();
        while started.elapsed() < time {
            std::hint::spin_loop();
        }
        let used = &self.used;
        used.processor.fetch_add(thread_nanoseconds() - on_processor, Ordering::Relaxed);
        used.own.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        Ok(best.map(MoveInfo::at_sight))
    }
}

/// Processor time of this thread; 0 where the system does not tell.
fn thread_nanoseconds() -> u64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let first = text.split_whitespace().next();
    first.and_then(|word| word.parse().ok()).unwrap_or(0)
}

/// Processor time of this process in seconds, to a hundredth; 0 where the system does not tell.
fn process_seconds() -> f64 {
    let text = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // After the name in brackets; user and system time are the 12th and 13th field from there.
    let fields = text.rsplit(')').next().unwrap_or_default().split_whitespace();
    let ticks = fields.skip(11).take(2).filter_map(|word| word.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}

fn plan(games: u64, move_time: Option<Duration>) -> Plan {
    Plan {
        format: Format::Match,
        players: vec!["a".to_owned(), "b".to_owned()],
        titles: Vec::new(),
        players_digests: vec![None, None],
        variant: VariantKind::Reversed,
        size: Geometry::EIGHT,
        seed: 1,
        games,
        openings: "random:8".to_owned(),
        openings_digest: None,
        move_seconds: move_time.map(|time| time.as_secs_f64()),
        game_seconds: None,
        increment_seconds: None,
        grace_seconds: 1.0,
        depth: None,
        sprt: None,
        course_points: false,
        memory: None,
    }
}

/// Seconds of the run and what it left in the results.
fn timed(arena: &Arena, plan: &Plan, threads: usize) -> Result<(f64, Results)> {
    let folder = tempfile::tempdir()?;
    let mut store = Store::create(&folder.path().join("games.db"), plan, "")?;
    let mut results = Results::new(2);
    let options = RunOptions { concurrency: threads, stop: StopFlag::default(), watcher: None };
    let started = Instant::now();
    turncoat_arena::run(arena, plan.next_games(&[]), &mut results, Some(&mut store), None, &options, &mut |_| Ok(()))?;
    Ok((started.elapsed().as_secs_f64(), results))
}

fn arena_of(entrants: Vec<Entrant>, plan: &Plan) -> Result<Arena> {
    let source: Source = plan.openings.parse()?;
    Ok(Arena {
        entrants,
        openings: Openings::new(&source, VariantKind::Reversed, Geometry::EIGHT, plan.seed)?,
        control: plan.control(),
    })
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let games = argument(words, 0, 40)?;
    println!(
        "| time per move | threads | games | threads' s | players' s | overhead | CPU s | players' CPU s | overhead |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    for threads in [1, 2] {
        for millis in [1, 10] {
            let plan = plan(games, Some(Duration::from_millis(millis)));
            let used = Arc::new(Used::default());
            let entrant = |name: &str| {
                let used = Arc::clone(&used);
                Entrant::new(name, move || {
                    let used = Arc::clone(&used);
                    Ok(Box::new(Spinner { used }))
                })
            };
            let arena = arena_of(vec![entrant("a"), entrant("b")], &plan)?;
            let before = process_seconds();
            let (seconds, _) = timed(&arena, &plan, threads)?;
            let processor = process_seconds() - before;
            let total = seconds * threads as f64;
            let seconds = |sum: &AtomicU64| sum.load(Ordering::Relaxed) as f64 / 1e9;
            let (own, theirs) = (seconds(&used.own), seconds(&used.processor));
            println!(
                "| {millis} ms | {threads} | {games} | {total:.2} | {own:.2} | {:.2} % | {processor:.2} | {theirs:.2} | {:.2} % |",
                100.0 * (total / own - 1.0),
                100.0 * (processor / theirs - 1.0)
            );
        }
    }
    let plan = plan(50_000, None);
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    let entrant =
        |name: &str, index| -> Result<Entrant> { Ok(Entrant::from_spec(name, &name.parse()?, setting, index)?) };
    let arena = arena_of(vec![entrant("greedy", 0)?, entrant("random", 1)?], &plan)?;
    for threads in [1, 2] {
        let (seconds, results) = timed(&arena, &plan, threads)?;
        let games = results.games().len() as f64;
        println!("\ngreedy – random, {threads} threads, stored: {:.0} games a second", games / seconds);
    }
    Ok(())
}
