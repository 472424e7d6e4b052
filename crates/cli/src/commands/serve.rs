//! `serve`: the page and its API.

use std::env;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use turncoat_server::{Config, Deadlines, PublicUrl, ServeError, USUAL_RATE, serve};

use super::signals::stop_flag;
use crate::args::Common;
use crate::failure::misuse;
use crate::output;

/// `serve`
#[derive(Debug, Default, Args)]
pub(crate) struct ServeArgs {
    /// The address to listen on [default: 127.0.0.1:8064, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    addr: Option<SocketAddr>,
    /// The folder for saved games [default: the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    data: Option<PathBuf>,
    /// Accept requests from pages of another origin, as in <https://example.org>
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    origins: Vec<String>,
    /// The address at which others reach the page, as in <https://example.org>; Share uses it
    #[arg(long, value_name = "URL")]
    public: Option<PublicUrl>,
    /// Requests per second allowed to one address in the long run, 0 for no limit [default: 100]
    #[arg(long, value_name = "NUMBER")]
    rate: Option<u32>,
}

/// The JSON object of a server that is ready.
#[derive(Serialize)]
struct Ready {
    address: String,
}

pub(super) fn run(args: &ServeArgs, common: &Common) -> Result<()> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let config = Config {
        address: args.addr,
        data: args.data.clone().map_or_else(data_folder, Ok)?,
        workers: common.threads.map_or(cores, usize::from),
        origins: args.origins.clone(),
        public: args.public.clone(),
        rate: Some(args.rate.unwrap_or(USUAL_RATE)).filter(|&rate| rate > 0),
        deadlines: Deadlines::default(),
    };
    let stop = stop_flag().context("cannot handle signals")?;
    let mut said = Ok(());
    let ready = |address: SocketAddr| {
        let address = format!("http://{address}/");
        said = if common.json {
            output::json(&Ready { address })
        } else {
            output::line(format_args!("Turncoat is at {address} (Ctrl-C ends it)"))
        };
    };
    serve(config, &stop, ready).map_err(|error| match error {
        ServeError::InUse(_) | ServeError::Address { .. } => misuse(error),
        error => anyhow::Error::new(error),
    })?;
    said
}

/// Where a user's programs keep their data.
fn data_folder() -> Result<PathBuf> {
    let folder = |name: &str| env::var_os(name).filter(|path| !path.is_empty()).map(PathBuf::from);
    let data = folder("XDG_DATA_HOME")
        .or_else(|| folder("LOCALAPPDATA"))
        .or_else(|| folder("HOME").map(|home| home.join(".local/share")));
    data.map(|data| data.join("turncoat"))
        .ok_or_else(|| misuse("there is no home folder to keep games in: choose one with --data"))
}
