//! How late the player answers: many moves with a time limit, beside busy threads that want the same cores.
//!
//! `clock MOVES MILLISECONDS BUSY`: late answers by the wall clock and by the thread's own processor time.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::time::{ClockId, clock_gettime};
use turncoat_board::{Geometry, Position, Square, VariantKind};
use turncoat_players::{Limits, Setting, Spec};

fn main() {
    let mut numbers = std::env::args().skip(1).map(|word| word.parse::<u64>().expect("a number"));
    let mut next = |default| numbers.next().unwrap_or(default);
    let (moves, millis, busy) = (next(1000), next(50), next(2));
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
    let (mut wall, mut own) = measure(moves, Duration::from_millis(millis));
    stop.store(true, Ordering::Relaxed);
    for thread in threads {
        let _ = thread.join();
    }
    wall.sort_unstable();
    own.sort_unstable();
    println!("{moves} moves of {millis} ms beside {busy} busy threads:\n");
    println!("| | median ms | 99 % | 99.9 % | latest |\n|---|---:|---:|---:|---:|");
    for (name, times) in [("wall clock", wall), ("the thread's own processor time", own)] {
        let at = |share: f64| {
            let index = ((times.len() - 1) as f64 * share) as usize;
            times[index].as_secs_f64() * 1e3
        };
        println!("| {name} | {:.2} | {:.2} | {:.2} | {:.2} |", at(0.5), at(0.99), at(0.999), at(1.0));
    }
}

/// Wall and processor time of each move.
fn measure(moves: u64, limit: Duration) -> (Vec<Duration>, Vec<Duration>) {
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    let mut player = "turncoat".parse::<Spec>().and_then(|spec| spec.build(setting)).unwrap_or_else(|e| panic!("{e}"));
    let limits = Limits { time: Some(limit), ..Limits::default() };
    let (mut wall, mut own) = (Vec::new(), Vec::new());
    for number in 0..moves {
        let position = position(number);
        let (started, processor) = (Instant::now(), thread_time());
        player.choose(position, &limits, &mut |_| {}).expect("no fault");
        wall.push(started.elapsed());
        own.push(thread_time().saturating_sub(processor));
    }
    (wall, own)
}

fn thread_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec.unsigned_abs(), now.tv_nsec as u32)
}

fn position(number: u64) -> Position {
    let mut position = Position::start(Geometry::EIGHT);
    let mut state = number.wrapping_mul(0x2545_f491_4f6c_dd1d);
    for _ in 0..number % 50 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            0 if position.is_over() => break,
            0 => position.pass(),
            n => position.play(moves[((state >> 33) % n as u64) as usize]).expect("a legal move"),
        };
    }
    position
}
