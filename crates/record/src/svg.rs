//! Pictures of positions.

use std::fmt::Write as _;

use turncoat_board::{Bitboard, Color, Position, Square};

/// Side of a cell in the picture's units.
const CELL: u32 = 60;
/// Room for the coordinates.
const RIM: u32 = 36;

/// What a picture shows beside the discs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks {
    /// The square of the last move, marked with a dot.
    pub last: Option<Square>,
    /// Whether the mover's legal moves are marked with rings.
    pub legal: bool,
}

/// Draws a position as a self-contained SVG document, light and dark ground alike.
///
/// ```
/// use turncoat_board::{Geometry, Position};
/// use turncoat_record::svg::{self, Marks};
///
/// let picture = svg::draw(Position::start(Geometry::SIX), Marks { legal: true, ..Marks::default() });
/// assert!(picture.starts_with("<svg "));
/// assert_eq!(picture.matches("class=\"legal\"").count(), 4);
/// ```
pub fn draw(position: Position, marks: Marks) -> String {
    let geometry = position.geometry();
    let side = u32::from(geometry.side());
    let (board, total) = (side * CELL, side * CELL + 2 * RIM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {total} {total}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"18\" text-anchor=\"middle\">\n\
         <title>{}</title>\n\
         <rect width=\"{total}\" height=\"{total}\" rx=\"12\" fill=\"#14251d\"/>\n\
         <rect x=\"{RIM}\" y=\"{RIM}\" width=\"{board}\" height=\"{board}\" fill=\"#2f7d54\"/>\n",
        title(position)
    );
    draw_grid(&mut svg, side);
    let margin = u32::from(geometry.margin());
    let legal = if marks.legal {
        position.legal_moves()
    } else {
        Bitboard::EMPTY
    };
    for square in geometry.cells() {
        let centre = |i: u8| RIM + (u32::from(i) - margin) * CELL + CELL / 2;
        let (x, y) = (centre(square.column()), centre(square.row()));
        let _ = match position.at(square) {
            Some(Color::Black) => writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"25\" fill=\"#16181a\" stroke=\"#000\" stroke-opacity=\".4\"/>"
            ),
            Some(Color::White) => writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"25\" fill=\"#f4f2ec\" stroke=\"#000\" stroke-opacity=\".4\"/>"
            ),
            None if legal.contains(square) => writeln!(
                svg,
                "<circle class=\"legal\" cx=\"{x}\" cy=\"{y}\" r=\"9\" fill=\"none\" stroke=\"#d9efe2\" stroke-width=\"3\" stroke-opacity=\".75\"/>"
            ),
            None => Ok(()),
        };
        if marks.last == Some(square) {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#e0533d\"/>"
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_grid(svg: &mut String, side: u32) {
    let end = RIM + side * CELL;
    let mut path = String::new();
    for i in 0..=side {
        let at = RIM + i * CELL;
        let _ = write!(path, "M{RIM} {at}H{end}M{at} {RIM}V{end}");
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" stroke=\"#14251d\" stroke-width=\"2\" fill=\"none\"/>"
    );
    for i in 0..side {
        let at = RIM + i * CELL + CELL / 2;
        let column = char::from(b'a' + i as u8);
        let _ = writeln!(
            svg,
            "<text x=\"{at}\" y=\"{}\" fill=\"#b9cfc3\">{column}</text><text x=\"{}\" y=\"{}\" fill=\"#b9cfc3\">{}</text>",
            RIM - 12,
            RIM / 2,
            at + 6,
            i + 1
        );
    }
}

fn title(position: Position) -> String {
    let count = |color| position.discs(color).count();
    let state = if position.is_over() {
        "game over".to_owned()
    } else {
        format!("{} to move", position.side())
    };
    format!(
        "{} board, black {}, white {}, {state}",
        position.geometry(),
        count(Color::Black),
        count(Color::White)
    )
}
