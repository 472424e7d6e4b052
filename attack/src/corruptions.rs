//! Damaged files: a store, a run folder or a file of weights is refused by its name, or read as it was.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;
use turncoat_util::SplitMix64;

use crate::inputs::change;
use crate::target::{self, Outcome, User};
use crate::{Findings, Target, Tell};

/// A file that is damaged, and a command that reads it.
struct Artefact {
    /// The words that make it.
    make: &'static str,
    /// The files that are damaged, one at a time.
    files: &'static [&'static str],
    /// The words that read it.
    read: &'static str,
    /// Whether it has checks that find every damage that matters, so that what is printed is as before.
    checked: bool,
}

const ARTEFACTS: [Artefact; 6] = [
    Artefact {
        make: "match greedy random --games 40 --seed 3 --store games.db -q",
        files: &["games.db"],
        read: "match --show --store games.db --json",
        checked: true,
    },
    Artefact {
        make: "match greedy random --games 40 --seed 3 --store more.db -q",
        files: &["more.db"],
        read: "match greedy random --resume --games 60 --seed 3 --store more.db --json -q",
        checked: true,
    },
    Artefact {
        make: "train genetic genetic.toml --out run -q",
        files: &[
            "run/checkpoint.json",
            "run/experiment.toml",
            "run/individuals.jsonl",
            "run/log.jsonl",
            "run/standings.json",
            "run/match.json",
        ],
        read: "train genetic --resume run -q",
        checked: false,
    },
    Artefact {
        make: "train selfplay selfplay.toml --out games -q",
        files: &["games/settings.toml", "games/000000.games", "games/000001.games", "games/000003.games"],
        read: "train selfplay --resume games -q",
        checked: false,
    },
    Artefact {
        make: "train tune tune.toml --out tuned -q",
        files: &["tuned/checkpoint.json", "tuned/settings.toml", "tuned/settings.digest", "tuned/log.jsonl"],
        read: "train tune --resume tuned -q",
        checked: true,
    },
    Artefact {
        make: "convert f5d6c3d3c4 --to ggf --out game.ggf",
        files: &["game.ggf"],
        read: "convert --file game.ggf --to transcript",
        checked: false,
    },
];

/// Damages files `count` times.
///
/// # Errors
/// If a file cannot be made in the first place.
pub fn run(target: &Target, count: usize, tell: Tell<'_>) -> Result<Findings> {
    let made = make(target)?;
    let mut whole = Vec::new();
    for artefact in &ARTEFACTS {
        let folder = copied(made.path())?;
        let outcome = read(target, artefact, folder.path())?;
        ensure!(outcome.status.success(), "{}: {}", artefact.read, outcome.said);
        whole.push(outcome.printed);
    }
    let mut rng = SplitMix64::for_number(target.seed, 3);
    let mut findings = Findings::default();
    for number in 0..count {
        let at = number % ARTEFACTS.len();
        let artefact = &ARTEFACTS[at];
        let name = artefact.files[rng.below(artefact.files.len())];
        let folder = copied(made.path())?;
        let how = damage(&folder.path().join(name), &mut rng).with_context(|| name.to_owned())?;
        let result =
            read(target, artefact, folder.path()).and_then(|outcome| judge(artefact, &outcome, name, &whole[at]));
        findings.add(&format!("{name}, {how}"), result, tell);
    }
    Ok(findings)
}

fn make(target: &Target) -> Result<TempDir> {
    let folder = target::folder_for(User::Own)?;
    for (name, text) in [
        ("genetic.toml", include_str!("../samples/genetic.toml")),
        ("selfplay.toml", include_str!("../samples/selfplay.toml")),
        ("tune.toml", include_str!("../samples/tune.toml")),
    ] {
        fs::write(folder.path().join(name), text)?;
    }
    for artefact in &ARTEFACTS {
        let words: Vec<&str> = artefact.make.split(' ').collect();
        let outcome = target.run(User::Own, folder.path(), &words)?;
        ensure!(outcome.status.success(), "{}: {}", artefact.make, outcome.said);
    }
    Ok(folder)
}

fn copied(folder: &Path) -> Result<TempDir> {
    let copy = target::folder_for(User::Own)?;
    let mut open = vec![PathBuf::new()];
    while let Some(below) = open.pop() {
        for entry in fs::read_dir(folder.join(&below))? {
            let entry = entry?;
            let name = below.join(entry.file_name());
            if entry.file_type()?.is_dir() {
                fs::create_dir_all(copy.path().join(&name))?;
                open.push(name);
            } else {
                fs::copy(entry.path(), copy.path().join(&name))?;
            }
        }
    }
    Ok(copy)
}

fn read(target: &Target, artefact: &Artefact, folder: &Path) -> Result<Outcome> {
    let words: Vec<&str> = artefact.read.split(' ').collect();
    target.run(User::Own, folder, &words)
}

/// Damages a file, and says how.
fn damage(path: &Path, rng: &mut SplitMix64) -> Result<&'static str> {
    let mut bytes = fs::read(path)?;
    let at = rng.below(bytes.len().max(1));
    let how = match rng.below(8) {
        0 => {
            fs::remove_file(path)?;
            return Ok("removed");
        }
        1 => {
            fs::remove_file(path)?;
            fs::create_dir(path)?;
            return Ok("a folder");
        }
        2 => {
            bytes.truncate(at);
            "truncated"
        }
        3 => {
            bytes.clear();
            "emptied"
        }
        4 => {
            let end = (at + 512).min(bytes.len());
            bytes[at..end].fill(0);
            "zeros"
        }
        5 => {
            bytes.extend((0..=rng.below(4096)).map(|_| rng.next_u64() as u8));
            "noise at the end"
        }
        _ => {
            for _ in 0..=rng.below(4) {
                let other = bytes.clone();
                change(&mut bytes, &other, rng);
            }
            "changed bytes"
        }
    };
    fs::write(path, bytes)?;
    Ok(how)
}

fn judge(artefact: &Artefact, outcome: &Outcome, name: &str, whole: &str) -> Result<()> {
    if !outcome.status.success() {
        let place = name.split('/').next().unwrap_or(name);
        ensure!(outcome.said.contains(place), "the error does not name it: {}", outcome.said);
        return Ok(());
    }
    if artefact.checked && outcome.printed != whole {
        bail!("read as something else, without a word");
    }
    Ok(())
}
