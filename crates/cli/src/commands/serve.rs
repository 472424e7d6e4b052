//! `serve`: the page and its API.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use clap::Args;
use serde::Serialize;
use turncoat_api::{Contests, Runs, opponents};
use turncoat_host::Hosting;
use turncoat_host::sandbox::Protection;
use turncoat_ladder::{FolderPrograms, PageMatches, contests};
use turncoat_players::{PlayerFolder, Roster, StopFlag};
use turncoat_server::{Access, Config, Deadlines, PublicUrl, ServeError, Site, Token, TokenError, USUAL_RATE, serve};
use turncoat_train::genetic::RunsFolder;
use turncoat_util::{printable, read_bounded};

use super::signals::stop_flag;
use crate::args::Common;
use crate::failure::misuse;
use crate::output;

/// `serve`
#[derive(Debug, Default, Args)]
pub(crate) struct ServeArgs {
    /// The address to listen on [default: 127.0.0.1:8064, or the next free port]
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(super) addr: Option<SocketAddr>,
    /// The folder for saved games [default: the user's data folder]
    #[arg(long, value_name = "FOLDER")]
    pub(super) data: Option<PathBuf>,
    /// Accept requests from pages of another origin, as in <https://example.org>
    #[arg(long = "allow-origin", value_name = "ORIGIN")]
    pub(super) origins: Vec<String>,
    /// The address at which others reach the page, as in <https://example.org>; Share uses it
    #[arg(long, value_name = "URL")]
    pub(super) public: Option<PublicUrl>,
    /// Requests per second allowed to one address in the long run, 0 for no limit [default: 100]
    #[arg(long, value_name = "NUMBER")]
    pub(super) rate: Option<u32>,
    /// The file of the token that others need, created if it is missing [default: that of the variable `TURNCOAT_TOKEN`, or
    /// a new one at every start]
    #[arg(long, value_name = "FILE")]
    pub(super) token: Option<PathBuf>,
    /// Show the genetic runs of this folder on the page
    #[arg(long, value_name = "FOLDER")]
    pub(super) runs: Option<PathBuf>,
    /// Show the games of this store on the page: a ladder, a tournament or a match, also while it runs
    #[arg(long, value_name = "FILE")]
    pub(super) store: Option<PathBuf>,
    /// Offer the players of this folder too: parameter files (.toml), weights (.weights) and networks (.net)
    #[arg(long, value_name = "FOLDER")]
    pub(super) players: Option<PathBuf>,
    /// Offer the programs of this folder as opponents too, each in the sandbox; a folder as `ladder` takes it
    #[arg(long, value_name = "FOLDER")]
    pub(super) programs: Option<PathBuf>,
    /// Ask nobody for a token: everybody who can reach the address may use the server
    #[arg(long, conflicts_with = "token")]
    pub(super) open: bool,
}

/// The JSON object of a server that is ready.
#[derive(Serialize)]
struct Ready {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    public: Option<String>,
}

pub(super) fn run(args: &ServeArgs, common: &Common) -> Result<()> {
    let stop = stop_flag().context("cannot handle signals")?;
    serve_until(&stop, config(args, common)?, args, common)
}

/// How to serve what was asked for.
pub(super) fn config(args: &ServeArgs, common: &Common) -> Result<Config> {
    let data = args.data.clone().map_or_else(data_folder, Ok)?;
    let players = roster(args)?;
    Ok(Config {
        address: args.addr,
        workers: common.threads(),
        origins: args.origins.clone(),
        public: args.public.clone(),
        rate: Some(args.rate.unwrap_or(USUAL_RATE)).filter(|&rate| rate > 0),
        access: access(args)?,
        deadlines: Deadlines::default(),
        runs: args.runs.as_deref().map(runs).transpose()?,
        contests: args.store.as_deref().map(contest).transpose()?,
        matches: Some(Arc::new(PageMatches::new(data.join("matches"), players.clone()))),
        data,
        players,
    })
}

/// Serves until the flag is raised, and says where.
pub(super) fn serve_until(stop: &StopFlag, config: Config, args: &ServeArgs, common: &Common) -> Result<()> {
    let mut said = Ok(());
    let ready = |site: &Site| said = announce(site, args, common);
    serve(config, stop, ready).map_err(|error| match error {
        ServeError::InUse(_) | ServeError::Address { .. } => misuse(error),
        error => anyhow::Error::new(error),
    })?;
    said
}

/// The runs of a folder.
fn runs(folder: &Path) -> Result<Arc<dyn Runs>> {
    Ok(Arc::new(RunsFolder::open(folder).map_err(misuse)?))
}

/// The contest in a store.
fn contest(store: &Path) -> Result<Arc<dyn Contests>> {
    contests(store).map_err(misuse)
}

/// Everyone who can be asked.
fn roster(args: &ServeArgs) -> Result<Roster> {
    let roster = args.players.as_deref().map_or_else(|| Ok(opponents()), players)?;
    let Some(folder) = &args.programs else { return Ok(roster) };
    let cannot = |error: io::Error| misuse(format!("{}: {error}", folder.display()));
    let hosting = Hosting { one_thread: true, ..Hosting::default() };
    Protection::new(&hosting).map_err(misuse)?;
    Ok(roster.with_programs(FolderPrograms::open(folder, hosting).map_err(cannot)?))
}

/// The built-in players and those of a folder.
fn players(folder: &Path) -> Result<Roster> {
    let found = PlayerFolder::open(folder).map_err(|error| misuse(format!("{}: {error}", folder.display())))?;
    for (name, why) in found.faults() {
        output::note(format_args!(
            "{} is no player: {}",
            printable(&folder.join(name).display().to_string()),
            printable(&why)
        ));
    }
    Ok(opponents().with_folder(found))
}

/// Says where the page is.
fn announce(site: &Site, args: &ServeArgs, common: &Common) -> Result<()> {
    if args.open && !site.address.ip().is_loopback() {
        eprintln!("warning: everybody who can reach {} may use this server", site.address);
    }
    let (address, public) = (site.url(), site.public_url());
    if common.json {
        return output::json(&Ready { address, public });
    }
    output::line(format_args!("Turncoat is at {address} (Ctrl-C ends it)"))?;
    public.map_or(Ok(()), |public| output::line(format_args!("Others reach it at {public}")))
}

/// Who may use the server. A token on the command line would be seen by everybody on this machine.
fn access(args: &ServeArgs) -> Result<Access> {
    if args.open {
        return Ok(Access::Open);
    }
    let (text, place) = match (&args.token, env::var_os("TURNCOAT_TOKEN")) {
        (Some(path), _) => (read_token(path)?, path.display().to_string()),
        (None, Some(text)) => (text.to_string_lossy().into_owned(), "TURNCOAT_TOKEN".to_owned()),
        (None, None) => return Ok(Access::Usual),
    };
    text.trim().parse().map(Access::Token).map_err(|error: TokenError| misuse(format!("{place}: {error}")))
}

/// The most bytes of a token's file.
const MOST_TOKEN: u64 = 4 << 10;

/// The text of a token's file. A missing one is created with a new token that only its owner can read.
fn read_token(path: &Path) -> Result<String> {
    let cannot = |error: io::Error| misuse(format!("{}: {error}", path.display()));
    let read = fs::File::open(path).and_then(|file| read_bounded(file, MOST_TOKEN));
    match read.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let token = Token::random()?.to_string();
            let mut options = OpenOptions::new();
            options.write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            options.open(path).and_then(|mut file| writeln!(file, "{token}")).map_err(cannot)?;
            Ok(token)
        }
        read => read.map_err(cannot),
    }
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
