//! The training loop: the same weights and tables whatever interrupts it, and nothing done with other settings.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::patterns::read_weights;
use turncoat_players::StopFlag;
use turncoat_train::matches::MatchResult;
use turncoat_train::rounds::{
    Contest, Here, Keep, LoopError, LoopEvent, LoopGames, LoopRun, LoopSettings, LoopStep, Work, Workers,
    meet_elsewhere, selfplay_elsewhere,
};
use turncoat_train::run_folder::FolderError;
use turncoat_train::selfplay::SelfplayPlan;

fn settings() -> LoopSettings {
    let quick = LoopSettings::games(VariantKind::Reversed, 7, 96, 2).quick();
    LoopSettings { depths: vec![1], solve: 6, shard: 32, passes: 1, gate: 4, yardstick: 2, ..quick }
}

/// Works on a loop until so many events; whether it came to its end.
fn work_until(run: &mut LoopRun, events: u64) -> bool {
    let (stop, heard) = (StopFlag::default(), AtomicU64::new(0));
    let hear = |_: LoopEvent<'_>| {
        if heard.fetch_add(1, Ordering::Relaxed) == events {
            stop.raise();
        }
    };
    work_with(run, &mut Here { stop: &stop, hear: &hear })
}

fn work_with(run: &mut LoopRun, workers: &mut dyn Workers) -> bool {
    loop {
        match run.step(workers).unwrap() {
            LoopStep::Round(_) => {}
            LoopStep::Complete => return true,
            LoopStep::Interrupted => return false,
        }
    }
}

/// Plays in chunks of seven games, each sent as text: as another machine would.
struct Elsewhere;

fn in_chunks(games: &LoopGames, numbers: Range<u64>) -> Result<Option<Vec<Vec<u8>>>, LoopError> {
    let sent: LoopGames = serde_json::from_str(&serde_json::to_string(games).unwrap()).unwrap();
    let chunk = |first: u64| sent.play(first..(first + 7).min(numbers.end), &StopFlag::default());
    numbers.clone().step_by(7).map(chunk).collect::<Result<_, _>>().map(Some)
}

impl Workers for Elsewhere {
    fn selfplay(&mut self, plan: &SelfplayPlan, first: u64, keep: Keep<'_>) -> Result<bool, LoopError> {
        // What comes back is counted.
        let none = selfplay_elsewhere(plan, first, keep, 1, &mut |_, _| Ok(Some(Vec::new())));
        assert!(none.unwrap_err().to_string().ends_with("0 games came back for 96"));
        selfplay_elsewhere(plan, first, keep, 1, &mut in_chunks)
    }

    fn meet(&mut self, contest: &Contest) -> Result<Option<MatchResult>, LoopError> {
        let wrong =
            meet_elsewhere(contest, 1, &mut |_, games| Ok(Some(vec![vec![3; (games.end - games.start) as usize]])));
        assert!(wrong.unwrap_err().to_string().ends_with("no game has such points"));
        meet_elsewhere(contest, 1, &mut in_chunks)
    }

    fn here(&mut self, work: Work<'_>) {
        work(&StopFlag::default(), &|_| {});
    }
}

/// All files that do not depend on time.
fn results(folder: &Path) -> BTreeMap<&'static str, Vec<u8>> {
    let names = ["log.jsonl", "rounds.csv", "elo.svg", "best.weights", "round-2/weights/patterns.weights"];
    names.into_iter().filter_map(|name| Some((name, fs::read(folder.join(name)).ok()?))).collect()
}

#[test]
fn a_loop_comes_to_the_same_however_it_is_worked_on() {
    let place = tempfile::tempdir().unwrap();
    let whole = place.path().join("whole");
    let mut run = LoopRun::create(settings(), &whole).unwrap();
    assert!(work_until(&mut run, u64::MAX));
    assert_eq!(run.rounds().len(), 2);
    assert_eq!(run.rounds()[0].games, 96);
    assert_eq!(run.rounds()[1].fitted_games, 192, "with the games of the round before");
    assert_eq!(run.rounds()[1].yardsticks.len(), 2);
    assert!(whole.join("report.html").exists() && !whole.join("round-1/weights/positions").exists());
    let expected = results(&whole);
    assert!(expected.len() >= 4);
    for (folder, work) in [("pieces", in_pieces as fn(&Path)), ("prolonged", elsewhere_and_prolonged)] {
        let folder = place.path().join(folder);
        work(&folder);
        let found = results(&folder);
        assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
        for (name, contents) in &expected {
            assert!(found[name] == *contents, "{}: {name} differs", folder.display());
        }
        // A finished loop has nothing left to do.
        assert!(work_until(&mut LoopRun::resume(&folder).unwrap(), 0));
    }
}

/// On one thread, with interruptions.
fn in_pieces(folder: &Path) {
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| {
        let mut complete = work_until(&mut LoopRun::create(settings(), folder).unwrap(), 40);
        let mut stops = 0;
        // Each time longer, so that every part is interrupted and all come to an end.
        while !complete {
            stops += 1;
            complete = work_until(&mut LoopRun::resume(folder).unwrap(), 30 * stops);
        }
        assert!(stops > 3, "{stops}");
    });
}

#[test]
fn small_boards_have_weights_of_their_own() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("six");
    let settings = LoopSettings { size: Geometry::SIX, rounds: 1, ..settings() };
    assert!(work_until(&mut LoopRun::create(settings, &folder).unwrap(), u64::MAX));
    let weights = read_weights(&fs::read(folder.join("round-1/weights/patterns.weights")).unwrap()).unwrap();
    assert_eq!(weights.geometry, Geometry::SIX);
    let learned: Vec<bool> = weights.stages.iter().map(|stage| stage.iter().any(|&weight| weight != 0)).collect();
    // It has 32 empty squares at most.
    assert!(!learned[..13].contains(&true) && learned.contains(&true), "{learned:?}");
}

/// On other machines, a round at first and then another one.
fn elsewhere_and_prolonged(folder: &Path) {
    let mut run = LoopRun::create(LoopSettings { rounds: 1, ..settings() }, folder).unwrap();
    assert!(work_with(&mut run, &mut Elsewhere));
    drop(run);
    let mut run = LoopRun::resume(folder).unwrap();
    for (rounds, minutes, fault) in
        [(Some(0), None, "rounds"), (None, Some(9.0), "minutes"), (Some(2000), None, "rounds")]
    {
        let said = run.prolong(rounds, minutes).unwrap_err().to_string();
        assert!(said.contains(fault), "{said}");
    }
    run.prolong(Some(2), None).unwrap();
    assert!(work_with(&mut run, &mut Elsewhere));
}

#[test]
fn other_settings_and_other_folders_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let folder = place.path().join("loop");
    let bad = LoopSettings { rounds: 0, ..settings() };
    assert!(matches!(LoopRun::create(bad, &folder), Err(LoopError::Folder(FolderError::Settings { .. }))));
    assert!(!folder.exists());
    drop(LoopRun::create(settings(), &folder).unwrap());
    assert!(matches!(LoopRun::create(settings(), &folder), Err(LoopError::Folder(FolderError::Occupied(_)))));
    let file = folder.join("settings.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("solve = 6", "solve = 5")).unwrap();
    assert!(matches!(LoopRun::resume(&folder), Err(LoopError::Folder(FolderError::Changed { .. }))));
    assert!(matches!(LoopRun::resume(place.path()), Err(LoopError::Folder(FolderError::NoRun(_)))));
}
