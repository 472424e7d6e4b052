use std::collections::HashMap;

use turncoat_board::{Geometry, Square, VariantKind};

use super::*;
use crate::{Evaluation, file};

/// A literal minimax to a depth, with the discs at its leaves: slow and plain.
fn minimax(position: Position, depth: u32, variant: VariantKind) -> i32 {
    if position.is_over() {
        return position.board().final_score_of(variant, position.geometry()).discs();
    }
    if position.must_pass() {
        return -minimax(position.pass(), depth, variant);
    }
    if depth == 0 {
        let board = position.board();
        return variant.sign() * (board.mover().count() as i32 - board.other().count() as i32);
    }
    position.legal_moves().into_iter().map(|s| -minimax(position.play(s).unwrap(), depth - 1, variant)).max().unwrap()
}

struct Plain(VariantKind);

impl Search for Plain {
    fn search(&mut self, position: Position, depth: u32) -> Option<Found> {
        let is_exact = depth >= position.empties();
        let score = f64::from(minimax(position, depth, self.0));
        let worth = |&square: &Square| -minimax(position.play(square).unwrap(), depth.saturating_sub(1), self.0);
        let best = position.legal_moves().into_iter().max_by_key(worth);
        Some(Found { score, depth, is_exact, best, nodes: u64::from(depth) })
    }
}

fn empty(variant: VariantKind, geometry: Geometry) -> Book {
    Book::new(variant, geometry, Evaluation { name: "discs".to_owned(), checksum: 1 })
}

fn grown(mut book: Book, settings: &GrowSettings, limits: GrowLimits, threads: usize) -> (Book, Growth) {
    let variant = book.variant();
    let mut searchers: Vec<Plain> = (0..threads).map(|_| Plain(variant)).collect();
    let growth = grow::<_, ()>(&mut book, settings, limits, &mut searchers, &|| false, &mut |_, _| Ok(())).unwrap();
    (book, growth)
}

const FLAT: GrowSettings =
    GrowSettings { depth: 1, plies: 4, line_plies: 4, margin: 0.0, balanced: None, aim: Aim::Lines };

#[test]
fn the_first_plies_are_all_there() {
    let (book, growth) = grown(empty(VariantKind::Reversed, Geometry::EIGHT), &FLAT, GrowLimits::default(), 2);
    assert!(matches!(growth, Growth::Complete(_)));
    let mut by_ply: HashMap<u32, usize> = HashMap::new();
    for entry in book.entries() {
        *by_ply.entry(Book::ply(entry.board())).or_default() += 1;
    }
    assert_eq!([0, 1, 2, 3, 4].map(|ply| by_ply[&ply]), [1, 1, 3, 14, 60]);
    assert_eq!(growth.progress().searched, 79);
    let report = book.check();
    assert!(report.faults.is_empty() && report.unreached == 0, "{report:?}");
    assert_eq!(report.complete, 19);
}

#[test]
fn values_are_those_of_a_literal_minimax() {
    for variant in VariantKind::BOTH {
        let (book, _) = grown(empty(variant, Geometry::SIX), &FLAT, GrowLimits::default(), 1);
        let start = Position::start(Geometry::SIX);
        // Four plies of the book and one of each search.
        assert_eq!(book.find(start).map(crate::Entry::value), Some(f64::from(minimax(start, 5, variant))));
        for best in book.moves(start) {
            let after = start.play(best.square).unwrap();
            assert_eq!(best.value, Some(f64::from(-minimax(after, 4, variant))));
            assert_eq!((best.depth, book.behind_move(start, best.square)), (2, 78));
        }
        assert_eq!(book.line(start).len(), 5);
    }
}

#[test]
fn one_thread_and_many_grow_the_same_book_up_to_any_limit() {
    let settings = GrowSettings { depth: 8, plies: 2, line_plies: 5, margin: 1.0, balanced: None, aim: Aim::Lines };
    for limits in [
        GrowLimits::default(),
        GrowLimits { positions: Some(30), nodes: None },
        GrowLimits { positions: None, nodes: Some(100) },
    ] {
        let grow = |threads| grown(empty(VariantKind::Reversi, Geometry::FOUR), &settings, limits, threads);
        let (one, ended) = grow(1);
        assert_eq!((one.clone(), ended), grow(3));
        assert!(one.check().faults.is_empty());
        // Continued, it becomes what it would have become at once.
        let (whole, _) = grown(empty(VariantKind::Reversi, Geometry::FOUR), &settings, GrowLimits::default(), 2);
        assert_eq!(grown(one, &settings, GrowLimits::default(), 1).0, whole);
    }
}

#[test]
fn lines_within_the_margin_go_on_and_others_do_not() {
    let settings = GrowSettings { depth: 7, plies: 1, line_plies: 4, margin: 0.0, balanced: None, aim: Aim::Lines };
    let (book, growth) = grown(empty(VariantKind::Reversed, Geometry::FOUR), &settings, GrowLimits::default(), 2);
    assert!(matches!(growth, Growth::Complete(_)));
    let start = Position::start(Geometry::FOUR);
    assert!(book.line(start).len() >= 4, "{:?}", book.line(start));
    let whole = GrowSettings { plies: 4, ..settings };
    let (all, _) = grown(empty(VariantKind::Reversed, Geometry::FOUR), &whole, GrowLimits::default(), 2);
    assert!(book.entries().len() < all.entries().len());
    let shallow = book.entries().iter().filter(|entry| entry.depth() < 7).count();
    assert!(shallow > 0 && all.entries().iter().all(|entry| entry.depth() >= 7), "{shallow}");
}

#[test]
fn lines_begin_at_balanced_openings_too() {
    let settings = GrowSettings { depth: 3, plies: 2, line_plies: 4, margin: 0.0, balanced: None, aim: Aim::Lines };
    let grow = |balanced| {
        let settings = GrowSettings { balanced, ..settings };
        grown(empty(VariantKind::Reversi, Geometry::SIX), &settings, GrowLimits::default(), 2).0
    };
    let is_opening = |entry: &&crate::Entry| entry.board().discs().count() == 6;
    let usual = grow(None);
    let mut scales: Vec<f64> = usual.entries().iter().filter(is_opening).map(|entry| entry.value().abs()).collect();
    scales.sort_by(f64::total_cmp);
    let best = -usual.moves(after_first(&usual)).iter().filter_map(|best| best.value).fold(f64::MIN, f64::max);
    for most in [-1.0, scales[0], scales[2]] {
        let book = grow(Some(most));
        for opening in book.entries().iter().filter(is_opening) {
            let goes_on = opening.value().abs() <= most || (opening.value() - best).abs() < 0.01;
            assert_eq!(opening.is_complete(), goes_on, "{opening:?} {most} {best}");
        }
        assert!(most < scales[2] || book.entries().len() > usual.entries().len());
    }
}

/// The position after the first move, of which there is one up to symmetry.
fn after_first(book: &Book) -> Position {
    let start = Position::start(book.geometry());
    start.play(start.legal_moves().first().unwrap()).unwrap()
}

#[test]
fn choices_are_sure_wherever_they_are_made() {
    let settings = GrowSettings { depth: 3, plies: 3, line_plies: 3, ..FLAT };
    for within in [0.0, 2.0, 64.0] {
        let (before, _) = grown(empty(VariantKind::Reversi, Geometry::SIX), &settings, GrowLimits::default(), 1);
        let surer = GrowSettings { depth: 4, aim: Aim::Choices { within }, ..settings };
        let (book, growth) = grown(before.clone(), &surer, GrowLimits::default(), 2);
        assert!(matches!(growth, Growth::Complete(_)));
        assert_eq!(book.entries().len(), before.entries().len());
        for entry in book.entries().iter().filter(|entry| entry.is_complete()) {
            let position = book.position(entry.board()).unwrap();
            for known in book.moves(position) {
                let is_near = known.value.unwrap() >= entry.value() - within;
                let next = book.find(position.play(known.square).unwrap()).unwrap();
                assert!(!is_near || next.is_complete() || next.depth() == 4, "{within} {known:?}");
            }
        }
        let searched = book.entries().iter().filter(|entry| entry.depth() == 4).count();
        let leaves = before.entries().iter().filter(|entry| !entry.is_complete()).count();
        assert!(searched > 0 && (searched == leaves) == (within > 63.0), "{within}: {searched} of {leaves}");
    }
}

/// Plays on by the book, of either colour, against a rival who looks so far ahead; returns the plies for which it had answers.
fn answered(book: &Book, rival: u32, mut is_ours: bool, most: u32) -> u32 {
    let mut position = book.position(book.root()).unwrap();
    let mut search = Plain(book.variant());
    for ply in 0..most {
        let square = if is_ours {
            let Some(best) = book.best_move(position) else { return ply };
            best
        } else {
            search.search(position, rival).unwrap().best.unwrap()
        };
        let after = position.play(square).unwrap();
        is_ours = is_ours == after.must_pass();
        let board = if after.must_pass() { after.pass() } else { after }.board();
        // Of equal moves the search takes the first, and it saw the position in this orientation.
        position = book.position(board.canonical().0).unwrap();
    }
    most
}

#[test]
fn either_side_has_answers_to_what_a_rival_plays() {
    for variant in VariantKind::BOTH {
        let aim = Aim::Answers { rival: 4 };
        let settings = GrowSettings { depth: 5, plies: 0, line_plies: 6, margin: 64.0, balanced: None, aim };
        let begin = || empty(variant, Geometry::SIX);
        let (whole, growth) = grown(begin(), &settings, GrowLimits::default(), 1);
        assert!(matches!(growth, Growth::Complete(_)));
        assert!(whole.check().faults.is_empty() && whole.check().unreached == 0);
        for rival in [2, 3, 4] {
            assert_eq!([true, false].map(|is_ours| answered(&whole, rival, is_ours, 6)), [6, 6], "{variant} {rival}");
        }
        // Stopped after a few searches and continued: the same answers, and the same book with one thread and many.
        let by_and_by = |threads| {
            let (mut book, mut growth) = (begin(), Growth::Limited(Progress::default()));
            while matches!(growth, Growth::Limited(_)) {
                let few = GrowLimits { positions: Some(7), nodes: None };
                (book, growth) = grown(book, &settings, few, threads);
            }
            book
        };
        let book = by_and_by(1);
        assert_eq!(book, by_and_by(3));
        assert_eq!([true, false].map(|is_ours| answered(&book, 3, is_ours, 6)), [6, 6], "{variant}");
        let latest = whole.entries().iter().map(|entry| Book::ply(entry.board())).max();
        assert_eq!(latest, Some(settings.line_plies));
        // From balanced openings on: the way to them is in the book as well.
        let fair = GrowSettings { plies: 2, balanced: Some(64.0), ..settings };
        let (book, growth) = grown(begin(), &fair, GrowLimits::default(), 2);
        assert!(matches!(growth, Growth::Complete(_)) && book.check().unreached == 0);
        assert_eq!([true, false].map(|is_ours| answered(&book, 4, is_ours, 6)), [6, 6], "{variant}");
        // A rival who loses nothing that the margin allows: fewer lines.
        let (narrow, _) = grown(begin(), &GrowSettings { margin: 0.0, ..settings }, GrowLimits::default(), 1);
        assert!(narrow.entries().len() < whole.entries().len());
    }
}

#[test]
fn an_error_of_the_observer_ends_growth_and_loses_nothing() {
    let mut book = empty(VariantKind::Reversed, Geometry::EIGHT);
    let mut searchers = [Plain(VariantKind::Reversed), Plain(VariantKind::Reversed)];
    let mut observe = |_: &mut Book, progress: Progress| if progress.searched < 5 { Ok(()) } else { Err("full") };
    let ended = grow(&mut book, &FLAT, GrowLimits::default(), &mut searchers, &|| false, &mut observe);
    assert_eq!((ended, book.entries().len()), (Err("full"), 5));
    let stopped = grow::<_, ()>(&mut book, &FLAT, GrowLimits::default(), &mut searchers, &|| true, &mut |_, _| Ok(()));
    assert!(matches!(stopped, Ok(Growth::Stopped(_))));
}

#[test]
fn another_evaluation_scores_a_book_anew() {
    let (mut book, _) = grown(empty(VariantKind::Reversed, Geometry::EIGHT), &FLAT, GrowLimits::default(), 2);
    let before = book.clone();
    book.take_evaluation(Evaluation { name: "same".to_owned(), checksum: 1 });
    assert_eq!(book.entries(), before.entries());
    book.take_evaluation(Evaluation { name: "other".to_owned(), checksum: 2 });
    assert!(book.entries().iter().all(crate::Entry::is_stale));
    let again = crate::Book::read(&book.write()).unwrap();
    let (book, growth) = grown(again, &FLAT, GrowLimits::default(), 2);
    assert_eq!(growth.progress().searched, 79);
    assert_eq!(book.entries(), before.entries());
}

#[test]
fn two_halves_make_the_whole() {
    let make = |limits| grown(empty(VariantKind::Reversi, Geometry::SIX), &FLAT, limits, 1).0;
    let (mut half, whole) = (make(GrowLimits { positions: Some(40), nodes: None }), make(GrowLimits::default()));
    half.merge(&whole).unwrap();
    assert_eq!(half, whole);
    let other = empty(VariantKind::Reversed, Geometry::SIX);
    let error = half.merge(&other).unwrap_err();
    assert_eq!(error.to_string(), "the books are for reversi on 6x6 and for reversed on 6x6");
    let mut foreign = Book::new(VariantKind::Reversi, Geometry::SIX, Evaluation { name: String::new(), checksum: 2 });
    foreign.merge(&whole).unwrap();
    assert!(foreign.entries().iter().all(crate::Entry::is_stale));
}

#[test]
fn a_small_board_is_solved_ply_by_ply() {
    for (variant, score) in [(VariantKind::Reversed, 4.0), (VariantKind::Reversi, -10.0)] {
        let mut book = empty(variant, Geometry::FOUR);
        let mut searchers = [Plain(variant), Plain(variant)];
        // Nine empties are left to the literal search.
        let tasks = crate::exact::exact_tasks(&book, 3);
        let mut progress = Progress::default();
        let all = run::<_, ()>(&mut book, &tasks, &mut searchers, &|| false, &mut progress, &mut |_, _| Ok(()));
        assert_eq!(all, Ok(true));
        assert!(book.find(Position::start(Geometry::FOUR)).is_none());
        book.conclude(3);
        let start = book.find(Position::start(Geometry::FOUR)).unwrap();
        assert_eq!((start.value(), start.is_proven(), start.depth()), (score, true, 12));
        assert!(book.entries().iter().all(crate::Entry::is_exact));
        assert!(book.check().faults.is_empty());
        assert!(crate::exact::exact_tasks(&book, 3).is_empty());
        assert!((book.write().len() as u64) < file::LARGEST);
    }
}

#[test]
fn a_perfect_side_has_an_answer_to_anything() {
    for variant in VariantKind::BOTH {
        let mut book = empty(variant, Geometry::FOUR);
        let mut searchers = [Solver(variant)];
        let mut progress = Progress::default();
        loop {
            let tasks = book.follow_answers(12);
            if tasks.is_empty() {
                break;
            }
            let all = run::<_, ()>(&mut book, &tasks, &mut searchers, &|| false, &mut progress, &mut |_, _| Ok(()));
            assert_eq!(all, Ok(true));
        }
        book.settle();
        let report = book.check();
        assert!(report.faults.is_empty(), "{report:?}");
        let start = Position::start(Geometry::FOUR);
        let score = book.find(start).unwrap().value() as i32;
        for perfect in [start.side(), !start.side()] {
            let least = if perfect == start.side() { score } else { -score };
            assert_eq!(worst(&book, start, perfect), least, "{variant} {perfect}");
        }
    }
}

/// The least that a side has that plays by the book, whatever the other one does.
fn worst(book: &Book, position: Position, perfect: turncoat_board::Color) -> i32 {
    if let Some(score) = position.final_score(book.variant(), perfect) {
        return score.discs();
    }
    if position.must_pass() {
        return worst(book, position.pass(), perfect);
    }
    if position.side() == perfect {
        let answer = book.best_move(position).unwrap();
        return worst(book, position.play(answer).unwrap(), perfect);
    }
    position.legal_moves().into_iter().map(|s| worst(book, position.play(s).unwrap(), perfect)).min().unwrap()
}

/// Alpha-beta to the end, with the best move.
struct Solver(VariantKind);

impl Solver {
    fn solve(&self, position: Position, mut alpha: i32, beta: i32) -> (i32, Option<turncoat_board::Square>) {
        if position.is_over() {
            return (position.board().final_score_of(self.0, position.geometry()).discs(), None);
        }
        if position.must_pass() {
            return (-self.solve(position.pass(), -beta, -alpha).0, None);
        }
        let mut best = (-100, None);
        for square in position.legal_moves() {
            let score = -self.solve(position.play(square).unwrap(), -beta, -alpha).0;
            if score > best.0 {
                best = (score, Some(square));
                alpha = alpha.max(score);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

impl Search for Solver {
    fn search(&mut self, position: Position, depth: u32) -> Option<Found> {
        let (score, best) = self.solve(position, -100, 100);
        Some(Found { score: f64::from(score), depth, is_exact: true, best, nodes: 1 })
    }
}
