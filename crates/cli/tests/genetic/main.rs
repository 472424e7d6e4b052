//! `train genetic` as a person or a script meets it: a first run, kills, full disks, misuse.

mod rate;
mod replicate;
mod show;
mod sweep;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_turncoat");

fn smoke() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/smoke.toml")
}

/// An experiment whose champion plays few games.
fn few_games(text: &str) -> String {
    format!("champion.games = 20\n{text}")
}

/// A folder with a small experiment.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(smoke()).unwrap();
    let small = text.replace("generations = 60", "generations = 30").replace("population = 40", "population = 20");
    assert_ne!(small, text);
    fs::write(folder.path().join("small.toml"), few_games(&small)).unwrap();
    folder
}

fn command(folder: &TempDir, arguments: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(arguments.split_whitespace()).current_dir(folder.path()).stdin(Stdio::null());
    command
}

fn run(folder: &TempDir, arguments: &str) -> Output {
    command(folder, arguments).output().unwrap()
}

fn printed(folder: &TempDir, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        // No two runs take the same time.
        .filter(|entry| entry.file_name() != "seconds.csv" && entry.path().is_file())
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

fn generations(folder: &Path) -> usize {
    let log = fs::read_to_string(folder.join("log.jsonl"));
    log.map_or(0, |log| log.lines().count())
}

#[test]
fn a_newcomers_first_run_makes_a_player_that_others_can_meet() {
    let folder = folder();
    let file = smoke().display().to_string();
    let text = printed(&folder, &format!("train genetic {file} --out first"));
    assert!(text.contains("champion: individual"), "{text}");
    let page = fs::read_to_string(folder.path().join("first/report.html")).unwrap();
    // Three charts, for wide screens and for narrow ones, four board tables, and a curve for each gene.
    assert_eq!(page.matches("<svg").count(), 3 * 2 + 4 + 45);
    assert!(!page.contains("src=") && !page.contains("href="));
    // The match of the report is the one that is proposed.
    let again = text.lines().find_map(|line| line.strip_prefix("again:    turncoat ")).unwrap();
    let again: Value =
        serde_json::from_str(printed(&folder, &format!("{again} --json -q")).lines().last().unwrap()).unwrap();
    let played: Value = serde_json::from_slice(&fs::read(folder.path().join("first/match.json")).unwrap()).unwrap();
    assert_eq!([&again["pairs"], &again["draws"]], [&played["pairs"], &played["draws"]], "{text}");
    let [won, lost] = ["wins", "losses"].map(|key| again[key].as_u64().unwrap());
    assert!(won > lost, "{text}");
    let met = "match gene45:depth=1,final=0,weights=first/champion.toml random --games 100 --json";
    let result = printed(&folder, met);
    let last: Value = serde_json::from_str(result.lines().last().unwrap()).unwrap();
    assert!(last["wins"].as_u64().unwrap() > 75, "{last}");
    // Without a word about where, a run goes to a folder of the experiment's name.
    let json = printed(&folder, "train genetic small.toml --json -q --threads 1");
    assert_eq!(json.lines().count(), 31);
    assert!(folder.path().join("runs/small/champion.toml").exists());
}

#[test]
fn settings_of_the_command_line_are_kept_in_the_run() {
    let folder = folder();
    let options =
        "--set generations=3 --set player=gene45:depth=2,final=0 --set yardstick.1.games=2 --set champion.most=2";
    printed(&folder, &format!("train genetic small.toml {options} --out run -q"));
    let kept = fs::read_to_string(folder.path().join("run/experiment.toml")).unwrap();
    for line in ["generations = 3", "player = \"gene45:depth=2,final=0\"", "games = 2", "most = 2"] {
        assert!(kept.lines().any(|kept| kept == line), "{kept}");
    }
    assert_eq!(generations(&folder.path().join("run")), 3);
    // The kept file is the experiment.
    printed(&folder, "train genetic run/experiment.toml --out again -q");
    assert_eq!(files(&folder.path().join("run")), files(&folder.path().join("again")));
}

#[test]
fn a_finished_run_is_prolonged() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --out whole -q");
    printed(&folder, "train genetic small.toml --out run --generations 12 -q");
    for (arguments, expected) in [
        ("--generations 11", "12 generations are done: with this, the run would have ended after 11"),
        ("--set keep=3", "keep stays as it is"),
        ("--generations 0", "0 is not in"),
    ] {
        let output = run(&folder, &format!("train genetic --resume run {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(said(&output).contains(expected), "{arguments}: {}", said(&output));
    }
    printed(&folder, "train genetic --resume run --generations 30 -q");
    assert_eq!(files(&folder.path().join("run")), files(&folder.path().join("whole")));
}

#[test]
fn a_run_that_is_killed_again_and_again_has_the_same_champion() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --out whole -q");
    let out = folder.path().join("killed");
    let mut arguments = "train genetic small.toml --out killed -q";
    let mut kills = 0;
    loop {
        let before = generations(&out);
        let mut child = command(&folder, arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        // Killed some moments after a generation was written, each time at another point of the next one.
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break Some(status);
            }
            if generations(&out) > before {
                sleep(Duration::from_millis(kills * 3 % 20));
                break None;
            }
            sleep(Duration::from_millis(1));
        };
        if status.is_some_and(|status| status.success()) {
            break;
        }
        assert!(status.is_none(), "it ended by itself");
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
        arguments = "train genetic --resume killed -q";
    }
    assert!(kills > 3, "{kills} kills");
    assert_eq!(files(&out), files(&folder.path().join("whole")));
}

#[test]
fn a_run_that_is_killed_while_it_begins_begins_again_or_is_resumed() {
    let folder = folder();
    let short = fs::read_to_string(smoke()).unwrap().replace("generations = 60", "generations = 1");
    let short = few_games(&short.replace("population = 40", "population = 4"));
    fs::write(folder.path().join("short.toml"), short).unwrap();
    printed(&folder, "train genetic short.toml --out whole -q");
    let whole = files(&folder.path().join("whole"));
    for kill in 0..40 {
        let out = folder.path().join(format!("run-{kill}"));
        let mut child = command(&folder, &format!("train genetic short.toml --out run-{kill} -q"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while !out.exists() && child.try_wait().unwrap().is_none() {
            std::hint::spin_loop();
        }
        // Each time a little later.
        let began = Instant::now();
        while began.elapsed() < Duration::from_micros(kill * 40) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let has_begun = out.join("checkpoint.json").exists();
        let again = if has_begun { "--resume" } else { "short.toml --out" };
        printed(&folder, &format!("train genetic {again} run-{kill} -q"));
        assert_eq!(files(&out), whole, "{kill}");
    }
}

#[test]
#[cfg(unix)]
fn a_full_disk_ends_the_run_with_what_to_do_and_loses_nothing() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --out whole -q");
    // Files may not grow beyond this; without the trap the signal would end the program.
    let script = format!("trap '' XFSZ; ulimit -f 150; exec {PROGRAM} train genetic small.toml --out full -q");
    let output = Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("individuals.jsonl: File too large"), "{said}");
    assert!(said.contains("of 30 generations are safe in full"), "{said}");
    assert!(said.contains("turncoat train genetic --resume full"), "{said}");
    assert!(generations(&folder.path().join("full")) > 2);
    printed(&folder, "train genetic --resume full -q");
    let [full, whole] = ["full", "whole"].map(|name| files(&folder.path().join(name)));
    assert_eq!(full, whole);
}

#[test]
fn an_interrupted_run_says_how_to_go_on() {
    let folder = folder();
    let mut child = command(&folder, "train genetic small.toml --out run -q").stderr(Stdio::piped()).spawn().unwrap();
    while generations(&folder.path().join("run")) == 0 {
        sleep(Duration::from_millis(1));
    }
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let status = child.wait().unwrap();
    // It may have been too quick for the signal.
    if !status.success() {
        assert_eq!(status.code(), Some(1));
        let mut said = String::new();
        std::io::Read::read_to_string(&mut child.stderr.unwrap(), &mut said).unwrap();
        assert!(said.starts_with("error: interrupted\n"), "{said}");
        assert!(said.contains("turncoat train genetic --resume run"), "{said}");
        printed(&folder, "train genetic --resume run -q");
    }
}

#[test]
fn misuse_is_refused_and_nothing_overwritten() {
    let folder = folder();
    fs::create_dir(folder.path().join("mine")).unwrap();
    fs::write(folder.path().join("mine/notes.txt"), "mine").unwrap();
    fs::write(folder.path().join("bad.toml"), "title = 1").unwrap();
    let seeded = fs::read_to_string(smoke()).unwrap().replace("seed = 1", "seed = 7");
    fs::write(folder.path().join("seven.toml"), seeded).unwrap();
    for (arguments, status, expected) in [
        ("train genetic", 2, "<FILE>"),
        ("train genetic small.toml --resume run", 2, "cannot be used with"),
        ("train genetic none.toml", 1, "none.toml: No such file"),
        ("train genetic bad.toml --out bad", 2, "bad.toml: line 1: invalid type: integer"),
        ("train genetic small.toml --out mine", 2, "mine is not empty"),
        ("train genetic --resume mine", 2, "mine: there is no run in this folder"),
        ("train genetic small.toml --out other --seed 5", 2, "a seed of its own, 1"),
        // What was given holds, though it is also the default.
        ("train genetic seven.toml --out other --seed 1", 2, "a seed of its own, 7"),
        ("train genetic small.toml --out other --seed 1", 2, "a seed of its own, 1"),
        ("train genetic small.toml --out other --variant reversed", 2, "--variant has no effect"),
        ("train genetic small.toml --out other --depth 3", 2, "--depth has no effect"),
        ("train genetic small.toml --out other --size 8", 2, "--size has no effect"),
        ("train genetic small.toml --out other --hash 8", 2, "--hash has no effect"),
        ("train genetic --resume mine --seed 1", 2, "--seed has no effect"),
        ("train genetic small.toml --out other --set generations", 2, "KEY=VALUE"),
        ("train genetic small.toml --out other --set generations=0", 2, "small.toml: generations: 1 to 1000000, not 0"),
        ("train genetic small.toml --out other --set algorithm.size=3", 2, "unknown field `size`"),
        (
            "train genetic small.toml --out other --set keep=8 --set algorithm.size=3",
            2,
            "error: --set algorithm.size=3 for small.toml: unknown field `size`",
        ),
        ("train genetic small.toml --out other --set keep=0 --set size=7", 2, "error: --set keep=0 --set size=7 for"),
        ("train genetic small.toml --out other --set title.x=3", 2, "title.x: the experiment has no place for"),
        ("train compare mine", 2, "2 values required"),
        ("train compare mine mine", 2, "there is no run"),
    ] {
        let output = run(&folder, arguments);
        let said = said(&output);
        assert_eq!(output.status.code(), Some(status), "{arguments}: {said}");
        assert!(said.contains(expected), "{arguments}: {said}");
        assert!(output.stdout.is_empty());
    }
    for name in ["bad", "other"] {
        assert!(!folder.path().join(name).exists());
    }
    assert_eq!(files(&folder.path().join("mine")).len(), 1);
}

#[test]
fn populations_are_compared() {
    let folder = folder();
    for (mode, seed) in [(2, 1), (3, 2)] {
        let file = smoke().with_file_name(format!("mode-{mode}.toml"));
        let text = fs::read_to_string(file).unwrap();
        let text = text.replace("generations = 30", "generations = 3");
        fs::write(folder.path().join("mode.toml"), text).unwrap();
        let run = format!("train genetic mode.toml --seed {seed} --out mode-{mode} -q");
        printed(&folder, &run);
    }
    let table = printed(&folder, "train compare mode-2 mode-3");
    assert_eq!(table.lines().count(), 3);
    assert_eq!(table.matches('%').count(), 2);
    let json = printed(&folder, "train compare mode-2 mode-3 --json --plies 4");
    let cell: Value = serde_json::from_str(json.lines().next().unwrap()).unwrap();
    assert_eq!(cell["games"], 900);
    assert_eq!(printed(&folder, "train compare mode-2 mode-3 --threads 1"), table);
}
