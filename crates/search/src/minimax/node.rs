//! One node of the tree.

use turncoat_board::isa::{Isa, Task};
use turncoat_board::{Bitboard, Board, Geometry, Square, VariantKind};
use turncoat_eval::{ClassicEvaluation, RootView};

use super::{Style, TerminalValue};
use crate::Watch;

/// What all nodes of a search share.
pub(super) struct Context<'a, E> {
    pub(super) evaluation: &'a E,
    pub(super) style: Style,
    pub(super) variant: VariantKind,
    pub(super) geometry: Geometry,
    /// Discs on the board at the root.
    pub(super) root_discs: u32,
    pub(super) watch: &'a mut Watch,
}

/// A node, from the view of the side that moves there.
pub(super) struct MinimaxNode<'a, 'b, E> {
    pub(super) context: &'b mut Context<'a, E>,
    pub(super) board: Board,
    /// Whether the root side moves here.
    pub(super) root_moves: bool,
    pub(super) depth: u32,
    pub(super) alpha: f64,
    pub(super) beta: f64,
    /// What the flips along the path have added so far.
    pub(super) bonus: f64,
}

impl<E: ClassicEvaluation> Task for MinimaxNode<'_, '_, E> {
    type Output = f64;

    /// The value for the root side; meaningless once the watch is over. Fail-soft: a value outside the
    /// window is a bound.
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> f64 {
        let Self { context, board, root_moves, depth, mut alpha, mut beta, bonus } = self;
        if !context.watch.enter() {
            return 0.0;
        }
        let empties = board.empties(context.geometry);
        let moves = isa.legal_moves(board, empties);
        if depth == 0 || moves.is_empty() {
            let replies = isa.legal_moves(board.pass(), empties);
            if depth == 0 || replies.is_empty() {
                return bonus + context.value(isa, board, root_moves, moves, replies);
            }
            return isa.run(MinimaxNode {
                depth: depth - u32::from(!context.style.free_pass),
                board: board.pass(),
                root_moves: !root_moves,
                context,
                alpha,
                beta,
                bonus,
            });
        }
        let mut beam = [None; 64];
        let searched = match context.style.beam {
            None => moves,
            Some(width) => context.best_by_value(isa, board, moves, width, &mut beam),
        };
        let mut best = if root_moves { f64::NEG_INFINITY } else { f64::INFINITY };
        let mut listed = beam.iter().map_while(|square| *square);
        let mut plain = searched.into_iter();
        while let Some(square) = if context.style.beam.is_some() { listed.next() } else { plain.next() } {
            let flips = isa.flips(board, square);
            let value = isa.run(MinimaxNode {
                board: board.after(square, flips),
                root_moves: !root_moves,
                depth: depth - 1,
                alpha,
                beta,
                bonus: bonus + context.style.flip_bonus * f64::from(flips.count()),
                context,
            });
            if context.watch.is_over() {
                return 0.0;
            }
            if root_moves {
                best = best.max(value);
                alpha = alpha.max(value);
            } else {
                best = best.min(value);
                beta = beta.min(value);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }
}

impl<E: ClassicEvaluation> Context<'_, E> {
    /// The value of a board where the search ends, `moves` and `replies` being the mover's and the other
    /// side's legal moves.
    #[inline(always)]
    pub(super) fn value<I: Isa>(
        &self,
        isa: I,
        board: Board,
        root_moves: bool,
        moves: Bitboard,
        replies: Bitboard,
    ) -> f64 {
        if self.style.terminal == TerminalValue::WinOrNothing && (moves | replies).is_empty() {
            let score = board.final_score_of(self.variant, self.geometry).discs();
            let won = if root_moves { score > 0 } else { score < 0 };
            return if won { f64::INFINITY } else { f64::NEG_INFINITY };
        }
        let (board, own_moves, opposing_moves) =
            if root_moves { (board, moves, replies) } else { (board.pass(), replies, moves) };
        self.evaluation.value(isa, &RootView { board, own_moves, opposing_moves, root_discs: self.root_discs })
    }

    /// The moves with the best value one ply on for the side that makes them, best first; equal ones in
    /// order of their squares. Returns them as a set too.
    #[inline(always)]
    pub(super) fn best_by_value<I: Isa>(
        &self,
        isa: I,
        board: Board,
        moves: Bitboard,
        width: usize,
        listed: &mut [Option<Square>; 64],
    ) -> Bitboard {
        let mut values = [f64::NEG_INFINITY; 64];
        let (width, mut count) = (width.min(64), 0);
        for square in moves {
            let next = board.after(square, isa.flips(board, square));
            let empties = next.empties(self.geometry);
            let (replies, own) = (isa.legal_moves(next, empties), isa.legal_moves(next.pass(), empties));
            // For the side that moves, even where it is not the root side.
            let value = self.value(isa, next.pass(), true, own, replies);
            let mut place = count;
            while place > 0 && values[place - 1] < value {
                place -= 1;
            }
            if place >= width {
                continue;
            }
            count = (count + 1).min(width);
            values[place..count].rotate_right(1);
            listed[place..count].rotate_right(1);
            values[place] = value;
            listed[place] = Some(square);
        }
        listed[..count].iter().flatten().copied().collect()
    }
}
