//! `eval`: a player's static evaluation, feature by feature.

use anyhow::Result;
use serde::Serialize;
use turncoat_players::{Explanation, build};

use super::{not_foreign, read_position};
use crate::args::{Common, EvalArgs};
use crate::failure::misuse;
use crate::output;

/// The JSON object of an evaluation.
#[derive(Serialize)]
struct Evaluated {
    value: f64,
    features: Vec<Feature>,
}

#[derive(Serialize)]
struct Feature {
    name: String,
    value: f64,
    weight: f64,
    product: f64,
}

pub(super) fn run(args: &EvalArgs, common: &Common) -> Result<()> {
    let position = read_position(&args.position, common)?.position();
    not_foreign(&args.player, "eval")?;
    let player = build(&args.player, common.setting()).map_err(misuse)?;
    let Some(Explanation { value, terms }) = player.explain(position) else {
        return Err(misuse(format!("{} has no static evaluation", args.player)));
    };
    let feature = |term: turncoat_eval::Term| Feature {
        product: term.product(),
        name: term.name,
        value: term.value,
        weight: term.weight,
    };
    let evaluated = Evaluated { value, features: terms.into_iter().map(feature).collect() };
    if common.json {
        return output::json(&evaluated);
    }
    if !common.quiet {
        output::line(format_args!("{:<16} {:>10} {:>10} {:>12}", "feature", "value", "weight", "product"))?;
        for Feature { name, value, weight, product } in &evaluated.features {
            output::line(format_args!("{name:<16} {value:>10} {weight:>10} {product:>12.2}"))?;
        }
    }
    let whole = format!("{:.2}", evaluated.value);
    if common.quiet {
        return output::line(whole);
    }
    output::line(format_args!("{:<16} {whole:>34}   for {}, to move", "whole", position.side()))
}
