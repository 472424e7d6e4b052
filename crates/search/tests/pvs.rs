//! The midgame search at full width against minimax, with the table and without, from all eight sides.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use proptest::prelude::*;
use turncoat_board::{Board, Geometry, Move, Position, Reversed, Square, Symmetry};
use turncoat_eval::classic::Gene45;
use turncoat_eval::{Calibrated, Evaluation, UNITS};
use turncoat_search::pvs::{RootMove, Searcher, Selectivity, Techniques};
use turncoat_search::transposition::TranspositionTable;
use turncoat_search::{Clock, Limits, Watch};

type Gene = Calibrated<Gene45>;

fn evaluation(geometry: Geometry) -> Gene {
    let gene45 = Gene45::new(&Gene45::published(), geometry).unwrap();
    Calibrated::new(gene45, geometry, &[0.01; 65], 1)
}

/// Plain recursion, a pass free, to this depth.
fn minimax(evaluation: &Gene, board: Board, geometry: Geometry, depth: u32) -> i32 {
    use turncoat_board::isa::{Isa, Portable, Task};
    struct Leaf<'a>(&'a Gene, Board, turncoat_board::Bitboard);
    impl Task for Leaf<'_> {
        type Output = i32;
        #[inline(always)]
        fn run<I: Isa>(self, isa: I) -> i32 {
            self.0.evaluate(isa, self.1, self.2, &())
        }
    }
    if board.is_over(geometry) {
        return board.final_score::<Reversed>(geometry).discs() * UNITS;
    }
    let moves = board.legal_moves(geometry);
    if moves.is_empty() {
        return -minimax(evaluation, board.pass(), geometry, depth);
    }
    if depth == 0 {
        return Portable.run(Leaf(evaluation, board, moves));
    }
    let child = |s: Square| -minimax(evaluation, board.play(s, geometry).unwrap(), geometry, depth - 1);
    moves.into_iter().map(child).max().unwrap()
}

fn think(
    position: Position,
    depths: &[u32],
    count: usize,
    table: &TranspositionTable,
    limits: &Limits,
) -> Vec<RootMove> {
    think_and_count(position, depths, count, table, limits).0
}

/// The lines, and how many positions were entered.
fn think_and_count(
    position: Position,
    depths: &[u32],
    count: usize,
    table: &TranspositionTable,
    limits: &Limits,
) -> (Vec<RootMove>, u64) {
    let evaluation = evaluation(position.geometry());
    let mut watch = Watch::start(limits);
    let mut searcher = Searcher::new(Reversed, position.geometry(), &evaluation, table, None, &mut watch);
    let mut lines = Searcher::<Reversed, Gene>::root_moves(position);
    for &depth in depths {
        searcher.iterate(position, depth, Selectivity::FULL_WIDTH, count, &mut lines, &mut |_, _| {});
    }
    (lines, watch.nodes())
}

/// A line goes to its depth or to the end of the game, and the board there has the line's value.
fn assert_line_has_its_value(position: Position, found: &RootMove) {
    let (mut end, mut value, mut placed) = (position, found.value, 0);
    for played in &found.line {
        end = if let Some(square) = played.square() {
            placed += 1;
            end.play(square).unwrap()
        } else {
            assert!(end.must_pass());
            end.pass()
        };
        value = -value;
    }
    assert!(end.is_over() || placed == found.depth && !end.must_pass(), "{position}: {:?}", found.line);
    let geometry = position.geometry();
    assert_eq!(minimax(&evaluation(geometry), end.board(), geometry, 0), value, "{position}");
}

fn position_of(geometry: Geometry, choices: &[u8]) -> Position {
    let mut position = Position::start(geometry);
    for &choice in choices {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        position = match moves.len() {
            0 if position.is_over() => break,
            0 => position.pass(),
            n => position.play(moves[usize::from(choice) % n]).unwrap(),
        };
    }
    position
}

fn any_position(plies: std::ops::Range<usize>) -> impl Strategy<Value = Position> {
    (prop::collection::vec(any::<u8>(), plies), 0..4usize)
        .prop_map(|(choices, size)| position_of(Geometry::ALL[size.saturating_sub(1)], &choices))
        .prop_filter("a move", |position| !position.legal_moves().is_empty())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]
    #[test]
    fn full_width_has_the_value_of_minimax(position in any_position(0..58), depth in 1u32..5) {
        let expected = minimax(&evaluation(position.geometry()), position.board(), position.geometry(), depth);
        let depths: Vec<u32> = (1..=depth).collect();
        let warm = think(position, &depths, 1, &TranspositionTable::new(1).unwrap(), &Limits::default());
        prop_assert_eq!(warm[0].value, expected);
        prop_assert_eq!(warm[0].depth, depth);
        // Without what earlier iterations left in the table.
        let cold = think(position, &[depth], 1, &TranspositionTable::new(1).unwrap(), &Limits::default());
        prop_assert_eq!(cold[0].value, expected);
        for symmetry in Symmetry::ALL {
            let image = think(position.transformed(symmetry), &[depth], 1, &TranspositionTable::new(1).unwrap(), &Limits::default());
            prop_assert_eq!(image[0].value, expected);
        }
        assert_line_has_its_value(position, &warm[0]);
    }

    #[test]
    fn several_threads_find_the_value_of_one(position in any_position(0..58), depth in 5u32..8, threads in 2usize..5) {
        // Deeper values in the table would be taken for those of this depth.
        let techniques = Techniques { table_values: false, child_lookup: false, ..Techniques::ALL };
        let count = 2;
        let value_of = |threads: usize| {
            let evaluation = evaluation(position.geometry());
            let table = TranspositionTable::new(1).unwrap();
            let mut watch = Watch::start(&Limits::default());
            let mut lines = Searcher::<Reversed, Gene>::root_moves(position);
            let searcher = Searcher::new(Reversed, position.geometry(), &evaluation, &table, None, &mut watch);
            searcher.with(techniques).sharing_from(2).with_helpers(threads, |searcher| {
                for depth in [2, depth] {
                    searcher.iterate(position, depth, Selectivity::FULL_WIDTH, count, &mut lines, &mut |_, _| {});
                }
            });
            for line in lines.iter().take(count) {
                assert_line_has_its_value(position, line);
            }
            lines.iter().take(count).map(|line| line.value).collect::<Vec<_>>()
        };
        prop_assert_eq!(value_of(1), value_of(threads));
    }

    #[test]
    fn several_threads_find_the_score_of_one_at_the_end(position in any_position(46..56), threads in 2usize..5) {
        // Values to the end of the game are the same whatever the table knows, so that all techniques may be used.
        let value_of = |threads: usize| {
            let evaluation = evaluation(position.geometry());
            let table = TranspositionTable::new(1).unwrap();
            let mut watch = Watch::start(&Limits::default());
            let mut lines = Searcher::<Reversed, Gene>::root_moves(position);
            let searcher = Searcher::new(Reversed, position.geometry(), &evaluation, &table, None, &mut watch);
            searcher.sharing_from(2).with_helpers(threads, |searcher| {
                searcher.iterate(position, 20, Selectivity::FULL_WIDTH, 1, &mut lines, &mut |_, _| {});
            });
            assert_line_has_its_value(position, &lines[0]);
            lines[0].value
        };
        prop_assert_eq!(value_of(1), value_of(threads));
    }

    #[test]
    fn every_move_has_its_own_value(position in any_position(0..58), depth in 1u32..4) {
        let count = position.legal_moves().count() as usize;
        let lines = think(position, &[1, depth], count, &TranspositionTable::new(1).unwrap(), &Limits::default());
        let geometry = position.geometry();
        for line in &lines {
            let next = position.board().play(line.square, geometry).unwrap();
            prop_assert_eq!(line.value, -minimax(&evaluation(geometry), next, geometry, depth - 1));
            assert_line_has_its_value(position, line);
        }
        prop_assert!(lines.is_sorted_by(|a, b| a.value >= b.value));
    }

    #[test]
    fn a_stopped_search_has_a_legal_move(position in any_position(0..58), nodes in 0u64..3000) {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let depths: Vec<u32> = (1..20).collect();
        let lines = think(position, &depths, 1, &TranspositionTable::new(1).unwrap(), &limits);
        prop_assert!(position.legal_moves().contains(lines[0].square));
    }
}

/// Positions of 6x6 with eight empties.
fn late_positions() -> impl Iterator<Item = Position> {
    (0..40u8)
        .map(|seed| position_of(Geometry::SIX, &(0..24).map(|i| seed.wrapping_mul(37) ^ (i * 11)).collect::<Vec<_>>()))
        .filter(|position| !position.legal_moves().is_empty())
}

#[test]
fn lines_do_not_stop_at_a_pass() {
    let mut passes = 0;
    for position in late_positions() {
        let count = position.legal_moves().count() as usize;
        let lines =
            think(position, &[1, 2, 3, 4, 5, 6], count, &TranspositionTable::new(1).unwrap(), &Limits::default());
        for found in &lines {
            assert_line_has_its_value(position, found);
            passes += u32::from(found.line.contains(&Move::Pass));
        }
    }
    assert!(passes > 10, "{passes}");
}

#[test]
fn a_search_to_the_end_is_exact() {
    let position = position_of(Geometry::EIGHT, &[5; 50]);
    let empties = position.empties();
    let depths: Vec<u32> = (1..=empties).collect();
    let lines = think(position, &depths, 1, &TranspositionTable::new(1).unwrap(), &Limits::default());
    assert!(lines[0].exact);
    assert_eq!(lines[0].value % (2 * UNITS), 0);
}

#[test]
fn only_the_value_of_the_position_is_exact() {
    for position in late_positions() {
        let depths: Vec<u32> = (1..=position.empties()).collect();
        let (whole, all) =
            think_and_count(position, &depths, 1, &TranspositionTable::new(1).unwrap(), &Limits::default());
        assert!(whole[0].exact, "{position}");
        // Stopped anywhere, often between two windows of the last iteration.
        for nodes in (0..all).rev().step_by(5).take(300) {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let stopped = think(position, &depths, 1, &TranspositionTable::new(1).unwrap(), &limits);
            assert!(!stopped[0].exact || stopped[0].value == whole[0].value, "{position}, {nodes} of {all} nodes");
        }
    }
}

/// The clock of a machine with one core, which its threads take in turns.
#[derive(Debug)]
struct OneCore {
    core: Arc<(Mutex<bool>, Condvar)>,
    is_mine: Mutex<bool>,
}

impl Clock for OneCore {
    fn now(&self) -> Duration {
        Duration::ZERO
    }

    fn rest(&self) {
        if std::mem::take(&mut *self.is_mine.lock().unwrap()) {
            *self.core.0.lock().unwrap() = true;
            self.core.1.notify_all();
        }
    }

    fn resume(&self) {
        let mut is_mine = self.is_mine.lock().unwrap();
        if !*is_mine {
            let is_free = self.core.0.lock().unwrap();
            *self.core.1.wait_while(is_free, |is_free| !*is_free).unwrap() = false;
            *is_mine = true;
        }
    }

    fn for_helper(&self) -> Option<Arc<dyn Clock>> {
        Some(Arc::new(Self { core: Arc::clone(&self.core), is_mine: Mutex::new(false) }))
    }
}

#[test]
fn a_panic_does_not_wait_for_helpers_that_wait_for_its_core() {
    let core = Arc::new((Mutex::new(false), Condvar::new()));
    let clock = Arc::new(OneCore { core, is_mine: Mutex::new(true) });
    let evaluation = evaluation(Geometry::EIGHT);
    let table = TranspositionTable::new(1).unwrap();
    let mut watch = Watch::start(&Limits { clock, ..Limits::default() });
    let searcher = Searcher::new(Reversed, Geometry::EIGHT, &evaluation, &table, None, &mut watch);
    // Would never end if the core were kept.
    let ended = catch_unwind(AssertUnwindSafe(|| searcher.with_helpers(3, |_| panic!("on purpose"))));
    assert!(ended.is_err());
}
