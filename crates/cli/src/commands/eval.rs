//! `eval`: a player's static evaluation, feature by feature.

use anyhow::Result;
use turncoat_api::{ExplanationView, FeatureView};
use turncoat_board::Position;

use super::{built_in, read_position};
use crate::args::{Common, EvalArgs};
use crate::failure::misuse;
use crate::output;

/// Places of a pattern in one line.
const PLACES: usize = 4;

pub(super) fn run(args: &EvalArgs, common: &Common) -> Result<()> {
    let position = read_position(&args.position, common)?.position();
    let spec = built_in(&args.player, "eval")?;
    let player = spec.build(common.setting()).map_err(misuse)?;
    let Some(explanation) = player.explain(position) else {
        return Err(misuse(format!("{spec} has no static evaluation")));
    };
    let evaluated = ExplanationView::from(explanation);
    if common.json {
        return output::json(&evaluated);
    }
    if common.quiet {
        return output::line(format_args!("{:.2}", evaluated.value));
    }
    // Only evaluations in discs choose weights by what they see.
    if evaluated.features.iter().any(|feature| feature.detail.is_some()) {
        show_parts(&evaluated, position)
    } else {
        show_features(&evaluated, position)
    }
}

/// Each feature with its value and weight.
fn show_features(evaluated: &ExplanationView, position: Position) -> Result<()> {
    let width = evaluated.features.iter().map(|feature| feature.name.chars().count()).max().unwrap_or(0).max(16);
    output::line(format_args!("{:<width$} {:>10} {:>10} {:>12}", "feature", "value", "weight", "product"))?;
    for FeatureView { name, value, weight, product, .. } in &evaluated.features {
        // Weights in discs have digits that mean nothing.
        let weight = (weight * 1e4).round() / 1e4;
        output::line(format_args!("{name:<width$} {value:>10} {weight:>10} {product:>12.2}"))?;
    }
    let total = format!("{:.2}", evaluated.value);
    output::line(format_args!("{:<width$} {total:>34}   for {}, to move", "total", position.side()))
}

/// The features in discs, those of one name together.
fn show_parts(evaluated: &ExplanationView, position: Position) -> Result<()> {
    let width = evaluated.features.iter().map(|feature| feature.name.chars().count()).max().unwrap_or(0);
    output::line(format_args!("{:<width$}  {:>7}", "part", "discs"))?;
    for part in evaluated.features.chunk_by(|one, next| one.name == next.name) {
        let discs: f64 = part.iter().map(|feature| feature.product).sum();
        for (number, places) in part.chunks(PLACES).enumerate() {
            let (name, discs) =
                if number == 0 { (part[0].name.as_str(), format!("{discs:+.2}")) } else { ("", String::new()) };
            let seen: Vec<String> = places.iter().map(|feature| seen(feature, part.len() > 1)).collect();
            output::line(format!("{name:<width$}  {discs:>7}  {}", seen.join("  ")).trim_end())?;
        }
    }
    let total = format!("{:+.2}", evaluated.value);
    output::line(format_args!("{:<width$}  {total:>7}  for {}, to move", "total", position.side()))
}

/// What a feature has seen on the board; with what it is worth, where it is one of several.
fn seen(feature: &FeatureView, is_one_of_many: bool) -> String {
    match &feature.detail {
        Some(detail) if is_one_of_many => format!("{detail} {:+.2}", feature.product),
        Some(detail) => detail.clone(),
        None => format!("{} at {:+.2}", feature.value, feature.weight),
    }
}
