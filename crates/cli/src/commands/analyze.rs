//! `analyze`: every move of a position, or a game move by move with its mistakes.

use std::time::Instant;

use anyhow::{Context, Result};
use turncoat_board::{Color, Game, Move, Position};
use turncoat_players::{Chosen, Judged, Limits, Player, Thought, build};

use super::move_::uninterrupted;
use super::{not_foreign, read_game, signals};
use crate::args::{AnalyzeArgs, Common};
use crate::failure::misuse;
use crate::output;

pub(super) fn run(args: &AnalyzeArgs, common: &Common) -> Result<()> {
    let game = read_game(args.position.as_deref().unwrap_or("start"), &args.from, common)?;
    not_foreign(&args.player, "analyze")?;
    let spec = common.tuned(&args.player).map_err(misuse)?;
    let mut player = build(&spec, common.setting_of(&game)).map_err(misuse)?;
    // A signal ends the thought; what is known so far is shown.
    let stop = signals::stop_flag().context("signals cannot be watched for")?;
    let limits = Limits { stop: stop.clone(), ..common.limits() };
    if args.game {
        analyze_game(&game, player.as_mut(), &limits, common)?;
    } else {
        analyze_position(&game, player.as_mut(), &limits, common)?;
    }
    uninterrupted(&stop)
}

/// The game, the size and the aim.
fn title(game: &Game) -> String {
    let variant = game.variant();
    let aim = if variant.sign() > 0 { "most" } else { "fewest" };
    format!("{} on {} (the {aim} discs win)", variant.title(), game.geometry())
}

fn analyze_position(game: &Game, player: &mut dyn Player, limits: &Limits, common: &Common) -> Result<()> {
    let position = game.position();
    if position.is_over() {
        return Err(misuse("the game is over"));
    }
    let started = Instant::now();
    // Whoever must pass has what the other side makes of it.
    let asked = if position.must_pass() { position.pass() } else { position };
    let moves = ask(player, asked, limits)?;
    let seconds = started.elapsed().as_secs_f64();
    if !common.json && !common.quiet {
        let side = game.position().side();
        output::line(format_args!("{}, {side} to move: scores in discs for {side}", title(game)))?;
        output::line(format_args!("{:<5} {:>8} {:>6}  line", "move", "score", "depth"))?;
    }
    let shown = if position.must_pass() { 1 } else { moves.len() };
    for thought in &moves[..shown.min(moves.len())] {
        let mut chosen = Chosen::of(Some(thought), position.geometry(), seconds);
        if position.must_pass() {
            chosen.label = Move::Pass.label(position.geometry());
            chosen.score = chosen.score.map(|score| -score);
        }
        if common.json {
            output::json(&chosen)?;
        } else {
            let exact = if chosen.exact { "=" } else { " " };
            let score = chosen.score.unwrap_or_default();
            output::line(format_args!(
                "{:<5} {score:>+7.2}{exact} {:>6}  {}",
                chosen.label, chosen.depth, chosen.line
            ))?;
        }
    }
    Ok(())
}

fn ask(player: &mut dyn Player, position: Position, limits: &Limits) -> Result<Vec<Thought>> {
    player.analyze(position, limits, &mut |_| {}).ok_or_else(|| misuse("this player cannot analyse; turncoat can"))
}

fn analyze_game(game: &Game, player: &mut dyn Player, limits: &Limits, common: &Common) -> Result<()> {
    if game.moves().is_empty() {
        return Err(misuse("there is no game: give a transcript"));
    }
    if !common.json && !common.quiet {
        output::line(format_args!("{}: scores in discs for the side that moves", title(game)))?;
        output::line(format_args!(
            "{:>3} {:<5} {:<5} {:>8} {:>6}  {:<5} {:>8} {:>6}     then",
            "no.", "side", "move", "score", "depth", "best", "score", "lost"
        ))?;
    }
    let mut lost = [0.0; 2];
    for (index, (&played, &position)) in game.moves().iter().zip(game.positions()).enumerate() {
        let Move::Place(square) = played else {
            continue;
        };
        if limits.stop.is_raised() {
            break;
        }
        let moves = ask(player, position, limits)?;
        let (Some(best), Some(made)) = (moves.first(), moves.iter().find(|thought| thought.best == square)) else {
            continue;
        };
        let judged = Judged::of(game, index, best, made);
        lost[position.side() as usize] += judged.lost;
        show(&judged, common)?;
    }
    if common.json {
        return Ok(());
    }
    let [black, white] = lost;
    output::line(format_args!("Discs lost: {} {black:.1}, {} {white:.1}", Color::Black, Color::White))
}

fn show(judged: &Judged, common: &Common) -> Result<()> {
    if common.json {
        return output::json(judged);
    }
    let Judged { number, side, label, score, depth, best, best_score, lost, mark, .. } = judged;
    let exact = if judged.exact { "=" } else { " " };
    if mark.is_empty() {
        return output::line(format_args!("{number:>3} {side:<5} {label:<5} {score:>+7.2}{exact} {depth:>6}"));
    }
    output::line(format_args!(
        "{number:>3} {side:<5} {label:<5} {score:>+7.2}{exact} {depth:>6}  {best:<5} {best_score:>+7.2}{exact} {lost:>6.2} {mark:<2}  {} rather than {}",
        judged.line, judged.refutation
    ))
}
