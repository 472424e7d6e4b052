//! Games whose moves a function chooses.

use crate::{Position, Square};

/// The positions of a game whose moves a function chooses, made by [`Position::playout`]: the first one, then the one
/// after every move or pass. A move is chosen only when the position after it is asked for.
#[derive(Debug, Clone)]
pub struct Playout<F> {
    position: Position,
    /// Positions told so far.
    told: usize,
    is_over: bool,
    choose: F,
}

impl Position {
    /// Plays on from this position. `choose` is asked for a move wherever there is one, with the number of moves and
    /// passes before it; passes are made without asking. The game ends where neither side can move, or where `choose`
    /// answers with `None` or an illegal move.
    ///
    /// ```
    /// use turncoat_board::{Geometry, Position};
    ///
    /// let start = Position::start(Geometry::EIGHT);
    /// let last = start.playout(|position, _| position.legal_moves().into_iter().next()).last().unwrap();
    /// assert!(last.is_over());
    /// ```
    pub const fn playout<F: FnMut(Self, usize) -> Option<Square>>(self, choose: F) -> Playout<F> {
        Playout { position: self, told: 0, is_over: false, choose }
    }
}

impl<F: FnMut(Position, usize) -> Option<Square>> Iterator for Playout<F> {
    type Item = Position;

    fn next(&mut self) -> Option<Position> {
        if self.told > 0 {
            let position = self.position;
            let next = if self.is_over || position.is_over() {
                None
            } else if position.must_pass() {
                Some(position.pass())
            } else {
                (self.choose)(position, self.told - 1).and_then(|square| position.play(square))
            };
            self.is_over = next.is_none();
            self.position = next?;
        }
        self.told += 1;
        Some(self.position)
    }
}
