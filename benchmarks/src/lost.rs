//! `cargo xtask bench lost`: how many discs the moves of players lose, on positions whose every move is solved. The high
//! levels are too slow for matches against each other. Words: positions, empty squares, players.

use anyhow::{Context, Result, ensure};
use turncoat_board::{Geometry, Move, Position, Score, VariantKind};
use turncoat_players::{Limits, Player, Setting, Spec};
use turncoat_search::endgame::{EveryMove, Goal, Solution};

use crate::argument;
use crate::growth::position;
use crate::machine::machine;
use crate::solver::solver;

/// More than most levels solve, few enough to solve every move in some seconds.
const EMPTIES: u32 = 20;
/// More would be solved for minutes.
const MOST_EMPTIES: u32 = 24;
/// The highest level.
const HIGHEST: u8 = 20;

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let positions = argument(words, 0, 60)?;
    ensure!(positions > 0, "at least one position is needed");
    let levels = || (12..=HIGHEST).map(|level| format!("turncoat:level={level}"));
    let empties = words.get(1).and_then(|word| word.parse().ok());
    ensure!(empties.is_none_or(|empties| (1..=MOST_EMPTIES).contains(&empties)), "1 to {MOST_EMPTIES} empty squares");
    let players: Vec<String> = match words.get(1 + usize::from(empties.is_some())..) {
        None | Some([]) => levels().collect(),
        Some(players) => players.iter().map(ToString::to_string).collect(),
    };
    let empties = empties.unwrap_or(EMPTIES);
    println!("{}; {positions} positions of {empties} empty squares", machine());
    for variant in [VariantKind::Reversed, VariantKind::Reversi] {
        let solved = solved(variant, empties, positions)?;
        println!("\n{variant}:\n\n| player | discs lost a move | best moves % | worst |");
        println!("|---|---:|---:|---:|");
        for player in &players {
            println!("{}", row(player, variant, &solved)?);
        }
    }
    Ok(())
}

/// Positions of games between noisy players, with the exact score of every move.
fn solved(variant: VariantKind, empties: u32, positions: u64) -> Result<Vec<(Position, EveryMove)>> {
    let solver = solver(2, variant)?;
    let mut solved = Vec::new();
    for game in 0..positions {
        let position = position(variant, empties, game);
        let moves = solver.solve_moves(position, Goal::Score, &Limits::default(), &|_| {});
        eprint!("\r{} of {positions} positions solved", game + 1);
        solved.push((position, moves));
    }
    eprintln!();
    Ok(solved)
}

/// A player's row of the table.
fn row(name: &str, variant: VariantKind, solved: &[(Position, EveryMove)]) -> Result<String> {
    let setting = Setting { variant, geometry: Geometry::EIGHT, seed: 1 };
    let mut player = name.parse::<Spec>()?.build(setting)?;
    let losses: Vec<i32> =
        solved.iter().map(|(position, moves)| lost(&mut *player, *position, moves)).collect::<Result<_>>()?;
    let count = losses.len() as f64;
    let best = losses.iter().filter(|&&loss| loss == 0).count() as f64;
    let mean = f64::from(losses.iter().sum::<i32>()) / count;
    let square = losses.iter().map(|&loss| f64::from(loss * loss)).sum::<f64>() / count;
    Ok(format!(
        "| {name} | {mean:.2} ± {:.2} | {:.0} | {} |",
        ((square - mean * mean) / count).sqrt(),
        100.0 * best / count,
        losses.iter().max().copied().unwrap_or_default()
    ))
}

/// What the player's move loses against the best one.
fn lost(player: &mut dyn Player, position: Position, moves: &EveryMove) -> Result<i32> {
    player.new_game(1);
    let thought = player.choose(position, &Limits::default(), &mut |_| {})?.context("no move where there are some")?;
    let score_of = |best: Option<Move>| {
        let solution = moves.each.iter().find(|each| each.best() == best);
        let score = solution.and_then(Solution::score);
        score.map(Score::discs)
    };
    let best = score_of(moves.whole.best()).context("the position is not solved")?;
    let made = score_of(Some(Move::Place(thought.best))).context("a move is not solved")?;
    Ok(best - made)
}
