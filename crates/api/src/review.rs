//! The moves of a game beside the best ones.

use serde::Serialize;
use turncoat_board::{Color, Game, Position, Square};
use turncoat_players::MoveInfo;

#[cfg(feature = "openapi")]
use crate::game::Side;
use crate::moves::line;

/// How bad a move is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Mark {
    /// It loses less than two discs.
    #[serde(rename = "")]
    None,
    /// It loses two discs or more.
    #[serde(rename = "?!")]
    Inaccuracy,
    /// It loses five discs or more.
    #[serde(rename = "?")]
    Mistake,
    /// It loses ten discs or more.
    #[serde(rename = "??")]
    Blunder,
}

// The derived schema does not know empty names.
#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Mark {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        let marks = [Self::None, Self::Inaccuracy, Self::Mistake, Self::Blunder].map(Self::as_str);
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::Type::String)
            .description(Some("How bad a move is."))
            .enum_values(Some(marks))
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Mark {}

impl Mark {
    /// The marks by the discs from which on a move has them.
    const FROM: [(f64, Self); 3] = [(10.0, Self::Blunder), (5.0, Self::Mistake), (2.0, Self::Inaccuracy)];

    fn from_loss(discs: f64) -> Self {
        Self::FROM.into_iter().find(|&(from, _)| discs >= from).map_or(Self::None, |(_, mark)| mark)
    }

    /// As it is written behind a move.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// A move of a game beside the best one.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ReviewedMove {
    /// Its place in the game, from 1, passes included.
    pub ply: usize,
    /// Its number among the moves that place a disc, from 1.
    pub number: usize,
    /// Who made it.
    #[cfg_attr(feature = "openapi", schema(value_type = Side))]
    pub side: Color,
    /// The move that was made.
    #[serde(rename = "move")]
    pub label: String,
    /// Its score in discs, for its side.
    pub score: f64,
    /// Plies searched.
    pub depth: u32,
    /// Whether the scores are proven.
    pub exact: bool,
    /// The best move.
    pub best: String,
    /// The best move's score.
    pub best_score: f64,
    /// Discs lost by the move, to a tenth: what is read is what is marked.
    pub lost: f64,
    /// How bad it is.
    pub mark: Mark,
    /// The expected line from the move on, which shows why.
    pub refutation: String,
    /// The expected line from the best move on.
    pub line: String,
    /// What the move did on the board.
    pub made: MoveFacts,
    /// What the best move would have done.
    pub better: MoveFacts,
}

impl ReviewedMove {
    /// The move at this index of a game, beside the best one.
    pub fn new(game: &Game, index: usize, best: &MoveInfo, made: &MoveInfo) -> Self {
        let position = game.positions()[index];
        let before = &game.moves()[..index];
        let geometry = position.geometry();
        let score = |info: &MoveInfo| info.score.unwrap_or_default();
        let lost = ((score(best) - score(made)).max(0.0) * 10.0).round() / 10.0;
        Self {
            ply: index + 1,
            number: before.iter().filter(|m| m.square().is_some()).count() + 1,
            side: position.side(),
            label: geometry.label(made.best),
            score: score(made),
            depth: made.depth,
            exact: made.exact && best.exact,
            best: geometry.label(best.best),
            best_score: score(best),
            lost,
            mark: Mark::from_loss(lost),
            refutation: line(made, geometry),
            line: line(best, geometry),
            made: MoveFacts::new(position, made.best),
            better: MoveFacts::new(position, best.best),
        }
    }

    /// How many discs more or less would give it another mark; no number would if it is proven.
    pub fn distance(&self) -> f64 {
        let all = Mark::FROM.iter().map(|(from, _)| (self.lost - from).abs());
        if self.exact { f64::INFINITY } else { all.fold(f64::INFINITY, f64::min) }
    }
}

/// What a move does on the board, in numbers that can be counted there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct MoveFacts {
    /// Discs that it flips.
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

impl MoveFacts {
    /// Those of a legal move.
    fn new(position: Position, square: Square) -> Self {
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

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_board::{Geometry, Move, VariantKind};

    fn info(square: &str, score: f64) -> MoveInfo {
        MoveInfo { score: Some(score), ..MoveInfo::at_sight(Geometry::EIGHT.square(square).unwrap()) }
    }

    #[test]
    fn a_move_is_marked_by_the_discs_it_loses() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        let f5 = Geometry::EIGHT.square("f5").unwrap();
        game.play(Move::Place(f5)).unwrap();
        for (score, mark) in [(4.0, ""), (2.0, "?!"), (-1.0, "?"), (-6.0, "??")] {
            let reviewed = ReviewedMove::new(&game, 0, &info("d3", 4.0), &info("f5", score));
            assert_eq!((reviewed.mark.as_str(), reviewed.lost), (mark, 4.0 - score));
            assert_eq!((reviewed.label.as_str(), reviewed.best.as_str()), ("f5", "d3"));
        }
    }

    #[test]
    fn what_reads_as_ten_discs_is_marked_as_ten() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        game.play(Move::Place(Geometry::EIGHT.square("f5").unwrap())).unwrap();
        for (lost, read, mark) in [(9.96, 10.0, "??"), (9.94, 9.9, "?"), (1.97, 2.0, "?!"), (1.9, 1.9, "")] {
            let reviewed = ReviewedMove::new(&game, 0, &info("d3", lost), &info("f5", 0.0));
            assert_eq!((reviewed.lost, reviewed.mark.as_str()), (read, mark));
        }
    }

    #[test]
    fn a_mark_is_near_another_unless_it_is_proven() {
        let mut game = Game::new(VariantKind::Reversed, Geometry::EIGHT);
        game.play(Move::Place(Geometry::EIGHT.square("f5").unwrap())).unwrap();
        for (lost, distance) in [(0.0, 2.0), (1.5, 0.5), (2.5, 0.5), (3.5, 1.5), (5.0, 0.0), (9.0, 1.0), (12.0, 2.0)] {
            let mut reviewed = ReviewedMove::new(&game, 0, &info("d3", lost), &info("f5", 0.0));
            assert!((reviewed.distance() - distance).abs() < 1e-9, "{lost}: {}", reviewed.distance());
            reviewed.exact = true;
            assert!(reviewed.distance().is_infinite());
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
        let made = info("d3", 0.0);
        let reviewed = ReviewedMove::new(&game, pass + 1, &made, &made);
        assert_eq!((reviewed.ply, reviewed.number), (pass + 2, pass + 1));
    }

    #[test]
    fn facts_are_those_of_the_board() {
        let position = Position::start(Geometry::FOUR);
        let first = position.legal_moves().first().unwrap();
        let facts = MoveFacts::new(position, first);
        assert_eq!((facts.flips, facts.replies), (1, 3));
        assert!(!facts.corner && facts.gives_corner);
    }
}
