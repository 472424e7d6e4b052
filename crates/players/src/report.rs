//! What players think, as it is told to people and programs: one set of objects for the command line and the page.

use serde::Serialize;
use turncoat_board::{Game, Geometry, Move, Position, Square};

use crate::Thought;

/// Discs lost from which a move is a blunder, a mistake, an inaccuracy, and how each is marked.
const MARKS: [(f64, &str); 3] = [(10.0, "??"), (5.0, "?"), (2.0, "?!")];

/// A move with what is known of it.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Chosen {
    /// The move: a square, or `pass`.
    #[serde(rename = "move")]
    pub label: String,
    /// In discs for the mover.
    pub score: Option<f64>,
    /// Plies looked ahead.
    pub depth: u32,
    /// Whether the score is proven.
    pub exact: bool,
    /// Positions entered.
    pub nodes: u64,
    /// How long it took.
    pub seconds: f64,
    /// The expected line, as a transcript.
    pub line: String,
}

impl Chosen {
    /// What a player said after so many seconds; nothing means a pass.
    pub fn of(thought: Option<&Thought>, geometry: Geometry, seconds: f64) -> Self {
        Self {
            label: thought.map_or(Move::Pass, |thought| Move::Place(thought.best)).label(geometry),
            score: thought.and_then(|thought| thought.score),
            depth: thought.map_or(0, |thought| thought.depth),
            exact: thought.is_some_and(|thought| thought.exact),
            nodes: thought.map_or(0, |thought| thought.nodes),
            seconds,
            line: thought.map_or_else(String::new, |thought| line(thought, geometry)),
        }
    }
}

/// A move of a game beside the best one.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Judged {
    /// Its place in the game, from 1, passes included.
    pub ply: usize,
    /// Its number among the moves that place a disc, from 1.
    pub number: usize,
    /// Who made it.
    pub side: String,
    /// The move that was made.
    #[serde(rename = "move")]
    pub label: String,
    /// Its score in discs, for its side.
    pub score: f64,
    /// Plies looked ahead.
    pub depth: u32,
    /// Whether the scores are proven.
    pub exact: bool,
    /// The best move.
    pub best: String,
    /// The best move's score.
    pub best_score: f64,
    /// Discs lost by the move.
    pub lost: f64,
    /// `??` a blunder, `?` a mistake, `?!` an inaccuracy.
    pub mark: &'static str,
    /// The expected play after the move: the line that shows why.
    pub refutation: String,
    /// The better line.
    pub line: String,
    /// What the move did on the board.
    pub made: Facts,
    /// What the best move would have done.
    pub better: Facts,
}

impl Judged {
    /// The move at this index of a game beside the best one of the same position.
    pub fn of(game: &Game, index: usize, best: &Thought, made: &Thought) -> Self {
        let position = game.positions()[index];
        let before = &game.moves()[..index];
        let geometry = position.geometry();
        let score = |thought: &Thought| thought.score.unwrap_or_default();
        let lost = (score(best) - score(made)).max(0.0);
        Self {
            ply: index + 1,
            number: before.iter().filter(|m| m.square().is_some()).count() + 1,
            side: position.side().to_string(),
            label: geometry.label(made.best),
            score: score(made),
            depth: made.depth,
            exact: made.exact && best.exact,
            best: geometry.label(best.best),
            best_score: score(best),
            lost,
            mark: MARKS.iter().find(|(least, _)| lost >= *least).map_or("", |(_, mark)| mark),
            refutation: line(made, geometry),
            line: line(best, geometry),
            made: Facts::of(position, made.best),
            better: Facts::of(position, best.best),
        }
    }
}

/// What a move does on the board, in numbers that a player can count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Facts {
    /// Discs that it turns.
    pub flips: u32,
    /// Moves that it leaves the opponent.
    pub replies: u32,
    /// Moves that its own side would have if it could move again.
    pub own: u32,
    /// Whether it takes a corner.
    pub corner: bool,
    /// Whether it lets the opponent take a corner.
    pub gives_corner: bool,
}

impl Facts {
    /// Those of a legal move.
    fn of(position: Position, square: Square) -> Self {
        let after = position.play(square).unwrap_or(position);
        let geometry = position.geometry();
        let is_corner = |square: Square| {
            let edge = |at: u8| at == geometry.margin() || at == 7 - geometry.margin();
            edge(square.row()) && edge(square.column())
        };
        let flipped = after.board().other() & position.board().other();
        Self {
            flips: flipped.count(),
            replies: after.legal_moves().count(),
            own: after.pass().legal_moves().count(),
            corner: is_corner(square),
            gives_corner: after.legal_moves().into_iter().any(is_corner),
        }
    }
}

fn line(thought: &Thought, geometry: Geometry) -> String {
    let squares = thought.line.iter().filter_map(|played| played.square());
    squares.map(|square| geometry.label(square)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_board::{Move, VariantKind};

    fn thought(square: &str, score: f64) -> Thought {
        Thought { score: Some(score), ..Thought::at_sight(Geometry::EIGHT.square(square).unwrap()) }
    }

    #[test]
    fn a_move_is_marked_by_the_discs_it_loses() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        let f5 = Geometry::EIGHT.square("f5").unwrap();
        game.play(Move::Place(f5)).unwrap();
        for (score, mark) in [(4.0, ""), (2.0, "?!"), (-1.0, "?"), (-6.0, "??")] {
            let judged = Judged::of(&game, 0, &thought("d3", 4.0), &thought("f5", score));
            assert_eq!((judged.mark, judged.lost), (mark, 4.0 - score));
            assert_eq!((judged.label.as_str(), judged.best.as_str()), ("f5", "d3"));
        }
    }

    #[test]
    fn passes_are_not_numbered() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        while game.outcome().is_none() {
            let first = game.position().legal_moves().first();
            game.play(first.map_or(Move::Pass, Move::Place)).unwrap();
        }
        let pass = game.moves().iter().position(|&m| m == Move::Pass).unwrap();
        let made = thought("d3", 0.0);
        let judged = Judged::of(&game, pass + 1, &made, &made);
        assert_eq!((judged.ply, judged.number), (pass + 2, pass + 1));
    }

    #[test]
    fn facts_are_those_of_the_board() {
        let position = Position::start(Geometry::FOUR);
        let first = position.legal_moves().first().unwrap();
        let facts = Facts::of(position, first);
        assert_eq!((facts.flips, facts.replies), (1, 3));
        assert!(!facts.corner && facts.gives_corner);
    }
}
