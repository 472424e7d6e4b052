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
use turncoat_train::genetic::run::{GeneticError, Run, Snapshot, Stage, Step, write_report};
use turncoat_train::genetic::{Assignment, Batch, End, PlayError};
use turncoat_train::run_folder::FolderError;

use super::{BINARY, real};

/// All files of a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
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

/// A folder with an experiment in it.
fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("e.toml"), text).unwrap();
    folder
}

fn create(folder: &TempDir) -> Run {
    let (file, out) = (folder.path().join("e.toml"), folder.path().join("run"));
    Run::create(&file, &[], &out, None, &Roster::default()).unwrap()
}

fn finish(run: &mut Run) {
    while !matches!(run.step(&mut Threads::default()).unwrap(), Step::Complete(_)) {}
}

/// The files of a run without interruption.
fn uninterrupted(text: &str, threads: usize) -> BTreeMap<String, Vec<u8>> {
    let folder = folder(text);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| finish(&mut create(&folder)));
    files(&folder.path().join("run"))
}

fn experiments() -> Vec<String> {
    let kinds = ["mode-1", "mode-2", "mode-3", "real", "cma-es"];
    let mut all: Vec<String> = kinds.map(real).to_vec();
    all.push(BINARY.to_owned());
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
fn a_run_ends_early_when_it_is_told_to() {
    let text = real("mode-2").replace("generations = 4", "generations = 40\nKEY");
    let whole = text.replace("KEY", "");
    let log = |text: &str, end: End| {
        let folder = folder(text);
        let mut run = create(&folder);
        finish(&mut run);
        assert_eq!(run.end(), Some(end));
        run.log().unwrap()
    };
    let all = log(&whole, End::Generations);
    let best: Vec<f64> = all.iter().map(|record| record.best).collect();
    // The same generations, and then an end.
    let patient = log(&text.replace("KEY", "patience = 3"), End::Patience);
    assert_eq!(patient, all[..patient.len()]);
    let highest = best[..patient.len()].iter().copied().fold(f64::MIN, f64::max);
    assert!(best[..patient.len() - 3].contains(&highest), "{best:?}");
    assert!(best[patient.len() - 3..patient.len()].iter().all(|&best| best <= highest));
    let target = best[1..].iter().copied().fold(best[0], f64::max);
    let aimed = log(&text.replace("KEY", &format!("target = {target:?}")), End::Target);
    assert_eq!(aimed, all[..aimed.len()]);
    assert_eq!(best.iter().position(|&best| best >= target), Some(aimed.len() - 1));
    // Interruptions change nothing about it.
    let folder = folder(&text.replace("KEY", "patience = 3"));
    let out = folder.path().join("run");
    drop(create(&folder));
    let resumed = || Run::resume(&out, &Roster::default()).unwrap().step(&mut Threads::default()).unwrap();
    while !matches!(resumed(), Step::Complete(_)) {}
    assert_eq!(files(&out), uninterrupted(&text.replace("KEY", "patience = 3"), 2));
}

/// Resumes a run with another number of generations.
fn prolonged(out: &Path, generations: u32) -> Result<Run, GeneticError> {
    Run::prolong(out, &[Assignment::new("generations", generations)], &Roster::default())
}

#[test]
fn a_prolonged_run_is_one_that_was_planned_so() {
    for text in experiments() {
        // A yardstick that the last generation meets, whichever it is.
        let text = text + "\n[[yardstick]]\nplayer = \"greedy\"\ngames = 2\nevery = 5\n";
        let planned = |generations| text.replace("generations = 4", &format!("generations = {generations}"));
        let expected = uninterrupted(&planned(7), 2);
        // Finished, and stopped after a generation.
        for steps in [5, 1] {
            let folder = folder(&text);
            let out = folder.path().join("run");
            let mut run = create(&folder);
            for _ in 0..steps {
                run.step(&mut Threads::default()).unwrap();
            }
            drop(run);
            drop(prolonged(&out, 6).unwrap());
            // Killed before the experiment was written.
            fs::write(out.join("experiment.toml"), &text).unwrap();
            assert_eq!(Snapshot::read(&out, &Roster::default()).unwrap().lab().experiment.generations, 6);
            finish(&mut prolonged(&out, 7).unwrap());
            assert_eq!(files(&out), expected, "after {steps} steps");
            // Nothing is to be done.
            finish(&mut prolonged(&out, 7).unwrap());
            assert_eq!(files(&out), expected);
        }
    }
}

#[test]
fn a_run_can_only_end_where_it_could_have_ended() {
    let folder = folder(&real("mode-2"));
    let out = folder.path().join("run");
    let mut run = create(&folder);
    for _ in 0..2 {
        run.step(&mut Threads::default()).unwrap();
    }
    drop(run);
    let before = files(&out);
    let refused = |assignment: &str| {
        let assignment = [assignment.parse().unwrap()];
        let error = Run::prolong(&out, &assignment, &Roster::default()).err().unwrap();
        assert!(error.is_misuse(), "{error}");
        assert_eq!(files(&out), before);
        error.to_string()
    };
    assert_eq!(refused("generations=1"), "2 generations are done: with this, the run would have ended after 1");
    // Who follows them is bred already.
    assert!(refused("generations=2").ends_with("ended after 2"));
    assert!(refused("target=-1000").ends_with("ended after 1, at its target"));
    assert!(refused("keep=9").starts_with("keep stays as it is: "));
    assert!(refused("generations=many").contains("experiment.toml: line "));
    finish(&mut prolonged(&out, 3).unwrap());
    assert_eq!(files(&out), uninterrupted(&real("mode-2").replace("generations = 4", "generations = 3"), 1));
}

#[test]
fn the_log_is_a_table_too() {
    let text = BINARY.to_owned() + "\n[[yardstick]]\nplayer = \"greedy\"\ngames = 2\nevery = 3\n";
    let folder = folder(&text);
    let mut run = create(&folder);
    finish(&mut run);
    let table = fs::read_to_string(folder.path().join("run/log.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][7..], ["sigma", "yardstick_1", "yardstick_2"]);
    assert_eq!(rows.len(), 5);
    for (row, record) in rows[1..].iter().zip(run.log().unwrap()) {
        let begin = format!("{},{},{},{}", record.generation, record.games, record.best, record.mean);
        assert_eq!(row[..4].join(","), begin);
        assert_eq!((row.len(), row[7], row[9].is_empty()), (10, "", record.generation == 2));
    }
    // Whatever happens to the tables, the run has them again.
    drop(run);
    fs::remove_file(folder.path().join("run/seconds.csv")).unwrap();
    fs::write(folder.path().join("run/log.csv"), "lost").unwrap();
    drop(Run::resume(&folder.path().join("run"), &Roster::default()).unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("run/log.csv")).unwrap(), table);
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
        ("checkpoint.json", old, "of format 99"),
        ("log.jsonl", log[1..].to_owned(), "it is not what the checkpoint"),
        ("individuals.jsonl", String::new(), "it is not what the checkpoint"),
        ("experiment.toml", BINARY.replace("keep = 3", "keep = 4"), "not the experiment that"),
    ] {
        fs::write(out.join(name), &text).unwrap();
        let damaged = files(&out);
        let error = Run::resume(&out, &Roster::default()).err().unwrap();
        assert!(matches!(error, GeneticError::Folder(FolderError::Damaged { .. })));
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

#[test]
fn a_run_is_read_while_it_is_worked_on() {
    for text in [BINARY.to_owned(), real("cma-es")] {
        let folder = folder(&text);
        let out = folder.path().join("run");
        let read = || Snapshot::read(&out, &Roster::default()).unwrap();
        let mut run = create(&folder);
        assert_eq!((read().stage(), read().log().len()), (Stage::Generation(1), 0));
        run.step(&mut Threads::default()).unwrap();
        let before = files(&out);
        let seen = read();
        assert_eq!(seen.worker().unwrap().0, std::process::id());
        assert_eq!((seen.stage(), seen.log()), (Stage::Generation(2), &*run.log().unwrap()));
        assert_eq!(seen.seconds().len(), 1);
        // Anyone who is logged can play.
        let all = seen.individuals(1).unwrap();
        for (rank, rated) in (1..).zip(&all) {
            let file = seen.lab().parameter_file(&seen.individual(1, rank).unwrap().individual.genome, "one");
            let parameters = seen.lab().layout.parameters(&rated.individual.genome);
            assert_eq!(seen.lab().schema.read(&file).unwrap(), parameters);
        }
        let error = seen.individual(1, all.len() + 1).unwrap_err();
        assert!(matches!(error, GeneticError::NoRank { generation: 1, .. }), "{error}");
        assert!(matches!(seen.individuals(2), Err(GeneticError::NoGeneration { generation: 2, done: 1 })));
        assert_eq!(files(&out), before);
        finish(&mut run);
        assert_eq!(read().stage(), Stage::Finished);
        drop(run);
        assert!(read().worker().is_none());
        assert_eq!(read().seconds().len(), 4);
    }
}

#[test]
fn a_report_can_be_had_at_any_time() {
    for text in [BINARY.to_owned(), real("cma-es")] {
        let folder = folder(&text);
        let out = folder.path().join("run");
        let report = || write_report(&out, &Roster::default(), &mut Threads::default());
        let mut run = create(&folder);
        assert!(matches!(report(), Err(GeneticError::NoGeneration { done: 0, .. })));
        for _ in 0..2 {
            run.step(&mut Threads::default()).unwrap();
        }
        let (seen, standings) = report().unwrap().unwrap();
        assert_eq!(seen.log().len(), 2);
        let written = files(&out);
        let champion = str::from_utf8(&written["champion.toml"]).unwrap();
        assert!(champion.lines().next().unwrap().ends_with(", after 2 generations"), "{champion}");
        let parameters = seen.lab().layout.parameters(&standings[0].genome);
        assert_eq!(seen.lab().schema.read(champion).unwrap(), parameters);
        assert!(str::from_utf8(&written["report.html"]).unwrap().contains("The run is not finished."));
        // It is gone in the end.
        finish(&mut run);
        let expected = uninterrupted(&text, 2);
        assert_eq!(files(&out), expected);
        fs::remove_file(out.join("champion.toml")).unwrap();
        fs::write(out.join("report.html"), "lost").unwrap();
        report().unwrap().unwrap();
        assert_eq!(files(&out), expected);
    }
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
