//! The training loop: the same weights and tables whatever interrupts it, and nothing done with other settings.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use turncoat_board::VariantKind;
use turncoat_players::StopFlag;
use turncoat_train::rounds::{LoopError, LoopEvent, LoopRun, LoopSettings, LoopStep};
use turncoat_train::run_folder::FolderError;

fn settings() -> LoopSettings {
    let quick = LoopSettings::games(VariantKind::Reversed, 7, 96, 2).quick();
    LoopSettings { shard: 32, passes: 1, gate: 4, yardstick: 2, ..quick }
}

/// Works on a loop until so many events; whether it came to its end.
fn work(run: &mut LoopRun, events: u64) -> bool {
    let (stop, heard) = (StopFlag::default(), AtomicU64::new(0));
    let hear = |_: LoopEvent<'_>| {
        if heard.fetch_add(1, Ordering::Relaxed) == events {
            stop.raise();
        }
    };
    loop {
        match run.step(&stop, &hear).unwrap() {
            LoopStep::Round(_) => {}
            LoopStep::Complete => return true,
            LoopStep::Interrupted => return false,
        }
    }
}

/// All files that do not depend on time.
fn results(folder: &Path) -> BTreeMap<&'static str, Vec<u8>> {
    let names = ["log.jsonl", "rounds.csv", "elo.svg", "best.weights", "round-2/weights/patterns.weights"];
    names.into_iter().filter_map(|name| Some((name, fs::read(folder.join(name)).ok()?))).collect()
}

#[test]
fn interruptions_and_threads_change_nothing() {
    let place = tempfile::tempdir().unwrap();
    let (whole, pieces) = (place.path().join("whole"), place.path().join("pieces"));
    let mut run = LoopRun::create(settings(), &whole).unwrap();
    assert!(work(&mut run, u64::MAX));
    assert_eq!(run.rounds().len(), 2);
    assert_eq!(run.rounds()[0].games, 96);
    assert_eq!(run.rounds()[1].fitted_games, 192, "with the games of the round before");
    assert_eq!(run.rounds()[1].yardsticks.len(), 2);
    assert!(whole.join("report.html").exists() && !whole.join("round-1/weights/positions").exists());
    drop(run);

    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    one.install(|| {
        let mut complete = work(&mut LoopRun::create(settings(), &pieces).unwrap(), 40);
        let mut stops = 0;
        // Each time a little longer, so that every part is interrupted and all come to an end.
        while !complete {
            stops += 1;
            complete = work(&mut LoopRun::resume(&pieces).unwrap(), 30 * stops);
        }
        assert!(stops > 3, "{stops}");
    });
    let (expected, found) = (results(&whole), results(&pieces));
    assert!(expected.len() >= 4);
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (name, contents) in &expected {
        assert!(found[name] == *contents, "{name} differs");
    }
    // A finished loop has nothing left to do.
    assert!(work(&mut LoopRun::resume(&pieces).unwrap(), 0));
}

#[test]
fn a_prolonged_loop_equals_a_longer_one() {
    let place = tempfile::tempdir().unwrap();
    let (long, prolonged) = (place.path().join("long"), place.path().join("prolonged"));
    assert!(work(&mut LoopRun::create(settings(), &long).unwrap(), u64::MAX));
    assert!(work(&mut LoopRun::create(LoopSettings { rounds: 1, ..settings() }, &prolonged).unwrap(), u64::MAX));
    let mut run = LoopRun::resume(&prolonged).unwrap();
    for (rounds, minutes, fault) in
        [(Some(0), None, "rounds"), (None, Some(9.0), "minutes"), (Some(2000), None, "rounds")]
    {
        let said = run.prolong(rounds, minutes).unwrap_err().to_string();
        assert!(said.contains(fault), "{said}");
    }
    run.prolong(Some(2), None).unwrap();
    assert!(work(&mut run, u64::MAX));
    assert!(results(&long) == results(&prolonged));
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
