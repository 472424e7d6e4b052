//! `cargo xtask bench stop`: how soon the engine answers when a front end stops its search.
//!
//! Beside it stands how soon it answers when it has nothing to do, which is what the machine itself takes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::argument;
use crate::program::{output, turncoat};

/// Where it is asked: an opening, the middle game, and the end, which is solved exactly.
const GAMES: [(&str, &str); 3] = [
    ("opening", "f5d6c3d3"),
    ("middle", "d3e3f3e2f4g3f6c4g2g4e1e6c6g6b4b7g7g8h2f1"),
    ("end", "d3e3f3e2f4g3f6c4g2g4e1e6c6g6b4b7g7g8h2f1c3d1f7b2b3a2g5c2a3b5d6"),
];

/// A protocol: its name, what asks for a move, what ends the search, and how the answer to that begins.
struct Protocol {
    name: &'static str,
    ask: fn(&Asked) -> String,
    stop: &'static str,
    answer: fn(&str) -> bool,
    /// What is answered at once by an engine that does nothing.
    idle: &'static str,
}

/// A position in the words that protocols need.
struct Asked {
    cells: String,
    ggf: String,
    plays: Vec<(&'static str, String)>,
    mover: &'static str,
}

const PROTOCOLS: [Protocol; 3] = [
    Protocol {
        name: "line",
        ask: |asked| format!("{}\n", asked.cells),
        stop: "stop\n",
        answer: |line| line.len() == 2,
        idle: "x\n",
    },
    Protocol {
        name: "gtp",
        ask: |asked| {
            let plays: String = asked.plays.iter().map(|(side, square)| format!("play {side} {square}\n")).collect();
            format!("clear_board\n{plays}genmove {}\n", asked.mover)
        },
        stop: "stop\n",
        answer: |line| line.len() == 4 && line.starts_with("= "),
        idle: "protocol_version\n",
    },
    Protocol {
        name: "nboard",
        ask: |asked| format!("set game {}\nhint 3\n", asked.ggf),
        stop: "ping 7\n",
        answer: |line| line == "pong 7",
        idle: "ping 7\n",
    },
];

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let rounds: usize = argument(words, 0, 30)?;
    ensure!(rounds > 0, "at least one round is needed");
    let binary = turncoat()?;
    println!("load before: {}", load());
    println!("| protocol | position | searches | median ms | worst ms | idle median ms | idle worst ms |");
    println!("|---|---|---|---|---|---|---|");
    for protocol in &PROTOCOLS {
        for (name, game) in GAMES {
            let asked = asked(&binary, game)?;
            let mut engine = Engine::start(&binary, protocol.name)?;
            let (mut stopped, mut idle) = (Vec::new(), Vec::new());
            for round in 0..rounds {
                // Long enough to be in the middle of something, and different each time.
                let pause = Duration::from_millis(150 + (round as u64 * 37) % 200);
                stopped.push(engine.stopped(protocol, &asked, pause)?);
                idle.push(engine.idle(protocol)?);
            }
            let (median, worst) = spread(&mut stopped);
            let (idle_median, idle_worst) = spread(&mut idle);
            println!(
                "| {} | {name} | {rounds} | {median:.1} | {worst:.1} | {idle_median:.1} | {idle_worst:.1} |",
                protocol.name
            );
        }
    }
    println!("load after: {}", load());
    Ok(())
}

/// The position after a game.
fn asked(binary: &Path, game: &str) -> Result<Asked> {
    let convert = |to: &str| -> Result<String> {
        let words = ["convert", game, "--to", to];
        Ok(output(Command::new(binary).args(words))?.trim().to_owned())
    };
    let cells = convert("text")?;
    let mover = if cells.ends_with('X') { "b" } else { "w" };
    let squares = game.as_bytes().chunks(2).map(String::from_utf8_lossy);
    // None of these games has a pass.
    let sides = ["b", "w"].into_iter().cycle();
    Ok(Asked { ggf: convert("ggf")?, plays: sides.zip(squares.map(String::from)).collect(), cells, mover })
}

struct Engine {
    child: Child,
    to: ChildStdin,
    lines: Receiver<String>,
}

impl Engine {
    fn start(binary: &Path, protocol: &str) -> Result<Self> {
        let mut child = Command::new(binary)
            .args(["engine", protocol, "--time", "120s"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().context("no input")?;
        let from = child.stdout.take().context("no output")?;
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(from).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self { child, to, lines })
    }

    /// Milliseconds from the word that ends a search to the answer.
    fn stopped(&mut self, protocol: &Protocol, asked: &Asked, pause: Duration) -> Result<f64> {
        self.to.write_all((protocol.ask)(asked).as_bytes())?;
        thread::sleep(pause);
        let early: Vec<String> = self.lines.try_iter().collect();
        ensure!(
            !early.iter().any(|line| (protocol.answer)(line)),
            "{}: it was done before it was stopped",
            protocol.name
        );
        self.answered(protocol.stop, protocol.answer)
    }

    /// The same with nothing to stop.
    fn idle(&mut self, protocol: &Protocol) -> Result<f64> {
        thread::sleep(Duration::from_millis(20));
        while self.lines.try_recv().is_ok() {}
        self.answered(protocol.idle, |_| true)
    }

    fn answered(&mut self, word: &str, is_answer: fn(&str) -> bool) -> Result<f64> {
        let began = Instant::now();
        self.to.write_all(word.as_bytes())?;
        loop {
            let line = self.lines.recv_timeout(Duration::from_mins(1));
            if is_answer(&line.context("no answer within a minute")?) {
                return Ok(began.elapsed().as_secs_f64() * 1000.0);
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The median and the greatest.
fn spread(times: &mut [f64]) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |place: usize| times.get(place).copied().unwrap_or(f64::NAN);
    (at(times.len() / 2), at(times.len().saturating_sub(1)))
}

fn load() -> String {
    let text = fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let minute = text.split(' ').next().unwrap_or("unknown").to_owned();
    format!("{minute} over a minute on {cores} cores")
}
