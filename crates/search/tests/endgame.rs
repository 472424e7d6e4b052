//! The solver as a whole, against minimax and against known scores.

mod common;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Duration;

use common::{minimax, played, positions};
use turncoat_board::isa::Isa;
use turncoat_board::{
    Bitboard, Board, Color, Game, Geometry, Move, Position, Score, Setup, Square, Symmetry, Variant, VariantKind,
};
use turncoat_eval::{Evaluation, HandMade, Term};
use turncoat_record::obf;
use turncoat_search::endgame::{EveryMove, Goal, Likely, Progress, Ranking, Solution, Solver, SolverTuning};
use turncoat_search::transposition::TranspositionTable;
use turncoat_search::{FakeClock, Limits};
use turncoat_util::SplitMix64;

/// A solver for any game.
struct AnySolver {
    table: Arc<TranspositionTable>,
    threads: usize,
}

impl AnySolver {
    fn new(mebibytes: usize, threads: usize) -> Self {
        Self { table: Arc::new(TranspositionTable::new(mebibytes).expect("a few megabytes")), threads }
    }

    fn with(&self, position: Position, variant: VariantKind) -> Solver<HandMade> {
        Solver::with_table(Arc::clone(&self.table), self.threads, HandMade::new(variant, position.geometry()))
    }

    fn solve(
        &self,
        position: Position,
        variant: VariantKind,
        goal: Goal,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> Solution {
        self.with(position, variant).solve(position, variant, goal, limits, observe)
    }

    fn solve_moves(
        &self,
        position: Position,
        variant: VariantKind,
        goal: Goal,
        limits: &Limits,
        observe: &(dyn Fn(&Progress) + Sync),
    ) -> EveryMove {
        self.with(position, variant).solve_moves(position, variant, goal, limits, observe)
    }
}

fn solver(threads: usize) -> AnySolver {
    AnySolver::new(1, threads)
}

fn solve(solver: &AnySolver, position: Position, variant: VariantKind) -> Solution {
    solver.solve(position, variant, Goal::Score, &Limits::default(), &|_| {})
}

fn score(solver: &AnySolver, position: Position, variant: VariantKind) -> i32 {
    let solution = solve(solver, position, variant);
    solution.score().expect("no limit was set").discs()
}

/// The line must be legal, go to the end of the game and end with the score.
fn assert_line_leads_to_the_score(position: Position, variant: VariantKind, solution: &Solution) {
    let mut game = Game::from_position(variant, position);
    for &played in &solution.line {
        game.play(played).expect("a legal line");
    }
    let outcome = game.outcome().expect("a line to the end");
    let score = match position.side() {
        Color::Black => outcome.score,
        Color::White => -outcome.score,
    };
    assert_eq!(Some(score), solution.score(), "{position}");
}

#[test]
fn agrees_with_minimax_on_all_sizes() {
    let mut dice = SplitMix64::new(21);
    let solver = solver(1);
    let mut wipe_outs = [0; 2];
    for geometry in Geometry::ALL {
        for empties in 0..=9 {
            let count = if empties > 7 { 8 } else { 40 };
            for position in positions(geometry, empties, count, &mut dice) {
                for (i, variant) in VariantKind::BOTH.into_iter().enumerate() {
                    let expected = minimax(position.board(), geometry, variant);
                    let solution = solve(&solver, position, variant);
                    assert_eq!(
                        solution.score().map(turncoat_board::Score::discs),
                        Some(expected),
                        "{position} {variant}"
                    );
                    assert_line_leads_to_the_score(position, variant, &solution);
                    let area = i32::from(geometry.area());
                    wipe_outs[i] += u32::from(expected.abs() == area && !position.is_over());
                }
            }
        }
    }
    assert!(wipe_outs.iter().all(|&n| n > 20), "{wipe_outs:?} forced wipe-outs");
}

#[test]
fn knows_double_passes() {
    let mut dice = SplitMix64::new(22);
    let solver = solver(1);
    for geometry in Geometry::ALL {
        for empties in 1..=5 {
            let mut found = 0;
            for position in positions(geometry, empties, 4000, &mut dice) {
                if position.is_over() {
                    found += 1;
                    for variant in VariantKind::BOTH {
                        let solution = solve(&solver, position, variant);
                        let expected = position.final_score(variant, position.side());
                        assert_eq!(solution.score(), expected, "{position}");
                        assert_eq!(solution.best(), None);
                    }
                }
            }
            assert!(found > 3, "{geometry}, {empties} empties: {found}");
        }
    }
}

#[test]
fn a_mover_without_discs_has_lost_reversi_and_won_reversed() {
    let solver = solver(1);
    for geometry in Geometry::ALL {
        for empties in [1, 2, 3, 4, 5, 8, 10] {
            let cells: Vec<_> = geometry.cells().collect();
            let white: Bitboard = cells[empties..].iter().copied().collect();
            let setup = Setup { geometry, black: Bitboard::EMPTY, white, side: Color::Black };
            let position = setup.check().expect("a board with discs");
            let area = i32::from(geometry.area());
            assert_eq!(score(&solver, position, VariantKind::Reversi), -area);
            assert_eq!(score(&solver, position, VariantKind::Reversed), area);
            assert_eq!(score(&solver, position.pass(), VariantKind::Reversed), -area);
        }
    }
}

#[test]
fn symmetric_and_colour_swapped_positions_have_one_score() {
    let mut dice = SplitMix64::new(23);
    let solver = solver(1);
    for geometry in [Geometry::EIGHT, Geometry::SIX] {
        for position in positions(geometry, 11, 6, &mut dice) {
            for variant in VariantKind::BOTH {
                let expected = score(&solver, position, variant);
                for symmetry in Symmetry::ALL {
                    let image = position.transformed(symmetry);
                    assert_eq!(score(&solver, image, variant), expected, "{position}");
                }
                let swapped = Setup {
                    geometry,
                    black: position.discs(Color::White),
                    white: position.discs(Color::Black),
                    side: !position.side(),
                };
                let swapped = swapped.check().expect("the same discs");
                assert_eq!(score(&solver, swapped, variant), expected, "{position}");
            }
        }
    }
}

#[test]
fn the_variants_share_one_table_in_turn() {
    let mut dice = SplitMix64::new(24);
    let shared = solver(1);
    for geometry in Geometry::ALL {
        for position in positions(geometry, 10, 10, &mut dice) {
            for variant in [VariantKind::BOTH, VariantKind::BOTH].concat() {
                let fresh = solver(1);
                assert_eq!(score(&shared, position, variant), score(&fresh, position, variant), "{position} {variant}");
            }
        }
    }
}

#[test]
fn what_is_likely_comes_before_what_is_proven() {
    let mut dice = SplitMix64::new(77);
    let mut likely = 0;
    for position in positions(Geometry::EIGHT, 17, 5, &mut dice) {
        for variant in VariantKind::BOTH {
            let exact = score(&solver(1), position, variant);
            let settle = |guess, nodes| {
                let limits = Limits { nodes, ..Limits::default() };
                solver(1).with(position, variant).settle(position, variant, guess, &limits)
            };
            // A wrong guess costs time and nothing else.
            for guess in [exact, -64, 0, 64] {
                let found = settle(guess, None);
                assert_eq!(found.score().map(Score::discs), Some(exact), "{position} {variant}");
            }
            for nodes in (0..22).map(|doublings| 1 << doublings) {
                let found = settle(exact, Some(nodes));
                assert!((found.lower.discs()..=found.upper.discs()).contains(&exact), "{position} {variant}");
                if let Some(Likely { best, certainty, .. }) = found.likely {
                    assert!(position.legal_moves().contains(best), "{position} {variant}");
                    assert!((1..100).contains(&certainty));
                    likely += u32::from(!found.complete);
                }
            }
        }
    }
    assert!(likely > 5, "{likely} likely answers without a proof");
}

fn check_file(text: &str, variant: VariantKind) {
    let solver = AnySolver::new(16, 2);
    let mut count = 0;
    for entry in obf::read(text.as_bytes(), Geometry::EIGHT) {
        let (line, entry) = entry.expect("good OBF");
        let (position, limits) = (entry.position, Limits::default());
        let found = solver.solve_moves(position, variant, Goal::Score, &limits, &|_| {});
        assert_eq!(found.whole.score(), entry.best(), "line {line}");
        let found = found.each;
        assert_eq!(found.len(), entry.scores.len(), "line {line}");
        assert_eq!(found[0].score(), entry.best(), "line {line}");
        for &(played, score) in &entry.scores {
            let solution = found.iter().find(|s| s.best() == Some(played));
            let solution = solution.expect("every move is solved");
            assert_eq!(solution.score(), Some(score), "line {line}, {played:?}");
            assert_line_leads_to_the_score(position, variant, solution);
        }
        let result = solver.solve(position, variant, Goal::Result, &limits, &|_| {});
        let best = entry.best().map_or(0, turncoat_board::Score::discs);
        assert!(result.complete);
        assert!(result.lower.discs() <= best && best <= result.upper.discs());
        assert!(best.signum() == result.lower.discs().signum() || best <= 0);
        assert!(best.signum() == result.upper.discs().signum() || best >= 0);
        count += 1;
    }
    assert_eq!(count, 190);
}

#[test]
fn every_move_of_the_reversed_positions() {
    check_file(include_str!("data/exact-reversed.obf"), VariantKind::Reversed);
}

#[test]
fn every_move_of_the_reversi_positions() {
    check_file(include_str!("data/exact-reversi.obf"), VariantKind::Reversi);
}

#[test]
fn four_by_four_is_solved_from_the_start() {
    let start = Position::start(Geometry::FOUR);
    for threads in [1, 2] {
        let solver = solver(threads);
        assert_eq!(score(&solver, start, VariantKind::Reversi), -10);
        assert_eq!(score(&solver, start, VariantKind::Reversed), 4);
    }
}

#[test]
fn threads_agree_and_one_is_deterministic() {
    let mut dice = SplitMix64::new(25);
    for variant in VariantKind::BOTH {
        for _ in 0..3 {
            let position = played(Geometry::EIGHT, 18, &mut dice).expect("a long game");
            let first = solve(&solver(1), position, variant);
            assert_eq!(solve(&solver(1), position, variant), first);
            for threads in [2, 5] {
                let solution = solve(&solver(threads), position, variant);
                assert_eq!(solution.score(), first.score(), "{position} {variant}");
                assert_line_leads_to_the_score(position, variant, &solution);
            }
        }
    }
}

#[test]
fn threads_that_share_moves_find_the_scores_of_one() {
    let mut dice = SplitMix64::new(26);
    for variant in VariantKind::BOTH {
        for threads in [2, 4] {
            let (mut handed_over, mut positions) = (0, 0);
            // A busy machine may let the other threads come too late for a whole solve.
            while positions < 3 || handed_over == 0 {
                assert!(positions < 30, "no move was ever handed over");
                let position = played(Geometry::EIGHT, 20, &mut dice).expect("a long game");
                let alone = solve(&solver(1), position, variant);
                assert_eq!(alone.handed_over, 0);
                let together = solve(&solver(threads), position, variant);
                assert_eq!(together.score(), alone.score(), "{position} {variant}");
                assert_line_leads_to_the_score(position, variant, &together);
                handed_over += together.handed_over;
                positions += 1;
            }
        }
    }
}

#[test]
fn a_stopped_solve_of_every_move_bounds_each_and_knows_the_best() {
    let mut dice = SplitMix64::new(27);
    let goal = Goal::Score;
    let (mut exact, mut open) = (0, 0);
    for variant in VariantKind::BOTH {
        let position = played(Geometry::EIGHT, 16, &mut dice).expect("a long game");
        let truth = solver(1).solve_moves(position, variant, goal, &Limits::default(), &|_| {});
        let score_of = |played| {
            let found = truth.each.iter().find(|found| found.best() == played);
            found.and_then(Solution::score).expect("no limit was set")
        };
        for nodes in (0..24).map(|power| 1_u64 << power) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let alone = solver(1).solve(position, variant, goal, &limits, &|_| {});
            let found = solver(1).solve_moves(position, variant, goal, &limits, &|_| {});
            assert_eq!(found.each.len(), truth.each.len());
            for one in &found.each {
                let score = score_of(one.best());
                assert!(one.lower <= score && score <= one.upper, "{one:?}: {score}");
                assert!(one.upper <= found.whole.upper, "no move is better than all");
                exact += u32::from(one.complete);
                open += u32::from(!one.complete);
            }
            let best = &found.each[0];
            assert!(best.lower >= alone.lower, "{best:?}, {alone:?}");
            assert!(best.lower == found.whole.lower);
            if alone.complete {
                assert_eq!(best.score(), alone.score());
            } else {
                assert_eq!(found.whole.best(), alone.best());
            }
        }
    }
    assert!(exact > 20 && open > 20, "{exact} solved, {open} not");
}

#[test]
fn every_move_is_reported_from_the_movers_view() {
    let mut dice = SplitMix64::new(28);
    let position = played(Geometry::EIGHT, 16, &mut dice).expect("a long game");
    let reports = std::sync::Mutex::new(Vec::new());
    let found = solver(1).solve_moves(position, VariantKind::Reversed, Goal::Score, &Limits::default(), &|progress| {
        reports.lock().expect("no panic").push(*progress);
    });
    let reports = reports.into_inner().expect("no panic");
    for one in &found.each {
        let is_proof = |p: &&Progress| p.played == one.best() && p.certainty == 100;
        if let Some(last) = reports.iter().rfind(is_proof) {
            assert_eq!((last.lower, last.upper), (one.lower.discs(), one.upper.discs()));
        }
    }
    assert!(reports.iter().any(|p| p.played.is_none()));
    assert!(reports.iter().any(|p| p.played.is_some()));
}

#[test]
fn a_stopped_solve_has_bounds_and_a_legal_move() {
    let start = Position::start(Geometry::EIGHT);
    let stopped = Limits::default();
    stopped.stop.raise();
    let few_nodes = Limits { nodes: Some(100_000), ..Limits::default() };
    let short = Limits {
        time: Some(Duration::from_millis(20)),
        clock: Arc::new(FakeClock::new(Duration::from_millis(1))),
        ..Limits::default()
    };
    for (limits, most) in [(stopped, 10), (few_nodes, 110_000), (short, 400_000)] {
        for threads in [1, 3] {
            let goal = Goal::Score;
            let solution = solver(threads).solve(start, VariantKind::Reversed, goal, &limits, &|_| {});
            assert!(!solution.complete);
            assert!(solution.lower < solution.upper);
            assert!(solution.nodes < most, "{} nodes", solution.nodes);
            let Some(Move::Place(square)) = solution.best() else {
                panic!("a legal move is always known");
            };
            assert!(start.legal_moves().contains(square));
        }
    }
}

#[test]
fn another_thread_can_stop_it_at_once() {
    let limits = Limits::default();
    let flag = limits.stop.clone();
    let started = std::time::Instant::now();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(50));
            flag.raise();
        });
        let start = Position::start(Geometry::EIGHT);
        let solution = solver(2).solve(start, VariantKind::Reversi, Goal::Result, &limits, &|_| {});
        assert!(!solution.complete);
    });
    // Far more than the milliseconds that it takes, far less than the years that it would.
    assert!(started.elapsed() < Duration::from_secs(20));
}

/// The hand-made evaluation with the board itself as its state: the state that it is given must be the board's. It
/// panics in the call with this number.
struct Checked {
    inner: HandMade,
    calls: AtomicU64,
    last: u64,
}

impl Checked {
    fn new(variant: VariantKind, geometry: Geometry, last: u64) -> Self {
        Self { inner: HandMade::new(variant, geometry), calls: AtomicU64::new(0), last }
    }
}

impl Evaluation for Checked {
    type State = Board;

    fn begin<I: Isa>(&self, _isa: I, board: Board) -> Board {
        board
    }

    fn after<I: Isa>(&self, _isa: I, state: &Board, square: Square, flips: Bitboard) -> Board {
        state.after(square, flips)
    }

    fn passed(&self, state: &Board) -> Board {
        state.pass()
    }

    fn evaluate<I: Isa>(&self, isa: I, board: Board, moves: Bitboard, state: &Board) -> i32 {
        assert_eq!(*state, board, "the state of another board");
        assert_ne!(self.calls.fetch_add(1, Ordering::Relaxed), self.last, "as asked for");
        self.inner.evaluate(isa, board, moves, &())
    }

    fn checksum(&self) -> u64 {
        self.inner.checksum()
    }

    fn parts(&self, board: Board) -> Vec<Term> {
        self.inner.parts(board)
    }
}

impl SolverTuning for Checked {
    fn ranking<V: Variant>(&self) -> Ranking {
        self.inner.ranking::<V>()
    }

    fn error<V: Variant>(&self, empties: u32, depth: u32) -> i32 {
        self.inner.error::<V>(empties, depth)
    }
}

#[test]
fn the_evaluation_follows_boards_into_every_orientation() {
    let limits = Limits { nodes: Some(50_000), ..Limits::default() };
    for geometry in Geometry::ALL {
        for variant in VariantKind::BOTH {
            let solver = Solver::new(1, 1, Checked::new(variant, geometry, u64::MAX)).expect("a megabyte");
            solver.solve_moves(Position::start(geometry), variant, Goal::Score, &limits, &|_| {});
        }
    }
}

#[test]
fn a_panic_in_any_thread_ends_the_solve() {
    let variant = VariantKind::Reversi;
    let position = played(Geometry::EIGHT, 22, &mut SplitMix64::new(31)).expect("a long game");
    for last in (0..8).map(|n| 5_000 + n * 10_007) {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let solver = Solver::new(1, 4, Checked::new(variant, Geometry::EIGHT, last)).expect("a megabyte");
            let solve = || solver.solve(position, variant, Goal::Score, &Limits::default(), &|_| {});
            let _ = sender.send(catch_unwind(AssertUnwindSafe(solve)).is_err());
        });
        assert_eq!(receiver.recv_timeout(Duration::from_mins(1)), Ok(true), "{last}");
    }
}
