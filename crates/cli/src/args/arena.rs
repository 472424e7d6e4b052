//! Arguments of `match` and `tournament`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use turncoat_arena::Source;
use turncoat_arena::stats::sprt::Sprt;
use turncoat_players::parse_duration;

use super::{HostArgs, Profile};

/// `match`
#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The player whose view is taken
    #[arg(value_name = "A", required_unless_present = "show", conflicts_with = "show")]
    pub(crate) a: Option<String>,
    /// Its opponent
    #[arg(value_name = "B", required_unless_present = "show")]
    pub(crate) b: Option<String>,
    /// Stop as soon as the games tell two differences in Elo apart: elo0=0,elo1=10, and alpha=, beta= (0.05);
    /// at the latest after --games, then 20000 if not given
    #[arg(long, value_name = "TEST", conflicts_with = "show")]
    pub(crate) sprt: Option<Sprt>,
    #[command(flatten)]
    pub(crate) arena: ArenaArgs,
}

/// `tournament`
#[derive(Debug, Args)]
pub(crate) struct TournamentArgs {
    /// The players
    #[arg(value_name = "PLAYER", required_unless_present = "show", conflicts_with = "show")]
    pub(crate) players: Vec<String>,
    /// The first player against each of the others, who do not meet
    #[arg(long, conflicts_with = "show")]
    pub(crate) gauntlet: bool,
    /// Rounds of challenges to players above, of two games each, so half as many as --games; at first players stand in
    /// the order in which they are named
    #[arg(long, conflicts_with_all = ["gauntlet", "show"])]
    pub(crate) ladder: bool,
    /// What the table counts [default: standard; with --show what the run began with]
    #[arg(long, value_enum)]
    pub(crate) points: Option<Points>,
    #[command(flatten)]
    pub(crate) arena: ArenaArgs,
}

/// What `match` and `tournament` have in common.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ArenaArgs {
    /// Games of each two players, in pairs with the colours swapped; of a ladder two a round [default: 100; with --resume as before]
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
    /// Where games begin: random:PLIES, balanced, or a file of transcripts, positions or OBF [default: random:SIZE]
    #[arg(long, value_name = "FILE|random:PLIES|balanced")]
    pub(crate) openings: Option<Source>,
    /// Games at the same time [default: one for each core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    /// Time of a player for all its moves of a game, as in 180s; --time is for a move
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) clock: Option<Duration>,
    /// What a clock is given after each move of its player, as in 1s
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) increment: Option<Duration>,
    /// How far a time may be exceeded before the game is lost [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) grace: Option<Duration>,
    /// Other defaults at once
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
    /// Keep the games in a file, so that the run can be interrupted and gone on with
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Go on with the run in the store; more --games prolong it
    #[arg(long, requires = "store")]
    pub(crate) resume: bool,
    /// Show what is in the store and play nothing; also while a run goes on
    #[arg(
        long,
        requires = "store",
        conflicts_with_all = ["resume", "games", "openings", "concurrency", "clock", "grace", "profile"]
    )]
    pub(crate) show: bool,
    /// Show the board move by move on standard error, one game at a time
    #[arg(long, conflicts_with_all = ["concurrency", "show"])]
    pub(crate) watch: bool,
    /// Pause after each move that is watched [default: 300ms on a terminal]
    #[arg(long, value_name = "TIME", requires = "watch", value_parser = parse_duration)]
    pub(crate) pace: Option<Duration>,
    /// Write a page with tables and replays
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Write the table as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) csv: Option<PathBuf>,
    /// Write the games as CSV
    #[arg(long, value_name = "FILE")]
    pub(crate) games_csv: Option<PathBuf>,
    /// Write the games as transcripts
    #[arg(long, value_name = "FILE")]
    pub(crate) export: Option<PathBuf>,
    /// Overwrite files that exist (never the store)
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) host: HostArgs,
}

/// What the table of a tournament counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Points {
    /// A win 1, a draw ½, a loss 0
    #[default]
    Standard,
    /// A win +5, a draw 0, a loss -5
    Course,
}
