//! The referee against players that misbehave.

mod players;

use std::sync::Arc;
use std::time::Duration;

use players::{Habit, HandClock, Scripted};
use turncoat_arena::{Control, Ending, Referee, Verdict};
use turncoat_board::{Color, Game, Geometry, VariantKind};
use turncoat_players::{Fault, Player, StopFlag};
use turncoat_record::transcript;
use turncoat_search::Clock;

fn referee(control: Control, clock: &Arc<HandClock>) -> Referee {
    let clock: Arc<dyn Clock> = Arc::clone(clock) as _;
    // Whoever thinks works.
    Referee::with_clocks(control, StopFlag::default(), Arc::clone(&clock), clock)
}

fn play(control: Control, black: Scripted, white: Scripted) -> (Verdict, [Scripted; 2]) {
    let clock = Arc::new(HandClock::default());
    play_on(&clock, control, black, white)
}

fn play_on(
    clock: &Arc<HandClock>,
    control: Control,
    mut black: Scripted,
    mut white: Scripted,
) -> (Verdict, [Scripted; 2]) {
    let opening = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    let players: [&mut dyn Player; 2] = [&mut black, &mut white];
    let verdict = referee(control, clock).play(0, &opening, players, &mut |_, _| {}).unwrap();
    (verdict, [black, white])
}

fn good() -> Scripted {
    Scripted::new(Habit::Good, 0)
}

fn ending_of(habit: Habit, from: u32) -> (Ending, Game) {
    let (as_black, _) = play(Control::default(), Scripted::new(habit.clone(), from), good());
    let (as_white, _) = play(Control::default(), good(), Scripted::new(habit, from));
    let fault = |ending: &Ending, expected| match ending {
        Ending::Fault { by, fault } if *by == expected => fault.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        fault(&as_black.ending, Color::Black),
        fault(&as_white.ending, Color::White),
        "colours are treated alike"
    );
    assert_eq!(as_black.ending.winner(), Some(Color::White));
    assert_eq!(as_white.ending.winner(), Some(Color::Black));
    assert_eq!(as_black.ending.margin(), None);
    (as_black.ending, as_black.game)
}

#[test]
fn good_players_finish_the_game_and_are_not_asked_to_pass() {
    let (verdict, _) = play(Control::default(), good(), good());
    let Ending::Finished { score } = verdict.ending else {
        panic!("{:?}", verdict.ending);
    };
    assert_eq!(verdict.game.outcome().unwrap().score, score);
    assert_eq!(verdict.ending.reason(), "finished");
}

#[test]
fn every_fault_loses_with_its_own_reason_and_keeps_the_moves_before() {
    let crash = Fault::Crash("the wheels came off".to_owned());
    let memory = Fault::OutOfMemory("it held 120.0 MB".to_owned());
    let time = Fault::Timeout(String::new());
    for (habit, expected) in [
        (Habit::Crashing, crash.clone()),
        (Habit::Failing(memory.clone()), memory),
        (Habit::Failing(time.clone()), time),
        (Habit::Failing(Fault::Protocol("gibberish".to_owned())), Fault::Protocol("gibberish".to_owned())),
    ] {
        let (ending, game) = ending_of(habit, 4);
        assert!(matches!(&ending, Ending::Fault { fault, .. } if *fault == expected), "{ending:?}");
        assert_eq!(game.moves().len(), 8);
    }
}

#[test]
fn illegal_answers_lose_and_are_explained() {
    let explained = |ending: Ending| match ending {
        Ending::Fault { fault: Fault::IllegalMove(why), .. } => why,
        other => panic!("{other:?}"),
    };
    let (verdict, _) = play(Control::default(), Scripted::new(Habit::Illegal, 0), good());
    assert_eq!(explained(verdict.ending), "a1: black would flip no discs there");
    let (verdict, _) = play(Control::default(), good(), Scripted::new(Habit::Silent, 1));
    assert_eq!(explained(verdict.ending), "pass: white has a legal move and may not pass");
}

#[test]
fn who_breaks_before_the_first_move_loses_too() {
    let (ending, game) = ending_of(Habit::CrashingAtStart, 0);
    assert!(matches!(ending, Ending::Fault { fault: Fault::Crash(_), .. }));
    assert!(game.moves().is_empty());
}

#[test]
fn a_move_may_take_its_time_and_the_grace_but_no_more() {
    let control = Control { move_time: Some(Duration::from_secs(5)), ..Control::default() };
    let slow = |millis| {
        let clock = Arc::new(HandClock::default());
        let habit = Habit::Slow(Arc::clone(&clock), Duration::from_millis(millis));
        play_on(&clock, control, Scripted::new(habit, 3), good()).0
    };
    let verdict = slow(5100);
    assert!(matches!(verdict.ending, Ending::Finished { .. }), "{:?}", verdict.ending);
    assert!(verdict.thinking[0] > Duration::from_secs(100));
    assert_eq!(verdict.thinking[1], Duration::ZERO);
    let verdict = slow(5101);
    assert_eq!(
        verdict.ending,
        Ending::Fault {
            by: Color::Black,
            fault: Fault::Timeout("it took 5.101 s for this move, 5.101 s for all".to_owned())
        }
    );
    assert_eq!(verdict.game.moves().len(), 6);
}

#[test]
fn a_game_may_take_its_time_and_the_grace_once() {
    let control = Control { game_time: Some(Duration::from_secs(10)), ..Control::default() };
    let slow = |millis| {
        let clock = Arc::new(HandClock::default());
        let habit = Habit::Slow(Arc::clone(&clock), Duration::from_millis(millis));
        play_on(&clock, control, good(), Scripted::new(habit, 0)).0
    };
    // Nobody makes more than fifty moves, so 200 ms each are within the clock.
    assert!(matches!(slow(200).ending, Ending::Finished { .. }));
    let verdict = slow(1000);
    assert_eq!(
        verdict.ending,
        Ending::Fault {
            by: Color::White,
            fault: Fault::Timeout("it took 1.000 s for this move, 11.000 s for all".to_owned())
        }
    );
    // Ten seconds are used up after ten moves; the eleventh is beyond clock and grace.
    assert_eq!(verdict.thinking[1], Duration::from_secs(11));
    // Many moves, each within the grace alone, are not: it is given once.
    let control = Control { game_time: Some(Duration::from_millis(100)), ..Control::default() };
    let clock = Arc::new(HandClock::default());
    let habit = Habit::Slow(Arc::clone(&clock), Duration::from_millis(50));
    let verdict = play_on(&clock, control, good(), Scripted::new(habit, 0)).0;
    assert_eq!(verdict.ending.reason(), "timeout");
    assert_eq!(verdict.thinking[1], Duration::from_millis(250));
}

#[test]
fn an_increment_is_given_after_each_move() {
    let control = Control {
        game_time: Some(Duration::from_secs(2)),
        increment: Duration::from_secs(1),
        grace: Duration::ZERO,
        ..Control::default()
    };
    let slow = |millis| {
        let clock = Arc::new(HandClock::default());
        let habit = Habit::Slow(Arc::clone(&clock), Duration::from_millis(millis));
        play_on(&clock, control, Scripted::new(habit, 0), good()).0
    };
    assert!(matches!(slow(1000).ending, Ending::Finished { .. }));
    // A first move may not use what is given after it.
    let verdict = slow(2001);
    assert_eq!(verdict.ending.reason(), "timeout");
    assert_eq!(verdict.game.moves().len(), 0);
    // 2 s for the first move and 1 s for each more: 1.5 s each are too much at the third.
    let verdict = slow(1500);
    assert_eq!(verdict.ending.reason(), "timeout");
    assert_eq!(verdict.thinking[0], Duration::from_millis(4500));
}

#[test]
fn a_timeout_that_no_work_explains_is_told_apart() {
    let control = Control { move_time: Some(Duration::from_secs(1)), ..Control::default() };
    let late = |work: &Arc<HandClock>, wall: &Arc<HandClock>| {
        let referee = Referee::with_clocks(control, StopFlag::default(), Arc::clone(wall) as _, Arc::clone(work) as _);
        let habit = Habit::Slow(Arc::clone(wall), Duration::from_secs(2));
        let opening = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        let (mut black, mut white) = (Scripted::new(habit, 0), good());
        let players: [&mut dyn Player; 2] = [&mut black, &mut white];
        referee.play(0, &opening, players, &mut |_, _| {}).unwrap()
    };
    let (wall, idle) = (Arc::new(HandClock::default()), Arc::default());
    for (work, held_up) in [(&wall, false), (&idle, true)] {
        let verdict = late(work, &wall);
        assert_eq!(verdict.ending.reason(), "timeout");
        assert_eq!(verdict.held_up, held_up);
    }
}

#[test]
fn a_player_that_uses_what_it_is_given_never_loses_on_time() {
    let (short, long) = (Duration::from_millis(10), Duration::from_secs(5));
    for (move_time, game_time, increment) in [
        (Some(short), None, Duration::ZERO),
        (None, Some(Duration::from_secs(3)), Duration::ZERO),
        (Some(long), Some(Duration::from_secs(20)), Duration::ZERO),
        (None, Some(long), Duration::from_secs(1)),
        (None, Some(short), long),
    ] {
        let control = Control { move_time, game_time, increment, grace: Duration::ZERO, depth: None };
        let clock = Arc::new(HandClock::default());
        let exact = || Scripted::new(Habit::Exact(Arc::clone(&clock)), 0);
        let (verdict, players) = play_on(&clock, control, exact(), exact());
        assert!(matches!(verdict.ending, Ending::Finished { .. }), "{:?}", verdict.ending);
        for player in players {
            let times: Vec<_> = player.times.into_iter().flatten().collect();
            assert!(times.iter().all(|t| move_time.is_none_or(|limit| *t <= limit)));
            assert!(times.iter().all(|time| !time.is_zero()));
        }
        let increments = increment * 60;
        let within = |used: Duration| game_time.is_none_or(|limit| used <= limit + increments);
        assert!(verdict.thinking.into_iter().all(within));
    }
}

#[test]
fn without_limits_no_time_is_given() {
    let (_, players) = play(Control::default(), good(), good());
    assert!(players[0].times.iter().all(Option::is_none));
}

#[test]
fn openings_are_played_on_and_seen_move_by_move() {
    let start = turncoat_board::Position::start(Geometry::EIGHT);
    let opening = transcript::parse("f5d6c3", VariantKind::Reversi, start).unwrap();
    let (mut black, mut white) = (good(), good());
    let mut seen = Vec::new();
    let verdict = referee(Control::default(), &Arc::new(HandClock::default()))
        .play(0, &opening, [&mut black, &mut white], &mut |game, _| {
            seen.push(game.moves().len());
        })
        .unwrap();
    assert_eq!(verdict.game.moves()[..3], *opening.moves());
    assert_eq!(seen, (3..=verdict.game.moves().len()).collect::<Vec<_>>());
}

#[test]
fn an_abandoned_game_has_no_verdict_and_charges_nobody() {
    let stop = StopFlag::default();
    let referee = Referee::new(Control::default(), stop.clone());
    let opening = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    // Even a player that fails when it is stopped is not charged.
    let mut black = Scripted::new(Habit::Failing(Fault::Timeout(String::new())), 2);
    let mut white = good();
    let verdict = referee.play(0, &opening, [&mut black, &mut white], &mut |game, _| {
        if game.moves().len() == 4 {
            stop.raise();
        }
    });
    assert!(verdict.is_none());
}
