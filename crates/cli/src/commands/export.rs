//! `export`: our player as one Python file.

use std::path::PathBuf;

use anyhow::Result;
use clap::{Args, ValueEnum};
use turncoat_board::Geometry;
use turncoat_host::export::{ExportFault, Target, source};
use turncoat_util::OutputFile;

use crate::args::Common;
use crate::failure::{misuse, output_failure};
use crate::output;

/// `export`
#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// The platform
    #[arg(value_enum, value_name = "PLATFORM")]
    platform: Platform,
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
    let text = source(target, common.variant(), most).map_err(|fault| match fault {
        ExportFault::TooSmall { .. } => misuse(fault.to_string()),
        ExportFault::Damaged => fault.into(),
    })?;
    match &args.out {
        None => output::line(text.trim_end()),
        Some(path) => output::file(path, &text, args.force),
    }
}
