//! Playing a game: one loop for matches and for the lab. The caller decides how a player is asked.

use std::panic::{AssertUnwindSafe, catch_unwind};

use turncoat_board::{Color, Game, Move, Outcome};
use turncoat_util::panic_message;

use crate::{Fault, MoveInfo, Player};

/// A fault that ended a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foul {
    /// Who lost by it.
    pub by: Color,
    /// What it was.
    pub fault: Fault,
}

/// Plays a game to its end between black and white. `number` is the game's in its run. `ask` asks the player to move for
/// a move; passes are made without asking. `see` is shown the game at its beginning and after each move, and says
/// whether to play on.
///
/// The answer is `None` if the game was abandoned. A player that panics in `new_game` loses, as one does whose answer is
/// a fault or illegal; [`guarded`] makes a panic in `ask` a fault.
///
/// # Errors
/// If a player does something wrong.
pub fn play_game(
    game: &mut Game,
    number: u64,
    [black, white]: [&mut dyn Player; 2],
    mut ask: impl FnMut(&Game, &mut dyn Player) -> Result<Option<MoveInfo>, Fault>,
    mut see: impl FnMut(&Game) -> bool,
) -> Result<Option<Outcome>, Foul> {
    for (by, player) in [(Color::Black, &mut *black), (Color::White, &mut *white)] {
        guarded(|| player.new_game(number)).map_err(|fault| Foul { by, fault })?;
    }
    while see(game) {
        if let Some(outcome) = game.outcome() {
            return Ok(Some(outcome));
        }
        let position = game.position();
        let by = position.side();
        let player = match by {
            Color::Black => &mut *black,
            Color::White => &mut *white,
        };
        let answer = if position.must_pass() { Ok(None) } else { ask(game, player) };
        let played = answer.and_then(|info| {
            let played = info.map_or(Move::Pass, |info| Move::Place(info.best));
            game.play(played).map_err(|illegal| Fault::IllegalMove(illegal.to_string()))
        });
        played.map_err(|fault| Foul { by, fault })?;
    }
    Ok(None)
}

/// Calls into a player; its panic is its fault.
///
/// # Errors
/// If it panics.
pub fn guarded<T>(call: impl FnOnce() -> T) -> Result<T, Fault> {
    catch_unwind(AssertUnwindSafe(call)).map_err(|panic| Fault::Crash(panic_message(&*panic)))
}
