//! Bad input, full disks, closed pipes, stores of others.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use super::{Folder, objects, said, wait_for};

/// Commands that are refused, with the exit status and a part of what is said.
const REFUSED: &[(&str, i32, &str)] = &[
    ("match greedy nobody", 2, "no player is called \"nobody\": there are random, greedy"),
    ("tournament greedy greedy:depth=x", 2, "no option is called \"depth\""),
    ("match greedy", 2, "<B>"),
    ("match greedy random greedy", 2, "unexpected argument 'greedy'"),
    ("tournament greedy", 2, "it has 2 to 200 players"),
    ("match greedy random --games 3", 2, "an even number is needed"),
    ("match greedy random --games 0", 2, "an even number is needed"),
    ("match greedy random --games 99999999998", 2, "at most 10000000 games"),
    ("match greedy random --concurrency 0", 2, "0 is not in 1..=256"),
    ("match greedy random --sprt elo0=0", 2, "elo1 is missing"),
    ("match greedy random --sprt elo0=9,elo1=1", 2, "elo0 must be below elo1"),
    ("tournament greedy random --sprt elo0=0,elo1=1", 2, "unexpected argument '--sprt'"),
    ("match greedy random --clock 5", 2, "a unit is missing"),
    ("match greedy random --openings random:x", 2, "random:x: the number of plies is not a whole number"),
    ("match greedy random --openings random:57", 2, "the 8x8 board has room for at most 56 random plies"),
    ("match greedy random --openings none.txt", 1, "none.txt: No such file"),
    (
        "match greedy random --openings book.txt",
        2,
        "book.txt, line 3: not a transcript: character 5, move 3: a1: black would flip no discs there",
    ),
    (
        "match greedy random --openings good.txt --size 6",
        2,
        "good.txt, line 1: not a transcript: character 1, move 1: f5: ",
    ),
    ("match greedy random --resume", 2, "--store"),
    ("match --show", 2, "--store"),
    ("match greedy random --show --store games.db", 2, "cannot be used with"),
    ("tournament greedy --show --store games.db", 2, "cannot be used with"),
    ("match --show --store seven.db --seed 1", 2, "--seed 1: the run in the store has 7"),
    ("match --show --store games.db --games 4", 2, "cannot be used with"),
    ("tournament --show --store games.db --gauntlet", 2, "cannot be used with"),
    ("match --show --store games.db --depth 3", 2, "--show plays no games: --depth has no meaning"),
    ("match --show --store games.db --variant reversi", 2, "--variant reversi: the run in the store has reversed"),
    ("match greedy random --resume --store none.db", 2, "none.db: there is no such store"),
    ("match --show --store none.db", 2, "none.db: there is no such store"),
    ("match greedy random --store games.db", 2, "games.db: there is a file already; --resume continues its run"),
    ("match greedy random --store notes.db --resume", 2, "notes.db: this is not a store of games"),
    ("tournament --show --store notes.db", 2, "notes.db: this is not a store of games"),
    (
        "match greedy random --games 2 --store old.db --resume",
        2,
        "old.db: the store has format 7, which a later turncoat reads; this is turncoat ",
    ),
    ("tournament --show --store old.db", 2, "the store has format 7"),
    (
        "match greedy random --games 2 --seed 2 --store games.db --resume",
        2,
        "games.db: --seed: 2 was asked for, but the run in the store has 1; it began with",
    ),
    (
        "match random greedy --games 2 --store games.db --resume",
        2,
        "the players: random, greedy was asked for, but the run in the store has greedy, random",
    ),
    ("match greedy random --games 2 --size 6 --store games.db --resume", 2, "--size: 6 was asked for"),
    ("match greedy random --games 2 --time 1s --store games.db --resume", 2, "the run in the store has none"),
    ("match greedy random --games 2 --store .", 2, ".: this is a folder: a store is a file"),
    ("match greedy random --games 2 --store . --resume", 2, ".: this is a folder: a store is a file"),
    ("match greedy random --games 2 --store notes.db", 2, "notes.db: this is not a store of games"),
    ("match greedy random --games 2 --store empty.db", 2, "empty.db: this is not a store of games"),
    ("match greedy random --games 2 --store empty.db --resume", 2, "empty.db: this is not a store of games"),
    ("match greedy random --games 2 --store no/such/folder.db", 1, "no/such/folder.db: No such file or directory"),
    ("match greedy random --games 2 --store /proc/games.db", 1, "/proc/games.db: "),
    ("match greedy random --games 2 --html no/such/page.html", 1, "no/such/page.html"),
    ("match greedy random --games 2 --html x --csv x", 2, "two outputs cannot share a file"),
    ("match greedy random --watch --concurrency 2", 2, "cannot be used with"),
];

#[test]
fn a_full_disk_ends_the_run_with_what_to_do_and_loses_nothing() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_turncoat");
    let run = "match greedy random --games 20000 --seed 4 --json";
    // Files may not grow beyond this; without the trap the signal would end the program.
    let limited = format!("trap '' XFSZ; ulimit -f 600; exec {program} {run} --store games.db >/dev/null");
    let output = folder.shell(&limited);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("games.db: "), "{said}");
    assert!(said.contains("those stored before are safe"), "{said}");
    assert!(said.contains("--resume"), "{said}");
    assert_eq!(folder.printed(&format!("{run} --store games.db --resume")), folder.printed(run));
}

#[test]
fn games_that_cannot_be_printed_are_kept() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let program = env!("CARGO_BIN_EXE_turncoat");
    let folder = Folder::new();
    let refused = |run: &str| {
        let output = folder.shell(&format!("{program} {run} >/dev/full"));
        let said = said(&output);
        assert_eq!(output.status.code(), Some(1), "{said}");
        assert!(said.contains("standard output: No space left"), "{said}");
        said
    };
    // A complete run can be shown.
    let said = refused("match greedy random --games 2");
    assert!(said.contains("tournament --show --store turncoat-1.db"), "{said}");
    let show = said.lines().last().unwrap();
    assert!(folder.shell(show).status.success(), "{show}");
    // One that had to end before can be gone on with.
    let run = "match greedy random --games 20000 --json";
    let said = refused(run);
    let resume = said.lines().find(|line| line.contains("--resume")).unwrap();
    assert!(resume.contains("--store turncoat-2.db"), "{said}");
    let resumed = folder.shell(resume);
    assert!(resumed.status.success(), "{resumed:?}");
    assert!(String::from_utf8(resumed.stdout).unwrap() == folder.printed(run));
    // Where nothing can be written there are the temporary files.
    let temporary = folder.0.path().display();
    let output = folder.shell(&format!("cd /proc && TMPDIR={temporary} {program} {run} >/dev/full"));
    let said = self::said(&output);
    assert!(said.contains(&format!("--store {temporary}/turncoat-3.db")), "{said}");
}

#[test]
fn a_store_that_is_removed_is_missed_and_its_games_kept() {
    let folder = Folder::new();
    let run = "match greedy random --games 2000000 --store games.db --concurrency 1";
    let child = folder.spawn(run);
    wait_for(&folder.path("games.db-wal"));
    sleep(Duration::from_millis(200));
    fs::remove_file(folder.path("games.db")).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("games.db: the store was removed"), "{said}");
    assert!(said.contains("--concurrency 1 --store turncoat-1.db --resume"), "{said}");
    folder.printed("match --show --store turncoat-1.db");
}

#[test]
fn an_output_file_never_takes_the_place_of_something_else() {
    let folder = Folder::new();
    for clash in [
        "--store x.db --html ./x.db",
        "--store ./x.db --csv x.db-wal",
        "--store x.db --csv x.db-shm --force",
        "--store x.db --export x.db-lock",
        "--html x.html --csv ./x.html",
    ] {
        let said = folder.refused(&format!("match greedy random --games 2 {clash}"), 2);
        assert!(said.contains("two outputs cannot share a file"), "{said}");
        assert!(folder.files().is_empty(), "{clash}");
    }
    folder.printed("match greedy random --games 2 --store x.db");
    let before = fs::read(folder.path("x.db")).unwrap();
    folder.refused("match --show --store x.db --html ./x.db --force", 2);
    assert_eq!(fs::read(folder.path("x.db")).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn links_pipes_and_devices_stay_what_they_are() {
    let folder = Folder::new();
    let run = "match greedy random --games 2 --force --csv";
    std::os::unix::fs::symlink("table.csv", folder.path("link")).unwrap();
    // First what the link leads to is not there, then it is.
    for _ in 0..2 {
        folder.printed(&format!("{run} link"));
        assert!(folder.path("link").is_symlink());
        assert!(fs::read_to_string(folder.path("table.csv")).unwrap().starts_with("rank,player"));
    }
    let program = env!("CARGO_BIN_EXE_turncoat");
    let through = folder.shell(&format!("mkfifo pipe && (head -c 11 pipe & {program} {run} pipe >/dev/null; wait)"));
    assert_eq!(String::from_utf8_lossy(&through.stdout), "rank,player", "{}", said(&through));
    assert!(!folder.path("pipe").is_file());
    let full = folder.run(&format!("{run} /dev/full"));
    assert_eq!(full.status.code(), Some(1));
    assert!(said(&full).contains("/dev/full: No space left on device"), "{}", said(&full));
    assert!(!Path::new("/dev/full").is_file());
}

#[test]
fn a_file_that_appears_during_the_run_is_kept() {
    let folder = Folder::new();
    let mut child = folder.spawn("match greedy random --games 20000 --json --html p.html --csv t.csv");
    // It cannot end before somebody reads.
    let mut printed = BufReader::new(child.stdout.take().unwrap());
    printed.read_line(&mut String::new()).unwrap();
    fs::write(folder.path("p.html"), "mine").unwrap();
    printed.read_to_string(&mut String::new()).unwrap();
    let output = child.wait_with_output().unwrap();
    let said = said(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("p.html: it was created during the run"), "{said}");
    assert_eq!(fs::read(folder.path("p.html")).unwrap(), b"mine");
    assert_eq!(folder.files(), ["p.html", "t.csv", "turncoat-1.db"]);
}

#[test]
fn two_runs_cannot_share_a_store_but_others_may_look() {
    let folder = Folder::new();
    let run = "match greedy random --games 2000000 --store games.db --concurrency 1";
    let mut first = folder.spawn(run);
    wait_for(&folder.path("games.db-wal"));
    sleep(Duration::from_millis(200));
    let said = folder.refused(&format!("{run} --resume"), 1);
    let named = format!("games.db: another run is using this store (process {})", first.id());
    assert!(said.contains(&named), "{said}");
    let shown = folder.printed("tournament --show --store games.db");
    assert!(shown.contains("not complete"), "{shown}");
    first.kill().unwrap();
    first.wait().unwrap();
    assert!(folder.printed("match --show --store games.db").contains("not complete"));
}

#[test]
fn a_closed_pipe_ends_the_run_and_keeps_the_games() {
    let folder = Folder::new();
    let program = env!("CARGO_BIN_EXE_turncoat");
    for (store, kept) in [("--store games.db", "games.db"), ("", "turncoat-1.db")] {
        let run = format!("match greedy random --games 200000 --json {store}");
        let output = folder.shell(&format!("{program} {run} | head -n 3"));
        assert_eq!(objects(&String::from_utf8(output.stdout.clone()).unwrap()).len(), 3);
        let said = said(&output);
        assert!(said.contains("standard output was closed"), "{said}");
        assert!(said.contains("--resume"), "{said}");
        folder.printed(&format!("match --show --store {kept}"));
    }
    // A run that is complete has nothing to resume.
    let output =
        folder.shell(&format!("{program} match greedy random --games 100 --json --html page.html | head -n 1"));
    assert!(folder.path("page.html").exists() || !output.stderr.is_empty());
}

#[test]
fn bad_surroundings_are_named() {
    let folder = Folder::new();
    fs::write(folder.path("book.txt"), "f5d6\n\nf5d6a1\n").unwrap();
    fs::write(folder.path("good.txt"), "f5d6c3\n").unwrap();
    fs::write(folder.path("notes.db"), "these are no games ".repeat(100)).unwrap();
    fs::write(folder.path("empty.db"), "").unwrap();
    folder.printed("match greedy random --games 2 --store games.db");
    folder.printed("match greedy random --games 2 --store seven.db --seed 7");
    folder.printed("match greedy random --games 2 --store old.db");
    rusqlite::Connection::open(folder.path("old.db")).unwrap().execute_batch("UPDATE store SET version = 7").unwrap();
    let before = folder.files();
    for &(arguments, status, expected) in REFUSED {
        let said = folder.refused(arguments, status);
        assert!(said.contains(expected), "{arguments}: {said}");
        assert_eq!(folder.files(), before, "{arguments} leaves nothing behind");
    }
}
