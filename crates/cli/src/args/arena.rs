//! Arguments of `match` and `tournament`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use turncoat_arena::Source;
use turncoat_arena::stats::sprt::Sprt;
use turncoat_players::parse_duration;

use super::{HostArgs, Profile, parse_player};

/// `match`
#[derive(Debug, Args)]
pub(crate) struct MatchArgs {
    /// The player whose result is shown
    #[arg(value_name = "A", value_parser = parse_player, required_unless_present = "show", conflicts_with = "show")]
    pub(crate) a: Option<String>,
    /// Its opponent
    #[arg(value_name = "B", value_parser = parse_player, required_unless_present = "show")]
    pub(crate) b: Option<String>,
    /// Stop as soon as a sequential test decides between two Elo differences: elo0=0,elo1=10, optionally alpha= and
    /// beta= (0.05); at the latest after --games, by default 20000
    #[arg(long, value_name = "TEST", conflicts_with = "show")]
    pub(crate) sprt: Option<Sprt>,
    #[command(flatten)]
    pub(crate) arena: ArenaArgs,
}

/// `tournament`
#[derive(Debug, Args)]
pub(crate) struct TournamentArgs {
    /// The players
    #[arg(value_name = "PLAYER", value_parser = parse_player, required_unless_present = "show", conflicts_with = "show")]
    pub(crate) players: Vec<String>,
    /// Only the first player against each of the others
    #[arg(long, conflicts_with = "show")]
    pub(crate) gauntlet: bool,
    /// A ladder: in each of --games / 2 rounds, players challenge those above them to two games; they start in the order
    /// given
    #[arg(long, conflicts_with_all = ["gauntlet", "show"])]
    pub(crate) ladder: bool,
    /// Rounds of the Swiss system: players with as many points meet, twice each time, and nobody meets anybody again
    #[arg(long, value_name = "ROUNDS", conflicts_with_all = ["gauntlet", "ladder", "games", "show"],
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub(crate) swiss: Option<u64>,
    /// How the table counts results [default: standard; with --show as the run was started]
    #[arg(long, value_enum)]
    pub(crate) points: Option<Points>,
    #[command(flatten)]
    pub(crate) arena: ArenaArgs,
}

/// The common arguments of `match` and `tournament`.
#[derive(Debug, Clone, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct ArenaArgs {
    /// Games of each pairing, in pairs with the colours swapped; a ladder has two per round [default: 100; with --resume as before]
    #[arg(long, value_name = "N")]
    pub(crate) games: Option<u64>,
    /// Openings: random:PLIES, balanced, balanced:DISCS from the book, or a file of transcripts, positions or OBF [default:
    /// random:SIZE]
    #[arg(long, value_name = "FILE|random:PLIES|balanced")]
    pub(crate) openings: Option<Source>,
    /// Games in parallel [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) concurrency: Option<u16>,
    /// Time per player and game, as in 180s; --time is per move
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) clock: Option<Duration>,
    /// Time added to the clock after each move, as in 1s
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) increment: Option<Duration>,
    /// How far a time limit may be exceeded before the game is lost [default: 100ms]
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) grace: Option<Duration>,
    /// Use the defaults of a platform
    #[arg(long, value_enum, value_name = "NAME")]
    pub(crate) profile: Option<Profile>,
    /// Keep the games in a file, so that the run can be interrupted and resumed
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
    /// Resume the run in the store; a larger --games extends it
    #[arg(long, requires = "store")]
    pub(crate) resume: bool,
    /// Show the results in the store without playing; also while a run is under way
    #[arg(
        long,
        requires = "store",
        conflicts_with_all = ["resume", "games", "openings", "concurrency", "clock", "grace", "profile"]
    )]
    pub(crate) show: bool,
    /// Show the board move by move on standard error, one game at a time
    #[arg(long, conflicts_with_all = ["concurrency", "show"])]
    pub(crate) watch: bool,
    /// Pause after each move shown by --watch [default: 300ms on a terminal]
    #[arg(long, value_name = "TIME", requires = "watch", value_parser = parse_duration)]
    pub(crate) pace: Option<Duration>,
    /// Write an HTML page with tables and replays
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
    /// Write a folder to keep or to publish: a page with tables and replays, CSV files, transcripts, logs of the games
    #[arg(long, value_name = "FOLDER")]
    pub(crate) archive: Option<PathBuf>,
    /// Overwrite existing files (never the store)
    #[arg(long)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) host: HostArgs,
}

/// How the table of a tournament counts results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Points {
    /// A win 1, a draw ½, a loss 0
    #[default]
    Standard,
    /// A win +5, a draw 0, a loss -5
    Course,
}
