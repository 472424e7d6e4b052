//! `cargo xtask bench ladder`: how soon a new program is tested and ranked on a busy ladder, and how soon a term of games
//! is shown.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rusqlite::{Connection, params};
use serde_json::Value;
use tempfile::TempDir;

use crate::argument;
use crate::program::turncoat;

/// A program of the course that plays any legal move after some milliseconds.
const PROGRAM: &str = "
import random, time


class AI(object):
    def __init__(self, chessboard_size, color, time_out):
        self.size, self.color = chessboard_size, color
        self.candidate_list = []

    def go(self, chessboard):
        self.candidate_list.clear()
        end = time.perf_counter() + 0.008
        for row in range(self.size):
            for column in range(self.size):
                if chessboard[row][column] == 0 and self.flips(chessboard, row, column):
                    self.candidate_list.append((row, column))
        while time.perf_counter() < end:
            pass
        if self.candidate_list:
            self.candidate_list.append(random.choice(self.candidate_list))

    def flips(self, board, row, column):
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                r, c, seen = row + down, column + right, 0
                while (down or right) and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == -self.color:
                    r, c, seen = r + down, c + right, seen + 1
                if seen and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == self.color:
                    return True
        return False
";

/// Games and versions of a term.
const GAMES: i64 = 100_000;
const VERSIONS: i64 = 2_000;
const PLAYERS: i64 = 200;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let programs: usize = argument(words, 0, 100)?;
    let binary = turncoat()?;
    arrival(&binary, programs)?;
    term(&binary)
}

/// A process that is ended with this.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a command; its lines come as JSON.
fn start(command: &mut Command) -> Result<(Running, Receiver<Value>)> {
    let mut child = command.stdout(Stdio::piped()).stdin(Stdio::null()).spawn()?;
    let stdout = child.stdout.take().context("no output")?;
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Ok(value) = serde_json::from_str(&line) {
                let _ = sender.send(value);
            }
        }
    });
    Ok((Running(child), lines))
}

/// A ladder of so many programs, to which one more comes.
fn arrival(binary: &Path, programs: usize) -> Result<()> {
    let folder = TempDir::new()?;
    for number in 0..programs {
        fs::write(folder.path().join(format!("p{number:03}.py")), format!("{PROGRAM}\n# {number}\n"))?;
    }
    let begun = Instant::now();
    let words = ["--time", "100ms", "--json", "--no-page"];
    let (_ladder, events) = start(Command::new(binary).arg("ladder").arg(folder.path()).args(words))?;
    let until = |wanted: &dyn Fn(&Value) -> bool, patience: Duration| -> Result<Duration> {
        let from = Instant::now();
        loop {
            let left = patience.checked_sub(from.elapsed()).context("it takes too long")?;
            if wanted(&events.recv_timeout(left)?) {
                return Ok(from.elapsed());
            }
        }
    };
    let mut tested = 0;
    while tested < programs {
        until(&|event| event["event"] == "tested", Duration::from_mins(10))?;
        tested += 1;
    }
    println!("{programs} programs: all tested after {:.0} s", begun.elapsed().as_secs_f64());
    for _ in 0..20 {
        until(&|event| event["event"] == "game", Duration::from_mins(10))?;
    }
    fs::write(folder.path().join("new.py"), format!("{PROGRAM}\n# new\n"))?;
    let is_new = |event: &Value, key: &str| event[key] == "new";
    let test = until(&|event| event["event"] == "tested" && is_new(event, "player"), Duration::from_mins(5))?;
    let plays = |event: &Value| event["event"] == "game" && (is_new(event, "black") || is_new(event, "white"));
    let rank = test + until(&plays, Duration::from_mins(10))?;
    println!("a new program: its test after {:.1} s, its rank after {:.1} s", test.as_secs_f64(), rank.as_secs_f64());
    Ok(())
}

/// A store with a term of games, and how soon it is shown.
fn term(binary: &Path) -> Result<()> {
    let folder = TempDir::new()?;
    let class = folder.path().join("class");
    fs::create_dir(&class)?;
    let store = class.join(".turncoat/ladder.db");
    let words = ["--games", "0", "--no-page", "-q"];
    let made = Command::new(binary).arg("ladder").arg(&class).args(words).stdout(Stdio::null()).status()?;
    ensure!(made.success(), "no store was made");
    fill(&store)?;
    let begun = Instant::now();
    let serve = ["serve", "--addr", "127.0.0.1:0", "--json", "--data"];
    let mut command = Command::new(binary);
    command.args(serve).arg(folder.path()).arg("--store").arg(&store);
    let (_server, lines) = start(&mut command)?;
    let ready = lines.recv_timeout(Duration::from_mins(1))?;
    let address = ready["address"].as_str().context("no address")?.replace("http://", "").replace('/', "");
    println!("{VERSIONS} versions, {GAMES} games: open after {:.2} s", begun.elapsed().as_secs_f64());
    println!("| address | first ms | then ms | bytes |\n|---|---|---|---|");
    for path in
        ["", "/live", "/before/0", "/before/50000", "/games/77777", "/players/p17.py", "/players/p17.py/before/0"]
    {
        let mut times = Vec::new();
        let mut length = 0;
        for _ in 0..5 {
            let from = Instant::now();
            length = get(&address, &format!("/api/contest{path}"))?;
            times.push(from.elapsed().as_secs_f64() * 1e3);
        }
        let (first, rest) = (times[0], times[1..].iter().copied().fold(0.0, f64::max));
        println!("| /api/contest{path} | {first:.1} | {rest:.1} | {length} |");
    }
    Ok(())
}

/// Asks for an address; returns the length of the answer.
fn get(address: &str, path: &str) -> Result<usize> {
    let mut stream = TcpStream::connect(address)?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    ensure!(answer.starts_with("HTTP/1.1 200"), "{path}: {}", answer.lines().next().unwrap_or_default());
    Ok(answer.len())
}

/// Fills a store with a term: players with ten versions each, and games among those of the same time.
fn fill(store: &Path) -> Result<()> {
    let mut connection = Connection::open(store)?;
    let first: i64 = connection.query_row("SELECT 1 + max(id) FROM players", [], |row| row.get(0))?;
    let transaction = connection.transaction()?;
    let each = VERSIONS / PLAYERS;
    let version = |player: i64, number: i64| 1_000 + player * each + number;
    for player in 0..PLAYERS {
        let name = format!("p{player}.py");
        let values = params![first + player, name, version(player, each - 1)];
        transaction.execute("INSERT INTO players VALUES (?1, ?2, ?2, 0, 'playing', NULL, ?3)", values)?;
        for number in 0..each {
            let values = params![version(player, number), first + player, number + 1, format!("{player}-{number}")];
            transaction.execute("INSERT INTO versions VALUES (?1, ?2, ?3, ?4, 'py:ai.py', 0, 1, NULL)", values)?;
        }
    }
    let moves = "f5d6c3d3c4f4f6f3e6e7d7c6d8g5";
    for number in 0..GAMES {
        let at = number * each / GAMES;
        let (a, b) = (number * 7919 % PLAYERS, (number * 7919 + 1 + number % 17) % PLAYERS);
        let winner = if (a + number) % 3 == 0 { "white" } else { "black" };
        let margin = if winner == "black" { 6 } else { -6 };
        let values = params![number, version(a, at), version(b, at), moves.repeat(4), winner, margin];
        transaction.execute(
            "INSERT INTO games VALUES (?1, ?2, ?3, NULL, ?4, ?5, ?6, 'finished', NULL, 1.0, 1.0, '[0.1]', 0)",
            values,
        )?;
        let values = params![number, version(a, at), number % 200, (number % 400) as f64];
        transaction.execute("INSERT INTO history VALUES (?1, ?2, ?3, ?4, 30.0, 0)", values)?;
    }
    transaction.commit()?;
    Ok(())
}
