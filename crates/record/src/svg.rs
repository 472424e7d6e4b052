//! Pictures of positions.

use std::fmt::Write as _;

use turncoat_board::{Bitboard, Color, Position, Square};
use turncoat_util::escape_html;

/// Side of a cell in the picture's units.
const CELL: u32 = 60;
/// Margin for the coordinates.
const RIM: u32 = 36;

/// The marks on a picture beside the discs.
#[derive(Debug, Clone, Copy, Default)]
pub struct Marks {
    /// The square of the last move, marked with a dot.
    pub last: Option<Square>,
    /// Whether the mover's legal moves are marked with rings.
    pub legal: bool,
}

/// Draws a position as an SVG document, for light and dark backgrounds.
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
    let legal = if marks.legal { position.legal_moves() } else { Bitboard::EMPTY };
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
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"7\" fill=\"#e0533d\"/>");
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
    let _ = writeln!(svg, "<path d=\"{path}\" stroke=\"#14251d\" stroke-width=\"2\" fill=\"none\"/>");
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
    let state = if position.is_over() { "game over".to_owned() } else { format!("{} to move", position.side()) };
    format!("{} board, black {}, white {}, {state}", position.geometry(), count(Color::Black), count(Color::White))
}

/// A title and a number for each square of an 8x8 board.
pub type NumberBoard = (String, [f64; 64]);

/// Side of a cell with a number.
const NUMBER_CELL: u32 = 44;

/// Draws boards of numbers side by side: orange is positive, blue negative, and deeper is larger.
///
/// ```
/// use turncoat_record::svg;
///
/// let picture = svg::draw_numbers(&[("weights".to_owned(), [1.0; 64])]);
/// assert_eq!(picture.matches("<rect").count(), 65);
/// ```
pub fn draw_numbers(boards: &[NumberBoard]) -> String {
    let (gap, head) = (24, 40);
    let board = 8 * NUMBER_CELL;
    let width = boards.len() as u32 * (board + gap) + gap;
    let height = board + head + gap;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
         font-family=\"system-ui, sans-serif\" font-size=\"13\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#fdfcf8\"/>\n"
    );
    for (index, (title, numbers)) in boards.iter().enumerate() {
        let left = gap + index as u32 * (board + gap);
        let title = escape_html(title);
        let _ =
            writeln!(svg, "<text x=\"{}\" y=\"27\" font-size=\"17\" fill=\"#222\">{title}</text>", left + board / 2);
        let largest = numbers.iter().fold(1e-9_f64, |most, number| most.max(number.abs()));
        for (square, &number) in numbers.iter().enumerate() {
            let (row, column) = (square as u32 / 8, square as u32 % 8);
            let (x, y) = (left + column * NUMBER_CELL, head + row * NUMBER_CELL);
            let (fill, ink) = shade(number / largest);
            let _ = writeln!(
                svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{NUMBER_CELL}\" height=\"{NUMBER_CELL}\" fill=\"{fill}\" stroke=\"#fdfcf8\"/>\
                 <text x=\"{}\" y=\"{}\" fill=\"{ink}\">{}</text>",
                x + NUMBER_CELL / 2,
                y + NUMBER_CELL / 2 + 5,
                (number * 100.0).round() / 100.0 + 0.0
            );
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Fill and text colour for a share from -1 to 1: the hue shows its sign, the depth its size.
fn shade(share: f64) -> (String, &'static str) {
    let strong = if share < 0.0 { [33.0, 102.0, 172.0] } else { [200.0, 90.0, 20.0] };
    let light = [243.0, 242.0, 238.0];
    let depth = share.abs().sqrt();
    let channel = |i: usize| (light[i] + (strong[i] - light[i]) * depth).round() as u8;
    let ink = if depth > 0.65 { "#fff" } else { "#222" };
    (format!("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2)), ink)
}
