//! The page of a ladder that runs.

use anyhow::{Context, Result};
use turncoat_ladder::{Options, contests};
use turncoat_players::StopFlag;
use turncoat_server::Config;

use super::LadderArgs;
use crate::args::Common;
use crate::commands::ServeArgs;
use crate::commands::serve;
use crate::failure::misuse;

/// A page that shows a ladder.
pub(super) struct Page<'a> {
    args: ServeArgs,
    config: Config,
    common: &'a Common,
}

impl<'a> Page<'a> {
    /// Finds out whether it can be served.
    pub(super) fn new(args: &LadderArgs, options: &Options, common: &'a Common) -> Result<Self> {
        let folder = options.store.parent().context("the store lies nowhere")?;
        let args = ServeArgs {
            addr: args.addr,
            public: args.public.clone(),
            token: args.token.clone(),
            open: args.open,
            data: Some(folder.join("page")),
            ..ServeArgs::default()
        };
        let mut config = serve::config(&args, common)?;
        // Cores are for the games.
        config.workers = 1;
        config.contests = Some(contests(&options.store).map_err(misuse)?);
        Ok(Self { args, config, common })
    }

    /// Serves until the flag is raised.
    pub(super) fn serve(&self, stop: &StopFlag) -> Result<()> {
        serve::serve_until(stop, self.config.clone(), &self.args, self.common)
    }
}
