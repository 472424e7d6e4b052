//! The search that evaluates many leaves at once, against recursion over every move.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use turncoat_board::{Board, Geometry, Position, Square, VariantKind};
use turncoat_search::minimax::{BatchEvaluation, Batched, Choice, Finished, choose_batched, won_by};
use turncoat_search::{FakeClock, Limits, Watch};

/// Small values that many boards share, and how often it was asked.
#[derive(Default)]
struct Scattered {
    calls: usize,
    boards: usize,
}

fn scattered(board: Board) -> f64 {
    f64::from(board.salted_hash(1) as u8 % 16) - 7.5
}

impl BatchEvaluation for Scattered {
    type Error = Infallible;

    fn evaluate(&mut self, boards: &[Board]) -> Result<Vec<f64>, Infallible> {
        self.calls += 1;
        self.boards += boards.len();
        Ok(boards.iter().map(|&board| scattered(board)).collect())
    }
}

fn search(variant: VariantKind, finished: Finished, batch: usize, depth: u32) -> Batched {
    Batched { variant, finished, batch, depth, time: None }
}

/// Plain recursion.
fn value(search: Batched, board: Board, geometry: Geometry, depth: u32) -> f64 {
    if board.is_over(geometry) && search.finished == Finished::Scored {
        let discs = board.final_score_of(search.variant, geometry).discs();
        return f64::from(discs) + 2e9 * f64::from(discs.signum());
    }
    if depth == 0 || board.is_over(geometry) {
        return scattered(board);
    }
    let moves = board.legal_moves(geometry);
    if moves.is_empty() {
        return -value(search, board.pass(), geometry, depth);
    }
    let child = |square| -value(search, board.play(square, geometry).unwrap(), geometry, depth - 1);
    moves.into_iter().map(child).fold(f64::NEG_INFINITY, f64::max)
}

/// The last of the best moves, searched ply by ply until a win is found.
fn expected(search: Batched, position: Position) -> Option<Choice> {
    let (board, geometry) = (position.board(), position.geometry());
    let mut best = None;
    for depth in 1..=search.depth.min(position.empties()) {
        let child = |square: Square| Choice {
            square,
            value: -value(search, board.play(square, geometry).unwrap(), geometry, depth - 1),
        };
        best = position.legal_moves().into_iter().map(child).reduce(|a, b| if b.value >= a.value { b } else { a });
        if best.is_some_and(|best| won_by(best.value).is_some_and(|discs| discs > 0.0)) {
            break;
        }
    }
    best
}

fn position_of(geometry: Geometry, choices: &[u8]) -> Position {
    let mut position = Position::start(geometry);
    for &choice in choices {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            _ if position.is_over() => break,
            0 => position.pass(),
            n => position.play(moves[usize::from(choice) % n]).unwrap(),
        };
    }
    position
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn the_choice_is_that_of_minimax(
        choices in prop::collection::vec(any::<u8>(), 0..60),
        size in 0..3usize,
        depth in 1u32..5,
        batch in prop::sample::select(vec![1usize, 10, 100, 1000]),
    ) {
        let position = position_of(Geometry::ALL[size], &choices);
        for (variant, finished) in [(VariantKind::Reversed, Finished::Scored), (VariantKind::Reversi, Finished::Evaluated)] {
            let search = search(variant, finished, batch, depth);
            let mut last = None;
            let mut watch = Watch::start(&Limits::default());
            let chosen = choose_batched(search, position, &mut Scattered::default(), &mut watch, &mut |choice, _| {
                last = Some(choice);
            });
            prop_assert_eq!(chosen, Ok(expected(search, position)));
            prop_assert_eq!(chosen, Ok(last));
        }
    }
}

#[test]
fn small_trees_take_one_call_a_ply() {
    let position = position_of(Geometry::EIGHT, &[3, 1, 4, 1, 5, 9]);
    let calls = |batch, depth| {
        let mut evaluation = Scattered::default();
        let search = search(VariantKind::Reversed, Finished::Scored, batch, depth);
        let mut watch = Watch::start(&Limits::default());
        choose_batched(search, position, &mut evaluation, &mut watch, &mut |_, _| {}).unwrap();
        assert_eq!(watch.nodes(), evaluation.boards as u64);
        (evaluation.calls, evaluation.boards)
    };
    assert_eq!(calls(10_000, 3).0, 3);
    let (calls_of_one, boards_of_one) = calls(1, 4);
    let (calls_of_many, boards_of_many) = calls(100_000, 4);
    assert!(calls_of_many < calls_of_one && boards_of_one < boards_of_many);
}

#[test]
fn limits_end_it() {
    let position = position_of(Geometry::EIGHT, &[3, 1, 4, 1, 5, 9]);
    let depth_within = |limits: &Limits| {
        let search = Batched { time: limits.time, ..search(VariantKind::Reversed, Finished::Scored, 100, 60) };
        let mut reached = 0;
        let mut watch = Watch::start(limits);
        choose_batched(search, position, &mut Scattered::default(), &mut watch, &mut |_, depth| reached = depth)
            .unwrap();
        reached
    };
    assert_eq!(depth_within(&Limits { nodes: Some(0), ..Limits::default() }), 0);
    assert!((1..4).contains(&depth_within(&Limits { nodes: Some(500), ..Limits::default() })));
    // Every look at the clock takes a millisecond.
    let clock = Arc::new(FakeClock::new(Duration::from_millis(1)));
    let timed = Limits { time: Some(Duration::from_millis(30)), clock, ..Limits::default() };
    assert!((1..6).contains(&depth_within(&timed)));
    let stopped = Limits::default();
    stopped.stop.raise();
    assert_eq!(depth_within(&stopped), 0);
}
