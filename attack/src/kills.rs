//! Kills at random moments: a run that is killed and resumed ends as one that was left alone.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use turncoat_util::SplitMix64;

use crate::target::{self, User};
use crate::{Findings, Target, Tell};

/// The store or the folder of a run.
const RUN: &str = "run";

/// A run that can be resumed.
struct Scenario {
    name: &'static str,
    /// The words that start it in an empty folder.
    start: &'static str,
    /// The words that resume it.
    resume: &'static str,
    /// The words that print its result, or nothing if the files of the folder are the result.
    show: Option<&'static str>,
}

const SCENARIOS: [Scenario; 6] = [
    Scenario {
        name: "match",
        start: "match greedy random --games 4000 --seed 9 --store run -q",
        resume: "match greedy random --games 4000 --seed 9 --store run -q --resume",
        show: Some("match --show --store run --json"),
    },
    Scenario {
        name: "tournament",
        start: "tournament greedy random gene45:depth=1 --games 60 --seed 9 --store run -q",
        resume: "tournament greedy random gene45:depth=1 --games 60 --seed 9 --store run -q --resume",
        show: Some("tournament --show --store run --json"),
    },
    Scenario {
        name: "program",
        start: "match py:first.py greedy --games 6 --seed 9 --store run -q",
        resume: "match py:first.py greedy --games 6 --seed 9 --store run -q --resume",
        show: Some("match --show --store run --json"),
    },
    Scenario {
        name: "genetic",
        start: "train genetic genetic.toml --out run -q",
        resume: "train genetic --resume run -q",
        show: None,
    },
    Scenario {
        name: "selfplay",
        start: "train selfplay selfplay.toml --out run -q",
        resume: "train selfplay --resume run -q",
        show: None,
    },
    Scenario {
        name: "tune",
        start: "train tune tune.toml --out run -q",
        resume: "train tune --resume run -q",
        show: None,
    },
];

/// A course program that plays the first legal move it finds.
const FIRST: &str = include_str!("../samples/first.py");
const GENETIC: &str = include_str!("../samples/genetic.toml");
const SELFPLAY: &str = include_str!("../samples/selfplay.toml");
const TUNE: &str = include_str!("../samples/tune.toml");

/// Kills runs `count` times, each up to four times before it is resumed to its end.
///
/// # Errors
/// If an undisturbed run fails.
pub fn run(target: &Target, count: usize, tell: Tell<'_>) -> Result<Findings> {
    let mut rng = SplitMix64::for_number(target.seed, 2);
    let mut findings = Findings::default();
    let mut whole = BTreeMap::new();
    let mut round = 0;
    while findings.tried < count {
        let scenario = &SCENARIOS[round % SCENARIOS.len()];
        let users = target.users();
        let user = users[(round / SCENARIOS.len()) % users.len()];
        round += 1;
        if !whole.contains_key(scenario.name) {
            let begun = Instant::now();
            let result = undisturbed(target, scenario).with_context(|| scenario.name)?;
            whole.insert(scenario.name, (result, begun.elapsed()));
        }
        let (result, lasted) = &whole[scenario.name];
        let kills = (1 + rng.below(4)).min(count - findings.tried);
        let moments = (0..kills).map(|_| lasted.mul_f64(moment(&mut rng))).collect::<Vec<_>>();
        let done = killed(target, scenario, user, &moments, result);
        // The kills of one run stand or fall together.
        for _ in 1..kills {
            findings.add(scenario.name, Ok(()), tell);
        }
        findings.add(&format!("{} after {moments:?}", scenario.name), done, tell);
    }
    Ok(findings)
}

/// A share of the run: half of the kills come in its first hundredth, where folders and files are made.
fn moment(rng: &mut SplitMix64) -> f64 {
    let share = rng.unit();
    if rng.below(2) == 0 { share / 100.0 } else { share }
}

fn prepared(user: User) -> Result<tempfile::TempDir> {
    let folder = target::folder_for(user)?;
    let files = [("first.py", FIRST), ("genetic.toml", GENETIC), ("selfplay.toml", SELFPLAY), ("tune.toml", TUNE)];
    for (name, text) in files {
        fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

fn undisturbed(target: &Target, scenario: &Scenario) -> Result<BTreeMap<String, Vec<u8>>> {
    let folder = prepared(User::Own)?;
    finish(target, User::Own, folder.path(), scenario.start)?;
    result(target, User::Own, folder.path(), scenario)
}

fn finish(target: &Target, user: User, folder: &Path, words: &str) -> Result<()> {
    let words: Vec<&str> = words.split(' ').collect();
    let outcome = target.run(user, folder, &words)?;
    ensure!(outcome.status.success(), "{words:?}: {}: {}", outcome.status, outcome.said);
    Ok(())
}

/// What a run has come to: what is printed of it, or its files.
fn result(target: &Target, user: User, folder: &Path, scenario: &Scenario) -> Result<BTreeMap<String, Vec<u8>>> {
    if let Some(show) = scenario.show {
        let words: Vec<&str> = show.split(' ').collect();
        let outcome = target.run(user, folder, &words)?;
        ensure!(outcome.status.success(), "{show}: {}", outcome.said);
        return Ok(BTreeMap::from([("printed".to_owned(), outcome.printed.into_bytes())]));
    }
    let entries = fs::read_dir(folder.join(RUN))?.flatten();
    let files = entries.map(|entry| (entry.file_name().to_string_lossy().into_owned(), entry.path()));
    // No two runs take the same time.
    files.filter(|(name, _)| name != "seconds.csv").map(|(name, path)| Ok((name, fs::read(path)?))).collect()
}

/// Whether there is something to resume. A folder without a checkpoint or settings is begun again.
fn has_begun(folder: &Path) -> bool {
    let run = folder.join(RUN);
    run.is_file() || ["checkpoint.json", "settings.toml"].iter().any(|name| run.join(name).exists())
}

fn killed(
    target: &Target,
    scenario: &Scenario,
    user: User,
    moments: &[Duration],
    whole: &BTreeMap<String, Vec<u8>>,
) -> Result<()> {
    let folder = prepared(user)?;
    let words = || if has_begun(folder.path()) { scenario.resume } else { scenario.start };
    for moment in moments {
        let words: Vec<&str> = words().split(' ').collect();
        let mut command = target.command(user, folder.path(), &words);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn()?;
        thread::sleep(*moment);
        child.kill()?;
        child.wait()?;
        let left = target::left_running(folder.path());
        ensure!(left.is_empty(), "left running: {left:?}");
    }
    finish(target, user, folder.path(), words())?;
    let end = result(target, user, folder.path(), scenario)?;
    for (name, bytes) in whole {
        ensure!(end.get(name) == Some(bytes), "{name} is not as in an undisturbed run");
    }
    ensure!(end.len() == whole.len(), "other files: {:?}", end.keys());
    let scratch: Vec<_> = fs::read_dir(folder.path().join("tmp"))?.flatten().map(|entry| entry.path()).collect();
    ensure!(scratch.is_empty(), "left in the scratch folder: {scratch:?}");
    Ok(())
}
