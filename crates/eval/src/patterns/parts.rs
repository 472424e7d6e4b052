//! What the patterns see on a board: every weight that is added up, with its place.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Square};

use super::features::counts;
use super::indices::Indices;
use super::layout::{COUNTS, MIDDLES};
use super::shapes::{Placement, places_of, shapes_of, square_at};
use super::weights::Patterns;
use crate::{QUADRANTS, Term, UNITS, odd_quadrants};

impl Patterns {
    /// The weights that a board adds up, in discs: those of each shape at its places, then those of the counts.
    pub(super) fn parts(&self, board: Board) -> Vec<Term> {
        let weight = |slot: usize| f64::from(self.weight(board, slot)) / f64::from(UNITS);
        let geometry = self.geometry();
        let indices = Indices::new(board, geometry).contents();
        let mut parts = Vec::new();
        for ((place, middle), index) in places_of(geometry).iter().zip(MIDDLES).zip(indices) {
            let slot = (middle + i32::from(index)) as usize;
            parts.push(Term::chosen(shapes_of(geometry)[place.shape].name, label(*place, geometry), weight(slot)));
        }
        let slots = Backend::best().run(CountSlots(board, geometry));
        for ((name, detail), slot) in COUNTS.into_iter().zip(counted(board, geometry)).zip(slots) {
            parts.push(Term::chosen(name, detail, weight(slot)));
        }
        parts
    }
}

/// Where a shape lies: the ends of a diagonal, opposite corners of what surrounds any other shape.
fn label(place: Placement, geometry: Geometry) -> String {
    let of_shape = shapes_of(geometry)[place.shape].squares.iter();
    let squares: Vec<Square> = of_shape.map(|&(row, column)| place.symmetry.square(square_at(row, column))).collect();
    let rows = || squares.iter().map(|square| square.row());
    let columns = || squares.iter().map(|square| square.column());
    let (top, bottom) = (rows().min().unwrap_or(0), rows().max().unwrap_or(0));
    let (left, right) = (columns().min().unwrap_or(0), columns().max().unwrap_or(0));
    let (from, to) = if is_diagonal(&squares) {
        let end = |row| squares.iter().copied().find(|square| square.row() == row).unwrap_or(squares[0]);
        (end(top), end(bottom))
    } else {
        (square_at(top, left), square_at(bottom, right))
    };
    format!("{}-{}", geometry.label(from), geometry.label(to))
}

/// Whether each square is diagonally beside the one before.
fn is_diagonal(squares: &[Square]) -> bool {
    let beside = |pair: &[Square]| {
        pair[0].row().abs_diff(pair[1].row()) == 1 && pair[0].column().abs_diff(pair[1].column()) == 1
    };
    squares.windows(2).all(beside)
}

/// What the features that are not patterns count on a board, in words.
fn counted(board: Board, geometry: Geometry) -> [String; COUNTS.len()] {
    let empties = board.empties(geometry);
    let own = board.legal_moves(geometry).count();
    let other = board.pass().legal_moves(geometry).count();
    let odd = odd_quadrants(empties);
    let (first, last) = (geometry.margin(), geometry.margin() + geometry.side() - 1);
    let corners = [(first, first), (first, last), (last, last), (last, first)];
    let label = |i: usize| geometry.label(square_at(corners[i].0, corners[i].1));
    let odd: Vec<String> = (0..QUADRANTS.len()).filter(|i| odd >> i & 1 == 1).map(label).collect();
    let odd = if odd.is_empty() { "none".to_owned() } else { odd.join(" ") };
    [own.to_string(), other.to_string(), format!("{own} against {other}"), odd, empties.count().to_string()]
}

struct CountSlots(Board, Geometry);

impl Task for CountSlots {
    type Output = [usize; COUNTS.len()];

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> [usize; COUNTS.len()] {
        counts(isa, self.0, self.1, isa.legal_moves(self.0, self.0.empties(self.1)))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::shapes::{LANES, SHAPES};
    use super::*;

    #[test]
    fn places_of_a_shape_have_different_labels() {
        let labels = |geometry| -> BTreeSet<(usize, String)> {
            places_of(geometry).iter().map(|&place| (place.shape, label(place, geometry))).collect()
        };
        assert_eq!(labels(Geometry::SIX).len(), LANES);
        let labels = labels(Geometry::EIGHT);
        assert_eq!(labels.len(), LANES);
        let of = |name: &str| -> Vec<&str> {
            labels.iter().filter(|(shape, _)| SHAPES[*shape].name == name).map(|(_, label)| label.as_str()).collect()
        };
        assert_eq!(of("edge with both X squares"), ["a1-b8", "a1-h2", "a7-h8", "g1-h8"]);
        assert_eq!(of("corner 3x3"), ["a1-c3", "a6-c8", "f1-h3", "f6-h8"]);
        assert_eq!(of("diagonal of eight"), ["a1-h8", "h1-a8"]);
        assert_eq!(of("diagonal of four"), ["a5-d8", "d1-a4", "e1-h4", "h5-e8"]);
    }
}
