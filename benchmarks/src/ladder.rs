//! `cargo xtask bench ladder`: how soon a new program is tested and ranked on a busy ladder, what watching it costs, how soon a
//! term of games is shown, and whether kills cost a final any games.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use rusqlite::{Connection, OpenFlags, params};
use serde_json::Value;
use tempfile::TempDir;
use tungstenite::Message;

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

/// A program that answers at once, of the protocol that starts soonest: a course program's numpy takes longer to load than
/// such a game to play.
const QUICK: &str = r#"
import random, sys

AROUND = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]


def flips(board, mover, row, column):
    for down, right in AROUND:
        r, c, seen = row + down, column + right, 0
        while 0 <= r < 8 and 0 <= c < 8 and board[8 * r + c] not in ("-", mover):
            r, c, seen = r + down, c + right, seen + 1
        if seen and 0 <= r < 8 and 0 <= c < 8 and board[8 * r + c] == mover:
            return True
    return False


for line in sys.stdin:
    board, mover = line.split()
    moves = [(r, c) for r in range(8) for c in range(8) if board[8 * r + c] == "-" and flips(board, mover, r, c)]
    row, column = random.choice(moves)
    print("abcdefgh"[column] + str(row + 1), flush=True)
"#;

/// Games and versions of a term.
const GAMES: i64 = 100_000;
const VERSIONS: i64 = 2_000;
const PLAYERS: i64 = 200;
/// Sockets that watch, and for how long.
const WATCHERS: usize = 50;
const WATCHED: Duration = Duration::from_secs(30);
/// How often a final is killed.
const KILLS: usize = 10;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let programs: usize = argument(words, 0, 100)?;
    let binary = turncoat()?;
    match words.get(1).copied().unwrap_or("all") {
        "arrival" => arrival(&binary, programs),
        "watchers" => watchers(&binary),
        "term" => term(&binary),
        "final" => last(&binary, programs, words.get(2).copied()),
        "all" => {
            arrival(&binary, programs)?;
            watchers(&binary)?;
            term(&binary)?;
            last(&binary, programs, None)
        }
        other => bail!("{other:?} is not measured: arrival, watchers, term, final or all"),
    }
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
            if let Ok(value) = serde_json::from_str::<Value>(&line) {
                if value["event"] == "refused" {
                    eprintln!("{line}");
                }
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

/// What those cost who watch a ladder, in a server of their own.
fn watchers(binary: &Path) -> Result<()> {
    let folder = TempDir::new()?;
    let class = folder.path().join("class");
    fs::create_dir(&class)?;
    for number in 0..6 {
        fs::write(class.join(format!("p{number}.py")), format!("{PROGRAM}\n# {number}\n"))?;
    }
    let words = ["--time", "100ms", "--json", "--no-page"];
    let (_ladder, events) = start(Command::new(binary).arg("ladder").arg(&class).args(words))?;
    let is_game = |event: &Value| event["event"] == "game";
    while !is_game(&events.recv_timeout(Duration::from_mins(5))?) {}
    let mut command = Command::new(binary);
    command.args(["serve", "--addr", "127.0.0.1:0", "--json", "--data"]).arg(folder.path());
    let (server, lines) = start(command.arg("--store").arg(class.join(".turncoat/ladder.db")))?;
    let address = address(&lines)?;
    let stop = AtomicBool::new(false);
    let changes = AtomicU64::new(0);
    thread::scope(|scope| -> Result<()> {
        for _ in 0..WATCHERS {
            let stream = TcpStream::connect(&address)?;
            stream.set_read_timeout(Some(Duration::from_secs(1)))?;
            let opened = tungstenite::client(format!("ws://{address}/api/contest/watch"), stream);
            let (mut socket, _) = opened.map_err(|error| anyhow::anyhow!("{error}"))?;
            let (stop, changes) = (&stop, &changes);
            scope.spawn(move || {
                while !stop.load(Ordering::Relaxed) {
                    if let Ok(Message::Text(_)) = socket.read() {
                        changes.fetch_add(1, Ordering::Relaxed);
                    }
                }
            });
        }
        while events.try_recv().is_ok() {}
        let (before, from) = (cpu_seconds(server.0.id())?, Instant::now());
        thread::sleep(WATCHED);
        let (used, took) = (cpu_seconds(server.0.id())? - before, from.elapsed().as_secs_f64());
        stop.store(true, Ordering::Relaxed);
        let games: Vec<Value> = events.try_iter().filter(is_game).collect();
        let late = games.iter().filter(|game| game["reason"] == "timeout").count();
        let memory = memory(server.0.id())?;
        println!(
            "{WATCHERS} sockets for {took:.0} s: {:.1} changes a second to each, {:.1} % of a core, {memory:.0} MB; \
             {} games meanwhile, {late} late",
            changes.load(Ordering::Relaxed) as f64 / WATCHERS as f64 / took,
            used / took * 100.0,
            games.len(),
        );
        Ok(())
    })
}

/// A final of so many programs, quick ones, that is killed again and again, with so many games at a time.
fn last(binary: &Path, programs: usize, concurrency: Option<&str>) -> Result<()> {
    let folder = TempDir::new()?;
    let class = folder.path().join("class");
    for number in 0..programs {
        let player = class.join(format!("p{number:03}"));
        fs::create_dir_all(&player)?;
        fs::write(player.join("ai.py"), format!("{QUICK}\n# {number}\n"))?;
        fs::write(player.join("player.toml"), "protocol = \"line\"\ncommand = \"python3 ai.py\"\n")?;
    }
    let ladder = |words: &[&str]| {
        let mut command = Command::new(binary);
        command.arg("ladder").arg(&class).args(["--time", "5s", "-q"]).args(words).stdout(Stdio::null());
        command.args(concurrency.map(|games| format!("--concurrency={games}")));
        command
    };
    ensure!(ladder(&["--games", "0", "--no-page"]).status()?.success(), "the programs were not tested");
    let begun = Instant::now();
    let total = programs * (programs - 1);
    for kill in 1..=KILLS {
        let mut running = Running(ladder(&["--round-robin"]).spawn()?);
        while games_of_final(&class)? < total * kill / (KILLS + 1) {
            ensure!(running.0.try_wait()?.is_none(), "the final has ended by itself");
            thread::sleep(Duration::from_millis(200));
        }
        println!("kill {kill} after {} games and {:.0} s", games_of_final(&class)?, begun.elapsed().as_secs_f64());
    }
    ensure!(ladder(&["--round-robin"]).status()?.success(), "the final has failed");
    let store = final_store(&class)?.context("there is no store of the final")?;
    let (games, pairs): (usize, usize) = Connection::open(store)?.query_row(
        "SELECT count(*), count(DISTINCT 1000 * black + white) FROM games",
        [],
        |row| Ok((row.get::<_, i64>(0)? as usize, row.get::<_, i64>(1)? as usize)),
    )?;
    println!(
        "a final of {programs} with {KILLS} kills: {games} games of {total}, {pairs} of them different, in {:.0} s",
        begun.elapsed().as_secs_f64()
    );
    ensure!(games == total && pairs == total, "games were lost or doubled");
    Ok(())
}

/// The store of a final, once it is there.
fn final_store(class: &Path) -> Result<Option<PathBuf>> {
    for entry in fs::read_dir(class.join(".turncoat"))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains("-final-") && path.extension().is_some_and(|end| end == "db") {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

fn games_of_final(class: &Path) -> Result<usize> {
    let Some(store) = final_store(class)? else { return Ok(0) };
    let connection = Connection::open_with_flags(store, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    connection.busy_timeout(Duration::from_secs(5))?;
    let count: i64 = connection.query_row("SELECT count(*) FROM games", [], |row| row.get(0))?;
    Ok(count as usize)
}

/// CPU seconds that a process has used.
fn cpu_seconds(process: u32) -> Result<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = stat.rsplit_once(')').context("no fields")?;
    let ticks = fields.split_whitespace().skip(11).take(2).filter_map(|field| field.parse::<f64>().ok()).sum::<f64>();
    Ok(ticks / rustix::param::clock_ticks_per_second() as f64)
}

/// Megabytes that a process holds.
fn memory(process: u32) -> Result<f64> {
    let status = fs::read_to_string(format!("/proc/{process}/status"))?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).context("no memory")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<f64>()? * 1024.0 / 1e6)
}

/// Where a server says that it is.
fn address(lines: &Receiver<Value>) -> Result<String> {
    let ready = lines.recv_timeout(Duration::from_mins(1))?;
    Ok(ready["address"].as_str().context("no address")?.replace("http://", "").replace('/', ""))
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
    let address = address(&lines)?;
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
            "INSERT INTO games (number, black, white, moves, winner, margin, reason, black_seconds, white_seconds, times,
             ended) VALUES (?1, ?2, ?3, ?4, ?5, ?6, 'finished', 1.0, 1.0, '[0.1]', 0)",
            values,
        )?;
        let values = params![number, version(a, at), number % 200, (number % 400) as f64];
        transaction.execute("INSERT INTO history VALUES (?1, ?2, ?3, ?4, 30.0, 0)", values)?;
    }
    transaction.commit()?;
    Ok(())
}
