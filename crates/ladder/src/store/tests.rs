use std::time::Duration;

use tempfile::TempDir;
use turncoat_arena::{Effort, Efforts, Ending, Fixture, Format};
use turncoat_board::{Geometry, Score, VariantKind};

use super::*;

pub(crate) fn plan() -> Plan {
    Plan {
        format: Format::Ladder,
        players: Vec::new(),
        titles: Vec::new(),
        players_digests: Vec::new(),
        variant: VariantKind::Reversed,
        size: Geometry::EIGHT,
        seed: 1,
        games: 2,
        openings: "random:8".to_owned(),
        openings_digest: None,
        move_seconds: Some(1.0),
        game_seconds: None,
        increment_seconds: None,
        grace_seconds: 0.1,
        depth: None,
        sprt: None,
        memory: None,
        course_points: false,
    }
}

fn open(folder: &TempDir) -> Result<Store, StoreError> {
    Store::open(&folder.path().join("deep/ladder.db"), &plan(), "turncoat ladder class")
}

fn finished(number: u64, black: i64, white: i64, score: i32) -> LadderGame {
    let played = Played {
        fixture: Fixture { number, opening: number / 2, black: black as usize, white: white as usize },
        start: None,
        moves: "f5d6".to_owned(),
        ending: Ending::Finished { score: Score::new(score).unwrap() },
        thinking: [Duration::from_millis(1500), Duration::ZERO],
    };
    let effort = |millis, memory| Effort { time: Duration::from_millis(millis), memory, pressed: millis > 0 };
    let efforts = Efforts { moves: vec![effort(1500, Some(3_000_000)), effort(0, None)], voided: 1 };
    LadderGame {
        played,
        efforts: WrittenEfforts::from(&efforts),
        outputs: [Some("hello".to_owned()), None],
        ended: 1_000,
    }
}

#[test]
fn a_store_is_continued_with_its_versions_and_pairs() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder).unwrap();
    let (li, huang) = (store.player("li", "Li", false).unwrap(), store.player("huang.py", "huang", false).unwrap());
    let first = store.version(li, "aa", "py:1", 5).unwrap();
    let second = store.version(li, "bb", "py:2", 6).unwrap();
    let other = store.version(huang, "aa", "py:3", 7).unwrap();
    assert_eq!((first.number, second.number, other.number), (1, 2, 1));
    assert_eq!(store.version(li, "aa", "py:1", 9).unwrap(), first, "the same contents are the same version");
    store.tested(first.id, true, None).unwrap();
    store.promote(&first, "Li Hua").unwrap();
    store.promote(&other, "huang").unwrap();
    let pairs = [store.pair(first.id, other.id).unwrap(), store.pair(other.id, first.id).unwrap()];
    assert_eq!([pairs[0].number, pairs[1].number], [0, 1]);
    let place = HistoryPoint { number: 0, version: first.id, rank: 1, rating: 12.5, error: 3.0 };
    store.keep(&finished(0, first.id, other.id, 10), &[place]).unwrap();
    assert!(store.keep(&finished(0, first.id, other.id, 10), &[]).is_err(), "no game counts twice");
    drop(store);

    let mut store = open(&folder).unwrap();
    let open_pairs = store.reading(rows::open_pairs).unwrap();
    assert_eq!(open_pairs, pairs, "one is half played, one not at all");
    store.drop_pair(1).unwrap();
    store.keep(&finished(1, other.id, first.id, -4), &[]).unwrap();
    assert_eq!(store.reading(rows::open_pairs).unwrap(), []);
    let tally = store.reading(tallies).unwrap().between(first.id, other.id);
    assert_eq!((tally.wins, tally.losses, tally.margin), (2, 0, 14));
    assert_eq!(store.reading(tallies_of_playing).unwrap().between(first.id, other.id), tally);
    store.promote(&second, "Li").unwrap();
    assert_eq!(store.reading(tallies_of_playing).unwrap().between(first.id, other.id).games(), 0);
    store.promote(&first, "Li Hua").unwrap();
    let players = store.reading(players).unwrap();
    assert_eq!((players[0].title.as_str(), players[0].version), ("Li Hua", Some(first.id)));
    assert_eq!(store.reading(|c| history(c, li)).unwrap(), [place]);
    assert_eq!(store.reading(|c| outputs(c, 0)).unwrap(), [Some("hello".to_owned()), None]);
    assert_eq!(store.reading(|c| games_of(c, huang, u64::MAX, 10)).unwrap().len(), 2);
    let game = store.reading(|c| game(c, 1)).unwrap().unwrap();
    assert_eq!((game.black, game.winner.as_str()), (other.id, "white"));
    let efforts = game.efforts;
    assert_eq!((efforts.times, efforts.memory), (vec![1.5, 0.0], vec![Some(3.0), None]));
    assert_eq!((efforts.pressed, efforts.voided), (vec![0], 1));
}

#[test]
fn a_store_of_before_the_marks_is_read_and_continued() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = open(&folder).unwrap();
    store.keep(&finished(0, 1, 2, 10), &[]).unwrap();
    let path = store.path().to_owned();
    drop(store);
    let old = Connection::open(&path).unwrap();
    for column in ["memory", "pressed", "voided"] {
        old.execute_batch(&format!("ALTER TABLE games DROP COLUMN {column}")).unwrap();
    }
    drop(old);
    let read = game(&open_to_read(&path).unwrap(), 0).unwrap().unwrap().efforts;
    assert_eq!((read.times.len(), read.memory.len(), read.is_pressed()), (2, 0, false));
    let mut store = open(&folder).unwrap();
    store.keep(&finished(1, 2, 1, -4), &[]).unwrap();
    assert!(store.reading(|c| game(c, 1)).unwrap().unwrap().efforts.is_pressed());
}

#[test]
fn what_does_not_fit_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/ladder.db");
    let store = open(&folder).unwrap();
    assert!(matches!(open(&folder).unwrap_err().fault, StoreFault::InUse { .. }));
    assert!(is_ladder(&path), "it can be read meanwhile");
    drop(store);
    let other = Plan { move_seconds: Some(5.0), ..plan() };
    let error = Store::open(&path, &other, "").unwrap_err().to_string();
    assert!(error.contains("--time: 5.0 s was asked for") && error.contains("turncoat ladder class"), "{error}");
    fs::write(&path, "something else, long enough to be a database of another kind").unwrap();
    assert!(matches!(open(&folder).unwrap_err().fault, StoreFault::Foreign));
    assert!(!is_ladder(&path) && !is_ladder(folder.path()));
    // A process that was killed before its first commit leaves an empty file.
    fs::write(&path, "").unwrap();
    assert!(open(&folder).is_ok());
}
