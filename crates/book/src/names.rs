//! Names of openings, in three languages.

use std::collections::HashMap;
use std::sync::OnceLock;

use turncoat_board::{Board, Game, Geometry, Position, VariantKind};

/// The name of an opening.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpeningName {
    /// The moves that lead to it, as a transcript.
    pub line: &'static str,
    /// In English.
    pub english: &'static str,
    /// In Chinese.
    pub chinese: &'static str,
    /// In Japanese.
    pub japanese: &'static str,
}

/// The names for a game on the full board, in the order of their file.
pub fn opening_names(variant: VariantKind) -> impl Iterator<Item = OpeningName> {
    let file = match variant {
        VariantKind::Reversed => include_str!("../names/reversed.txt"),
        VariantKind::Reversi => include_str!("../names/reversi.txt"),
    };
    file.lines().filter_map(read)
}

/// The name of a line; `None` for a comment.
fn read(line: &'static str) -> Option<OpeningName> {
    let mut parts = line.split('|').map(str::trim);
    let line = parts.next().filter(|line| !line.is_empty() && !line.starts_with('#'))?;
    Some(OpeningName { line, english: parts.next()?, chinese: parts.next()?, japanese: parts.next()? })
}

/// The opening of a game: the last of its positions that has a name.
pub fn opening_of(game: &Game) -> Option<OpeningName> {
    if game.geometry() != Geometry::EIGHT {
        return None;
    }
    let names = by_position(game.variant());
    game.positions().iter().rev().find_map(|position| names.get(&position.board().canonical().0)).copied()
}

/// The names of a game by the positions that they lead to, in canonical orientation.
fn by_position(variant: VariantKind) -> &'static HashMap<Board, OpeningName> {
    static NAMES: [OnceLock<HashMap<Board, OpeningName>>; 2] = [const { OnceLock::new() }; 2];
    NAMES[usize::from(variant == VariantKind::Reversi)].get_or_init(|| {
        opening_names(variant).filter_map(|name| Some((reached(name.line)?.board().canonical().0, name))).collect()
    })
}

/// The position after a transcript without passes; `None` if a move is illegal.
fn reached(line: &str) -> Option<Position> {
    let squares = (0..line.len()).step_by(2).map(|at| Geometry::EIGHT.square(line.get(at..at + 2)?));
    squares.into_iter().try_fold(Position::start(Geometry::EIGHT), |position, square| position.play(square?))
}

#[cfg(test)]
mod tests {
    use turncoat_board::Move;

    use super::*;

    #[test]
    fn every_line_of_the_files_is_a_name_of_its_own() {
        for variant in VariantKind::BOTH {
            let names: Vec<OpeningName> = opening_names(variant).collect();
            assert!(names.len() >= 3, "{variant}");
            assert_eq!(by_position(variant).len(), names.len(), "{variant}: a line is illegal or there twice");
            for name in names {
                assert!(![name.english, name.chinese, name.japanese].contains(&""), "{name:?}");
            }
        }
    }

    #[test]
    fn a_game_keeps_the_last_name_that_it_reached() {
        let mut game = Game::new(VariantKind::Reversi, Geometry::EIGHT);
        assert_eq!(opening_of(&game), None);
        // The tiger, turned.
        let perpendicular = Some("Perpendicular");
        let moves = [("c4", None), ("e3", perpendicular), ("f6", perpendicular), ("e6", perpendicular)];
        for (label, name) in moves.into_iter().chain([("f5", Some("Tiger")), ("b4", Some("Tiger"))]) {
            game.play(Move::Place(Geometry::EIGHT.square(label).unwrap())).unwrap();
            assert_eq!(opening_of(&game).map(|name| name.english), name, "{label}");
        }
    }
}
