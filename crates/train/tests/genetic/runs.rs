//! Runs: the same on any number of threads and after any interruption; what is damaged is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use rayon::ThreadPoolBuilder;
use tempfile::TempDir;
use turncoat_board::Position;
use turncoat_players::{BuildError, Fault, Limits, MoveInfo, Player, Program, Programs, Roster, Setting, Spec};
use turncoat_train::genetic::games::{Evaluate, Threads};
use turncoat_train::genetic::run::{GeneticError, Run, Step};
use turncoat_train::genetic::{Batch, PlayError};
use turncoat_train::run_folder::FolderError;

use super::{BINARY, real};

/// All files of a folder.
pub(super) fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        // The lock is there only while a run works in the folder, and no two runs take the same time.
        .filter(|entry| entry.file_name() != "lock" && entry.file_name() != "seconds.csv")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// A folder with an experiment in it, whose champion plays few games.
pub(super) fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let few = if text.contains("[champion]") { "" } else { "champion.games = 4\n" };
    fs::write(folder.path().join("e.toml"), few.to_owned() + text).unwrap();
    folder
}

pub(super) fn create(folder: &TempDir) -> Run {
    let (file, out) = (folder.path().join("e.toml"), folder.path().join("run"));
    Run::create(&file, &[], &out, None, &Roster::default()).unwrap()
}

pub(super) fn finish(run: &mut Run) {
    while !matches!(run.step(&mut Threads::default()).unwrap(), Step::Complete(_)) {}
}

/// The files of a run without interruption.
pub(super) fn uninterrupted(text: &str, threads: usize) -> BTreeMap<String, Vec<u8>> {
    let folder = folder(text);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| finish(&mut create(&folder)));
    files(&folder.path().join("run"))
}

pub(super) fn experiments() -> Vec<String> {
    let kinds = ["mode-1", "mode-2", "mode-3", "real", "cma-es"];
    let mut all: Vec<String> = kinds.map(real).to_vec();
    all.push(BINARY.to_owned());
    all.push(BINARY.replace("gene45:depth=1", "linear:features=board+action+stable+frontier+discs,depth=1"));
    all
}

#[test]
fn threads_and_interruptions_change_nothing() {
    for text in experiments() {
        let expected = uninterrupted(&text, 1);
        assert!(expected.contains_key("champion.toml") && expected.contains_key("report.html"));
        assert_eq!(uninterrupted(&text, 3), expected);
        // Resumed after every generation, with traces of one that was not finished.
        let folder = folder(&text);
        let out = folder.path().join("run");
        drop(create(&folder));
        for done in 0.. {
            let mut run = Run::resume(&out, &Roster::default()).unwrap();
            assert_eq!(run.done(), done.min(4));
            let step = run.step(&mut Threads::default()).unwrap();
            drop(run);
            if matches!(step, Step::Complete(_)) {
                break;
            }
            for journal in ["log.jsonl", "individuals.jsonl"] {
                let path = out.join(journal);
                let text = fs::read_to_string(&path).unwrap() + "{\"generation\":99,";
                fs::write(path, text).unwrap();
            }
            fs::write(out.join("checkpoint.json.new"), "half a checkp").unwrap();
        }
        assert_eq!(files(&out), expected);
        // A complete run stays as it is.
        finish(&mut Run::resume(&out, &Roster::default()).unwrap());
        assert_eq!(files(&out), expected);
    }
}

#[test]
fn a_raised_flag_ends_it_before_the_generation_is_written() {
    let folder = folder(BINARY);
    let mut run = create(&folder);
    let before = files(&folder.path().join("run"));
    let mut threads = Threads::default();
    threads.stop.raise();
    assert!(matches!(run.step(&mut threads).unwrap(), Step::Interrupted));
    assert_eq!(files(&folder.path().join("run")), before);
}

#[test]
fn whatever_is_damaged_is_refused_and_left_alone() {
    let folder = folder(BINARY);
    let out = folder.path().join("run");
    let mut run = create(&folder);
    run.step(&mut Threads::default()).unwrap();
    drop(run);
    let whole = files(&out);
    let checkpoint = String::from_utf8(whole["checkpoint.json"].clone()).unwrap();
    let flipped = checkpoint.replacen("\"next_id\":", "\"next_id\":1", 1);
    let half = checkpoint[..checkpoint.len() / 2].to_owned();
    let old = checkpoint.replace("\"format\":1", "\"format\":99");
    let log = String::from_utf8(whole["log.jsonl"].clone()).unwrap();
    for (name, text, expected) in [
        ("checkpoint.json", flipped, "its checksum does not fit"),
        ("checkpoint.json", half, "its checksum does not fit"),
        ("checkpoint.json", String::new(), "its first line"),
        ("checkpoint.json", "\u{0}\u{1}\u{2}".to_owned(), "its first line"),
        ("checkpoint.json", old, "has format 99, which a later turncoat reads"),
        ("log.jsonl", log[1..].to_owned(), "it is not what the checkpoint"),
        ("individuals.jsonl", String::new(), "it is not what the checkpoint"),
        ("experiment.toml", BINARY.replace("keep = 3", "keep = 4"), "not the experiment that"),
    ] {
        fs::write(out.join(name), &text).unwrap();
        let damaged = files(&out);
        let error = Run::resume(&out, &Roster::default()).err().unwrap();
        assert!(matches!(error, GeneticError::Folder(FolderError::Damaged { .. } | FolderError::OtherFormat { .. })));
        let error = error.to_string();
        assert!(error.contains(name) && error.contains(expected), "{error}");
        assert_eq!(files(&out), damaged, "{name}");
        fs::write(out.join(name), &whole[name]).unwrap();
    }
    fs::remove_file(out.join("log.jsonl")).unwrap();
    assert!(matches!(Run::resume(&out, &Roster::default()), Err(GeneticError::Folder(FolderError::Io { .. }))));
    fs::write(out.join("log.jsonl"), &whole["log.jsonl"]).unwrap();
    finish(&mut Run::resume(&out, &Roster::default()).unwrap());
}

#[test]
fn nothing_is_overwritten_and_nobody_works_twice() {
    let folder = folder(BINARY);
    let (file, out) = (folder.path().join("e.toml"), folder.path().join("run"));
    let run = create(&folder);
    assert!(matches!(
        Run::create(&file, &[], &out, None, &Roster::default()),
        Err(GeneticError::Folder(FolderError::Occupied(_)))
    ));
    assert!(matches!(Run::resume(&out, &Roster::default()), Err(GeneticError::Folder(FolderError::Busy(_)))));
    drop(run);
    assert!(matches!(Run::resume(folder.path(), &Roster::default()), Err(GeneticError::Folder(FolderError::NoRun(_)))));
    let here = folder.path().join("here");
    fs::create_dir(&here).unwrap();
    fs::write(here.join("mine.txt"), "mine").unwrap();
    assert!(matches!(
        Run::create(&file, &[], &here, None, &Roster::default()),
        Err(GeneticError::Folder(FolderError::NotEmpty(_)))
    ));
    assert_eq!(files(&here).len(), 1);
}

#[test]
fn what_a_killed_beginning_leaves_is_no_obstacle() {
    let folder = folder(BINARY);
    let (file, out) = (folder.path().join("e.toml"), folder.path().join("run"));
    let begun = || Run::create(&file, &[], &out, None, &Roster::default());
    drop(begun().unwrap());
    let expected = files(&out);
    let staged = ".turncoat-a1b2c3";
    for (left, accepted) in [
        (&[][..], true),
        (&["lock"], true),
        (&["lock", staged], true),
        (&["lock", "experiment.toml"], true),
        (&["lock", "experiment.toml", staged], true),
        // What no run has left.
        (&["experiment.toml"], false),
        (&["lock", "notes.txt"], false),
    ] {
        fs::remove_dir_all(&out).unwrap();
        fs::create_dir(&out).unwrap();
        for name in left {
            fs::write(out.join(name), "half").unwrap();
        }
        match begun() {
            Ok(run) => {
                drop(run);
                assert!(accepted, "{left:?}");
                assert_eq!(files(&out), expected, "{left:?}");
            }
            Err(error) => {
                assert!(!accepted, "{left:?}: {error}");
                assert_eq!(fs::read_dir(&out).unwrap().count(), left.len());
            }
        }
    }
    // The checkpoint is there: it is a run.
    fs::remove_dir_all(&out).unwrap();
    drop(begun().unwrap());
    for name in ["log.jsonl", "individuals.jsonl"] {
        fs::remove_file(out.join(name)).unwrap();
    }
    drop(Run::resume(&out, &Roster::default()).unwrap());
    assert_eq!(files(&out), expected);
}

/// Fails in its second game.
struct Faulty {
    games: u32,
    panics: bool,
}

impl Player for Faulty {
    fn choose(
        &mut self,
        position: Position,
        _: &Limits,
        _: &mut dyn FnMut(&MoveInfo),
    ) -> Result<Option<MoveInfo>, Fault> {
        if self.games > 1 {
            assert!(!self.panics, "a bolt is loose");
            return Err(Fault::Protocol("it says hello".to_owned()));
        }
        Ok(position.legal_moves().into_iter().next().map(MoveInfo::at_sight))
    }

    fn new_game(&mut self, _: u64) {
        self.games += 1;
    }
}

/// A program called `machine:`, sound or not.
#[derive(Clone, Copy)]
enum Machine {
    Sound,
    Faulty { panics: bool },
}

impl Programs for Machine {
    fn find(&self, text: &str) -> Option<Arc<dyn Program>> {
        text.starts_with("machine:").then(|| Arc::new(*self) as Arc<dyn Program>)
    }
}

impl Program for Machine {
    fn build(&self, setting: Setting) -> Result<Box<dyn Player>, BuildError> {
        match *self {
            Self::Sound => "greedy".parse::<Spec>()?.build(setting),
            Self::Faulty { panics } => Ok(Box::new(Faulty { games: 0, panics })),
        }
    }

    fn contents(&self) -> Option<String> {
        None
    }
}

#[test]
fn a_pool_player_that_faults_ends_the_run_and_it_goes_on_once_mended() {
    let pool = "[fitness]\nopponents = \"pool\"\npool = [\"machine:greedy\"]\nplies = 4";
    let text = real("mode-2").replace("[fitness]", pool);
    let roster = |machine: Machine| Roster::default().with_programs(machine);
    let threads = |machine: Machine| Threads { roster: roster(machine), ..Threads::default() };
    let create = |folder: &TempDir| {
        let (file, out) = (folder.path().join("e.toml"), folder.path().join("run"));
        Run::create(&file, &[], &out, None, &roster(Machine::Sound)).unwrap()
    };
    let finish = |mut run: Run| while !matches!(run.step(&mut threads(Machine::Sound)).unwrap(), Step::Complete(_)) {};
    let untroubled = folder(&text);
    finish(create(&untroubled));
    let expected = files(&untroubled.path().join("run"));
    for (panics, fault) in [(false, "protocol error: it says hello"), (true, "the program crashed: a bolt is loose")] {
        let folder = folder(&text);
        let out = folder.path().join("run");
        let mut run = create(&folder);
        run.step(&mut threads(Machine::Sound)).unwrap();
        let before = files(&out);
        let error = run.step(&mut threads(Machine::Faulty { panics })).unwrap_err().to_string();
        let who = "generation 2: machine:greedy failed as black in a game against nine-weights:depth=1: ";
        assert_eq!(error, format!("{who}{fault}"));
        drop(run);
        assert_eq!(files(&out), before);
        finish(Run::resume(&out, &roster(Machine::Sound)).unwrap());
        assert_eq!(files(&out), expected);
    }
}

#[test]
fn files_that_players_name_are_read_once() {
    let folder = tempfile::tempdir().unwrap();
    let weights = folder.path().join("w.toml");
    let written = "nine-weights".parse::<Spec>().unwrap().export().unwrap();
    fs::write(&weights, &written).unwrap();
    let pool =
        format!("[fitness]\nopponents = \"pool\"\npool = [\"nine-weights:depth=1,weights={}\"]", weights.display());
    fs::write(folder.path().join("e.toml"), real("mode-2").replace("[fitness]", &pool)).unwrap();
    drop(create(&folder));
    fs::remove_file(&weights).unwrap();
    finish(&mut Run::resume(&folder.path().join("run"), &Roster::default()).unwrap());
}

/// Plays as another machine would: the batch travels as text, in parts, last part first.
struct Elsewhere {
    loses_one: bool,
}

impl Evaluate for Elsewhere {
    fn evaluate(&mut self, batch: &Batch) -> Result<Option<Vec<i8>>, PlayError> {
        let text = serde_json::to_string(batch).unwrap();
        let batch: Batch = serde_json::from_str(&text).unwrap();
        let middle = batch.games.len() / 3;
        let mut tail = batch.play(middle..batch.games.len(), &Roster::default())?;
        let mut margins = batch.play(0..middle, &Roster::default())?;
        margins.append(&mut tail);
        if self.loses_one {
            margins.pop();
        }
        Ok(Some(margins))
    }
}

#[test]
fn games_can_be_played_elsewhere() {
    for text in [BINARY.to_owned(), real("cma-es")] {
        let folder = folder(&text);
        let mut run = create(&folder);
        let error = run.step(&mut Elsewhere { loses_one: true }).unwrap_err();
        assert!(error.to_string().contains("results came back for"), "{error}");
        let mut elsewhere = Elsewhere { loses_one: false };
        while !matches!(run.step(&mut elsewhere).unwrap(), Step::Complete(_)) {}
        assert_eq!(files(&folder.path().join("run")), uninterrupted(&text, 2));
    }
}
