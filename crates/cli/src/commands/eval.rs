//! `eval`: a player's static evaluation, feature by feature.

use anyhow::Result;
use turncoat_api::{ExplanationView, FeatureView};

use super::{built_in, read_position};
use crate::args::{Common, EvalArgs};
use crate::failure::misuse;
use crate::output;

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
    if !common.quiet {
        output::line(format_args!("{:<16} {:>10} {:>10} {:>12}", "feature", "value", "weight", "product"))?;
        for FeatureView { name, value, weight, product } in &evaluated.features {
            output::line(format_args!("{name:<16} {value:>10} {weight:>10} {product:>12.2}"))?;
        }
    }
    let total = format!("{:.2}", evaluated.value);
    if common.quiet {
        return output::line(total);
    }
    output::line(format_args!("{:<16} {total:>34}   for {}, to move", "total", position.side()))
}
