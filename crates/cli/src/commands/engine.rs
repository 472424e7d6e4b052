//! `engine`: a protocol on standard input and output.

use std::io::{self, BufReader};

use anyhow::Result;
use clap::{Args, ValueEnum};
use turncoat_host::engine::{self, Session, listen};
use turncoat_players::{Player, Setting, Spec};

use crate::args::{Common, HostArgs, parse_player};
use crate::failure::misuse;

/// `engine`
#[derive(Debug, Args)]
pub(crate) struct EngineArgs {
    /// The protocol
    #[arg(value_enum)]
    protocol: Protocol,
    /// The player that answers
    #[arg(long, default_value = "turncoat", value_name = "PLAYER", value_parser = parse_player)]
    player: String,
    /// With botzone: answer one request and exit, like a program that is started for every move
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    host: HostArgs,
}

/// The protocols.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Protocol {
    /// A position a line in, a move a line out
    Line,
    /// NBoard and other Othello front ends
    Nboard,
    /// The Go Text Protocol, version 2, as Othello programs speak it
    Gtp,
    /// The JSON lines of botzone.org
    Botzone,
}

pub(super) fn run(args: &EngineArgs, common: &Common) -> Result<()> {
    if args.once && args.protocol != Protocol::Botzone {
        return Err(misuse("--once is for the protocol botzone"));
    }
    // Fail before the first answer if the player cannot be built.
    let spec = args.host.roster(None).parse(&args.player).map_err(misuse)?;
    spec.build(common.setting()).map_err(misuse)?;
    let make = |setting, level| make(&spec, setting, level);
    let session = Session { setting: common.setting(), limits: common.limits(), make: &make };
    let (own, input) = listen(BufReader::new(io::stdin()));
    let mut out = io::stdout().lock();
    match args.protocol {
        Protocol::Line => engine::line(&session, &own, &input, &mut out)?,
        Protocol::Nboard => engine::nboard(&session, &own, &input, &mut out)?,
        Protocol::Gtp => engine::gtp(&session, &own, &input, &mut out)?,
        Protocol::Botzone => engine::botzone(&session, !args.once, &input, &mut out)?,
    }
    Ok(())
}

/// The player, or the same at another level.
fn make(spec: &Spec, setting: Setting, level: Option<u8>) -> Result<Box<dyn Player>, String> {
    let built = match level {
        None => spec.build(setting),
        Some(_) if spec.name() != "turncoat" => {
            return Err(format!("{} has no levels", spec.name()));
        }
        Some(level) => format!("turncoat:level={level}").parse::<Spec>().and_then(|spec| spec.build(setting)),
    };
    built.map_err(|error| error.to_string())
}
