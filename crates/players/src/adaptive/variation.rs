//! Where a principal variation ends. The fit needs the board itself, which the classics' search does not keep.

use turncoat_board::{Board, Geometry, Position, Square};
use turncoat_eval::{ClassicEvaluation, RootView};

/// The last board of the principal variation of a move, this many plies long, as the mover sees it. Passes are free.
pub(super) fn last_board<E: ClassicEvaluation>(
    evaluation: &E,
    position: Position,
    square: Square,
    depth: u32,
) -> Option<RootView> {
    let root = Root { evaluation, geometry: position.geometry(), discs: position.board().discs().count() };
    let next = position.play(square)?.board();
    Some(root.search(next, false, depth.saturating_sub(1), [f64::NEG_INFINITY, f64::INFINITY]).1)
}

struct Root<'a, E> {
    evaluation: &'a E,
    geometry: Geometry,
    discs: u32,
}

impl<E: ClassicEvaluation> Root<'_, E> {
    /// The value of a board for the root side, and the last board, which has that value. The window is the root side's.
    fn search(&self, board: Board, root_moves: bool, depth: u32, mut window: [f64; 2]) -> (f64, RootView) {
        let moves = board.legal_moves(self.geometry);
        let mut best: Option<(f64, RootView)> = None;
        for square in moves.into_iter().take_while(|_| depth > 0) {
            let next = board.after(square, board.flips(square));
            let found = self.search(next, !root_moves, depth - 1, window);
            let is_better = |(value, _)| if root_moves { found.0 > value } else { found.0 < value };
            if best.is_none_or(is_better) {
                best = Some(found);
            }
            if root_moves {
                window[0] = window[0].max(found.0);
            } else {
                window[1] = window[1].min(found.0);
            }
            if window[0] >= window[1] {
                break;
            }
        }
        best.unwrap_or_else(|| self.without_moves(board, root_moves, depth, window))
    }

    /// The same where nobody looks further or the mover has no move.
    fn without_moves(&self, board: Board, root_moves: bool, depth: u32, window: [f64; 2]) -> (f64, RootView) {
        let [moves, replies] = [board, board.pass()].map(|board| board.legal_moves(self.geometry));
        if depth > 0 && !replies.is_empty() {
            return self.search(board.pass(), !root_moves, depth, window);
        }
        let (board, own_moves, opposing_moves) =
            if root_moves { (board, moves, replies) } else { (board.pass(), replies, moves) };
        let view = RootView { board, own_moves, opposing_moves, root_discs: self.discs };
        (self.evaluation.evaluate(&view), view)
    }
}

#[cfg(test)]
mod tests {
    use turncoat_board::VariantKind;
    use turncoat_eval::classic::Linear;
    use turncoat_search::minimax::{Minimax, Style, Ties, score_all};
    use turncoat_search::{Limits, Watch};

    use super::*;
    use crate::{Setting, Spec};

    #[test]
    fn the_last_board_has_the_value_of_the_search() {
        let (schema, parameters) = Linear::published(VariantKind::Reversed).unwrap();
        let linear = Linear::new(&schema, &parameters, Geometry::EIGHT).unwrap();
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 4 };
        let mut random = "random".parse::<Spec>().unwrap().build(setting).unwrap();
        let mut position = Position::start(Geometry::EIGHT);
        while !position.is_over() {
            for depth in 1..4 {
                let search = Minimax {
                    evaluation: &linear,
                    style: Style::PLAIN,
                    variant: VariantKind::Reversed,
                    depth,
                    ties: Ties::First,
                };
                for choice in score_all(search, position, &mut Watch::start(&Limits::default())) {
                    let view = last_board(&linear, position, choice.square, depth).unwrap();
                    let error = linear.evaluate(&view) - choice.value;
                    assert!(error.abs() < 1e-9, "{position} {choice:?} {depth}: {error}");
                }
            }
            let info = random.choose(position, &Limits::default(), &mut |_| {}).unwrap();
            position = info.map_or_else(|| position.pass(), |info| position.play(info.best).unwrap());
        }
    }
}
