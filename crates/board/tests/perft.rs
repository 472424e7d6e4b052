//! Leaf counts against published figures and against a slow, literal implementation of the rules.

mod reference;

use reference::Cells;
use turncoat_board::isa::Backend;
use turncoat_board::{Board, Geometry, perft, perft_with};

/// Leaves at depth 1, 2, … from the 8x8 start, a pass counting as a ply.
const EIGHT: [u64; 12] =
    [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288, 24_571_284, 212_258_800, 1_939_886_636];

#[test]
fn eight_in_every_backend() {
    for backend in Backend::all() {
        for (depth, leaves) in (1..=9).zip(EIGHT) {
            let counted = perft_with(backend, Board::start(Geometry::EIGHT), Geometry::EIGHT, depth);
            assert_eq!(counted, leaves, "depth {depth}, {}", backend.name());
        }
    }
}

#[test]
fn eight_at_the_published_depths() {
    for (depth, leaves) in (10..=12).zip(&EIGHT[9..]) {
        assert_eq!(perft(Board::start(Geometry::EIGHT), Geometry::EIGHT, depth), *leaves, "depth {depth}");
    }
}

#[test]
fn small_boards_against_the_reference() {
    for (geometry, deepest) in [(Geometry::SIX, 8), (Geometry::FOUR, 14)] {
        for depth in 0..=deepest {
            let expected = Cells::start(geometry).perft(depth);
            for backend in Backend::all() {
                let counted = perft_with(backend, Board::start(geometry), geometry, depth);
                assert_eq!(counted, expected, "{geometry}, depth {depth}, {}", backend.name());
            }
        }
    }
}
