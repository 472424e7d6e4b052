//! `cargo xtask bench clock`: how late the player answers with a time limit beside busy threads, by the wall clock and by
//! the thread's own processor time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};
use rustix::time::{ClockId, clock_gettime};
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{Limits, Setting, Spec};

use crate::argument;
use crate::positions::{congruential, random_position};

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (moves, millis, busy) = (argument(words, 0, 1000)?, argument(words, 1, 50)?, argument(words, 2, 2_u64)?);
    ensure!(moves > 0, "at least one move is needed");
    let stop = Arc::new(AtomicBool::new(false));
    let threads: Vec<_> = (0..busy)
        .map(|_| {
            let stop = Arc::clone(&stop);
            std::thread::spawn(move || {
                let mut work = 0u64;
                while !stop.load(Ordering::Relaxed) {
                    work = std::hint::black_box(work.wrapping_mul(31).wrapping_add(7));
                }
            })
        })
        .collect();
    let (mut wall, mut own) = measure(moves, Duration::from_millis(millis))?;
    stop.store(true, Ordering::Relaxed);
    for thread in threads {
        let _ = thread.join();
    }
    wall.sort_unstable();
    own.sort_unstable();
    println!("{moves} moves of {millis} ms beside {busy} busy threads:\n");
    println!("| | median ms | 99 % | 99.9 % | latest |\n|---|---:|---:|---:|---:|");
    for (name, times) in [("wall clock", wall), ("the thread's own CPU time", own)] {
        let at = |share: f64| {
            let index = ((times.len() - 1) as f64 * share) as usize;
            times[index].as_secs_f64() * 1e3
        };
        println!("| {name} | {:.2} | {:.2} | {:.2} | {:.2} |", at(0.5), at(0.99), at(0.999), at(1.0));
    }
    Ok(())
}

/// Wall and processor time of each move.
fn measure(moves: u64, limit: Duration) -> Result<(Vec<Duration>, Vec<Duration>)> {
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    let mut player = "turncoat".parse::<Spec>()?.build(setting)?;
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let (mut wall, mut own) = (Vec::new(), Vec::new());
    for number in 0..moves {
        let position = random_position(number % 50, congruential(number));
        let (started, processor) = (Instant::now(), thread_time());
        player.choose(position, &limits, &mut |_| {})?;
        wall.push(started.elapsed());
        own.push(thread_time().saturating_sub(processor));
    }
    Ok((wall, own))
}

fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}
