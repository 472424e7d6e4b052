//! Alpha-beta against minimax without pruning, and the final search against enumeration.

use std::cmp::Ordering;
use std::sync::Arc;
use std::time::Duration;

use proptest::prelude::*;
use turncoat_board::{Board, Geometry, Position, Square, VariantKind};
use turncoat_eval::classic::{Gene45, NineWeights, ShiftingWeights, Signs, SixStage, TopSix, TopSixSet};
use turncoat_eval::{ClassicEvaluation, RootView};
use turncoat_search::minimax::{Choice, Minimax, Proof, Style, TerminalValue, Ties, choose, prove, score_all};
use turncoat_search::{FakeClock, Limits, Watch};

/// Plain recursion over every move, as a textbook has it.
struct Unpruned<'a, E> {
    search: Minimax<'a, E>,
    geometry: Geometry,
    root_discs: u32,
}

impl<E: ClassicEvaluation> Unpruned<'_, E> {
    fn evaluate(&self, board: Board, root_moves: bool) -> f64 {
        let board = if root_moves { board } else { board.pass() };
        if self.search.style.terminal == TerminalValue::WinOrNothing && board.is_over(self.geometry) {
            let won = board.final_score_of(self.search.variant, self.geometry).discs() > 0;
            return if won { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        self.search.evaluation.evaluate(&RootView {
            board,
            own_moves: board.legal_moves(self.geometry),
            opposing_moves: board.pass().legal_moves(self.geometry),
            root_discs: self.root_discs,
        })
    }

    fn moves(&self, board: Board) -> Vec<Square> {
        let mut moves: Vec<Square> = board.legal_moves(self.geometry).into_iter().collect();
        if let Some(width) = self.search.style.beam {
            let at_sight = |square: &Square| self.evaluate(board.play(*square, self.geometry).unwrap().pass(), true);
            moves.sort_by(|a, b| at_sight(b).partial_cmp(&at_sight(a)).unwrap_or(Ordering::Equal));
            moves.truncate(width);
        }
        moves
    }

    fn value(&self, board: Board, root_moves: bool, depth: u32, bonus: f64) -> f64 {
        let moves = self.moves(board);
        if depth == 0 || board.is_over(self.geometry) {
            return bonus + self.evaluate(board, root_moves);
        }
        if moves.is_empty() {
            let depth = depth - u32::from(!self.search.style.free_pass);
            return self.value(board.pass(), !root_moves, depth, bonus);
        }
        let child = |square: Square| {
            let flips = f64::from(board.flips(square).count());
            let bonus = bonus + self.search.style.flip_bonus * flips;
            self.value(board.play(square, self.geometry).unwrap(), !root_moves, depth - 1, bonus)
        };
        let values = moves.into_iter().map(child);
        if root_moves { values.fold(f64::NEG_INFINITY, f64::max) } else { values.fold(f64::INFINITY, f64::min) }
    }

    fn choose(&self, board: Board) -> Option<Choice> {
        let mut best: Option<Choice> = None;
        for square in self.moves(board) {
            let flips = f64::from(board.flips(square).count());
            let bonus = self.search.style.flip_bonus * flips;
            let next = board.play(square, self.geometry).unwrap();
            let value = self.value(next, false, self.search.depth - 1, bonus);
            let takes = best.is_none_or(|best| match self.search.ties {
                Ties::First => value > best.value,
                Ties::Last => value >= best.value,
            });
            if takes {
                best = Some(Choice { square, value });
            }
            if value == f64::INFINITY {
                break;
            }
        }
        best
    }
}

fn agrees<E: ClassicEvaluation>(search: Minimax<'_, E>, position: Position) {
    let (board, geometry) = (position.board(), position.geometry());
    let unpruned = Unpruned { search, geometry, root_discs: board.discs().count() };
    let expected = unpruned.choose(board);
    let mut reported = None;
    let mut watch = Watch::start(&Limits::default());
    let chosen = choose(search, position, &mut watch, &mut |choice| {
        reported = Some(choice);
    });
    assert_eq!(chosen, expected, "{position}, depth {}, {:?}", search.depth, search.style);
    assert_eq!(chosen, reported);
    if search.ties == Ties::First {
        let all = score_all(search, position, &mut Watch::start(&Limits::default()));
        assert_eq!(all.iter().map(|c| c.value).reduce(f64::max), expected.map(|c| c.value));
    }
}

/// A position of random play, given as the choices made.
fn position_of(geometry: Geometry, choices: &[u8]) -> Position {
    let mut position = Position::start(geometry);
    for &choice in choices {
        let moves: Vec<Square> = position.legal_moves().into_iter().collect();
        if position.is_over() {
            break;
        }
        position = match moves.len() {
            0 => position.pass(),
            n => position.play(moves[usize::from(choice) % n]).unwrap(),
        };
    }
    position
}

fn any_position(plies: std::ops::Range<usize>) -> impl Strategy<Value = Position> {
    (prop::collection::vec(any::<u8>(), plies), 0..4usize)
        .prop_map(|(choices, size)| position_of(Geometry::ALL[size.saturating_sub(1)], &choices))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn every_style_has_the_value_of_minimax(position in any_position(0..60), depth in 1u32..4) {
        let geometry = position.geometry();
        let gene45 = Gene45::new(&Gene45::published(), geometry).unwrap();
        let style = Style { terminal: TerminalValue::WinOrNothing, ..Style::PLAIN };
        let variant = VariantKind::Reversed;
        agrees(Minimax { evaluation: &gene45, style, variant, depth, ties: Ties::Last }, position);

        let nine = NineWeights::new(&NineWeights::published(), Signs::Sensible, geometry).unwrap();
        let style = Style::PLAIN;
        agrees(Minimax { evaluation: &nine, style, variant, depth, ties: Ties::First }, position);

        let top = TopSix::new(&TopSix::published(TopSixSet::Dynamic), geometry).unwrap();
        let style = Style { beam: Some(3), ..Style::PLAIN };
        agrees(Minimax { evaluation: &top, style, variant, depth, ties: Ties::First }, position);

        let six = SixStage::new(&SixStage::published(), geometry).unwrap();
        let style = Style { flip_bonus: six.flip_bonus(position.board().discs().count()), ..Style::PLAIN };
        agrees(Minimax { evaluation: &six, style, variant: VariantKind::Reversi, depth, ties: Ties::First }, position);

        if geometry == Geometry::EIGHT {
            let shifting = ShiftingWeights::new(&ShiftingWeights::published()).unwrap();
            let style = Style { free_pass: false, terminal: TerminalValue::WinOrNothing, ..Style::PLAIN };
            agrees(Minimax { evaluation: &shifting, style, variant, depth, ties: Ties::First }, position);
        }
    }

    #[test]
    fn the_final_search_proves_what_enumeration_finds(position in any_position(52..60)) {
        let geometry = position.geometry();
        for variant in VariantKind::BOTH {
            let outcome = |square| -sign_of(position.board().play(square, geometry).unwrap(), geometry, variant);
            let outcomes: Vec<(Square, i32)> =
                position.legal_moves().into_iter().map(|square| (square, outcome(square))).collect();
            let first = |wanted| outcomes.iter().find(|(_, o)| *o == wanted).map(|(square, _)| *square);
            let expected = match (first(1), first(0)) {
                _ if outcomes.is_empty() => None,
                (Some(square), _) => Some(Proof::Win(square)),
                (None, Some(square)) => Some(Proof::Draw(square)),
                (None, None) => Some(Proof::Loss),
            };
            prop_assert_eq!(prove(position, variant, &mut Watch::start(&Limits::default())), expected);
        }
    }
}

/// The outcome for the mover by enumeration.
fn sign_of(board: Board, geometry: Geometry, variant: VariantKind) -> i32 {
    let moves = board.legal_moves(geometry);
    if board.is_over(geometry) {
        return board.final_score_of(variant, geometry).discs().signum();
    }
    if moves.is_empty() {
        return -sign_of(board.pass(), geometry, variant);
    }
    moves.into_iter().map(|s| -sign_of(board.play(s, geometry).unwrap(), geometry, variant)).max().unwrap()
}

#[test]
fn a_stopped_search_answers_with_what_it_has() {
    let position = position_of(Geometry::EIGHT, &[3, 1, 4, 1, 5, 9, 2, 6]);
    let evaluation = Gene45::new(&Gene45::published(), Geometry::EIGHT).unwrap();
    let search = |depth| Minimax {
        evaluation: &evaluation,
        style: Style { terminal: TerminalValue::WinOrNothing, ..Style::PLAIN },
        variant: VariantKind::Reversed,
        depth,
        ties: Ties::Last,
    };
    for nodes in [0, 1, 10, 100, 1000, 10_000] {
        let mut watch = Watch::start(&Limits { nodes: Some(nodes), ..Limits::default() });
        let choice = choose(search(6), position, &mut watch, &mut |_| {});
        assert!(choice.is_none_or(|choice| position.legal_moves().contains(choice.square)));
        assert!(watch.nodes() <= nodes);
    }
    // The same under a clock that is part of the test: it goes on by a millisecond at each look.
    let clock = Arc::new(FakeClock::new(Duration::from_millis(1)));
    let limits = Limits { time: Some(Duration::from_millis(50)), clock, ..Limits::default() };
    let mut watch = Watch::start(&limits);
    choose(search(12), position, &mut watch, &mut |_| {});
    assert!(watch.is_over() && watch.nodes() <= 51 * 1024);
}
