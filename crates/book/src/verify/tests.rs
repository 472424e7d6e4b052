use turncoat_board::{Board, Position};

use super::*;
use crate::{Evaluation, Found};

/// A literal minimax of the project's own rules.
fn minimax(position: Position, variant: VariantKind) -> i32 {
    if position.is_over() {
        return position.board().final_score_of(variant, position.geometry()).discs();
    }
    if position.must_pass() {
        return -minimax(position.pass(), variant);
    }
    position.legal_moves().into_iter().map(|square| -minimax(position.play(square).unwrap(), variant)).max().unwrap()
}

/// The position with so many empties of a random game that lasts as long and whose mover has a move.
fn late(geometry: Geometry, empties: u32, random: &mut SplitMix64) -> Position {
    loop {
        let mut position = Position::start(geometry);
        while !position.is_over() && (position.empties() > empties || position.must_pass()) {
            let moves: Vec<_> = position.legal_moves().into_iter().collect();
            position = match moves.len() {
                0 => position.pass(),
                count => position.play(moves[random.below(count)]).unwrap(),
            };
        }
        if !position.is_over() && position.empties() == empties {
            return position;
        }
    }
}

fn entry(board: Board, score: i32) -> Entry {
    Entry::new(board, &Found { score: f64::from(score), depth: 60, is_exact: true, best: None, nodes: 0 })
}

#[test]
fn only_the_score_of_a_literal_minimax_holds() {
    let mut random = SplitMix64::new(1);
    for variant in VariantKind::BOTH {
        for (geometry, empties) in [(Geometry::EIGHT, 8), (Geometry::SIX, 9), (Geometry::FOUR, 9)] {
            let mut verifier = Verifier::new(variant, geometry, 1);
            for _ in 0..20 {
                let position = late(geometry, empties, &mut random);
                let score = minimax(position, variant);
                for wrong in [-2, 0, 2] {
                    let holds = verifier.holds(&entry(position.board(), score + wrong));
                    assert_eq!(holds, wrong == 0, "{position} {variant} {score} {wrong}");
                }
            }
            assert!(verifier.nodes() > 1000);
        }
    }
}

#[test]
fn a_whole_small_game_is_proven() {
    for (variant, score) in [(VariantKind::Reversed, 4), (VariantKind::Reversi, -10)] {
        let start = Board::start(Geometry::FOUR);
        let mut verifier = Verifier::new(variant, Geometry::FOUR, 1);
        assert!(verifier.holds(&entry(start, score)));
        assert!(!verifier.holds(&entry(start, score + 2)) && !verifier.holds(&entry(start, score - 2)));
    }
}

#[test]
fn samples_are_of_one_layer_and_each_position_once() {
    let mut book = Book::new(VariantKind::Reversi, Geometry::SIX, Evaluation { name: String::new(), checksum: 0 });
    let mut random = SplitMix64::new(7);
    for (empties, count) in [(12, 3), (10, 9)] {
        for _ in 0..count {
            let position = late(Geometry::SIX, empties, &mut random);
            book.insert(position.board(), Found { score: 2.0, depth: 9, is_exact: true, best: None, nodes: 0 });
        }
    }
    let mut boards: Vec<Board> = book.sample_exact(None, 5, 1).iter().map(Entry::board).collect();
    assert!(boards.iter().all(|&board| Book::ply(board) == 22));
    assert_ne!(boards, book.sample_exact(None, 5, 2).iter().map(Entry::board).collect::<Vec<_>>());
    boards.sort_unstable();
    boards.dedup();
    assert_eq!((boards.len(), book.sample_exact(Some(20), 100, 1).len()), (5, 3));
}
