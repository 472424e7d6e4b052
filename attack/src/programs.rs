//! Hostile programs: each plays a short match against `greedy`, in the sandbox, as root and as an ordinary user.
//!
//! A program's header says what it tries, how it is started and how it may end. If its attack succeeds it says `BREACH`
//! on standard error. Lines `# vary: NAME a b c` make one program of each value: the line `NAME = "…"` is rewritten.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use turncoat_util::SplitMix64;

use crate::target::{self, User};
use crate::{Findings, Target, Tell};

/// A value that no program may get hold of.
const SECRET: &str = "attack-secret-7f3a";
/// The options of every match, unless the program has its own.
const USUAL: [(&str, &str); 4] =
    [("--games", "2"), ("--openings", "random:0"), ("--concurrency", "1"), ("--time", "5s")];

/// Matches that may be lost by time before that counts.
const ATTEMPTS: u32 = 5;

/// A hostile program.
#[derive(Debug, Clone)]
struct Program {
    name: String,
    text: String,
    kind: String,
    options: Vec<String>,
    expect: Vec<&'static str>,
}

/// The reasons that headers name, and the arena's words for them.
const REASONS: [(&str, &str); 6] = [
    ("plays", "finished"),
    ("illegal", "illegal-move"),
    ("timeout", "timeout"),
    ("crash", "crash"),
    ("memory", "out-of-memory"),
    ("protocol", "protocol-error"),
];

/// The folder of the collection.
#[must_use]
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs")
}

/// Plays `count` matches with programs in random order, all of them before one comes again.
///
/// # Errors
/// If the collection cannot be read.
pub fn run(target: &Target, count: usize, tell: Tell<'_>) -> Result<Findings> {
    let mut programs = collection(&folder())?;
    let mut rng = SplitMix64::for_number(target.seed, 1);
    for i in (1..programs.len()).rev() {
        programs.swap(i, rng.below(i + 1));
    }
    let mut findings = Findings::default();
    for (number, program) in programs.iter().cycle().take(count).enumerate() {
        // Each program meets the other user in the next round.
        let users = target.users();
        let user = users[(number + number / programs.len()) % users.len()];
        let name = format!("{} as {}", program.name, if user == User::Own { "its caller" } else { "an ordinary user" });
        findings.add(&name, play(target, program, user), tell);
    }
    Ok(findings)
}

fn collection(folder: &Path) -> Result<Vec<Program>> {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "py"));
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let text = fs::read_to_string(&path)?;
        all.extend(parse(&name, &text).with_context(|| path.display().to_string())?);
    }
    Ok(all)
}

/// The programs in a file: one, or one for each value that it varies.
fn parse(name: &str, text: &str) -> Result<Vec<Program>> {
    let header = |key: &str| {
        let lines = text.lines().take_while(|line| line.starts_with("# "));
        lines.filter_map(|line| line[2..].strip_prefix(key)?.strip_prefix(':')).map(str::trim).collect::<Vec<_>>()
    };
    let one = |key: &str| header(key).first().copied().with_context(|| format!("the header lacks \"{key}\""));
    one("attack")?;
    let mut expect = Vec::new();
    for word in one("expect")?.split([',', ' ']).filter(|word| !word.is_empty()) {
        let known = REASONS.iter().find(|(name, _)| *name == word);
        expect.push(known.with_context(|| format!("\"{word}\" is not an expected end"))?.1);
    }
    let options = header("options").join(" ").split_whitespace().map(str::to_owned).collect();
    let program =
        Program { name: name.to_owned(), text: text.to_owned(), kind: one("kind")?.to_owned(), options, expect };
    let mut all = vec![program];
    for vary in header("vary") {
        let (variable, values) = vary.split_once(' ').context("\"vary\" lacks its values")?;
        let parts = all.iter().map(|program| varied(program, variable, values));
        all = parts.collect::<Result<Vec<_>>>()?.concat();
    }
    Ok(all)
}

fn varied(program: &Program, variable: &str, values: &str) -> Result<Vec<Program>> {
    let begin = format!("{variable} = \"");
    let old = program.text.lines().find(|line| line.starts_with(&begin));
    let old = old.with_context(|| format!("there is no line {begin}…\""))?;
    let with = |value: &str| Program {
        name: format!("{} {variable}={value}", program.name),
        text: program.text.replacen(old, &format!("{begin}{value}\""), 1),
        ..program.clone()
    };
    Ok(values.split_whitespace().map(with).collect())
}

/// Plays a match, and looks for what it should not have done. Where the machine starves a program thrice in a game, it
/// loses by time although it attacks as it should: then the match is played again.
fn play(target: &Target, program: &Program, user: User) -> Result<()> {
    for _ in 0..ATTEMPTS {
        if play_once(target, program, user)? == Ending::Expected {
            return Ok(());
        }
    }
    bail!("lost by time in {ATTEMPTS} matches in a row, expected {:?}", program.expect)
}

/// How a match ended that had nothing wrong in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ending {
    /// As the program's header says.
    Expected,
    /// By time, which the header does not say.
    Late,
}

fn play_once(target: &Target, program: &Program, user: User) -> Result<Ending> {
    let folder = target::folder_for(user)?;
    let bots = folder.path().join("bots");
    fs::create_dir(&bots)?;
    fs::create_dir(folder.path().join("logs"))?;
    for (name, text) in [("hostile.py", program.text.as_str()), ("rival.py", SECRET), ("marks.txt", SECRET)] {
        fs::write(bots.join(name), text)?;
        target::give(user, &bots.join(name))?;
    }
    for path in [bots.as_path(), &folder.path().join("logs")] {
        target::give(user, path)?;
    }
    let player = match program.kind.as_str() {
        "py" => "py:bots/hostile.py".to_owned(),
        kind => format!("{kind}:{} bots/hostile.py", target.python.display()),
    };
    let mut words = vec!["match", &player, "greedy", "--json", "-q", "--store", "bots/games.db", "--logs", "logs"];
    let own = |name: &str| program.options.iter().any(|word| word == name);
    let own_time = ["--time", "--clock", "--profile"].iter().any(|name| own(name));
    for (name, value) in USUAL {
        if !(own(name) || name == "--time" && own_time) {
            words.extend([name, value]);
        }
    }
    words.extend(program.options.iter().map(String::as_str));
    let outcome = target::watched(target.command(user, folder.path(), &words).env("SECRET", SECRET))?;
    let (printed, said) = (&outcome.printed, &outcome.said);
    ensure!(outcome.status.success(), "{}: {said}", outcome.status);
    let ending = judge(printed, program)?;
    let logs = logs(&folder.path().join("logs"))?;
    if let Some(line) = logs.lines().find(|line| line.starts_with("BREACH")) {
        bail!("{line}");
    }
    for (place, text) in [("log", &logs), ("output", printed), ("errors", said)] {
        ensure!(!text.contains(SECRET), "the secret stands in the {place}");
        ensure!(place == "log" || !text.contains('\u{1b}'), "an escape sequence in the {place}");
    }
    nothing_left(folder.path())?;
    Ok(ending)
}

/// Checks how its games ended.
fn judge(printed: &str, program: &Program) -> Result<Ending> {
    let objects: Vec<Value> = printed.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let Some((summary, games)) = objects.split_last() else { bail!("nothing was printed") };
    ensure!(summary["complete"] == true && games.len() == 2, "the match is not complete: {summary}");
    let mut ending = Ending::Expected;
    for game in games {
        let reason = game["reason"].as_str().unwrap_or_default();
        let is_expected = program.expect.contains(&reason);
        if reason == "timeout" && !is_expected {
            ending = Ending::Late;
            continue;
        }
        ensure!(is_expected, "{reason} ({}), expected {:?}", game["detail"], program.expect);
        // The side that commits a fault loses.
        let winner = game["winner"].as_str().unwrap_or_default();
        ensure!(reason == "finished" || game[winner] == "greedy", "{winner} won by {reason}");
    }
    Ok(ending)
}

fn logs(folder: &Path) -> Result<String> {
    let mut all = String::new();
    for entry in fs::read_dir(folder)? {
        all += &String::from_utf8_lossy(&fs::read(entry?.path())?);
    }
    Ok(all)
}

/// Checks that no process, file or mount is left.
fn nothing_left(folder: &Path) -> Result<()> {
    let left = target::left_running(folder);
    ensure!(left.is_empty(), "left running: {left:?}");
    let names = |path: PathBuf| -> Result<Vec<String>> {
        let mut names: Vec<String> =
            fs::read_dir(path)?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        Ok(names)
    };
    ensure!(names(folder.join("tmp"))?.is_empty(), "left in the scratch folder: {:?}", names(folder.join("tmp"))?);
    let files = names(folder.join("bots"))?;
    ensure!(files == ["games.db", "hostile.py", "marks.txt", "rival.py"], "among the bots: {files:?}");
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    ensure!(!mounts.contains(&folder.display().to_string()), "a mount is left");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_program_has_a_header_and_its_variants_differ() {
        let programs = collection(&folder()).unwrap();
        let mut names: Vec<_> = programs.iter().map(|program| &program.name).collect();
        names.dedup();
        assert_eq!(names.len(), programs.len());
        let mut texts: Vec<_> = programs.iter().map(|program| &program.text).collect();
        texts.sort();
        texts.dedup();
        assert_eq!(texts.len(), programs.len());
    }
}
