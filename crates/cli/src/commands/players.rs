//! `players`: the built-in players with their options.

use anyhow::Result;
use serde::Serialize;
use turncoat_board::{Geometry, Square};
use turncoat_eval::classic::features::ClassTable;
use turncoat_players::{Spec, check, export, kinds, parameters};
use turncoat_record::svg;

use crate::args::{Common, PlayersArgs};
use crate::failure::misuse;
use crate::output;

#[derive(Serialize)]
struct Entry {
    name: &'static str,
    about: &'static str,
    variants: Vec<&'static str>,
    sizes: &'static [u8],
    options: Vec<OptionEntry>,
}

#[derive(Serialize)]
struct OptionEntry {
    key: &'static str,
    value: &'static str,
    about: &'static str,
}

pub(super) fn run(args: &PlayersArgs, common: &Common) -> Result<()> {
    if let (Some(spec), true) = (&args.player, args.export) {
        return output::line(export(spec).map_err(misuse)?.trim_end());
    }
    if let (Some(spec), true) = (&args.player, args.tables) {
        return output::line(draw_tables(spec)?.trim_end());
    }
    let wanted = args.player.as_ref().map(turncoat_players::Spec::name);
    let shown: Vec<_> = kinds().filter(|kind| wanted.is_none_or(|name| name == kind.name)).collect();
    if let Some(spec) = &args.player {
        check(spec).map_err(misuse)?;
    }
    for kind in shown {
        if common.json {
            let option = |o: &turncoat_players::OptionHelp| OptionEntry { key: o.key, value: o.value, about: o.about };
            output::json(&Entry {
                name: kind.name,
                about: kind.about,
                variants: kind.variants.iter().map(|v| v.name()).collect(),
                sizes: kind.sides,
                options: kind.options.iter().map(option).collect(),
            })?;
            continue;
        }
        let variants: Vec<_> = kind.variants.iter().map(|v| v.name()).collect();
        output::line(format_args!("{:<18} {} [{}]", kind.name, kind.about, variants.join(", ")))?;
        for option in kind.options {
            let pair = format!("{}={}", option.key, option.value);
            output::line(format_args!("    {pair:<26} {}", option.about))?;
        }
    }
    if !common.json && !common.quiet {
        output::line("\nWrite a player as name or name:key=value,key=value; \"human\" plays in the terminal.")?;
    }
    Ok(())
}

/// The board tables of a player as a picture.
fn draw_tables(spec: &Spec) -> Result<String> {
    let (schema, parameters) = parameters(spec).map_err(misuse)?;
    let boards: Vec<svg::NumberBoard> = schema
        .tables(&parameters)
        .into_iter()
        .map(|(name, weights)| {
            let table = ClassTable::new(weights, Geometry::EIGHT);
            let mut numbers = [0.0; 64];
            for square in Square::ALL {
                numbers[square.index()] = table.weight(square);
            }
            (format!("{spec}: {name}"), numbers)
        })
        .collect();
    Ok(svg::draw_numbers(&boards))
}
