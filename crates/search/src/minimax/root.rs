//! The root of the tree, where a move is chosen.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Position, Square, VariantKind};
use turncoat_eval::ClassicEvaluation;

use super::Style;
use super::node::{Context, MinimaxNode};
use crate::Watch;

/// Which of several moves with the same value is chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ties {
    /// The first in the order of search.
    First,
    /// The last in the order of search; but a won game is not searched on.
    Last,
}

/// A search to be made.
#[derive(Debug)]
pub struct Minimax<'a, E> {
    /// The evaluation of the leaves.
    pub evaluation: &'a E,
    /// How this report searches.
    pub style: Style,
    /// Which game is played.
    pub variant: VariantKind,
    /// Plies to look ahead, at least one.
    pub depth: u32,
    /// Who wins a tie.
    pub ties: Ties,
}

// Not derived: a derived copy would want the evaluation itself to be `Copy`.
impl<E> Clone for Minimax<'_, E> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<E> Copy for Minimax<'_, E> {}

/// A move and its value for the root side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// The move.
    pub square: Square,
    /// Its value.
    pub value: f64,
}

/// Chooses a move. `better` hears of every better move as it is found. `None` without a legal move or if
/// the watch ended the search before the first move was searched; a search that was ended later answers
/// with the best of the moves that were searched to the end.
pub fn choose<E: ClassicEvaluation>(
    search: Minimax<'_, E>,
    position: Position,
    watch: &mut Watch,
    better: &mut dyn FnMut(Choice),
) -> Option<Choice> {
    Backend::best().run(MinimaxRoot { search, position, watch, better, list: None })
}

/// Searches every move with a full window and returns them in the order of search: all of them, or those
/// searched to the end when the watch ended it.
pub fn score_all<E: ClassicEvaluation>(search: Minimax<'_, E>, position: Position, watch: &mut Watch) -> Vec<Choice> {
    let mut list = Vec::new();
    Backend::best().run(MinimaxRoot { search, position, watch, better: &mut |_| {}, list: Some(&mut list) });
    list
}

struct MinimaxRoot<'a, 'b, E> {
    search: Minimax<'a, E>,
    position: Position,
    watch: &'b mut Watch,
    better: &'b mut dyn FnMut(Choice),
    /// All moves with their values, each searched with a full window, if they are wanted.
    list: Option<&'b mut Vec<Choice>>,
}

impl<E: ClassicEvaluation> Task for MinimaxRoot<'_, '_, E> {
    type Output = Option<Choice>;

    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Option<Choice> {
        let Self { search, position, watch, better, mut list } = self;
        let (board, geometry) = (position.board(), position.geometry());
        let mut context = Context {
            evaluation: search.evaluation,
            style: search.style,
            variant: search.variant,
            geometry,
            root_discs: board.discs().count(),
            watch,
        };
        let moves = isa.legal_moves(board, board.empties(geometry));
        let mut beam = [None; 64];
        let order: &mut dyn Iterator<Item = Square> = match search.style.beam {
            None => &mut moves.into_iter(),
            Some(width) => {
                context.best_by_value(isa, board, moves, width, &mut beam);
                &mut beam.iter().map_while(|square| *square)
            }
        };
        let mut best: Option<Choice> = None;
        for square in order {
            // A window just below the best value scores equal moves exactly too.
            let alpha = match (best, list.is_some(), search.ties) {
                (None, _, _) | (_, true, _) => f64::NEG_INFINITY,
                (Some(best), false, Ties::Last) => best.value.next_down(),
                (Some(best), false, Ties::First) => best.value,
            };
            let flips = isa.flips(board, square);
            let value = isa.run(MinimaxNode {
                board: board.after(square, flips),
                root_moves: false,
                depth: search.depth.saturating_sub(1),
                alpha,
                beta: f64::INFINITY,
                bonus: context.style.flip_bonus * f64::from(flips.count()),
                context: &mut context,
            });
            if context.watch.is_over() {
                break;
            }
            let choice = Choice { square, value };
            if let Some(list) = &mut list {
                list.push(choice);
            }
            let takes = |best: Choice| match search.ties {
                Ties::First => value > best.value,
                Ties::Last => value >= best.value,
            };
            if best.is_none_or(takes) {
                best = Some(choice);
                better(choice);
            }
            if value == f64::INFINITY && list.is_none() {
                break;
            }
        }
        best
    }
}
