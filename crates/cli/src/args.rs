//! What can be asked for, and the options that mean the same everywhere.

mod arena;
#[cfg(test)]
mod documented;
mod host;

use std::ffi::OsString;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use clap::{Args, Parser, Subcommand, ValueEnum};
use turncoat_board::{Cell, Game, Geometry, VariantKind};
use turncoat_players::{Limits, Setting, Spec, check_name, parse_duration};

pub(crate) use self::arena::{ArenaArgs, MatchArgs, Points, TournamentArgs};
pub(crate) use self::host::{HostArgs, Profile};

use crate::commands::{
    BookArgs, CheckArgs, CompletionsArgs, EngineArgs, ExportArgs, LadderArgs, ManArgs, ReproduceArgs, ServeArgs,
    SolveArgs, TrainArgs,
};

/// Turncoat: the laboratory of Reversed Reversi (fewest discs win), and of Reversi.
///
/// Without a command it serves the page and prints its address.
#[derive(Debug, Parser)]
#[command(name = "turncoat", version, max_term_width = 100, arg_required_else_help = false)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options that every command takes.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct Common {
    /// The game: fewest discs win (reversed) or most (reversi) [default: reversed]
    #[arg(long, global = true, value_name = "GAME", value_parser = parse_variant)]
    pub(crate) variant: Option<VariantKind>,
    /// Squares a side: 8, 6 or 4 [default: 8]
    #[arg(long, global = true, value_name = "N", value_parser = parse_size)]
    pub(crate) size: Option<Geometry>,
    /// Time per move, as in 5s or 100ms; without it foreign programs have 60s
    #[arg(long, global = true, value_parser = parse_duration, allow_hyphen_values = true)]
    pub(crate) time: Option<Duration>,
    /// Search depth in plies
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60), allow_hyphen_values = true)]
    pub(crate) depth: Option<u32>,
    /// Threads to search with [default: all cores; one in matches]
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Size of the transposition table in MiB
    #[arg(long, global = true, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) hash: Option<u32>,
    /// Seed of random choices; the same seed repeats them [default: 1]
    #[arg(long, global = true, value_name = "N", allow_hyphen_values = true)]
    pub(crate) seed: Option<u64>,
    /// Print one JSON object per line
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Print less
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print more on standard error
    #[arg(short, long, global = true, conflicts_with = "quiet")]
    pub(crate) verbose: bool,
}

impl Common {
    /// The game.
    pub(crate) fn variant(&self) -> VariantKind {
        self.variant.unwrap_or(VariantKind::Reversed)
    }

    /// The board.
    pub(crate) fn geometry(&self) -> Geometry {
        self.size.unwrap_or(Geometry::EIGHT)
    }

    /// The seed of random choices.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// What players are built for.
    pub(crate) fn setting(&self) -> Setting {
        Setting { variant: self.variant(), geometry: self.geometry(), seed: self.seed() }
    }

    /// What players of this game are built for: a file may hold a game of another variant or size.
    pub(crate) fn setting_of(&self, game: &Game) -> Setting {
        Setting::from_game(game, self.seed())
    }

    /// The player with `--hash` and `--threads` as defaults of its own options, and the book that people meet it with.
    pub(crate) fn tuned(&self, mut spec: Spec) -> Spec {
        if let Some(mebibytes) = self.hash {
            spec = spec.with_default("hash", mebibytes);
        }
        spec.with_default("threads", self.threads()).with_usual_book()
    }

    /// The threads of a search that has the machine to itself.
    pub(crate) fn threads(&self) -> usize {
        self.threads.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), usize::from)
    }

    /// How long players may think.
    pub(crate) fn limits(&self) -> Limits {
        Limits { time: self.time, depth: self.depth, ..Limits::default() }
    }
}

/// The commands in the order of the help.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve the page and its API on 127.0.0.1:8064
    #[command(after_help = "Example: turncoat serve --addr 127.0.0.1:9000")]
    Serve(ServeArgs),
    /// Play in the terminal, with a human or any player on either side
    #[command(after_help = "Example: turncoat play --black human --white greedy --size 6")]
    Play(PlayArgs),
    /// Choose a move and print it
    #[command(
        name = "move",
        after_help = "Examples:\n  turncoat move f5d6c3 --player greedy\n  turncoat move f5d6c3 --clock 60s --increment 1s"
    )]
    Move(MoveArgs),
    /// Score every legal move with depth and line, or a whole game move by move
    #[command(
        after_help = "Examples:\n  turncoat analyze f5d6c3 --depth 12\n  turncoat analyze --game f5d6c3d3c4f4 --time 200ms"
    )]
    Analyze(AnalyzeArgs),
    /// Show the static evaluation of a player, feature by feature
    #[command(after_help = "Examples:\n  turncoat eval f5d6c3\n  turncoat eval f5d6c3 --player gene45\n  \
                            turncoat eval f5d6c3 --player turncoat:eval=weights/patterns-reversed.weights")]
    Eval(EvalArgs),
    /// Solve a position, or every position of a file: exact score, best move and line
    #[command(after_help = "Examples:\n  turncoat solve --size 4\n  \
                            turncoat solve --file docs/samples/problems.obf --threads 1")]
    Solve(SolveArgs),
    /// Opening books: look up, grow, check, merge, and solve small boards
    #[command(after_help = "Examples:\n  turncoat book show f5d6 --variant reversi\n  \
                            turncoat book grow my.book --plies 4 --depth 12")]
    Book(BookArgs),
    /// Search fixed positions of both games: the signature node count and the speed
    #[command(after_help = "Example: turncoat bench")]
    Bench,
    /// Count the leaves of the game tree
    #[command(after_help = "Example: turncoat perft 9")]
    Perft(PerftArgs),
    /// List the built-in players with their options
    #[command(after_help = "Examples:\n  turncoat players\n  \
                            turncoat players gene45 --export > mine.toml")]
    Players(PlayersArgs),
    /// Play games in colour-swapped pairs: result, Elo with error, SPRT on request
    #[command(
        name = "match",
        after_help = "Examples:\n  turncoat match greedy random --games 1000\n  \
                      turncoat match greedy random --sprt elo0=0,elo1=10 --store greedy.db"
    )]
    Match(MatchArgs),
    /// Play a round robin, gauntlet or ladder, with a live table
    #[command(after_help = "Examples:\n  turncoat tournament greedy random random --html table.html\n  \
                      turncoat tournament --show --store games.db")]
    Tournament(TournamentArgs),
    /// Test and rank the programs of a folder, for as long as it runs
    #[command(after_help = "Examples:\n  turncoat ladder class --profile course\n  \
                            turncoat ladder class --time 100ms --games 40")]
    Ladder(LadderArgs),
    /// Test a foreign program: legal moves, answers, time and memory
    #[command(
        after_help = "Examples:\n  turncoat check ai.py\n  turncoat check gtp:my-engine --variant reversi --random 50"
    )]
    Check(CheckArgs),
    /// Train and tune players: self-play, pattern weights, genetic experiments, SPSA, measurements
    #[command(after_help = "Examples:\n  turncoat train genetic experiments/smoke.toml --out runs/first\n  \
                            turncoat train probcut --eval gene45")]
    Train(TrainArgs),
    /// Run the tables and figures of a course report again, and write a page: its numbers beside ours
    #[command(
        after_help = "Examples:\n  turncoat reproduce gene45\n  turncoat reproduce --resume runs/reproduce-gene45"
    )]
    Reproduce(ReproduceArgs),
    /// Speak a protocol on standard input and output: line, nboard, gtp or botzone
    #[command(after_help = "Examples:\n  turncoat engine gtp --player turncoat:level=12\n  \
                            echo '---------------------------OX------XO--------------------------- X' | turncoat engine line")]
    Engine(EngineArgs),
    /// Export a player as one Python file, for the course's platform or Botzone
    #[command(after_help = "Examples:\n  turncoat export course --out ai.py && turncoat check ai.py\n  \
                            turncoat export botzone --player six-stage --variant reversi --out bot.py")]
    Export(ExportArgs),
    /// Convert between position and game formats
    #[command(after_help = "Examples:\n  turncoat convert f5d6c3 --to svg --out game.svg\n  \
                            turncoat convert --file docs/samples/book.txt --to board")]
    Convert(ConvertArgs),
    /// Check this program: the signature of its search, its weights, the sandbox; for bug reports
    #[command(after_help = "Example: turncoat self-check --json")]
    SelfCheck,
    /// Print the completions for a shell
    #[command(after_help = "Example: turncoat completions bash > ~/.local/share/bash-completion/completions/turncoat")]
    Completions(CompletionsArgs),
    /// Write the manual pages into a folder
    #[command(after_help = "Example: turncoat man --out ~/.local/share/man/man1")]
    Man(ManArgs),
}

/// A game from a file instead of the position.
#[derive(Debug, Args)]
pub(crate) struct FromFile {
    /// Read the game from a file instead: GGF, WTHOR (.wtb), the course's `chess_log.txt`, or one game or position as text
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Which game of the file, from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file", value_parser = parse_number)]
    pub(crate) number: usize,
}

/// `play`
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Where the game starts: a position, a transcript or "start"
    #[arg(default_value = "start", value_name = "POSITION", allow_hyphen_values = true, conflicts_with = "file")]
    pub(crate) position: String,
    /// Who plays black: "human" or a player
    #[arg(long, default_value = "human", value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) black: String,
    /// Who plays white: "human" or a player
    #[arg(long, default_value = "greedy", value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) white: String,
    #[command(flatten)]
    pub(crate) from: FromFile,
    /// Show the game so far, board by board, and play nothing
    #[arg(long)]
    pub(crate) replay: bool,
    #[command(flatten)]
    pub(crate) host: HostArgs,
}

/// `move`
#[derive(Debug, Args)]
pub(crate) struct MoveArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), "start", or - for standard input
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// Print the course's candidate list instead: all legal moves, then each better choice
    #[arg(long)]
    pub(crate) candidates: bool,
    /// The player
    #[arg(long, default_value = "turncoat", value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) player: String,
    #[command(flatten)]
    pub(crate) host: HostArgs,
    /// Time left on the clock, as in 60s; --time limits this move
    #[arg(long, value_name = "TIME", value_parser = parse_duration)]
    pub(crate) clock: Option<Duration>,
    /// Time added to the clock after each move, as in 1s
    #[arg(long, value_name = "TIME", requires = "clock", value_parser = parse_duration)]
    pub(crate) increment: Option<Duration>,
    /// Moves that the clock is for; the rest of the game if not given
    #[arg(long, value_name = "N", requires = "clock", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) moves_to_go: Option<u32>,
}

/// `analyze`
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), GGF, "start", or - for standard input
    #[arg(value_name = "POSITION", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) position: Option<String>,
    /// Analyse the whole game move by move instead of its last position
    #[arg(long)]
    pub(crate) game: bool,
    #[command(flatten)]
    pub(crate) from: FromFile,
    /// The player that analyses
    #[arg(long, default_value = "turncoat", value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) player: String,
}

/// `eval`
#[derive(Debug, Args)]
pub(crate) struct EvalArgs {
    /// A position (its cells, then X or O), a transcript (f5d6c3), "start", or - for standard input
    #[arg(value_name = "POSITION")]
    pub(crate) position: String,
    /// The player whose evaluation is shown
    #[arg(long, default_value = "turncoat", value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) player: String,
}

/// `players`
#[derive(Debug, Args)]
pub(crate) struct PlayersArgs {
    /// Show only this player
    #[arg(value_name = "PLAYER", value_parser = parse_player)]
    pub(crate) player: Option<String>,
    /// Print its parameters as a file that weights=FILE reads
    #[arg(long, requires = "player")]
    pub(crate) export: bool,
    /// Print its board tables as a picture (SVG)
    #[arg(long, requires = "player", conflicts_with = "export")]
    pub(crate) tables: bool,
}

/// `perft`
#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Plies
    #[arg(value_name = "DEPTH", value_parser = clap::value_parser!(u32).range(0..=60))]
    pub(crate) plies: u32,
    /// The position to count from
    #[arg(long, default_value = "start")]
    pub(crate) from: String,
    /// Instruction set: portable, avx2 or avx512; the best one if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) backend: Option<String>,
}

/// `convert`
#[derive(Debug, Args)]
pub(crate) struct ConvertArgs {
    /// A position, a board in lines, a transcript, a line of OBF, "start", or - for standard input
    #[arg(value_name = "INPUT", required_unless_present = "file", conflicts_with = "file")]
    pub(crate) input: Option<String>,
    /// Convert a file instead: every line, or the games of GGF, WTHOR (.wtb) or the course's `chess_log.txt`
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The output format
    #[arg(long, value_enum)]
    pub(crate) to: OutputFormat,
    /// Write to a file; an existing one is kept unless --force is given
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    pub(crate) force: bool,
    /// Mark the legal moves in the picture or the board
    #[arg(long)]
    pub(crate) legal: bool,
}

/// Formats that can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// Cells and the side to move
    Text,
    /// Moves from the start
    Transcript,
    /// Position with the scores of moves
    Obf,
    /// A game with its players, as the game servers write it
    Ggf,
    /// The course's log: a board after each disc
    ChessLog,
    /// The board in lines, for people
    Board,
    /// A picture
    Svg,
}

/// Stands before an argument that begins with a dash but is a position, so that it is not taken for an
/// option; readers drop it.
const GUARD: char = '\u{1}';

/// Marks an argument that begins with a dash and is meant as a position: its first word is made of cells alone, or as long
/// as the smallest board and not written as an option, which is two dashes and a small letter.
fn protect_position(argument: OsString) -> OsString {
    let Some(text) = argument.to_str().filter(|text| text.starts_with('-')) else {
        return argument;
    };
    let word = text.split_whitespace().next().unwrap_or_default();
    let is_option = || text.strip_prefix("--").is_some_and(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    let all_cells = word.len() >= 3 && word.chars().all(|c| Cell::from_char(c).is_some());
    if all_cells || word.len() >= 16 && !is_option() { format!("{GUARD}{text}").into() } else { argument }
}

/// The arguments as they are parsed: positions are marked, and `help` shows the same with `--help` after it.
pub(crate) fn prepared(arguments: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.map(protect_position).collect();
    if arguments.get(1).is_some_and(|command| command == "help") {
        arguments.retain(|argument| argument != "--help" && argument != "-h");
    }
    arguments
}

/// An argument without the mark of [`protect_position`].
pub(crate) fn unprotected(text: &str) -> &str {
    text.strip_prefix(GUARD).unwrap_or(text)
}

/// Checks that a player's text has a name, so that the error says where it is missing.
pub(crate) fn parse_player(text: &str) -> Result<String, String> {
    check_name(text).map(|_| text.to_owned()).map_err(|error| error.fault)
}

fn parse_variant(text: &str) -> Result<VariantKind, String> {
    text.parse().map_err(|error: turncoat_board::UnknownVariant| error.to_string())
}

fn parse_number(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) | Err(_) => Err("games are numbered from 1".to_owned()),
        Ok(number) => Ok(number),
    }
}

fn parse_size(text: &str) -> Result<Geometry, String> {
    let side = text.parse::<u8>().map_err(|_| "sizes are 8, 6 and 4".to_owned())?;
    Geometry::from_side(side).map_err(|error| error.to_string())
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
    fn a_long_option_is_no_position() {
        let protects = |text: &str| protect_position(text.into()).to_str() != Some(text);
        for option in ["--variant=reversed", "--moves-to-go=20", "--a-very-long-option", "-q"] {
            assert!(!protects(option), "{option}");
        }
        for position in ["--XO------------ X", "--xo", "-----Q----------", "--X-Q-----------"] {
            assert!(protects(position), "{position}");
        }
    }
}
