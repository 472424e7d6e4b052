//! `play --replay`: a game board by board.

use anyhow::Result;
use serde::Serialize;
use turncoat_board::Game;

use crate::args::Common;
use crate::output;
use crate::view::board::{BoardView, capital};

/// The JSON object of a board of a replay.
#[derive(Serialize)]
struct Shown {
    ply: usize,
    #[serde(rename = "move")]
    label: Option<String>,
    position: String,
}

/// Shows a game board by board.
pub(super) fn replay(game: &Game, common: &Common) -> Result<()> {
    let view = BoardView::for_terminal();
    let labels = game.moves().iter().map(|m| m.label(game.geometry()));
    let labels = std::iter::once(None).chain(labels.map(Some));
    let mut number = 0;
    for (ply, (label, &position)) in labels.zip(game.positions()).enumerate() {
        if common.json {
            let position = position.to_string();
            output::json(&Shown { ply, label, position })?;
            continue;
        }
        let mut last = None;
        if let Some(label) = label {
            last = game.moves()[ply - 1].square();
            let side = capital(game.positions()[ply - 1].side());
            if last.is_some() {
                number += 1;
                output::line(format_args!("{number}. {side} plays {label}."))?;
            } else {
                output::line(format_args!("{side} has no legal move and passes."))?;
            }
        }
        output::line(view.draw(position, last))?;
    }
    Ok(())
}
