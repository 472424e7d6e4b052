//! Turncoat's own `perft`, once for each instruction set of this machine.

use turncoat_board::isa::Backend;
use turncoat_board::{Board, Geometry, perft_with};

use super::Contender;

/// One contender a backend.
pub fn contenders() -> Vec<Contender> {
    Backend::all().into_iter().map(contender).collect()
}

fn contender(backend: Backend) -> Contender {
    Contender {
        name: format!("turncoat ({})", backend.name()),
        ours: true,
        perft: Box::new(move |depth| {
            let start = Board::start(Geometry::EIGHT);
            perft_with(backend, start, Geometry::EIGHT, depth)
        }),
    }
}
