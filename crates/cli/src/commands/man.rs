//! `man`: the manual pages, one for each command.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::{Args, Command, CommandFactory};
use clap_mangen::Man;

use crate::args::Cli;
use crate::output;

/// `man`
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder, created if it is missing
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
    /// Overwrite pages that are there
    #[arg(long)]
    force: bool,
}

pub(super) fn run(args: &ManArgs) -> Result<()> {
    fs::create_dir_all(&args.out).with_context(|| args.out.display().to_string())?;
    // Pages of `help` would repeat those of the commands.
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    for (name, page) in pages(&command)? {
        output::file(&args.out.join(name), &page, args.force)?;
    }
    Ok(())
}

/// The pages of a command and all below it, with the names of their files.
fn pages(command: &Command) -> Result<Vec<(String, String)>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    let mut all = vec![(man.get_filename(), String::from_utf8(page)?)];
    for below in command.get_subcommands() {
        all.extend(pages(below)?);
    }
    Ok(all)
}
