//! `cargo xtask bench book narrow`: on 6x6, the longest way on which the side that wins must find the only winning move, again
//! and again. It may begin anywhere in the first plies, where the winner plays a winning move and the other side anything.

use std::collections::{HashMap, HashSet};
use std::iter;
use std::time::Instant;

use anyhow::{Context, Result};
use turncoat_board::{Board, Color, Game, Geometry, Move, Position, VariantKind};
use turncoat_players::Limits;
use turncoat_players::flagship::BestSolver;
use turncoat_record::transcript;
use turncoat_search::endgame::Goal;

/// Looks for ways that begin within so many plies, in both games.
pub(crate) fn run(plies: u32) -> Result<()> {
    println!("| game | winner | begins within plies | only moves in a row | first of them | line | positions | s |");
    println!("|---|---|---:|---:|---:|---|---:|---:|");
    for variant in VariantKind::BOTH {
        let began = Instant::now();
        let start = Position::start(Geometry::SIX);
        let solver = BestSolver::new(2048, 2, variant, Geometry::SIX)?;
        let mut search =
            NarrowSearch { variant, solver, winner: Color::Black, known: HashMap::new(), seen: HashSet::new() };
        if !search.wins(start) {
            search.winner = Color::White;
        }
        let (mut way, mut begins) = (Way::default(), 0);
        search.follow(start, plies, &mut Vec::new(), &mut |before, found| {
            if found.only > way.only {
                let moves = before.iter().chain(&found.moves).copied().collect();
                (way, begins) = (Way { only: found.only, moves }, before.len() + 1);
            }
        })?;
        let mut game = Game::from_position(variant, start);
        way.moves.iter().try_for_each(|&played| game.play(played))?;
        let line = transcript::write(&game);
        let (winner, count, seconds) = (search.winner, search.known.len(), began.elapsed().as_secs_f64());
        println!("| {variant} | {winner} | {plies} | {} | {begins} | `{line}` | {count} | {seconds:.0} |", way.only);
    }
    Ok(())
}

/// A way on which every choice of the winner has one winning move.
#[derive(Clone, Default)]
struct Way {
    /// The choices; a forced move is none.
    only: u32,
    moves: Vec<Move>,
}

/// Positions that are one by symmetry are one.
fn key(position: Position) -> (Board, Color) {
    (position.board().canonical().0, position.side())
}

struct NarrowSearch {
    variant: VariantKind,
    solver: BestSolver,
    winner: Color,
    /// The positions up to symmetry that were looked at, and whether a narrow way goes on there.
    known: HashMap<(Board, Color), bool>,
    /// Those that were followed.
    seen: HashSet<(Board, Color)>,
}

impl NarrowSearch {
    /// Whether the winner wins from here on.
    fn wins(&self, position: Position) -> bool {
        if let Some(score) = position.final_score(self.variant, self.winner) {
            return score.discs() > 0;
        }
        let solution = self.solver.solve(position, Goal::Result, &Limits::default(), &|_| {});
        if position.side() == self.winner { solution.lower.discs() > 0 } else { solution.upper.discs() < 0 }
    }

    /// Follows all play against one winning move at a time, and tells the longest narrow way from each choice of the winner.
    fn follow(
        &mut self,
        position: Position,
        plies: u32,
        before: &mut Vec<Move>,
        tell: &mut dyn FnMut(&[Move], &Way),
    ) -> Result<()> {
        if position.is_over() || plies == 0 || !self.seen.insert(key(position)) {
            return Ok(());
        }
        let mut moves: Vec<Move> = position.legal_moves().into_iter().map(Move::Place).collect();
        if moves.is_empty() {
            moves.push(Move::Pass);
        } else if position.side() == self.winner {
            tell(before, &self.longest(position)?);
            let solution = self.solver.solve(position, Goal::Result, &Limits::default(), &|_| {});
            moves = vec![solution.best().context("a position without a move")?];
        }
        for played in moves {
            let next = match played {
                Move::Place(square) => position.play(square).context("an illegal move")?,
                Move::Pass => position.pass(),
            };
            before.push(played);
            self.follow(next, plies - 1, before, tell)?;
            before.pop();
        }
        Ok(())
    }

    /// The longest narrow way from a position that the winner wins.
    fn longest(&mut self, position: Position) -> Result<Way> {
        if position.is_over() {
            return Ok(Way::default());
        }
        if position.legal_moves().is_empty() {
            let way = self.longest(position.pass())?;
            return Ok(Way { moves: iter::once(Move::Pass).chain(way.moves).collect(), ..way });
        }
        let key = key(position);
        if self.known.get(&key) == Some(&false) {
            return Ok(Way::default());
        }
        let mut nexts = Vec::new();
        for square in position.legal_moves() {
            nexts.push((square, position.play(square).context("an illegal move")?));
        }
        let mut only = 0;
        if position.side() == self.winner && nexts.len() > 1 {
            nexts.retain(|&(_, next)| self.wins(next));
            if nexts.len() > 1 {
                self.known.insert(key, false);
                return Ok(Way::default());
            }
            only = 1;
        }
        let mut best = Way::default();
        for (square, next) in nexts {
            let way = self.longest(next)?;
            if best.moves.is_empty() || way.only > best.only {
                let moves = iter::once(Move::Place(square)).chain(way.moves).collect();
                best = Way { only: way.only, moves };
            }
        }
        best.only += only;
        self.known.insert(key, true);
        Ok(best)
    }
}
