//! Reads a game, shows how many moves each side had, draws the last position and writes the game as GGF.

use turncoat_board::{Geometry, VariantKind};
use turncoat_record::ggf::{self, Ggf};
use turncoat_record::svg::{self, Marks};
use turncoat_record::{Record, input};

pub(crate) fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A transcript, GGF, a diagram, …: the input tells which.
    let game = input::parse("1. f5 d6 2. c3 d3 3. c4", VariantKind::Reversed, Geometry::EIGHT)?;
    for position in game.positions() {
        println!("{} to move: {} legal moves", position.side(), position.legal_moves().count());
    }
    let last = game.moves().last().and_then(|played| played.square());
    let picture = svg::draw(game.position(), Marks { last, legal: true });
    std::fs::write(std::env::temp_dir().join("game.svg"), picture)?;
    let record = Record { black: "Ada".to_owned(), white: "Charles".to_owned(), ..Record::new(game) };
    println!("{}", ggf::write(&Ggf::new(record)));
    Ok(())
}
