//! `export`: a built-in player as one Python file.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use turncoat_board::Geometry;
use turncoat_host::export::{ExportFault, Target, source};
use turncoat_util::OutputFile;

use super::built_in;
use crate::args::{Common, parse_player};
use crate::failure::{misuse, output_failure};
use crate::output;

/// `export`
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The platform
    #[arg(value_enum, value_name = "PLATFORM")]
    platform: Platform,
    /// The player; all but random and adaptive can be exported
    #[arg(long, default_value = "turncoat", value_name = "PLAYER", value_parser = parse_player)]
    player: String,
    /// The engine with these trained weights, as --player turncoat:eval=FILE
    #[arg(long, value_name = "FILE", conflicts_with = "player")]
    eval: Option<String>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Maximum size of the file; the weights are rounded until they fit [default: 3000, for Botzone 400]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    kilobytes: Option<u32>,
    /// Overwrite an existing file
    #[arg(long, requires = "out")]
    force: bool,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Platform {
    /// The course: a class AI, with numpy
    Course,
    /// Botzone: a program that is kept running; 1 s a move
    Botzone,
}

pub(super) fn run(args: &ExportArgs, common: &Common) -> Result<()> {
    if common.geometry() != Geometry::EIGHT {
        return Err(misuse("both platforms play on 8x8"));
    }
    if common.time.is_some() || common.depth.is_some() {
        return Err(misuse(
            "an exported file keeps the time of its platform: --time and --depth have no meaning for it",
        ));
    }
    if let Some(path) = &args.out {
        OutputFile::check(path, args.force).map_err(|error| output_failure(path, error))?;
    }
    let target = match args.platform {
        Platform::Course => Target::Course,
        Platform::Botzone => Target::Botzone,
    };
    let most = args.kilobytes.map_or(target.usual_bytes(), |n| n as usize * 1000);
    let player = match &args.eval {
        Some(file) => built_in(&format!("turncoat:eval={file}"), "export")?,
        None => built_in(&args.player, "export")?,
    };
    let text = source(target, common.variant(), &player, most).map_err(|fault| match fault {
        ExportFault::Damaged => fault.into(),
        fault => misuse(fault),
    })?;
    match &args.out {
        None => output::line(text.trim_end()),
        Some(path) => output::file(path, &text, args.force),
    }
}
