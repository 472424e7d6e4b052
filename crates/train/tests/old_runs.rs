//! Run folders that earlier versions have written are read and continued, to the same results.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use tempfile::TempDir;
use turncoat_eval::patterns::{Weights, read_stages, write_weights};
use turncoat_players::{Roster, StopFlag};
use turncoat_train::genetic::Assignment;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::run::{Run, Snapshot, Stage, Step};
use turncoat_train::patterns::{self, Event, Settings};
use turncoat_train::run_folder::{RunKind, settings};
use turncoat_train::selfplay::{SelfplayRun, play_chunk};
use turncoat_util::digest;

fn fixtures(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

/// A folder with all files of another.
fn copied(from: &Path) -> TempDir {
    fn copy(from: &Path, to: &Path) {
        for entry in fs::read_dir(from).unwrap().map(Result::unwrap) {
            let to = to.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                fs::create_dir(&to).unwrap();
                copy(&entry.path(), &to);
            } else {
                fs::copy(entry.path(), to).unwrap();
            }
        }
    }
    let folder = tempfile::tempdir().unwrap();
    copy(from, folder.path());
    folder
}

#[test]
fn a_genetic_run_ends_as_it_would_have() {
    let folder = copied(&fixtures("genetic"));
    let mut run = Run::resume(folder.path(), &Roster::default()).unwrap();
    assert_eq!(run.done(), 3);
    let mut games = Threads::default();
    while !matches!(run.step(&mut games).unwrap(), Step::Complete(_)) {}
    for entry in fs::read_dir(fixtures("genetic-finished")).unwrap().map(Result::unwrap) {
        let here = fs::read_to_string(folder.path().join(entry.file_name())).unwrap();
        assert_eq!(here, fs::read_to_string(entry.path()).unwrap(), "{}", entry.path().display());
    }
}

#[test]
fn a_genetic_run_of_before_can_be_looked_at_and_prolonged() {
    let folder = copied(&fixtures("genetic"));
    let read = || Snapshot::read(folder.path(), &Roster::default()).unwrap();
    assert_eq!((read().stage(), read().log().len()), (Stage::Generation(4), 3));
    assert!(read().individual(3, 1).is_ok() && read().seconds().is_empty());
    let mut games = Threads::default();
    let mut finish = |mut run: Run| while !matches!(run.step(&mut games).unwrap(), Step::Complete(_)) {};
    finish(Run::resume(folder.path(), &Roster::default()).unwrap());
    let planned = read().lab().experiment.generations;
    let more = [Assignment::new("generations", planned + 2)];
    finish(Run::prolong(folder.path(), &more, &Roster::default()).unwrap());
    assert_eq!((read().stage(), read().log().len()), (Stage::Finished, planned as usize + 2));
}

#[test]
fn a_self_play_run_has_its_missing_games_played_as_they_would_have_been() {
    let whole = fixtures("selfplay");
    let folder = copied(&whole);
    for missing in ["000000.games", "000002.games"] {
        fs::remove_file(folder.path().join(missing)).unwrap();
    }
    let run = SelfplayRun::resume(folder.path()).unwrap();
    assert_eq!(run.missing(), [0, 2]);
    for shard in run.missing() {
        let games = play_chunk(run.plan(), run.plan().games_of(shard), &StopFlag::default());
        run.keep(shard, &games.unwrap()).unwrap();
    }
    for name in ["000000.games", "000001.games", "000002.games", "settings.digest", "settings.toml"] {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert_eq!(read(folder.path()), read(&whole), "{name}");
    }
}

#[test]
fn a_training_continues_after_the_stages_that_are_done() {
    let kept = copied(&fixtures("patterns"));
    let (folder, settings) = settings::resume(kept.path(), RunKind::Patterns, |_: &Settings| None).unwrap();
    // The games lie elsewhere now; only what is in them counts.
    let settings = Settings { games: vec![fixtures("selfplay")], ..settings };
    let found = AtomicUsize::new(0);
    let stopped = patterns::train(&settings, &folder, &|event| match event {
        Event::Found(_) => found.fetch_add(1, Ordering::Relaxed) < 2,
        Event::Passed(stage, _) => stage > 26,
        _ => true,
    });
    assert!(matches!(stopped, Err(patterns::TrainingError::Stopped)), "{stopped:?}");
    assert_eq!(found.into_inner(), 2);
    // Whatever their file, the weights are those of the version that began it.
    let stage = read_stages(&fs::read(kept.path().join("stage-27.weights")).unwrap(), 1).unwrap().stages.remove(0);
    let mut new = Weights::blank(settings.variant, settings.size);
    new.stages[27] = stage;
    assert_eq!(digest(write_weights(&new)), "b3a9ce0619d2aee8");
}
