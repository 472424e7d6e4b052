//! `cargo xtask bench browser`: the engine in Chromium beside the binary, in one run; the same answers, speed, sizes, times.

use std::path::PathBuf;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use tempfile::TempDir;
use turncoat_api::{MoveRequest, choose_move, opponents, parse_object};
use turncoat_board::VariantKind;
use turncoat_players::Limits;

use crate::machine::machine;
use crate::page::chromium::Page;
use crate::page::host::{Site, folder};
use crate::positions::{congruential, random_position};
use crate::program::{build, json as last_line, turncoat};
use crate::solver::entries;

/// Positions of each game that both are asked about, and how deep.
const ASKED: u64 = 1000;
const DEPTH: u32 = 6;
/// Positions of each game that the speed is measured on, how deep they are searched, and how often: the best time counts.
const TIMED: u64 = 6;
const TIMED_DEPTH: u32 = 18;
const ROUNDS: usize = 3;
/// A line of ten megabits a second, with a ping of a well-placed host.
const LINE: (f64, f64) = (10e6 / 8.0, 40.0);

/// Asks a worker with the engine for moves, one after the other, all of one game; with helpers for further threads.
const ASK: &str = "(async (requests, threads) => {
  const newWorker = () => new Worker('./engine/worker.js', { type: 'module' });
  const workers = [newWorker()];
  const shared = threads > 1 ? { memory: new WebAssembly.Memory({ initial: 256, maximum: 8192, shared: true }) } : {};
  const file = fetch(threads > 1 ? './engine/turncoat-threads.wasm' : './engine/turncoat.wasm');
  const given = { module: await WebAssembly.compileStreaming(file), flag: null, ...shared };
  const hire = (room) => {
    const helper = newWorker();
    workers.push(helper);
    helper.postMessage({ ...given, room });
    return new Promise((hired) => (helper.onmessage = ({ data }) => 'helps' in data && hired()));
  };
  const run = (task) => new Promise((done, failed) => {
    let said;
    workers[0].onerror = ({ message }) => failed(new Error(message));
    workers[0].onmessage = ({ data }) => {
      if ('said' in data) said = data.said;
      else if ('done' in data) done(said);
      else if ('died' in data || 'refused' in data) failed(new Error(data.died ?? data.refused));
    };
    workers[0].postMessage({ ...task, threads });
  });
  const game = requests[0].game.variant;
  const weights = await fetch(`./engine/patterns-${game}.weights`);
  const begun = new Promise((done) => (workers[0].onmessage = ({ data }) => 'rooms' in data && done(data.rooms)));
  workers[0].postMessage({ ...given, helpers: threads - 1 });
  if (threads > 1) await Promise.all((await begun).map(hire));
  await run({ game, weights: new Uint8Array(await weights.arrayBuffer()) });
  const answers = [];
  for (const body of requests) answers.push((await run({ question: { method: 'POST', path: 'move', body } })).body);
  for (const worker of workers) worker.terminate();
  return answers;
})";

/// Bytes that a page was sent, once the engine has come.
const SENT: &str = "[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .filter(({ name }) => !name.includes('.weights')).reduce((sum, { transferSize }) => sum + transferSize, 0)";

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let site = Site::start();
    let mut page = Page::open(&site.at("")).context("TURNCOAT_SKIP leaves the browser out")?;
    page.until("navigator.serviceWorker.controller");
    println!("{}; Chromium, one thread\n", machine());
    println!("| what | |\n|---|---:|");
    for variant in VariantKind::BOTH {
        same_answers(&mut page, variant)?;
    }
    for variant in VariantKind::BOTH {
        speed(&mut page, variant)?;
    }
    if let [file] = words {
        solver(&mut page, file)?;
    }
    opening(&mut page)
}

/// A request for a move by this player in random positions.
fn requests(variant: VariantKind, count: u64, plies: impl Fn(u64) -> u64, player: &str) -> Vec<Value> {
    let position = |number| random_position(plies(number), congruential(number));
    let open = (1..).map(position).filter(|position| !position.is_over() && !position.must_pass());
    let game = |start: String| json!({"variant": variant.name(), "start": start});
    let asked = open.take(count as usize).enumerate();
    asked.map(|(i, position)| json!({"game": game(position.to_string()), "player": player, "seed": i})).collect()
}

fn in_browser(page: &mut Page, requests: &[Value], threads: usize) -> Result<Vec<Value>> {
    let answers = page.value(&format!("{ASK}({}, {threads})", Value::from(requests)));
    answers.as_array().cloned().context("no answers")
}

/// The same move, score and node count as natively.
fn same_answers(page: &mut Page, variant: VariantKind) -> Result<()> {
    let all = requests(variant, ASKED, |number| 4 + number % 52, &format!("turncoat:depth={DEPTH}"));
    let mut same = 0;
    for (request, mut answer) in all.iter().zip(in_browser(page, &all, 1)?) {
        let parsed: MoveRequest = parse_object(request.clone()).map_err(|fault| anyhow::anyhow!(fault.error))?;
        let chosen = choose_move(&parsed, &opponents(), &Limits { threads: Some(1), ..Limits::default() });
        let mut chosen = serde_json::to_value(chosen.map_err(|fault| anyhow::anyhow!(fault.error))?)?;
        (chosen["seconds"], answer["seconds"]) = (Value::Null, Value::Null);
        // JavaScript has one kind of number: a whole score comes back as an integer.
        answer["score"] = json!(answer["score"].as_f64());
        ensure!(chosen == answer, "{request}: {chosen} natively, {answer} in the browser");
        same += 1;
    }
    println!("| {variant}, depth {DEPTH}: the same move, score and nodes | {same} of {ASKED} |");
    Ok(())
}

/// Nodes a second of a search, in the browser and of both binaries.
fn speed(page: &mut Page, variant: VariantKind) -> Result<()> {
    let player = format!("turncoat:depth={TIMED_DEPTH},solve=0");
    let all = requests(variant, TIMED, |number| 14 + 4 * (number % 6), &player);
    let (mut rates, binaries) = ([0.0_f64; 3], [turncoat()?, build("TURNCOAT_PORTABLE")?]);
    for _ in 0..ROUNDS {
        rates[0] = rates[0].max(rate(&in_browser(page, &all, 1)?));
        for (best, binary) in rates[1..].iter_mut().zip(&binaries) {
            let answers: Result<Vec<_>> = all.iter().map(|request| by_binary(binary, variant, request)).collect();
            *best = best.max(rate(&answers?));
        }
    }
    let [browser, native, portable] = rates.map(|rate| rate / 1e6);
    println!(
        "| {variant}, search: million nodes/s in the browser, natively, natively without vectors | {browser:.2}, {native:.2}, {portable:.2} |"
    );
    println!("| {variant}, search: of native | {:.0} % |", 100.0 * browser / native);
    Ok(())
}

fn by_binary(binary: &PathBuf, variant: VariantKind, request: &Value) -> Result<Value> {
    let start = request["game"]["start"].as_str().context("a position")?;
    let player = format!("{},hash=4", request["player"].as_str().context("a player")?);
    last_line(
        Command::new(binary)
            .args(["move", start, "--player", &player, "--threads", "1", "--json"])
            .args(["--variant", variant.name()]),
    )
}

/// Nodes a second over all answers.
fn rate(answers: &[Value]) -> f64 {
    let sum = |key: &str| answers.iter().filter_map(|answer| answer[key].as_f64()).sum::<f64>();
    sum("nodes") / sum("seconds")
}

/// The positions of a file with their exact scores in Reversi.
fn solver(page: &mut Page, file: &str) -> Result<()> {
    let known = entries(file, "10")?;
    let request =
        |start: String| json!({"game": {"variant": "reversi", "start": start}, "player": "turncoat:depth=8,solve=60"});
    let all: Vec<Value> = known.iter().map(|entry| request(entry.position.to_string())).collect();
    let answers = in_browser(page, &all, 1)?;
    let mut right = 0;
    for (entry, answer) in known.iter().zip(&answers) {
        let score = entry.best().map(|score| f64::from(score.discs()));
        right += usize::from(answer["exact"] == true && answer["score"].as_f64() == score);
    }
    let sum: f64 = answers.iter().filter_map(|answer| answer["seconds"].as_f64()).sum();
    println!("| {file} as Reversi: right | {right} of {} |", known.len());
    let binary = turncoat()?;
    let native: Result<Vec<_>> = all.iter().map(|request| by_binary(&binary, VariantKind::Reversi, request)).collect();
    let (browser, native) = (rate(&answers) / 1e6, rate(&native?) / 1e6);
    println!("| the same: seconds | {sum:.1} |");
    println!("| the same: million nodes/s in the browser, natively | {browser:.1}, {native:.1} |");
    println!("| the same: of native | {:.0} % |", 100.0 * browser / native);
    several_threads(page, &all, sum)
}

/// The same positions with two threads, in a page that is isolated.
fn several_threads(page: &mut Page, all: &[Value], alone: f64) -> Result<()> {
    page.reload();
    ensure!(page.value("crossOriginIsolated") == true, "the page is not isolated");
    let answers = in_browser(page, all, 2)?;
    let right = answers.iter().filter(|answer| answer["exact"] == true).count();
    let sum: f64 = answers.iter().filter_map(|answer| answer["seconds"].as_f64()).sum();
    println!("| the same with two threads: solved, seconds, times as fast | {right}, {sum:.1}, {:.2} |", alone / sum);
    Ok(())
}

/// A copy of the site with a compressed file beside each, as hosts send them.
fn packed() -> Result<TempDir> {
    let copy = tempfile::tempdir()?;
    let run = |command: &mut Command| -> Result<()> {
        ensure!(command.status()?.success(), "{command:?} failed");
        Ok(())
    };
    run(Command::new("cp").arg("-r").arg(folder().join(".")).arg(copy.path()))?;
    run(Command::new("gzip").args(["-9", "--keep", "--recursive"]).arg(copy.path()))?;
    Ok(copy)
}

/// What Lighthouse thinks of the page on a phone and on a desk, of 100.
fn lighthouse(address: &str) -> Result<()> {
    let Some(program) = env::var_os("TURNCOAT_LIGHTHOUSE") else { return Ok(()) };
    for (device, form) in [("phone", "--form-factor=mobile"), ("desk", "--preset=desktop")] {
        let told = Command::new("node")
            .arg(&program)
            .args([address, "--quiet", "--output=json", "--only-categories=performance,accessibility,best-practices"])
            .args([form, "--chrome-flags=--headless --no-sandbox --disable-gpu"])
            .output()?;
        let told: Value = serde_json::from_slice(&told.stdout)
            .with_context(|| format!("Lighthouse: {}", String::from_utf8_lossy(&told.stderr)))?;
        let score = |name: &str| 100.0 * told["categories"][name]["score"].as_f64().unwrap_or(f64::NAN);
        let (speed, access, practices) = (score("performance"), score("accessibility"), score("best-practices"));
        println!(
            "| Lighthouse, {device}: performance, accessibility, best practices | {speed:.0}, {access:.0}, {practices:.0} |"
        );
    }
    Ok(())
}

/// How much is sent, and how soon a person can play: from this browser's memory, and over a line of ten megabits a second.
fn opening(page: &mut Page) -> Result<()> {
    let ready = "new Promise((done) => { const look = () => document.querySelector('.play .cell.legal') \
                 ? done(performance.now()) : requestAnimationFrame(look); look(); })";
    let mut warm: Vec<f64> = Vec::new();
    for _ in 0..5 {
        let address = page.value("location.href").as_str().context("an address")?.to_owned();
        page.go(&address);
        warm.push(page.value(ready).as_f64().context("a time")?);
    }
    warm.sort_by(f64::total_cmp);
    println!("| from opening the address to a playable board, warm, median of 5 | {:.0} ms |", warm[2]);
    let packed = packed()?;
    let other = Site::start_in(packed.path().to_owned());
    page.call("Network.enable", &json!({}));
    let line = json!({"offline": false, "latency": LINE.1, "downloadThroughput": LINE.0, "uploadThroughput": LINE.0});
    page.call("Network.emulateNetworkConditions", &line);
    page.go(&other.at(""));
    println!("| the same, cold, at 10 Mbit/s, gzip | {:.0} ms |", page.value(ready).as_f64().context("a time")?);
    let sent = page.value(SENT).as_f64().context("a size")?;
    println!("| sent before the first move against level 5 can be made, gzip | {:.0} kB |", sent / 1e3);
    let weights = fs::metadata(packed.path().join("engine/patterns-reversed.weights.gz"))?.len();
    let both = weights + fs::metadata(packed.path().join("engine/patterns-reversi.weights.gz"))?.len();
    let whole =
        Command::new("sh").arg("-c").arg("find . -name '*.gz' | xargs cat | wc -c").current_dir(&packed).output()?;
    let whole: u64 = String::from_utf8(whole.stdout)?.trim().parse()?;
    println!("| the whole app with one game's weights, gzip | {:.2} MB |", (whole - both + weights) as f64 / 1e6);
    lighthouse(&Site::start_in(packed.path().to_owned()).at(""))
}
