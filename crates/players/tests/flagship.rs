//! The player `turncoat` under its limits: any number of positions, any depth, the clock of a game.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use turncoat_board::{Game, Geometry, Move, Position, Square, VariantKind};
use turncoat_eval::{Evaluation, HandMade, Term, UNITS};
use turncoat_players::flagship::trained;
use turncoat_players::{Limits, MoveInfo, Player, Setting, Spec, StopFlag};
use turncoat_search::{Budget, Clock, FakeClock};

fn setting(variant: VariantKind, geometry: Geometry) -> Setting {
    Setting { variant, geometry, seed: 5 }
}

fn player(spec: &str, variant: VariantKind, geometry: Geometry) -> Box<dyn Player> {
    spec.parse::<Spec>().unwrap().build(setting(variant, geometry)).unwrap()
}

/// A position with a move after these choices.
fn position_of(geometry: Geometry, choices: &[u8]) -> Option<Position> {
    let mut position = Position::start(geometry);
    for &choice in choices {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            0 if position.is_over() => return None,
            0 => position.pass(),
            n => position.play(moves[usize::from(choice) % n])?,
        };
    }
    (!position.legal_moves().is_empty()).then_some(position)
}

fn any_position() -> impl Strategy<Value = Position> {
    (prop::collection::vec(any::<u8>(), 0..58), 0..3usize)
        .prop_filter_map("a move", |(choices, size)| position_of(Geometry::ALL[size], &choices))
}

/// Checks that the parts of a value add up to it exactly, with nothing left over but by the bounds of a value.
fn check_parts<E: Evaluation>(evaluation: &E, position: Position, count: usize) -> Result<(), TestCaseError> {
    let units = |discs: f64| (discs * f64::from(UNITS)) as i32;
    let (value, parts) = evaluation.explain(position);
    prop_assert_eq!(units(value), evaluation.estimate(position));
    prop_assert_eq!(units(value), units(parts.iter().map(Term::product).sum()));
    let most = i32::from(position.geometry().area()) - 1;
    if value.abs() < f64::from(most) {
        prop_assert_eq!(parts.len(), count);
    }
    Ok(())
}

fn ask(player: &mut dyn Player, position: Position, limits: &Limits) -> MoveInfo {
    let mut last = None;
    let answer = player
        .choose(position, limits, &mut |info| {
            last = Some(info.clone());
        })
        .unwrap()
        .unwrap();
    assert!(position.legal_moves().contains(answer.best));
    assert_eq!(last.map(|info| info.best), Some(answer.best));
    assert_eq!(answer.line.first(), Some(&Move::Place(answer.best)));
    let mut after = position;
    for played in &answer.line {
        after = match played {
            Move::Place(square) => after.play(*square).unwrap(),
            Move::Pass => after.pass(),
        };
    }
    answer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn the_parts_of_an_evaluation_add_up_to_its_value(position in any_position()) {
        for variant in VariantKind::BOTH {
            let geometry = position.geometry();
            check_parts(&HandMade::new(variant, geometry), position, 15)?;
            if let Some(patterns) = trained(variant, geometry) {
                check_parts(&patterns, position, 63)?;
                prop_assert_eq!(patterns.estimate(position), patterns.evaluate_board(position.board()));
            }
        }
    }

    #[test]
    fn a_search_stopped_anywhere_has_a_legal_move(
        position in any_position(),
        nodes in prop_oneof![0u64..50, 50u64..20_000],
        steps in 0u64..30,
        reversed in any::<bool>(),
    ) {
        let variant = if reversed { VariantKind::Reversed } else { VariantKind::Reversi };
        let mut turncoat = player("turncoat:hash=1", variant, position.geometry());
        ask(turncoat.as_mut(), position, &Limits { nodes: Some(nodes), ..Limits::default() });
        // By a clock that goes on at each look.
        let clock = Arc::new(FakeClock::new(Duration::from_millis(1)));
        let time = Some(Duration::from_millis(steps));
        ask(turncoat.as_mut(), position, &Limits { time, clock, ..Limits::default() });
        let all = turncoat.analyze(position, &Limits { nodes: Some(nodes), ..Limits::default() }, &mut |_| {});
        let all = all.unwrap();
        prop_assert_eq!(all.len() as u32, position.legal_moves().count());
        // Values of different depths cannot be compared.
        prop_assert!(all.iter().all(|info| info.depth == all[0].depth));
    }

    #[test]
    fn a_depth_sees_the_end_from_four_empties_further(position in any_position(), depth in 1u32..6) {
        let mut turncoat = player(&format!("turncoat:hash=1,depth={depth}"), VariantKind::Reversed, position.geometry());
        let answer = ask(turncoat.as_mut(), position, &Limits::default());
        if position.empties() <= depth + 4 {
            prop_assert!(answer.exact);
            prop_assert_eq!(answer.depth, position.empties());
        } else {
            prop_assert_eq!(answer.depth, depth);
        }
    }
}

#[test]
fn a_look_to_the_end_of_the_game_is_proven_with_a_time_limit_too() {
    // Few moves to the end from far away: beyond what the time would let one solve as a rule.
    let text = format!("XO{}O--------X X", "-".repeat(52));
    let position = Position::parse(&text, Geometry::EIGHT).unwrap();
    let mut turncoat = player("turncoat:hash=1", VariantKind::Reversed, Geometry::EIGHT);
    let empties = position.empties();
    // Ever deeper with the same table, as one watches an analysis.
    for depth in [1, 8, 20, empties] {
        let limits = Limits { depth: Some(depth), time: Some(Duration::from_mins(10)), ..Limits::default() };
        let moves = turncoat.analyze(position, &limits, &mut |_| {}).unwrap();
        assert!(!moves.is_empty());
        if depth == empties {
            assert!(moves.iter().all(|info| info.exact), "{moves:?}");
        }
    }
}

#[test]
fn before_the_end_can_be_proven_it_is_searched_selectively() {
    let choices: Vec<u8> = (0..42).map(|i| i * 37 % 11).collect();
    let position = position_of(Geometry::EIGHT, &choices).unwrap();
    let empties = position.empties();
    for variant in VariantKind::BOTH {
        let mut turncoat = player("turncoat:hash=4", variant, Geometry::EIGHT);
        let mut answers = (12..31).map(|doublings| {
            turncoat.new_game(1);
            let limits = Limits { nodes: Some(1 << doublings), ..Limits::default() };
            let answer = ask(&mut *turncoat, position, &limits);
            // The last squares are counted without a look at the limit.
            assert!(answer.nodes <= (1 << doublings) + 1000, "{answer:?}");
            (answer.depth, answer.exact)
        });
        assert!(answers.next().unwrap().0 < empties);
        assert!(answers.any(|answer| answer == (empties, false)), "{variant}: nothing between a look and a proof");
        assert_eq!(answers.next_back(), Some((empties, true)));
    }
}

#[test]
fn an_analysis_reports_all_moves_after_each_depth() {
    let variant = VariantKind::Reversed;
    for (choices, solved) in [(4, false), (48, true)] {
        let position = position_of(Geometry::EIGHT, &vec![3; choices]).unwrap();
        let mut turncoat = player("turncoat:hash=1", variant, Geometry::EIGHT);
        let mut reports: Vec<Vec<MoveInfo>> = Vec::new();
        let limits = Limits { depth: Some(if solved { 60 } else { 6 }), ..Limits::default() };
        let answer = turncoat.analyze(position, &limits, &mut |moves| reports.push(moves.to_vec())).unwrap();
        let depths: Vec<u32> = reports.iter().map(|moves| moves[0].depth).collect();
        assert!(depths.len() > 1 && depths.is_sorted_by(|a, b| a < b), "{depths:?}");
        for moves in &reports {
            assert_eq!(moves.len() as u32, position.legal_moves().count());
            assert!(moves.is_sorted_by(|a, b| a.score >= b.score), "{moves:?}");
        }
        assert_eq!(reports.last(), Some(&answer));
        assert_eq!(answer[0].exact, solved);
        // The same values as an analysis that goes straight to a depth.
        let mut other = player("turncoat:hash=1", variant, Geometry::EIGHT);
        let direct = other.analyze(position, &limits, &mut |_| {}).unwrap();
        assert_eq!(direct, answer);
    }
}

#[test]
fn what_is_exact_is_the_score_of_perfect_play() {
    let variant = VariantKind::Reversed;
    let (mut exact, mut inexact) = (0, 0);
    for seed in 0..14u8 {
        let choices: Vec<u8> = (0..20).map(|i| seed.wrapping_mul(53) ^ (i * 29)).collect();
        let Some(position) = position_of(Geometry::SIX, &choices) else { continue };
        let perfect =
            ask(player("turncoat:hash=1,solve=60", variant, Geometry::SIX).as_mut(), position, &Limits::default());
        for nodes in (0..40).map(|n| 1000 + n * n * 40) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let answer = ask(
                player("turncoat:hash=1,solve=0,selectivity=5", variant, Geometry::SIX).as_mut(),
                position,
                &limits,
            );
            if answer.exact {
                exact += 1;
                assert_eq!(answer.score, perfect.score, "{position}, {nodes} nodes");
            } else {
                inexact += 1;
            }
        }
    }
    assert!(exact > 50 && inexact > 50, "{exact} exact, {inexact} not");
}

#[test]
fn options_out_of_range_are_refused() {
    for (options, reason) in [
        ("level=0", "level is 1 to 20"),
        ("level=21", "level is 1 to 20"),
        ("level=-1", "level is 1 to 20"),
        ("level=3,depth=4", "level and depth exclude each other"),
        ("level=3,solve=4", "level and solve exclude each other"),
        ("depth=0", "depth is 1 to 60 plies"),
        ("solve=61", "solve is 0 to 60 empties"),
        ("threads=0", "threads is 1 to 1024"),
        ("threads=100000000", "threads is 1 to 1024"),
        ("hash=0", "hash is at least 1 MiB"),
        ("selectivity=6", "selectivity is 0 (boldest) to 5 (none)"),
        ("time=0ms", "time: a time must be positive"),
    ] {
        let spec: Spec = format!("turncoat:{options}").parse().unwrap();
        let error = spec.build(setting(VariantKind::Reversed, Geometry::EIGHT)).err();
        assert_eq!(error.unwrap().to_string(), format!("\"turncoat:{options}\": {reason}"));
    }
}

#[test]
fn a_search_that_was_stopped_before_it_began_has_a_move() {
    let stop = StopFlag::default();
    stop.raise();
    let limits = Limits { stop, ..Limits::default() };
    let start = Position::start(Geometry::EIGHT);
    for spec in ["turncoat", "turncoat:level=1", "turncoat:level=20"] {
        ask(player(spec, VariantKind::Reversed, Geometry::EIGHT).as_mut(), start, &limits);
    }
}

#[test]
fn a_move_that_fails_high_has_no_line_of_another() {
    let geometry = Geometry::FOUR;
    let position = Position::parse("--O-XXO--XO--OOO X", geometry).unwrap();
    let mut player = player("turncoat:hash=1", VariantKind::Reversi, geometry);
    for nodes in 0..100 {
        // `ask` plays the line, so every move of it must be legal.
        ask(&mut *player, position, &Limits { nodes: Some(nodes), ..Limits::default() });
    }
}

/// A clock on which every look takes a while, so that few positions fill it; sometimes the machine is busy with something else for a while.
#[derive(Debug)]
struct BusyClock {
    micros: AtomicU64,
    looks: AtomicU64,
    /// Microseconds of a look.
    step: u64,
    /// At every look of a multiple of this number the machine is busy for so many microseconds.
    busy: (u64, u64),
}

impl Clock for BusyClock {
    fn now(&self) -> Duration {
        let looks = self.looks.fetch_add(1, Ordering::SeqCst) + 1;
        let (every, long) = self.busy;
        let step = if looks.is_multiple_of(every) { long } else { self.step };
        Duration::from_micros(self.micros.fetch_add(step, Ordering::SeqCst) + step)
    }
}

/// Plays a game against itself under these clocks and returns what each has left; `None` if one ran down.
fn play_on_the_clock(budget: Budget, busy: (u64, u64)) -> Option<[Duration; 2]> {
    let clock = Arc::new(BusyClock {
        micros: AtomicU64::new(0),
        looks: AtomicU64::new(0),
        step: budget.remaining.as_micros() as u64 / 2000,
        busy,
    });
    let (variant, geometry) = (VariantKind::Reversed, Geometry::SIX);
    let mut players = [0, 1].map(|_| player("turncoat:hash=1", variant, geometry));
    let mut left = [budget.remaining; 2];
    let mut game = Game::new(variant, geometry);
    while game.outcome().is_none() {
        let position = game.position();
        if position.must_pass() {
            game.play(Move::Pass).unwrap();
            continue;
        }
        let side = position.side() as usize;
        let limits = Limits {
            clock: Arc::clone(&clock) as _,
            // A thread that never works is always held up.
            work: Arc::new(FakeClock::new(Duration::ZERO)),
            ..Limits::default()
        }
        .with_game(Budget { remaining: left[side], ..budget }, position.empties());
        let started = clock.now();
        let answer = ask(players[side].as_mut(), position, &limits);
        let used = clock.now().saturating_sub(started);
        left[side] = left[side].checked_sub(used)? + budget.increment;
        game.play(Move::Place(answer.best)).unwrap();
    }
    Some(left)
}

#[test]
fn no_game_is_lost_on_time() {
    let millis = Duration::from_millis;
    for (remaining, increment) in [(500, 0), (300, 100), (20_000, 0)] {
        let budget = Budget { increment: millis(increment), ..Budget::new(millis(remaining)) };
        // An idle machine; one with many short delays, one with few long ones.
        let longest = remaining * 1000 / 60;
        for busy in [(u64::MAX, 0), (3, longest / 10), (11, longest / 3), (101, longest)] {
            let left = play_on_the_clock(budget, busy);
            assert!(left.is_some(), "{budget:?} {busy:?}");
            if busy.0 == u64::MAX && increment == 0 {
                // Not by playing at once: that is no use of a clock.
                let [black, white] = left.unwrap();
                let most = budget.remaining * 3 / 4;
                assert!(black < most && white < most, "{black:?} {white:?} of {remaining}");
            }
        }
    }
}

#[test]
fn the_player_explains_whatever_evaluates_for_it() {
    let position = position_of(Geometry::EIGHT, &[1, 0, 3, 2, 5, 1, 0, 4]).unwrap();
    let value = |spec: &str, variant| {
        let explanation = player(spec, variant, Geometry::EIGHT).explain(position).unwrap();
        let sum: f64 = explanation.terms.iter().map(Term::product).sum();
        assert!((sum - explanation.value).abs() < 1e-9, "{spec}");
        explanation.value
    };
    for variant in VariantKind::BOTH {
        let patterns = f64::from(trained(variant, Geometry::EIGHT).unwrap().estimate(position)) / f64::from(UNITS);
        assert!((value("turncoat:hash=1", variant) - patterns).abs() < 1e-9);
        assert!((value("turncoat:hash=1,level=3", variant) - patterns).abs() < 1e-9);
        value("turncoat:hash=1,eval=hand", variant);
    }
    value("turncoat:hash=1,eval=gene45", VariantKind::Reversed);
}
