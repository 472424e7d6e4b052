//! `linear`: features of all the reports, each times its weight, chosen by a parameter file. It searches as `gene45` does.

use turncoat_board::VariantKind;
use turncoat_eval::classic::{Linear, Parameters, Schema};

use super::deepening::{Deepening, FINAL};
use super::{ByColor, DEPTH, OwnLimits, TIME, WEIGHTS};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Kind, OptionHelp, Options, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "linear",
    about: "any features of the reports, as its parameter file weighs them",
    variants: &VariantKind::BOTH,
    sides: ALL_SIDES,
    options: &[
        DEPTH,
        TIME,
        FINAL,
        OptionHelp {
            key: "features",
            value: "A+B+…",
            about: "these features with weights of 0, for the lab to begin with; ? lists all",
        },
        OptionHelp {
            key: "game",
            value: "reversed|reversi",
            about: "which game the features or the built-in weights are for",
        },
        WEIGHTS,
    ],
    make: |options, setting| Ok(Box::new(from_options(options, setting)?)),
    parameters: Some(|options| take_all(options, VariantKind::Reversed)),
};

fn from_options(options: &mut Options, setting: Setting) -> Result<Deepening<Linear>, SpecError> {
    let (schema, parameters) = take_all(options, setting.variant)?;
    let own = OwnLimits::from_options(options, None)?;
    let evaluation = ByColor::make(&parameters, options, |own: &_| Linear::new(&schema, own, setting.geometry))?;
    if schema.variant != setting.variant {
        return Err(options.fault(format!("these weights are for {}", schema.variant.title())));
    }
    Deepening::from_options(options, evaluation, setting.variant, own)
}

/// The features and their weights; without a word about the game they are for the usual one.
fn take_all(options: &mut Options, usual: VariantKind) -> Result<(Schema, Parameters), SpecError> {
    options.refuse_both("features", "weights")?;
    options.refuse_both("game", "weights")?;
    let game = match options.take::<String>("game")? {
        None => usual,
        Some(name) => name.parse().map_err(|error| options.fault(format!("game={name}: {error}")))?,
    };
    let (found, place) = match (options.take_file()?, options.take::<String>("features")?) {
        (Some((path, text)), _) => (Linear::read(&text), format!("weights={path}: ")),
        (None, Some(list)) => {
            let names: Vec<String> = list.split('+').map(str::to_owned).collect();
            (Linear::blank(game, &names), format!("features={list}: "))
        }
        (None, None) => (Linear::published(game), String::new()),
    };
    let (schema, parameters) = found.map_err(|error| options.fault(format!("{place}{error}")))?;
    Ok((schema, options.parameters().cloned().unwrap_or(parameters)))
}
