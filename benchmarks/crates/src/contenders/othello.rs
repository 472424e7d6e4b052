//! `othello`: `Game::available_moves` and `Game::make_move`. To unwrap its answer costs no more than to
//! assume it, which its documentation offers.

use othello::Game;

use crate::tree::Rules;

/// The crate's game: two words, the mover's first.
pub struct Othello(Game);

impl Rules for Othello {
    fn start() -> Self {
        Self(Game::default())
    }

    fn moves(&mut self) -> u64 {
        self.0.available_moves()
    }

    fn after(&self, square: u32) -> Self {
        Self(self.0.make_move(square as usize).expect("a legal move"))
    }

    fn pass(&self) -> Self {
        let mut next = self.0.clone();
        next.pass_move();
        Self(next)
    }
}
