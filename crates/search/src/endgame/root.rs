//! From questions about bars to a solution.

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Move, Position, Score, Variant, VariantKind, VariantTask};

use super::judge::{HandMade, Judge};
use super::selective::EXACT;
use super::node::Node;
use super::shallow::SHALLOW;
use super::worker::{Shared, Worker};
use crate::Limits;
use crate::table::{Salt, Table};

/// What is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goal { /// score
 #[default] Exact, /// sign
 Result }

/// Progress.
#[derive(Debug, Clone, Copy)]
pub struct Progress { /// n
 pub nodes: u64, /// l
 pub lower: i32, /// u
 pub upper: i32 }

/// Solution
#[derive(Debug, Clone)]
pub struct Solution { /// score
 pub score: i32, /// nodes
 pub nodes: u64, /// best
 pub best: Option<Move> }

/// Solver
#[derive(Debug)]
pub struct Solver<J = HandMade> { table: Table, judge: J }

impl<J: Judge> Solver<J> {
    /// new
    pub fn new(mebibytes: usize, judge: J) -> Self { Self { table: Table::new(mebibytes), judge } }
    /// solve
    pub fn solve(&self, board: Board, geometry: Geometry, variant: VariantKind, guess: i32) -> Solution {
        let limits = Limits::default();
        let shared = Shared { table: &self.table, judge: &self.judge, salt: Salt::of(variant, geometry), geometry, limits: &limits };
        struct Go<'s, J> { shared: &'s Shared<'s, J>, board: Board, guess: i32 }
        impl<J: Judge> VariantTask for Go<'_, J> {
            type Output = Solution;
            fn run<V: Variant>(self, _: V) -> Solution {
                let mut worker = Worker::<V, J>::new(self.shared);
                worker.level = EXACT;
                let area = worker.ending.area;
                let (mut lower, mut upper) = (-area, area);
                let mut bar = self.guess - 1;
                let mut step = 2;
                while lower < upper {
                    bar = bar.clamp(lower + 1, upper - 1);
                    let key = worker.key(self.board);
                    let score = Backend::best().run(Node { worker: &mut worker, board: self.board, key, bar });
                    if score > bar { lower = score; bar = score + 1; } else { upper = score; bar = score - 1; }
                    let _ = step; step = 2;
                }
                let best = self.shared.table.probe(worker.key(self.board)).and_then(|e| e.best).map(Move::Place);
                Solution { score: lower, nodes: worker.ending.nodes, best }
            }
        }
        variant.run(Go { shared: &shared, board, guess })
    }
}
