//! Whole runs: threads, faults, interruptions, stores.

mod players;

use std::collections::HashSet;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use players::{Habit, Scripted};
use turncoat_arena::stats::sprt::{Decision, Sprt};
use turncoat_arena::{
    Arena, Control, Ending, Entrant, Finish, Fixture, Format, Openings, Plan, Played, Results, RunError, RunOptions,
    Schedule, Source, Store, run,
};
use turncoat_board::{Game, Geometry, VariantKind};
use turncoat_players::{Fault, Setting, StopFlag};

const SEED: u64 = 20;

fn setting(geometry: Geometry) -> Setting {
    Setting { variant: VariantKind::Reversed, geometry, seed: SEED }
}

fn arena_of(entrants: Vec<Entrant>, geometry: Geometry) -> Arena {
    let source = Source::Random { plies: 4 };
    Arena {
        entrants,
        openings: Openings::new(&source, VariantKind::Reversed, geometry, SEED).unwrap(),
        control: Control::default(),
    }
}

fn built_in(names: &[&str], geometry: Geometry) -> Arena {
    let entrants = names
        .iter()
        .enumerate()
        .map(|(index, name)| Entrant::from_spec(*name, &name.parse().unwrap(), setting(geometry), index).unwrap());
    arena_of(entrants.collect(), geometry)
}

fn scripted(habit: Habit, from: u32) -> Entrant {
    Entrant::new("scripted", move || Ok(Box::new(Scripted::new(habit.clone(), from))))
}

fn options<'a>(concurrency: usize) -> RunOptions<'a> {
    RunOptions { concurrency, stop: StopFlag::default(), watcher: None }
}

fn play(arena: &Arena, pairs: u64, sprt: Option<&Sprt>, concurrency: usize) -> (Finish, Results) {
    let mut results = Results::new(arena.entrants.len());
    let schedule = Schedule::round_robin(arena.entrants.len(), pairs);
    let options = options(concurrency);
    let finish = run(arena, schedule, &mut results, None, sprt, &options, &mut |_| Ok(())).unwrap();
    (finish, results)
}

/// What must be the same however a run was carried out.
fn essence(games: &[Played]) -> Vec<(Fixture, String, Ending)> {
    let part = |g: &Played| (g.fixture, g.moves.clone(), g.ending.clone());
    games.iter().map(part).collect()
}

fn plan(players: &[&str], games: u64, size: Geometry, sprt: Option<Sprt>) -> Plan {
    Plan {
        format: Format::RoundRobin,
        players: players.iter().map(|&p| p.to_owned()).collect(),
        titles: Vec::new(),
        players_digests: vec![None; players.len()],
        variant: VariantKind::Reversed,
        size,
        seed: SEED,
        games,
        openings: "random:4".to_owned(),
        openings_digest: None,
        move_seconds: None,
        game_seconds: None,
        increment_seconds: None,
        grace_seconds: 0.1,
        depth: None,
        sprt,
        course_points: false,
        memory: None,
    }
}

#[test]
fn ten_thousand_games_are_neither_lost_nor_doubled() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let plan = plan(&["greedy", "random"], 10_000, Geometry::EIGHT, None);
    let arena = built_in(&["greedy", "random"], Geometry::EIGHT);
    let mut store = Store::create(&path, &plan, "").unwrap();
    let mut results = Results::new(2);
    let mut seen = Vec::new();
    let finish = run(&arena, plan.next_games(&[]), &mut results, Some(&mut store), None, &options(2), &mut |results| {
        seen.push(results.games().last().unwrap().fixture.number);
        Ok(())
    })
    .unwrap();
    assert_eq!(finish, Finish::Complete);
    assert_eq!(seen, (0..10_000).collect::<Vec<_>>());
    drop(store);
    let stored = Store::read(&path).unwrap().games;
    assert_eq!(essence(&stored), essence(results.games()));
    let fixtures: Vec<_> = stored.iter().map(|g| g.fixture).collect();
    assert_eq!(fixtures, plan.next_games(&[]).collect::<Vec<_>>());
    let distinct: HashSet<_> = stored.iter().map(|g| &g.moves).collect();
    assert!(distinct.len() > 9_990, "games of random players differ");
    let tally = results.against(0, 1);
    assert_eq!((tally.games(), tally.pairs.pairs()), (10_000, 5_000));
    assert_eq!(tally.faults + tally.opponents_faults, 0);
    assert!(tally.wins > tally.losses, "greedy is the better one: {tally:?}");
}

#[test]
fn one_thread_and_many_play_the_same_games() {
    for names in [&["random", "random"][..], &["greedy", "random", "greedy", "random"]] {
        let arena = built_in(names, Geometry::SIX);
        let (_, alone) = play(&arena, 20, None, 1);
        let (_, together) = play(&arena, 20, None, 4);
        assert_eq!(essence(alone.games()), essence(together.games()));
    }
}

#[test]
fn the_test_stops_at_the_same_game_with_any_number_of_threads() {
    let arena = built_in(&["greedy", "random"], Geometry::EIGHT);
    for (text, expected) in [("elo0=0,elo1=10", Decision::H1), ("elo0=390,elo1=400", Decision::H0)] {
        let sprt: Sprt = text.parse().unwrap();
        let (finish, alone) = play(&arena, 20_000, Some(&sprt), 1);
        assert_eq!(finish, Finish::Decided(expected));
        let games = alone.games();
        assert!(games.len().is_multiple_of(2) && games.len() < 20_000, "{}", games.len());
        assert!(sprt.decide(&alone.against(0, 1).pairs).is_some());
        let (_, together) = play(&arena, 20_000, Some(&sprt), 3);
        assert_eq!(essence(games), essence(together.games()));
    }
}

#[test]
fn faults_are_counted_with_their_reasons_and_the_run_goes_on() {
    let entrants = vec![
        scripted(Habit::Good, 0),
        scripted(Habit::Crashing, 3),
        scripted(Habit::Silent, 0),
        scripted(Habit::Illegal, 2),
    ];
    let arena = arena_of(entrants, Geometry::EIGHT);
    let (finish, results) = play(&arena, 2, None, 2);
    assert_eq!(finish, Finish::Complete);
    assert_eq!(results.games().len(), 24);
    assert_eq!(results.total(0).wins, 12);
    assert_eq!(results.total(0).faults, 0);
    for player in 1..4 {
        let total = results.total(player);
        assert!(total.faults > 0 && total.faults == total.losses, "{total:?}");
    }
    let reasons: HashSet<_> = results.games().iter().map(|g| g.ending.reason()).collect();
    assert_eq!(reasons, HashSet::from(["crash", "illegal-move"]));
}

#[test]
fn a_fault_of_the_arena_is_charged_to_nobody_and_the_game_played_again() {
    // Whoever watches breaks in the middle of two games, once each.
    let arena = built_in(&["greedy", "random"], Geometry::EIGHT);
    let broken = Mutex::new(HashSet::new());
    let watcher = |fixture: &Fixture, game: &Game, _: [Duration; 2]| {
        let number = fixture.number;
        if [3, 6].contains(&number) && game.moves().len() == 20 {
            let first = broken.lock().unwrap().insert(number);
            assert!(!first, "the arena broke");
        }
    };
    let mut results = Results::new(2);
    let options = RunOptions { watcher: Some(&watcher), ..options(2) };
    let schedule = Schedule::round_robin(2, 5);
    run(&arena, schedule, &mut results, None, None, &options, &mut |_| Ok(())).unwrap();
    assert_eq!(broken.lock().unwrap().len(), 2);
    let (_, undisturbed) = play(&arena, 5, None, 1);
    assert_eq!(essence(results.games()), essence(undisturbed.games()));
}

#[test]
fn a_player_that_cannot_be_made_is_tried_again_and_charged_nothing() {
    let failures = AtomicU32::new(2);
    let flaky = Entrant::new("flaky", move || {
        let fail = failures.try_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1));
        match fail {
            Ok(_) => Err("the file is not there yet".into()),
            Err(_) => Ok(Box::new(Scripted::new(Habit::Good, 0))),
        }
    });
    let arena = arena_of(vec![flaky, scripted(Habit::Good, 0)], Geometry::EIGHT);
    let (finish, results) = play(&arena, 2, None, 1);
    assert_eq!(finish, Finish::Complete);
    assert!(results.games().iter().all(|g| matches!(g.ending, Ending::Finished { .. })));

    let hopeless = Entrant::new("hopeless", || Err("the file is gone".into()));
    let arena = arena_of(vec![scripted(Habit::Good, 0), hopeless], Geometry::EIGHT);
    let mut results = Results::new(2);
    let schedule = Schedule::round_robin(2, 2);
    let error = run(&arena, schedule, &mut results, None, None, &options(2), &mut |_| Ok(()));
    let error = error.unwrap_err();
    assert!(matches!(error, RunError::Broken { .. }));
    assert!(error.to_string().ends_with("nobody is charged for it: hopeless: the file is gone"));
    assert!(results.games().is_empty());
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_end() {
    for (sprt, concurrency) in [(None, 1), (None, 2), (Some("elo0=0,elo1=30"), 2)] {
        let sprt: Option<Sprt> = sprt.map(|text| text.parse().unwrap());
        let plan = plan(&["greedy", "random"], 400, Geometry::SIX, sprt);
        let arena = built_in(&["greedy", "random"], Geometry::SIX);
        let (whole_finish, whole) = play(&arena, 200, sprt.as_ref(), 1);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        drop(Store::create(&path, &plan, "").unwrap());
        let mut interruptions = 0;
        let finish = loop {
            let (mut store, games) = Store::resume(&path, &plan).unwrap();
            let stored = games.len();
            let mut results = Results::new(2);
            for game in games {
                results.add(game);
            }
            let options = options(concurrency);
            let stop = options.stop.clone();
            let finish = run(
                &arena,
                plan.next_games(&[]),
                &mut results,
                Some(&mut store),
                sprt.as_ref(),
                &options,
                &mut |results| {
                    if results.games().len() >= stored + 37 {
                        stop.raise();
                    }
                    Ok(())
                },
            )
            .unwrap();
            if finish != Finish::Interrupted {
                break finish;
            }
            interruptions += 1;
            assert!(interruptions < 50);
        };
        let stored = Store::read(&path).unwrap().games;
        assert_eq!(finish, whole_finish);
        assert_eq!(essence(&stored), essence(whole.games()));
    }
}

#[test]
fn a_store_that_fails_ends_the_run_and_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let plan = plan(&["greedy", "random"], 100_000, Geometry::FOUR, None);
    let arena = built_in(&["greedy", "random"], Geometry::FOUR);
    let mut store = Store::create(&path, &plan, "").unwrap();
    let mut results = Results::new(2);
    let mut limited = false;
    let error = run(&arena, plan.next_games(&[]), &mut results, Some(&mut store), None, &options(2), &mut |results| {
        if results.games().len() == 1 && !limited {
            // From now on later games are refused.
            forbid_games_beyond(&path, 30_000);
            limited = true;
        }
        Ok(())
    })
    .unwrap_err();
    assert!(error.to_string().contains("no room"), "{error}");
    drop(store);
    rusqlite::Connection::open(&path).unwrap().execute_batch("DROP TRIGGER full").unwrap();
    // What was stored is sound, nobody was charged, and the run goes on without a gap.
    let (mut store, games) = Store::resume(&path, &plan).unwrap();
    assert!(!games.is_empty() && games.len() <= 30_001, "{}", games.len());
    let mut results = Results::new(2);
    for game in games {
        results.add(game);
    }
    let options = options(2);
    let stop = options.stop.clone();
    run(&arena, plan.next_games(&[]), &mut results, Some(&mut store), None, &options, &mut |results| {
        if results.games().len() == 32_000 {
            stop.raise();
        }
        Ok(())
    })
    .unwrap();
    let (_, undisturbed) = play(&arena, 16_000, None, 1);
    assert_eq!(essence(&results.games()[..32_000]), essence(undisturbed.games()));
}

fn forbid_games_beyond(path: &Path, number: u64) {
    let trigger = format!(
        "CREATE TRIGGER full BEFORE INSERT ON games WHEN new.number > {number} \
         BEGIN SELECT RAISE(ABORT, 'no room'); END"
    );
    rusqlite::Connection::open(path).unwrap().execute_batch(&trigger).unwrap();
}

#[test]
fn whoever_is_shown_the_games_may_fail() {
    let arena = built_in(&["greedy", "random"], Geometry::FOUR);
    let mut results = Results::new(2);
    let schedule = Schedule::round_robin(2, 5000);
    let error = run(&arena, schedule, &mut results, None, None, &options(2), &mut |results| {
        if results.games().len() == 10 {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        Ok(())
    });
    assert!(matches!(error, Err(RunError::Output(e)) if e.kind() == io::ErrorKind::BrokenPipe));
}

#[test]
fn a_player_is_made_anew_after_its_fault() {
    struct Once(bool);
    impl turncoat_players::Player for Once {
        fn choose(
            &mut self,
            position: turncoat_board::Position,
            _limits: &turncoat_players::Limits,
            _report: &mut dyn FnMut(&turncoat_players::MoveInfo),
        ) -> Result<Option<turncoat_players::MoveInfo>, Fault> {
            assert!(!self.0, "used after its fault");
            self.0 = position.empties() < 30;
            if self.0 {
                return Err(Fault::OutOfMemory(String::new()));
            }
            Ok(players::first_move(position))
        }
    }
    let once = Entrant::new("once", || Ok(Box::new(Once(false))));
    let arena = arena_of(vec![once, scripted(Habit::Good, 0)], Geometry::EIGHT);
    let (_, results) = play(&arena, 3, None, 1);
    assert!(results.games().iter().all(|g| g.ending.reason() == "out-of-memory"));
}

#[test]
fn a_game_is_on_the_disk_before_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let plan = plan(&["greedy", "random"], 40, Geometry::SIX, None);
    let arena = built_in(&["greedy", "random"], Geometry::SIX);
    let mut store = Store::create(&path, &plan, "").unwrap();
    let mut results = Results::new(2);
    run(&arena, plan.next_games(&[]), &mut results, Some(&mut store), None, &options(2), &mut |results| {
        let shown = results.games().len();
        let stored = Store::read(&path).unwrap().games;
        assert!(stored.iter().filter(|g| g.fixture.number < shown as u64).count() == shown);
        Ok(())
    })
    .unwrap();
}

#[test]
fn what_is_finished_after_a_failure_is_kept() {
    let arena = built_in(&["greedy", "random"], Geometry::FOUR);
    let mut results = Results::new(2);
    let schedule = Schedule::round_robin(2, 5000);
    run(&arena, schedule, &mut results, None, None, &options(2), &mut |_| Err(io::ErrorKind::StorageFull.into()))
        .unwrap_err();
    assert_eq!(results.games().len(), 1);
    assert!(results.all().count() >= 1);
}

#[cfg(unix)]
#[test]
fn a_store_that_is_removed_ends_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let plan = plan(&["greedy", "random"], 1000, Geometry::FOUR, None);
    let arena = built_in(&["greedy", "random"], Geometry::FOUR);
    let mut store = Store::create(&path, &plan, "").unwrap();
    let mut results = Results::new(2);
    let error = run(&arena, plan.next_games(&[]), &mut results, Some(&mut store), None, &options(1), &mut |results| {
        if results.games().len() == 1 {
            std::fs::remove_file(&path).unwrap();
        }
        Ok(())
    });
    let error = error.unwrap_err();
    assert!(error.to_string().contains("was removed"), "{error}");
    assert!(results.all().count() > 0);
}

#[cfg(any(target_os = "linux", target_os = "macos"))]
mod held_up {
    use std::sync::Arc;

    use super::*;
    use turncoat_board::Position;
    use turncoat_players::{Limits, MoveInfo, Player};

    /// Sleeps through its time in the first so many games that it is asked in.
    struct Sleeper(Arc<AtomicU32>);

    impl Player for Sleeper {
        fn choose(
            &mut self,
            position: Position,
            _limits: &Limits,
            _report: &mut dyn FnMut(&MoveInfo),
        ) -> Result<Option<MoveInfo>, Fault> {
            let left = &self.0;
            if left.try_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)).is_ok() {
                std::thread::sleep(Duration::from_millis(800));
            }
            Ok(players::first_move(position))
        }
    }

    fn reasons(sleeps: u32) -> Vec<&'static str> {
        let left = Arc::new(AtomicU32::new(sleeps));
        let sleeper = Entrant::new("sleeper", move || Ok(Box::new(Sleeper(Arc::clone(&left)))));
        let mut arena = arena_of(vec![sleeper, scripted(Habit::Good, 0)], Geometry::FOUR);
        arena.control.move_time = Some(Duration::from_millis(10));
        arena.control.grace = Duration::from_millis(700);
        let (_, results) = play(&arena, 1, None, 1);
        results.games().iter().map(|g| g.ending.reason()).collect()
    }

    #[test]
    fn a_game_that_the_machine_held_up_is_played_again_but_not_for_ever() {
        assert_eq!(reasons(2), ["finished", "finished"]);
        assert_eq!(reasons(3), ["timeout", "finished"]);
    }

    /// A program that is late in the first so many games, and whether that was the machine's fault.
    struct Late(Arc<AtomicU32>, bool);

    impl Player for Late {
        fn choose(
            &mut self,
            position: Position,
            _limits: &Limits,
            _report: &mut dyn FnMut(&MoveInfo),
        ) -> Result<Option<MoveInfo>, Fault> {
            match self.0.try_update(Ordering::SeqCst, Ordering::SeqCst, |n| n.checked_sub(1)) {
                Ok(_) => Err(Fault::Timeout(String::new())),
                Err(_) => Ok(players::first_move(position)),
            }
        }

        fn was_held_up(&self) -> Option<bool> {
            Some(self.1)
        }
    }

    #[test]
    fn a_program_is_forgiven_what_the_machine_withheld_and_nothing_else() {
        let reasons = |late: u32, withheld: bool| -> Vec<&str> {
            let left = Arc::new(AtomicU32::new(late));
            let program = Entrant::new("late", move || Ok(Box::new(Late(Arc::clone(&left), withheld))));
            let arena = arena_of(vec![program, scripted(Habit::Good, 0)], Geometry::FOUR);
            play(&arena, 1, None, 1).1.games().iter().map(|game| game.ending.reason()).collect()
        };
        assert_eq!(reasons(2, true), ["finished", "finished"]);
        assert_eq!(reasons(3, true), ["timeout", "finished"]);
        assert_eq!(reasons(1, false), ["timeout", "finished"]);
    }

    /// A program; those that run are counted.
    struct Running(Arc<AtomicU32>);

    impl Player for Running {
        fn choose(
            &mut self,
            position: Position,
            _limits: &Limits,
            _report: &mut dyn FnMut(&MoveInfo),
        ) -> Result<Option<MoveInfo>, Fault> {
            assert!(self.0.load(Ordering::SeqCst) <= 2, "others run beside this game");
            Ok(players::first_move(position))
        }

        fn was_held_up(&self) -> Option<bool> {
            Some(false)
        }
    }

    impl Drop for Running {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }

    #[test]
    fn programs_that_do_not_play_are_ended() {
        let (running, made) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicU32::new(0)));
        let entrant = |name: &str| {
            let (running, made) = (Arc::clone(&running), Arc::clone(&made));
            Entrant::new(name, move || {
                made.fetch_add(1, Ordering::SeqCst);
                running.fetch_add(1, Ordering::SeqCst);
                Ok(Box::new(Running(Arc::clone(&running))))
            })
        };
        let arena = arena_of(["a", "b", "c", "d"].map(entrant).into(), Geometry::FOUR);
        let (_, results) = play(&arena, 1, None, 1);
        assert!(results.games().iter().all(|game| game.ending.reason() == "finished"));
        assert_eq!((results.games().len(), running.load(Ordering::SeqCst)), (12, 0));
        assert!(made.load(Ordering::SeqCst) <= 12, "a pair is played by the same two");
    }

    #[test]
    fn the_store_tells_which_games_were_void_and_what_their_moves_took() {
        let left = Arc::new(AtomicU32::new(1));
        let program = Entrant::new("late", move || Ok(Box::new(Late(Arc::clone(&left), true))));
        let arena = arena_of(vec![program, scripted(Habit::Good, 0)], Geometry::FOUR);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let plan = plan(&["late", "scripted"], 2, Geometry::FOUR, None);
        let mut store = Store::create(&path, &plan, "").unwrap();
        let mut results = Results::new(2);
        let schedule = Schedule::round_robin(2, 1);
        run(&arena, schedule, &mut results, Some(&mut store), None, &options(1), &mut |_| Ok(())).unwrap();
        let contents = Store::read(&path).unwrap();
        assert_eq!(contents.pressed.into_iter().collect::<Vec<_>>(), [0]);
        for (number, voided) in [(0, 1), (1, 0)] {
            let efforts = Store::efforts(&path, number).unwrap();
            let played = &contents.games[number as usize];
            // A move is a square in the transcript, which has no passes.
            let opening = arena.openings.get(0).moves().len();
            assert_eq!(efforts.times.len(), played.moves.len() / 2 - opening);
            assert_eq!((efforts.voided, efforts.memory.len()), (voided, 0));
        }
        assert_eq!(Store::efforts(&path, 7).unwrap().times.len(), 0);
    }
}

#[test]
fn a_store_of_an_earlier_version_is_read_and_its_games_are_played_alike() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.db");
    std::fs::copy(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/match.db"), &path).unwrap();
    let stored = Store::read(&path).unwrap();
    let plan = &stored.plan;
    assert_eq!((plan.format, plan.variant, plan.size), (Format::Match, VariantKind::Reversed, Geometry::SIX));
    let (_, games) = Store::resume(&path, plan).unwrap();
    assert_eq!(essence(&games), essence(&stored.games));
    let setting = Setting { variant: plan.variant, geometry: plan.size, seed: plan.seed };
    let entrants = plan.players.iter().enumerate();
    let entrants =
        entrants.map(|(index, name)| Entrant::from_spec(name, &name.parse().unwrap(), setting, index).unwrap());
    let openings = Openings::new(&plan.openings.parse().unwrap(), plan.variant, plan.size, plan.seed).unwrap();
    let arena = Arena { entrants: entrants.collect(), openings, control: plan.control() };
    let mut results = Results::new(2);
    run(&arena, plan.next_games(&[]), &mut results, None, None, &options(2), &mut |_| Ok(())).unwrap();
    assert_eq!(essence(results.games()), essence(&games));
}
