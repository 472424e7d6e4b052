//! `analyze`: every move of a position, or a game move by move with its mistakes.

use std::io::{self, IsTerminal};

use anyhow::{Context, Result};
use turncoat_api::{Mark, ReviewedMove, ScoredMove, analyze, review_move};
use turncoat_board::{Color, Game};
use turncoat_players::{Limits, Player};

use super::move_::uninterrupted;
use super::{built_in, read_game, signals};
use crate::args::{AnalyzeArgs, Common};
use crate::failure::misuse;
use crate::output;
use crate::view::live::live_text;

pub(super) fn run(args: &AnalyzeArgs, common: &Common) -> Result<()> {
    let game = read_game(args.position.as_deref().unwrap_or("start"), &args.from, common)?;
    let spec = common.tuned(built_in(&args.player, "analyze")?);
    let mut player = spec.build(common.setting_of(&game)).map_err(misuse)?;
    // A signal ends the search; what is known so far is shown.
    let stop = signals::stop_flag().context("cannot handle signals")?;
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

/// Analyses the position that a game has reached. A terminal shows the moves after each depth.
fn analyze_position(game: &Game, player: &mut dyn Player, limits: &Limits, common: &Common) -> Result<()> {
    let position = game.position();
    if position.is_over() {
        return Err(misuse("the game is over"));
    }
    let side = position.side();
    let heading = format!(
        "{}, {side} to move: scores in discs for {side}\n{:<5} {:>8} {:>6}  line",
        title(game),
        "move",
        "score",
        "depth"
    );
    let live = live_text(!common.json && !common.quiet && io::stdout().is_terminal());
    let moves = analyze(player, position, limits, &mut |moves| live.set_message(table(&heading, &moves)));
    live.finish_and_clear();
    let moves = moves.map_err(misuse)?;
    if common.json {
        return moves.iter().try_for_each(output::json);
    }
    if !common.quiet {
        output::line(heading)?;
    }
    moves.iter().try_for_each(|scored| output::line(row(scored)))
}

fn table(heading: &str, moves: &[ScoredMove]) -> String {
    let rows: String = moves.iter().map(|scored| format!("\n{}", row(scored))).collect();
    format!("{heading}{rows}")
}

fn row(scored: &ScoredMove) -> String {
    let ScoredMove { label, depth, line, .. } = scored;
    let (score, exact) = (scored.score.unwrap_or_default(), if scored.exact { "=" } else { " " });
    format!("{label:<5} {score:>+7.2}{exact} {depth:>6}  {line}")
}

/// Reviews the moves of a game.
fn analyze_game(game: &Game, player: &mut dyn Player, limits: &Limits, common: &Common) -> Result<()> {
    if game.moves().is_empty() {
        return Err(misuse("there is no game: give a transcript"));
    }
    let mut headed = common.json || common.quiet;
    let mut lost = [0.0; 2];
    for index in 0..game.moves().len() {
        if limits.stop.is_raised() {
            break;
        }
        let Some(reviewed) = review_move(player, game, index, limits).map_err(misuse)? else {
            continue;
        };
        lost[reviewed.side as usize] += reviewed.lost;
        // Not before it is known that the player can analyse.
        if !std::mem::replace(&mut headed, true) {
            output::line(heading(game))?;
        }
        show(&reviewed, common)?;
    }
    if common.json {
        return Ok(());
    }
    let [black, white] = lost;
    output::line(format_args!("Discs lost: {} {black:.1}, {} {white:.1}", Color::Black, Color::White))
}

/// What stands above the reviewed moves.
fn heading(game: &Game) -> String {
    format!(
        "{}: scores in discs for the side that moves\n{:>3} {:<5} {:<5} {:>8} {:>6}  {:<5} {:>8} {:>6}     then",
        title(game),
        "no.",
        "side",
        "move",
        "score",
        "depth",
        "best",
        "score",
        "lost"
    )
}

fn show(reviewed: &ReviewedMove, common: &Common) -> Result<()> {
    if common.json {
        return output::json(reviewed);
    }
    let ReviewedMove { number, label, score, depth, best, best_score, lost, .. } = reviewed;
    let (side, mark) = (reviewed.side.to_string(), reviewed.mark.as_str());
    let exact = if reviewed.exact { "=" } else { " " };
    let made = format!("{number:>3} {side:<5} {label:<5} {score:>+7.2}{exact} {depth:>6}");
    if reviewed.mark == Mark::None {
        return output::line(made);
    }
    output::line(format_args!(
        "{made}  {best:<5} {best_score:>+7.2}{exact} {lost:>6.2} {mark:<2}  {} rather than {}",
        reviewed.line, reviewed.refutation
    ))
}
