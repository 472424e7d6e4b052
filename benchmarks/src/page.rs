//! `cargo xtask bench page`: first paint, the answer to a move, fifty analyses at once, memory.

#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../crates/server/tests/browser/chromium.rs"]
pub(crate) mod chromium;
#[path = "../../crates/server/tests/client/mod.rs"]
mod client;
#[allow(dead_code, reason = "shared with the tests")]
#[path = "../../crates/server/tests/browser/host.rs"]
pub(crate) mod host;
#[path = "../../crates/server/tests/browser/process.rs"]
mod process;

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result};
use chromium::Page;
use client::Server;
use serde_json::json;

/// Every time is measured so often, and the median is told.
const ROUNDS: usize = 5;
/// Analyses at once, and the depth that each should have soon.
const SOCKETS: usize = 50;
const DEPTH: u64 = 4;

/// From a click on a square to the position after the answer, in milliseconds of the page's own clock.
const ANSWERED: &str = "new Promise((done) => {
  const moves = document.querySelector('.transcript');
  const count = () => moves.textContent.split(' ').filter(Boolean).length;
  const [before, began] = [count(), performance.now()];
  const watch = new MutationObserver(() => {
    if (count() < before + 2) return;
    watch.disconnect();
    done(performance.now() - began);
  });
  watch.observe(moves, { childList: true, characterData: true, subtree: true });
  document.querySelector('.play .cell.legal').dispatchEvent(new MouseEvent('click', { bubbles: true }));
})";

/// From a click on a square to the board after the move, where games are analysed.
const PLAYED: &str = "new Promise((done) => {
  const board = document.querySelector('.analyse .board');
  const count = () => board.querySelectorAll('.cell:not([data-disc=none])').length;
  const [before, began] = [count(), performance.now()];
  const watch = new MutationObserver(() => {
    if (count() === before) return;
    watch.disconnect();
    done(performance.now() - began);
  });
  watch.observe(board, { childList: true, attributes: true, subtree: true });
  document.querySelector('.analyse .cell.legal').dispatchEvent(new MouseEvent('click', { bubbles: true }));
})";
/// Clicks that are timed beside analyses, how many of them a game has, and how many others analyse.
const CLICKS: usize = 200;
const CLICKS_A_GAME: usize = 25;
const OTHERS: usize = 2;

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// Memory of this process, in which the server runs, in MiB.
fn memory() -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kib = line.and_then(|line| line.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
    kib.unwrap_or_default() / 1024.0
}

pub(crate) fn run() -> Result<()> {
    let server = Server::start();
    let address = format!("http://{}/", server.address());
    let mut page = Page::open(&address).context("TURNCOAT_SKIP leaves the browser out")?;
    // As people see it.
    page.allow_motion();
    println!("| what | |\n|---|---|");
    let paints = (0..ROUNDS)
        .map(|_| {
            page.go(&address);
            let paint = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime";
            page.until(paint);
            page.value(paint).as_f64().unwrap_or_default()
        })
        .collect();
    println!("| first paint, median of {ROUNDS} | {:.0} ms |", median(paints));
    for level in [3, 10, 15, 20] {
        page.until("document.querySelector('.play .cell.legal')");
        page.choose(".choice [name=white]", &format!("turncoat:level={level}"));
        page.click(".choice button");
        let answers = (0..ROUNDS)
            .map(|_| {
                page.until("document.querySelector('.play .cell.legal')");
                page.value(ANSWERED).as_f64().unwrap_or_default()
            })
            .collect();
        println!("| a reply by level {level}, median of {ROUNDS} | {:.0} ms |", median(answers));
    }
    clicks(&server, &mut page, &address);
    drop(page);
    sockets(&server);
    Ok(())
}

/// Clicks while the page's own analysis and two others search with all cores.
fn clicks(server: &Server, page: &mut Page, address: &str) {
    let mut others: Vec<_> = (0..OTHERS).map(|_| server.socket()).collect();
    for socket in &mut others {
        socket.send(&json!({"game": {"moves": "f5d6c3d3c4f4"}}));
    }
    let mut times: Vec<f64> = (0..CLICKS)
        .map(|number| {
            if number % CLICKS_A_GAME == 0 {
                page.go(&format!("{address}#/analyse?game=reversed&size=8&line=f5d6"));
            }
            page.until("document.querySelector('.analyse .cell.legal') && document.querySelector('.lines li .value')");
            page.value(PLAYED).as_f64().unwrap_or_default()
        })
        .collect();
    times.sort_by(f64::total_cmp);
    let (usual, late) = (times[CLICKS / 2], times[CLICKS * 99 / 100]);
    println!(
        "| a click in Analyse beside {} analyses: median, 99 % of {CLICKS} | {usual:.0} ms, {late:.0} ms |",
        OTHERS + 1
    );
}

/// Fifty analyses at once: when each has its depth, and what memory they take.
fn sockets(server: &Server) {
    let idle = memory();
    let mut sockets: Vec<_> = (0..SOCKETS).map(|_| server.socket()).collect();
    let began = Instant::now();
    for socket in &mut sockets {
        socket.send(&json!({"game": {"moves": "f5d6c3d3c4f4"}}));
    }
    // Each is read on a thread of its own, so that none waits for another one's reader.
    let times = sockets
        .into_iter()
        .map(|mut socket| {
            std::thread::spawn(move || {
                while socket.receive()["depth"].as_u64().unwrap_or_default() < DEPTH {}
                (began.elapsed().as_secs_f64() * 1000.0, socket)
            })
        })
        .collect::<Vec<_>>()
        .into_iter()
        .filter_map(|reader| reader.join().ok())
        .collect::<Vec<_>>();
    let busy = memory();
    let slowest = times.iter().fold(0.0, |most: f64, (time, _)| most.max(*time));
    let usual = median(times.iter().map(|(time, _)| *time).collect());
    println!("| {SOCKETS} analyses at once, depth {DEPTH}: median, slowest | {usual:.0} ms, {slowest:.0} ms |");
    println!("| memory, idle and with {SOCKETS} analyses | {idle:.0} MiB, {busy:.0} MiB |");
}
