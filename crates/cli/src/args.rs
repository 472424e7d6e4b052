//! What can be asked for, and the options that mean the same everywhere.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{Limits, Setting, Spec};

use crate::commands::SolveArgs;

/// Turncoat: the laboratory of Reversed Reversi (fewest discs win), and of Reversi.
///
/// Without a command it starts a game in the terminal.
#[derive(Debug, Parser)]
#[command(
    name = "turncoat",
    version,
    max_term_width = 100,
    arg_required_else_help = false
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Everywhere")]
pub(crate) struct Common {
    /// The game: fewest discs win (reversed) or most (reversi)
    #[arg(long, global = true, value_name = "GAME", default_value = "reversed", value_parser = parse_variant)]
    pub(crate) variant: VariantKind,
    /// Squares a side: 8, 6 or 4
    #[arg(long, global = true, value_name = "N", default_value = "8", value_parser = parse_size)]
    pub(crate) size: Geometry,
    /// Time for a move, as in 5s or 100ms
    #[arg(long, global = true, value_parser = parse_duration)]
    pub(crate) time: Option<Duration>,
    /// Plies to look ahead
    #[arg(long, global = true, value_name = "N")]
    pub(crate) depth: Option<u32>,
    /// Threads to search with; all cores if not given
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Mebibytes of memory for what a search remembers
    #[arg(long, global = true, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) hash: Option<u32>,
    /// Where random choices come from; the same seed repeats them
    #[arg(long, global = true, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print one JSON object a line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Say less
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Say more on standard error
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl Common {
    /// What players are built for.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            variant: self.variant,
            geometry: self.size,
            seed: self.seed,
        }
    }

    /// How long players may think.
    pub(crate) fn limits(&self) -> Limits {
        Limits {
            time: self.time,
            depth: self.depth,
            ..Limits::default()
        }
    }
}

/// The commands, in the order in which the help shows them.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// A game in the terminal, human or any player on either side
    #[command(after_help = "Example: turncoat play --black human --white greedy --size 6")]
    Play(PlayArgs),
    /// Print the chosen move alone
    #[command(
        name = "move",
        after_help = "Example: turncoat move f5d6c3 --player greedy"
    )]
    Move(MoveArgs),
    /// Perfect play: exact score, best move and line of a position or of all positions of a file
    #[command(after_help = "Examples:\n  turncoat solve --size 4\n  \
                            turncoat solve --file problems.obf --variant reversi --threads 1")]
    Solve(SolveArgs),
    /// Count the leaves of the game tree
    #[command(after_help = "Example: turncoat perft 9")]
    Perft(PerftArgs),
    /// The built-in players with their options
    #[command(after_help = "Example: turncoat players")]
    Players,
    /// Convert between position and game formats
    #[command(
        after_help = "Examples:\n  turncoat convert f5d6c3 --to svg --out game.svg\n  \
                            turncoat convert --file positions.obf --to text"
    )]
    Convert(ConvertArgs),
}

/// `play`
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Where the game begins: a position, a transcript or "start"
    #[arg(
        default_value = "start",
        value_name = "POSITION",
        allow_hyphen_values = true
    )]
    pub(crate) position: String,
    /// Who plays black: "human" or a player
    #[arg(long, default_value = "human", value_name = "PLAYER")]
    pub(crate) black: Spec,
    /// Who plays white: "human" or a player
    #[arg(long, default_value = "greedy", value_name = "PLAYER")]
    pub(crate) white: Spec,
}

impl Default for PlayArgs {
    fn default() -> Self {
        let spec = |text: &str| text.parse().expect("a built-in name");
        Self {
            position: "start".to_owned(),
            black: spec("human"),
            white: spec("greedy"),
        }
    }
}

/// `move`
#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), "start", or - for standard input
    #[arg(value_name = "POSITION", allow_hyphen_values = true)]
    pub(crate) position: String,
    /// Who chooses
    #[arg(long, default_value = "greedy", value_name = "PLAYER")]
    pub(crate) player: Spec,
}

/// `perft`
#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub(crate) plies: u32,
    /// Where counting begins
    #[arg(long, default_value = "start", allow_hyphen_values = true)]
    pub(crate) from: String,
    /// Instruction set: portable or avx2; the best one if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
}

/// `convert`
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A position, a transcript, a line of OBF, "start", or - for standard input
    #[arg(
        value_name = "INPUT",
        allow_hyphen_values = true,
        required_unless_present = "file",
        conflicts_with = "file"
    )]
    pub(crate) input: Option<String>,
    /// Convert every line of a file instead
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The format wanted
    #[arg(long, value_enum)]
    pub(crate) to: Format,
    /// Write to a file; one that exists is kept unless --force is given
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Mark the legal moves in the picture
    #[arg(long)]
    pub(crate) legal: bool,
}

/// Formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Cells and the side to move
    Text,
    /// Moves from the start
    Transcript,
    /// Position with the scores of moves
    Obf,
    /// A picture
    Svg,
}

fn parse_variant(text: &str) -> Result<VariantKind, String> {
    text.parse()
        .map_err(|error: turncoat_board::UnknownVariant| error.to_string())
}

fn parse_size(text: &str) -> Result<Geometry, String> {
    let side = text
        .parse::<u8>()
        .map_err(|_| "sizes are 8, 6 and 4".to_owned())?;
    Geometry::of_side(side).map_err(|error| error.to_string())
}

/// Reads `5s`, `100ms`, `1.5s` or `2m`.
fn parse_duration(text: &str) -> Result<Duration, String> {
    let split = text
        .find(|c: char| c.is_ascii_alphabetic())
        .ok_or("a unit is missing, as in 5s or 100ms")?;
    let (number, unit) = text.split_at(split);
    let number: f64 = number
        .trim()
        .parse()
        .map_err(|_| format!("{number:?} is no number"))?;
    let seconds = match unit {
        "ms" => number / 1000.0,
        "s" => number,
        "m" | "min" => number * 60.0,
        _ => return Err(format!("{unit:?} is no unit: ms, s and m are")),
    };
    if seconds <= 0.0 {
        return Err("a time is more than nothing".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }

    #[test]
    fn durations_are_read_with_their_unit() {
        assert_eq!(parse_duration("100ms"), Ok(Duration::from_millis(100)));
        assert_eq!(parse_duration("1.5s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_mins(2)));
        for bad in [
            "", "5", "s", "5h", "-1s", "0s", "infs", "nans", "1e300s", "five s",
        ] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
    }
}
