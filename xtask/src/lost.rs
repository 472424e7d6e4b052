//! `cargo xtask bench lost`: how many discs the moves of each level lose, on positions whose every move is solved.
//! The high levels are too slow for matches against each other.

use anyhow::{Context, Result, bail, ensure};
use turncoat_board::{Geometry, Move, Position, Score, VariantKind};
use turncoat_players::{Limits, Player, Setting, Spec, build};
use turncoat_search::endgame::{EveryMove, Goal, Solution};

use crate::growth::position;
use crate::levels::HIGHEST;
use crate::solver::{machine, solver};

/// More than any level solves, few enough to solve every move.
const EMPTIES: u32 = 22;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let (positions, first, last) = match words {
        [] => (40, 10, HIGHEST),
        [positions] => (number(positions)?, 10, HIGHEST),
        [positions, first, last] => (number(positions)?, first.parse()?, last.parse()?),
        _ => bail!("bench lost takes a number of positions, and the first and the last level"),
    };
    ensure!(
        positions > 0 && 1 <= first && first <= last && last <= HIGHEST,
        "levels are 1 to {HIGHEST}, and at least one position is needed"
    );
    println!(
        "{}; {positions} positions of {EMPTIES} empty squares",
        machine()
    );
    for variant in [VariantKind::Reversed, VariantKind::Reversi] {
        let solved = solved(variant, positions)?;
        println!("\n{variant}:\n\n| level | discs lost a move | best moves % | worst |");
        println!("|---:|---:|---:|---:|");
        for level in first..=last {
            println!("{}", row(level, variant, &solved)?);
        }
    }
    Ok(())
}

fn number(word: &str) -> Result<u64> {
    word.parse().with_context(|| format!("{word:?}"))
}

/// Positions of games between noisy players, with the exact score of every move.
fn solved(variant: VariantKind, positions: u64) -> Result<Vec<(Position, EveryMove)>> {
    let solver = solver(2, variant)?;
    let mut solved = Vec::new();
    for game in 0..positions {
        let position = position(variant, EMPTIES, game);
        let moves = solver.solve_moves(position, Goal::Score, &Limits::default(), &|_| {});
        eprint!("\r{} of {positions} positions solved", game + 1);
        solved.push((position, moves));
    }
    eprintln!();
    Ok(solved)
}

/// A level's row of the table.
fn row(level: u8, variant: VariantKind, solved: &[(Position, EveryMove)]) -> Result<String> {
    let setting = Setting {
        variant,
        geometry: Geometry::EIGHT,
        seed: 1,
    };
    let spec: Spec = format!("turncoat:level={level}").parse()?;
    let mut player = build(&spec, setting)?;
    let losses: Vec<i32> = solved
        .iter()
        .map(|(position, moves)| lost(&mut *player, *position, moves))
        .collect::<Result<_>>()?;
    let count = losses.len() as f64;
    let best = losses.iter().filter(|&&loss| loss == 0).count() as f64;
    Ok(format!(
        "| {level} | {:.2} | {:.0} | {} |",
        f64::from(losses.iter().sum::<i32>()) / count,
        100.0 * best / count,
        losses.iter().max().copied().unwrap_or_default()
    ))
}

/// What the player's move loses against the best one.
fn lost(player: &mut dyn Player, position: Position, moves: &EveryMove) -> Result<i32> {
    player.new_game(1);
    let thought = player
        .choose(position, &Limits::default(), &mut |_| {})?
        .context("no move where there are some")?;
    let score_of = |best: Option<Move>| {
        let solution = moves.each.iter().find(|each| each.best() == best);
        let score = solution.and_then(Solution::score);
        score.map(Score::discs)
    };
    let best = score_of(moves.whole.best()).context("the position is not solved")?;
    let made = score_of(Some(Move::Place(thought.best))).context("a move is not solved")?;
    Ok(best - made)
}
