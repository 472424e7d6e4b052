//! The bitboard rules against the literal ones, and what must hold of every game.

mod reference;

use proptest::prelude::*;
use reference::{Cells, pairs, random_game};
use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{
    Bitboard, Board, Color, Game, Geometry, Move, Position, Reversed, Reversi, Setup, Square, Symmetry, VariantKind,
};
use turncoat_util::SplitMix64;

fn any_geometry() -> impl Strategy<Value = Geometry> {
    prop::sample::select(Geometry::ALL.to_vec())
}

/// Any discs at all, most of them unreachable in play.
fn any_position() -> impl Strategy<Value = Position> {
    (any::<u64>(), any::<u64>(), any_geometry()).prop_filter_map("no discs", |(discs, colors, geometry)| {
        let discs = discs & geometry.squares().0;
        let (black, white) = (Bitboard(discs & colors), Bitboard(discs & !colors));
        Setup { geometry, black, white, side: Color::Black }.check().ok()
    })
}

fn agrees_with_reference(position: Position) {
    let (board, geometry) = (position.board(), position.geometry());
    let cells = Cells::of(board, geometry);
    let empties = board.empties(geometry);
    for backend in Backend::all() {
        assert_eq!(pairs(backend.legal_moves(board, empties), geometry), cells.moves(), "{position}");
        for square in empties {
            let (row, column) = pairs(Bitboard::from_square(square), geometry)[0];
            let mut flips = cells.flips(row, column);
            flips.sort_unstable();
            assert_eq!(pairs(backend.flips(board, square), geometry), flips, "{position} {square:?}");
        }
    }
    for square in board.legal_moves(geometry) {
        let (row, column) = pairs(Bitboard::from_square(square), geometry)[0];
        let next = board.play(square, geometry).expect("a legal move");
        assert_eq!(Cells::of(next, geometry), cells.play(row, column));
    }
    assert_eq!(Cells::of(board.pass(), geometry), cells.pass());
    assert_eq!(board.final_score::<Reversi>(geometry).discs(), cells.othello_score());
}

#[test]
fn every_position_of_random_games_agrees_with_the_reference() {
    let mut dice = SplitMix64::new(1);
    for geometry in Geometry::ALL {
        for _ in 0..60 {
            random_game(geometry, &mut dice, agrees_with_reference);
        }
    }
}

#[test]
fn reversed_score_is_minus_the_reversi_score_of_every_final_board() {
    let mut dice = SplitMix64::new(2);
    for geometry in Geometry::ALL {
        let games = if geometry == Geometry::EIGHT { 100_000 } else { 10_000 };
        for _ in 0..games {
            let mut last = Position::start(geometry);
            random_game(geometry, &mut dice, |position| last = position);
            let board = last.board();
            let (reversi, reversed) = (board.final_score::<Reversi>(geometry), board.final_score::<Reversed>(geometry));
            assert_eq!(reversi, -reversed, "{last}");
            assert_eq!(reversi.discs() % 2, 0, "{last}");
            assert!(reversi.discs().abs() <= i32::from(geometry.area()), "{last}");
            assert_eq!(board.pass().final_score::<Reversi>(geometry), reversed, "{last}");
            if board.mover().is_empty() || board.other().is_empty() {
                assert_eq!(reversi.discs().abs(), i32::from(geometry.area()), "{last}");
            }
        }
    }
}

#[test]
fn a_game_replays_undoes_and_redoes() {
    let mut dice = SplitMix64::new(3);
    for variant in VariantKind::BOTH {
        for geometry in Geometry::ALL {
            let mut game = Game::new(variant, geometry);
            while game.outcome().is_none() {
                let moves: Vec<Square> = game.position().legal_moves().into_iter().collect();
                let played = match moves.len() {
                    0 => Move::Pass,
                    n => Move::Place(moves[dice.below(n)]),
                };
                game.play(played).unwrap();
            }
            let (moves, outcome) = (game.moves().to_vec(), game.outcome());
            assert!(game.play(Move::Pass).is_err(), "the game is over");
            let mut undone = Vec::new();
            while let Some(last) = game.undo() {
                undone.push(last);
            }
            undone.reverse();
            assert_eq!(undone, moves);
            assert_eq!(game.position(), Position::start(geometry));
            while game.redo().is_some() {}
            assert_eq!((game.moves(), game.outcome()), (moves.as_slice(), outcome));
        }
    }
}

#[test]
fn a_new_move_forgets_what_was_taken_back() {
    let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    let place = |label: &str| Move::Place(Geometry::EIGHT.square(label).unwrap());
    game.play(place("f5")).unwrap();
    game.play(place("d6")).unwrap();
    game.undo();
    game.play(place("f4")).unwrap();
    assert_eq!(game.redo(), None);
    assert_eq!(game.moves(), [place("f5"), place("f4")]);
}

#[test]
fn illegal_moves_say_why() {
    let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
    let mut refused = |label: &str| {
        let square = Geometry::EIGHT.square(label).map_or(Move::Pass, Move::Place);
        game.play(square).unwrap_err().to_string()
    };
    assert_eq!(refused("d4"), "d4 is already occupied by white");
    assert_eq!(refused("a1"), "a1: black would flip no discs there");
    assert_eq!(refused("pass"), "pass: black has a legal move and may not pass");
}

/// Perfect play by the plainest search there is.
fn solve(board: Board, geometry: Geometry, variant: VariantKind) -> i32 {
    let moves = board.legal_moves(geometry);
    if moves.is_empty() {
        return if board.is_over(geometry) {
            board.final_score_of(variant, geometry).discs()
        } else {
            -solve(board.pass(), geometry, variant)
        };
    }
    let score = |square| -solve(board.play(square, geometry).unwrap(), geometry, variant);
    moves.into_iter().map(score).max().unwrap()
}

#[test]
fn four_by_four_is_solved() {
    let start = Board::start(Geometry::FOUR);
    assert_eq!(solve(start, Geometry::FOUR, VariantKind::Reversi), -10);
    assert_eq!(solve(start, Geometry::FOUR, VariantKind::Reversed), 4);
}

/// Sums of products with this set.
struct Products<'a>([i32; 16], [u8; 4], &'a [[i8; 4]; 16]);

impl Task for Products<'_> {
    type Output = [i32; 16];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [i32; 16] {
        let mut sums = self.0;
        isa.add_products(&mut sums, self.1, self.2);
        sums
    }
}

proptest! {
    #[test]
    fn every_set_adds_the_same_products(
        sums in prop::array::uniform16(-1_000_000_000i32..1_000_000_000),
        inputs in prop::array::uniform4(prop_oneof![0u8..=127, Just(127)]),
        weights in prop::array::uniform16(prop::array::uniform4(prop_oneof![any::<i8>(), Just(i8::MIN), Just(i8::MAX)])),
    ) {
        let product = |unit: usize, input: usize| i32::from(inputs[input]) * i32::from(weights[unit][input]);
        let expected: [i32; 16] = std::array::from_fn(|unit| {
            sums[unit] + (0..4).map(|input| product(unit, input)).sum::<i32>()
        });
        for backend in Backend::all() {
            prop_assert_eq!(backend.run(Products(sums, inputs, &weights)), expected);
        }
    }

    #[test]
    fn any_discs_agree_with_the_reference(position in any_position()) {
        agrees_with_reference(position);
    }

    #[test]
    fn text_round_trips(position in any_position()) {
        let text = position.to_string();
        prop_assert_eq!(Position::parse(&text, position.geometry()).unwrap(), position);
    }

    #[test]
    fn symmetric_boards_have_symmetric_moves(position in any_position()) {
        let (board, geometry) = (position.board(), position.geometry());
        for symmetry in Symmetry::ALL {
            let image = symmetry.board(board);
            prop_assert_eq!(image.legal_moves(geometry), symmetry.bitboard(board.legal_moves(geometry)));
            prop_assert_eq!(image.canonical().0, board.canonical().0);
        }
        let (canonical, symmetry) = board.canonical();
        prop_assert_eq!(symmetry.board(board), canonical);
    }

    #[test]
    fn after_keeps_the_sides_apart(position in any_position(), square in 0u8..64, flips: u64) {
        let next = position.board().after(Square::new(square).unwrap(), Bitboard(flips));
        prop_assert!((next.mover() & next.other()).is_empty());
    }
}

#[test]
fn hashes_differ_between_positions_and_salts() {
    let mut dice = SplitMix64::new(4);
    let mut boards = std::collections::HashSet::new();
    for _ in 0..2_000 {
        random_game(Geometry::EIGHT, &mut dice, |position| {
            boards.insert(position.board());
        });
    }
    for salt in [0, 1] {
        let hashes: std::collections::HashSet<u64> = boards.iter().map(|b| b.salted_hash(salt)).collect();
        assert_eq!(hashes.len(), boards.len());
        // The low bits, which index a table, are spread evenly: no bucket of 256 is far from its share.
        let mut buckets = [0usize; 256];
        for hash in hashes {
            buckets[(hash & 255) as usize] += 1;
        }
        let share = boards.len() / 256;
        assert!(buckets.iter().all(|&n| n > share * 7 / 10 && n < share * 13 / 10), "{buckets:?}");
    }
}
