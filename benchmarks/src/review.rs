//! `cargo xtask bench review`: how long the review of a game takes, and how many of its marks level 20 would give too. Words:
//! games of each variant; N if only every Nth move is to be compared, since level 20 takes its time; `reversed` or `reversi`
//! if it is to be one of them; and the threads of a review: with more than one, the games are reviewed one after the other.

use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use turncoat_api::{Analysts, Mark, ReviewedMove, compare_move, review_game};
use turncoat_board::{Game, Geometry, Move, VariantKind};
use turncoat_players::{Limits, Player, Setting, Spec};

use crate::argument;
use crate::machine::machine;

/// The levels that play the games, by turns: they err as people do.
const LEVELS: [u8; 4] = [4, 6, 8, 10];
/// Who says what the marks should be, and how it compares: as deep and as cautious as it has looked.
const REFERENCE: &str = "turncoat:level=20";
const EQUAL: &str = "turncoat:selectivity=2";

/// What was found in a game.
struct Reviewed {
    time: Duration,
    moves: usize,
    /// Moves with the same mark, and with one that is at most one step off.
    same: usize,
    near: usize,
}

pub(crate) fn run(words: &[&str]) -> Result<()> {
    let games: u64 = argument(words, 0, 20)?;
    let every: usize = argument(words, 1, 1)?;
    let variants = match words.get(2) {
        None | Some(&"both") => vec![VariantKind::Reversed, VariantKind::Reversi],
        Some(one) => vec![one.parse()?],
    };
    let threads: usize = argument(words, 3, 1)?;
    ensure!(games > 0 && every > 0 && threads > 0, "at least one game, every first move and one thread are needed");
    println!(
        "{}; {games} games of each variant, threads of a review: {threads}; every {every}. mark compared\n",
        machine()
    );
    let at_once = usize::from(threads > 1);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(at_once).build()?;
    println!("| game | moves | seconds a game | slowest | same marks % | at most one step off % |");
    println!("|---|---:|---:|---:|---:|---:|");
    for variant in variants {
        let review = |game| review(variant, game, every, threads);
        let found: Vec<Reviewed> = pool.install(|| (0..games).into_par_iter().map(review).collect::<Result<_>>())?;
        let sum = |count: fn(&Reviewed) -> usize| found.iter().map(count).sum::<usize>() as f64;
        let moves = sum(|one| one.moves);
        let time: Duration = found.iter().map(|one| one.time).sum();
        let slowest = found.iter().map(|one| one.time).max().unwrap_or_default();
        println!(
            "| {variant} | {moves} | {:.1} | {:.1} | {:.1} | {:.1} |",
            time.as_secs_f64() / games as f64,
            slowest.as_secs_f64(),
            100.0 * sum(|one| one.same) / moves,
            100.0 * sum(|one| one.near) / moves
        );
    }
    Ok(())
}

/// Reviews a game, and has the reference look at some of its moves: those of the next game are others.
fn review(variant: VariantKind, number: u64, every: usize, threads: usize) -> Result<Reviewed> {
    let game = play(variant, number)?;
    let mut last: Vec<Option<(Mark, f64)>> = vec![None; game.moves().len()];
    let started = Instant::now();
    let limits = Limits { threads: Some(threads), ..Limits::default() };
    // Those of the page.
    let analysts = Analysts::default();
    let [player, careful] = [analysts.player("turncoat", &game, ""), analysts.careful("turncoat", &game, "")];
    let [mut player, mut careful] = [player, careful].map(|player| player.expect("the player is built in"));
    review_game(&mut *player, &mut *careful, &game, &limits, &mut |judged: ReviewedMove| {
        last[judged.ply - 1] = Some((judged.mark, judged.lost));
    })?;
    let time = started.elapsed();
    let mut found = Reviewed { time, moves: 0, same: 0, near: 0 };
    for (index, mark) in last.into_iter().enumerate().skip(number as usize % every).step_by(every) {
        let (Some((mark, lost)), Some((expected, expected_loss))) = (mark, reference(&game, index)?) else { continue };
        let step = |mark: Mark| {
            [Mark::None, Mark::Inaccuracy, Mark::Mistake, Mark::Blunder].iter().position(|&one| one == mark)
        };
        if mark != expected {
            let empties = game.positions()[index].empties();
            eprintln!(
                "{variant} {number}, {empties} empties: {mark:?} ({lost:.2}), by level 20 {expected:?} ({expected_loss:.2})"
            );
        }
        found.moves += 1;
        found.same += usize::from(mark == expected);
        found.near += usize::from(step(mark).zip(step(expected)).is_some_and(|(one, other)| one.abs_diff(other) <= 1));
    }
    eprintln!("{variant} {number}: {} of {} marks, {time:.1?}", found.same, found.moves);
    Ok(found)
}

/// The reference's mark of a move, and the discs it loses; none of a pass or the last moves, which are solved anyway.
fn reference(game: &Game, index: usize) -> Result<Option<(Mark, f64)>> {
    let (position, Move::Place(square)) = (game.positions()[index], game.moves()[index]) else { return Ok(None) };
    let best = build(REFERENCE, game.variant(), 1)?.choose(position, &Limits::default(), &mut |_| {})?;
    let depth = Some(best.context("no move where there are some")?.depth);
    let mut equal = build(EQUAL, game.variant(), 1)?;
    let compared = compare_move(&mut *equal, position, square, &Limits { depth, ..Limits::default() });
    Ok(compared.map(|(best, made)| {
        let judged = ReviewedMove::new(game, index, &best, &made);
        (judged.mark, judged.lost)
    }))
}

/// A game between two levels.
fn play(variant: VariantKind, number: u64) -> Result<Game> {
    let mut game = Game::new(variant, Geometry::EIGHT);
    let level = |place: u64| LEVELS[(number + place) as usize % LEVELS.len()];
    let mut players = [0, 1].map(|place| build(&format!("turncoat:level={}", level(place)), variant, number));
    for ply in 0.. {
        let position = game.position();
        if position.is_over() {
            break;
        }
        let player = players[ply % 2].as_mut().map_err(|error| anyhow::anyhow!("{error:#}"))?;
        let chosen = player.choose(position, &Limits::default(), &mut |_| {})?;
        game.play(chosen.map_or(Move::Pass, |info| Move::Place(info.best)))?;
    }
    Ok(game)
}

fn build(player: &str, variant: VariantKind, seed: u64) -> Result<Box<dyn Player>> {
    let setting = Setting { variant, geometry: Geometry::EIGHT, seed };
    Ok(player.parse::<Spec>()?.build(setting)?)
}
