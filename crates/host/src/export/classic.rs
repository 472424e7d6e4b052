//! The other built-in players: their parameters, evaluation and search, number for number as the original computes.

use std::fmt::Write as _;

use turncoat_board::{Color, VariantKind};
use turncoat_eval::classic::{Parameters, Schema, StageCourse};
use turncoat_players::{PARAMETER_OPTIONS, Spec};

use super::{ExportFault, Target, head, joined, refused};

const BOARDS: &str = include_str!("boards.py");
const ENDGAME: &str = include_str!("endgame.py");
const FEATURES: &str = include_str!("classic/features.py");
const STYLE: &str = include_str!("classic/style.py");
const WEIGHTS: &str = include_str!("classic/weights.py");
const MINIMAX: &str = include_str!("classic/minimax.py");
const AT_SIGHT: &str = include_str!("classic/at_sight.py");
const GREEDY: &str = include_str!("classic/greedy.py");

/// The source of a player that can be built.
pub(super) fn source(target: Target, variant: VariantKind, player: &Spec) -> Result<String, ExportFault> {
    if player.name() == "greedy" {
        let text = head(target, variant, "greedy", "It looks at its own move alone.", &[]);
        return Ok(joined(text, &[BOARDS, GREEDY, AT_SIGHT], target));
    }
    let own = match player.name() {
        "gene45" => include_str!("classic/gene45.py"),
        "nine-weights" => include_str!("classic/nine_weights.py"),
        "top-six" => include_str!("classic/top_six.py"),
        "shifting-weights" => include_str!("classic/shifting_weights.py"),
        "six-stage" => include_str!("classic/six_stage.py"),
        "linear" => include_str!("classic/linear.py"),
        "random" => return Err(refused(player, "it plays by chance, so no file can play its moves")),
        "adaptive" => return Err(refused(player, "a file forgets after each game: export its base")),
        _ => return Err(refused(player, "there is no Python for it")),
    };
    if player.has_option("time") {
        return Err(refused(player, "time= has no meaning for a file, which keeps the time of its platform"));
    }
    // Without an own word about the game its parameters may be those of the other one.
    let chosen = player.clone().with_default("game", variant);
    let (schema, parameters) = if player.has_option("weights") { player.parameters()? } else { chosen.parameters()? };
    let how = "It plays as the original does at the same depth, and as deep as the time allows.";
    let mut text = head(target, variant, player.name(), how, &[]);
    write_options(&mut text, player);
    write_parameters(&mut text, &schema, &parameters);
    let is_greedy = player.options().any(|option| option == ("form", "greedy"));
    let parts: &[&str] = if is_greedy {
        &[BOARDS, FEATURES, own, WEIGHTS, AT_SIGHT]
    } else {
        &[BOARDS, ENDGAME, FEATURES, STYLE, own, WEIGHTS, MINIMAX]
    };
    Ok(joined(text, parts, target))
}

fn write_options(text: &mut String, player: &Spec) {
    let options = player.options().filter(|(key, _)| !PARAMETER_OPTIONS.contains(key));
    let written = options.map(|(key, value)| match value.parse::<u64>() {
        Ok(number) => format!("{key:?}: {number}"),
        Err(_) => format!("{key:?}: {value:?}"),
    });
    let written = written.collect::<Vec<_>>().join(", ");
    let _ = write!(text, "# The options that were given.\nOPTIONS = {{{written}}}\n");
}

fn write_parameters(text: &mut String, schema: &Schema, parameters: &Parameters) {
    let names: Vec<&str> = schema.shared.iter().chain(schema.staged.iter()).map(|group| group.name).collect();
    let (last_discs, knots) = match &parameters.course {
        StageCourse::LastDiscs(last) => (format!("{last:?}"), "None".to_owned()),
        StageCourse::Knots(knots) => ("None".to_owned(), format!("{knots:?}")),
    };
    let _ = write!(
        text,
        "# What is weighed: first what all stages share.\nFEATURES = {names:?}\n\
         # The last number of discs of every stage but the last, or those at which stages hold exactly.\n\
         LAST_DISCS = {last_discs}\nKNOTS = {knots}\n# The weights that all stages share, and those of each.\n"
    );
    for (name, color) in [("BLACK", Color::Black), ("WHITE", Color::White)] {
        if color == Color::White && parameters.white.is_none() {
            text.push_str("WHITE = BLACK\n");
            continue;
        }
        let own = parameters.for_color(color);
        let _ = write!(text, "{name} = (\n    {:?},\n    [\n", own.shared);
        for stage in &own.stages {
            let _ = writeln!(text, "        {stage:?},");
        }
        text.push_str("    ],\n)\n");
    }
}
