//! `players`: the built-in players with their options.

use anyhow::Result;
use turncoat_api::players;
use turncoat_board::{Geometry, Square};
use turncoat_eval::classic::features::ClassTable;
use turncoat_players::{Roster, Spec};
use turncoat_record::svg;

use crate::args::{Common, PlayersArgs};
use crate::failure::misuse;
use crate::output;

pub(super) fn run(args: &PlayersArgs, common: &Common) -> Result<()> {
    let roster = Roster::default();
    let wanted = args.player.as_ref().map(|text| roster.parse(text)).transpose().map_err(misuse)?;
    if let Some(spec) = &wanted {
        if args.export {
            return output::line(spec.export().map_err(misuse)?.trim_end());
        }
        if args.tables {
            return output::line(draw_tables(spec)?.trim_end());
        }
        spec.check().map_err(misuse)?;
    }
    let wanted = wanted.as_ref().map(Spec::name);
    for player in players(&roster).into_iter().filter(|player| wanted.is_none_or(|name| name == player.name)) {
        if common.json {
            output::json(&player)?;
            continue;
        }
        output::line(format_args!("{:<18} {} [{}]", player.name, player.about, player.variants.join(", ")))?;
        for option in &player.options {
            let pair = format!("{}={}", option.key, option.value);
            output::line(format_args!("    {pair:<26} {}", option.about))?;
        }
        for variant in &player.variants {
            let rated = player.ratings.iter().filter(|rating| rating.variant == *variant);
            let elo: Vec<String> = rated.map(|rating| rating.elo.to_string()).collect();
            if !elo.is_empty() {
                output::line(format_args!("    Elo of the levels above random, {variant}: {}", elo.join(" ")))?;
            }
        }
    }
    if !common.json && !common.quiet {
        output::line("\nWrite a player as name or name:key=value,key=value; \"human\" plays in the terminal.")?;
    }
    Ok(())
}

/// The board tables of a player as a picture.
fn draw_tables(spec: &Spec) -> Result<String> {
    let (schema, parameters) = spec.parameters().map_err(misuse)?;
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
