//! Stores of all kinds, good and bad.

use std::path::PathBuf;
use std::time::Duration;

use tempfile::TempDir;
use turncoat_board::Color;
use turncoat_players::Fault;

use super::*;
use crate::efforts::{Effort, Efforts};
use crate::plan::tests::plan;
use crate::played::{Ending, Finished};
use crate::results::tests::game;

const COMMAND: &str = "turncoat match greedy random";

/// A wipe-out, the shortest game there is.
const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

struct Bench {
    _folder: TempDir,
    path: PathBuf,
    plan: Plan,
}

impl Bench {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        Self { _folder: folder, path, plan: plan(&["greedy", "random"], 10) }
    }

    fn create(&self) -> Result<Store, StoreError> {
        Store::create(&self.path, &self.plan, COMMAND)
    }

    fn resume(&self) -> Result<(Store, Vec<Played>), StoreError> {
        Store::resume(&self.path, &self.plan)
    }

    fn schedule(&self) -> crate::Schedule {
        crate::Schedule::round_robin(2, self.plan.games / 2)
    }

    fn finished(&self, number: u64) -> Played {
        Played { moves: WIPE_OUT.to_owned(), ..game(&self.schedule(), number, -64) }
    }

    fn faulty(&self, number: u64, fault: Fault) -> Played {
        let ending = Ending::Fault { by: Color::White, fault };
        Played { ending, thinking: [Duration::from_millis(1500), Duration::ZERO], ..game(&self.schedule(), number, 0) }
    }

    /// Changes the file behind the store's back.
    fn execute(&self, sql: &str) {
        let connection = Connection::open(&self.path).unwrap();
        connection.execute_batch(sql).unwrap();
    }

    fn refusal(&self) -> String {
        let error = self.resume().unwrap_err().to_string();
        let name = format!("{}: ", self.path.display());
        error.strip_prefix(&name).unwrap().to_owned()
    }
}

#[test]
fn games_come_back_as_they_were_written() {
    let bench = Bench::new();
    let games = vec![
        bench.finished(0),
        bench.faulty(3, Fault::Timeout(String::new())),
        bench.faulty(4, Fault::Crash("broken \"glass\"; DROP TABLE games".to_owned())),
        bench.faulty(5, Fault::IllegalMove("a1".to_owned())),
        bench.faulty(6, Fault::Protocol(String::new())),
        bench.faulty(7, Fault::OutOfMemory("120.0 MB".to_owned())),
    ];
    let mut store = bench.create().unwrap();
    store.write(&games[..2]).unwrap();
    store.write(&games[2..]).unwrap();
    // It can be read while it is open.
    let contents = Store::read(&bench.path).unwrap();
    assert_eq!((&contents.plan, &contents.games), (&bench.plan, &games));
    assert_eq!(contents.command, COMMAND);
    drop(store);
    let (mut store, again) = bench.resume().unwrap();
    assert_eq!(again, games);
    store.truncate(5).unwrap();
    drop(store);
    assert_eq!(bench.resume().unwrap().1, games[..3]);
}

#[test]
fn a_store_without_the_columns_of_efforts_is_read_and_continued() {
    let bench = Bench::new();
    let mut store = bench.create().unwrap();
    store.write(&[bench.finished(0)]).unwrap();
    drop(store);
    for column in ["times", "memory", "pressed", "voided"] {
        bench.execute(&format!("ALTER TABLE games DROP COLUMN {column}"));
    }
    assert!(Store::read(&bench.path).unwrap().pressed.is_empty());
    assert_eq!(Store::efforts(&bench.path, 0).unwrap(), WrittenEfforts::default());
    let (mut store, _) = bench.resume().unwrap();
    let effort = Effort { time: Duration::from_secs(2), memory: Some(5_000_000), pressed: true };
    let efforts = Efforts { moves: vec![effort], voided: 0 };
    store.write(&[Finished { played: bench.finished(1), efforts }]).unwrap();
    let efforts = Store::efforts(&bench.path, 1).unwrap();
    assert_eq!((efforts.times, efforts.memory, efforts.pressed), (vec![2.0], vec![Some(5.0)], vec![0]));
    assert_eq!(Store::read(&bench.path).unwrap().pressed.into_iter().collect::<Vec<_>>(), [1]);
}

#[test]
fn a_game_is_not_stored_twice_and_a_failed_batch_not_at_all() {
    let bench = Bench::new();
    let mut store = bench.create().unwrap();
    store.write(&[bench.finished(0)]).unwrap();
    assert!(store.write(&[bench.finished(1), bench.finished(0)]).is_err());
    assert_eq!(Store::read(&bench.path).unwrap().games.len(), 1);
}

#[test]
fn a_new_run_wants_a_new_file_and_a_resumed_one_an_old() {
    let bench = Bench::new();
    assert_eq!(bench.refusal(), "there is no such store");
    drop(bench.create().unwrap());
    let error = bench.create().unwrap_err();
    assert!(matches!(error.fault, StoreFault::Exists), "{error}");
    // Nothing but the store itself is left behind.
    let folder = bench.path.parent().unwrap();
    assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
}

#[test]
fn an_empty_file_and_a_folder_are_no_stores() {
    let bench = Bench::new();
    let both = |expected: &str| {
        let error = bench.create().unwrap_err().to_string();
        assert!(error.ends_with(expected), "{error}");
        assert_eq!(bench.refusal(), expected);
    };
    fs::write(&bench.path, "").unwrap();
    both("this is not a store of games");
    assert_eq!(fs::read(&bench.path).unwrap(), b"");
    fs::remove_file(&bench.path).unwrap();
    fs::create_dir(&bench.path).unwrap();
    both("this is a folder: a store is a file");
    // Nothing else is left behind.
    assert_eq!(fs::read_dir(bench.path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn other_files_versions_and_runs_are_refused_and_left_alone() {
    let bench = Bench::new();
    fs::write(&bench.path, "f5d6c3\n".repeat(200)).unwrap();
    assert_eq!(bench.refusal(), "this is not a store of games");
    assert_eq!(fs::read(&bench.path).unwrap().len(), 1400);
    fs::remove_file(&bench.path).unwrap();
    bench.execute("CREATE TABLE games (number INTEGER)");
    assert_eq!(bench.refusal(), "this is not a store of games");
    fs::remove_file(&bench.path).unwrap();

    drop(bench.create().unwrap());
    bench.execute("UPDATE store SET version = 99");
    assert!(bench.refusal().starts_with("the store has format 99, which a later turncoat reads; this is turncoat "));
    bench.execute("UPDATE about SET value = '9.0.0' WHERE name = 'program'");
    assert!(bench.refusal().starts_with("the store has format 99, which turncoat 9.0.0 reads; "));
    bench.execute("UPDATE store SET version = 1");
    for (change, asked, there) in [
        ("UPDATE plan SET value = '3' WHERE name = 'seed'", "--seed: 18446744073709551615", "3"),
        ("UPDATE plan SET value = '\"reversi\"' WHERE name = 'variant'", "--variant: reversed", "reversi"),
        ("UPDATE plan SET value = '20' WHERE name = 'games'", "--games: 10", "20"),
    ] {
        let before = fs::read(&bench.path).unwrap();
        bench.execute(change);
        let said = format!("{asked} was asked for, but the run in the store has {there}; it began with\n  {COMMAND}");
        assert_eq!(bench.refusal(), said);
        fs::write(&bench.path, before).unwrap();
    }
    let before = fs::read(&bench.path).unwrap();
    bench.execute("UPDATE plan SET value = '[\"5eed\", null]' WHERE name = 'players_digests'");
    let player = &bench.plan.players[0];
    assert_eq!(
        bench.refusal(),
        format!("{player} has been changed since the run in the store began with\n  {COMMAND}")
    );
    fs::write(&bench.path, before).unwrap();
    bench.execute("UPDATE plan SET value = 'rubbish' WHERE name = 'seed'");
    assert!(bench.refusal().starts_with("the description of the run cannot be read: seed"));
    bench.execute("DELETE FROM plan");
    assert!(bench.refusal().starts_with("the description of the run cannot be read: missing field"));
}

#[test]
fn two_runs_cannot_use_one_store() {
    let bench = Bench::new();
    let store = bench.create().unwrap();
    let process = std::process::id();
    assert_eq!(bench.refusal(), format!("another run is using this store (process {process})"));
    drop(store);
    assert!(bench.resume().is_ok());
}

#[test]
fn a_run_can_be_prolonged() {
    let mut bench = Bench::new();
    drop(bench.create().unwrap());
    bench.plan.games = 30;
    drop(bench.resume().unwrap());
    assert_eq!(Store::read(&bench.path).unwrap().plan.games, 30);
}

#[test]
fn broken_games_are_named() {
    let bench = Bench::new();
    let mut store = bench.create().unwrap();
    store.write(&[bench.finished(0), bench.faulty(1, Fault::Timeout(String::new()))]).unwrap();
    drop(store);
    let sound = fs::read(&bench.path).unwrap();
    for (change, said) in [
        (
            "UPDATE games SET moves = 'f5f5' WHERE number = 0",
            "game 1 in it is broken: character 3, move 2: f5 is already occupied by black",
        ),
        ("UPDATE games SET margin = 2 WHERE number = 0", "game 1 in it is broken: its moves do not lead to its result"),
        (
            "UPDATE games SET winner = 'black' WHERE number = 0",
            "game 1 in it is broken: its winner does not fit its margin",
        ),
        (
            "UPDATE games SET winner = 'draw' WHERE number = 1",
            "game 2 in it is broken: \"draw\" cannot have won by a fault",
        ),
        (
            "UPDATE games SET reason = 'hiccup' WHERE number = 1",
            "game 2 in it is broken: no fault is called \"hiccup\"",
        ),
        (
            "UPDATE games SET black = 1 WHERE number = 0",
            "game 1 in it is broken: the run has another one with this number, or none",
        ),
        (
            "UPDATE games SET number = 11 WHERE number = 1",
            "game 12 in it is broken: the run has another one with this number, or none",
        ),
        (
            "UPDATE games SET start = 'nowhere' WHERE number = 0",
            "game 1 in it is broken: character 1: 'n' on a1 is not a cell: X is black, O is white, - is empty",
        ),
    ] {
        bench.execute(change);
        assert_eq!(bench.refusal(), said);
        fs::write(&bench.path, &sound).unwrap();
    }
    assert_eq!(bench.resume().unwrap().1.len(), 2);
}

#[cfg(unix)]
#[test]
fn a_store_is_read_where_nothing_can_be_written_beside_it() {
    let bench = Bench::new();
    let mut store = bench.create().unwrap();
    store.write(&[bench.finished(0)]).unwrap();
    // As after a kill: the last games are in the file beside it.
    let wal = fs::read(beside(&bench.path, "-wal")).unwrap();
    let main = fs::read(&bench.path).unwrap();
    drop(store);
    fs::write(&bench.path, main).unwrap();
    fs::write(beside(&bench.path, "-wal"), wal).unwrap();
    // A link takes the place of the file that would have to be made, which stops the superuser, too.
    std::os::unix::fs::symlink("no/where", beside(&bench.path, "-shm")).unwrap();
    assert_eq!(Store::read(&bench.path).unwrap().games, [bench.finished(0)]);
    assert!(bench.resume().is_err());
}

#[test]
fn unwritable_places_are_named() {
    let mut bench = Bench::new();
    bench.path = bench.path.join("no").join("such").join("folder.db");
    let error = bench.create().unwrap_err().to_string();
    assert!(error.starts_with(&bench.path.display().to_string()), "{error}");
    assert!(error.contains("No such file or directory"), "{error}");
}

#[test]
fn a_file_cut_short_is_an_error_and_no_panic() {
    let bench = Bench::new();
    let mut store = bench.create().unwrap();
    let games: Vec<_> = (0..10).map(|number| bench.finished(number)).collect();
    store.write(&games).unwrap();
    drop(store);
    let sound = fs::read(&bench.path).unwrap();
    for length in (1..sound.len()).step_by(509) {
        fs::write(&bench.path, &sound[..length]).unwrap();
        if let Ok((_, games)) = bench.resume() {
            assert!(games.len() <= 10);
        }
    }
}

#[test]
fn a_store_that_another_run_made_meanwhile_is_refused_and_kept() {
    let bench = Bench::new();
    drop(bench.create().unwrap());
    let before = fs::read(&bench.path).unwrap();
    let error = bench.create().unwrap_err();
    assert!(matches!(error.fault, StoreFault::Exists));
    assert_eq!(fs::read(&bench.path).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_store_that_is_removed_or_replaced_is_missed() {
    let bench = Bench::new();
    let mut store = bench.create().unwrap();
    store.write(&[bench.finished(0)]).unwrap();
    fs::remove_file(&bench.path).unwrap();
    let error = store.write(&[bench.finished(1)]).unwrap_err();
    assert!(matches!(error.fault, StoreFault::Gone));
    fs::write(&bench.path, "something else").unwrap();
    assert!(matches!(store.check_place().unwrap_err().fault, StoreFault::Gone));
    drop(store);
    assert_eq!(fs::read(&bench.path).unwrap(), b"something else");
}
