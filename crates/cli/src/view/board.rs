//! The board in the terminal.

use std::io::{self, IsTerminal};

use turncoat_board::{Bitboard, Color, Position, Square};

/// Draws boards, in colours where the terminal has them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct BoardView {
    pub(crate) colours: bool,
    /// Whether legal moves are marked with `+`.
    pub(crate) legal: bool,
}

impl BoardView {
    /// Marks the legal moves, in colours if standard output is a terminal that wants them.
    pub(crate) fn for_terminal() -> Self {
        let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let colours =
            io::stdout().is_terminal() && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|t| t != "dumb");
        Self { colours, legal: true }
    }

    /// The board with coordinates and counts; the last move stands in brackets.
    pub(crate) fn draw(self, position: Position, last: Option<Square>) -> String {
        let geometry = position.geometry();
        let legal = if self.legal { position.legal_moves() } else { Bitboard::EMPTY };
        let header: String = (0..geometry.side()).map(|i| format!(" {} ", char::from(b'a' + i))).collect();
        let mut drawing = format!("\n   {header}\n");
        for (index, square) in geometry.cells().enumerate() {
            let (row, column) = (index / usize::from(geometry.side()), index % usize::from(geometry.side()));
            if column == 0 {
                drawing += &format!(" {} ", row + 1);
            }
            let cell = match position.at(square) {
                Some(Color::Black) => 'X',
                Some(Color::White) => 'O',
                None if legal.contains(square) => '+',
                None => '·',
            };
            drawing += &self.cell(cell, last == Some(square));
            if column + 1 == usize::from(geometry.side()) {
                drawing += &format!(" {}\n", row + 1);
            }
        }
        let count = |color| position.discs(color).count();
        drawing += &format!("   {header}\n   X black {}   O white {}", count(Color::Black), count(Color::White));
        drawing
    }

    fn cell(self, cell: char, last: bool) -> String {
        let plain = if last { format!("[{cell}]") } else { format!(" {cell} ") };
        if !self.colours {
            return plain;
        }
        // Bold black or white on the board's green; legal moves in yellow.
        let style = match cell {
            'X' => "1;38;5;16",
            'O' => "1;38;5;231",
            '+' => "38;5;227",
            _ => "38;5;65",
        };
        format!("\x1b[48;5;29;{style}m{plain}\x1b[0m")
    }
}

/// The name of a colour at the beginning of a sentence.
pub(crate) const fn capital(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}
