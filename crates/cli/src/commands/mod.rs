//! One file a command.

mod analyze;
mod arena;
mod bench;
mod book;
mod check;
mod completions;
mod convert;
mod engine;
mod eval;
mod export;
mod ladder;
mod man;
mod move_;
mod perft;
mod play;
mod players;
mod replay;
mod self_check;
mod serve;
mod signals;
mod solve;
mod train;

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;

use anyhow::{Context, Result};
use turncoat_board::Game;
use turncoat_host::Hosting;
use turncoat_players::{Roster, Spec};
use turncoat_record::Record;
use turncoat_record::file::{self, GameFileError};
use turncoat_record::input;
use turncoat_record::lines::LONGEST_LINE;
use turncoat_util::{read_bounded, without_bom};

use crate::args::{Cli, Command, Common, FromFile, unprotected};
use crate::failure::misuse;
use crate::origin::Origin;

pub(crate) use book::BookArgs;
pub(crate) use check::CheckArgs;
pub(crate) use completions::CompletionsArgs;
pub(crate) use engine::EngineArgs;
pub(crate) use export::ExportArgs;
pub(crate) use ladder::LadderArgs;
pub(crate) use man::ManArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use solve::SolveArgs;
pub(crate) use train::{ReproduceArgs, TrainArgs};

/// The built-in player of a text. Programs answer with a move and nothing more, so not every command can use them.
fn built_in(text: &str, command: &str) -> Result<Spec> {
    let spec = Roster::default().with_programs(Hosting::default()).parse(text).map_err(misuse)?;
    if !spec.is_built_in() {
        return Err(misuse(format!(
            "{spec}: {command} cannot use foreign programs, which answer with a move alone; move and play can"
        )));
    }
    Ok(spec)
}

/// Runs the command that was asked for.
pub(crate) fn run(cli: Cli, origin: Origin) -> Result<()> {
    let common = &cli.common;
    match cli.command {
        None => serve::run(&ServeArgs::default(), common),
        Some(Command::Serve(args)) => serve::run(&args, common),
        Some(Command::Play(args)) => play::run(&args, common),
        Some(Command::Move(args)) => move_::run(&args, common),
        Some(Command::Solve(args)) => solve::run(&args, common),
        Some(Command::Analyze(args)) => analyze::run(&args, common),
        Some(Command::Bench) => bench::run(common),
        Some(Command::Perft(args)) => perft::run(&args, common),
        Some(Command::Eval(args)) => eval::run(&args, common),
        Some(Command::Players(args)) => players::run(&args, common),
        Some(Command::Match(args)) => arena::run_match(&args, common),
        Some(Command::Tournament(args)) => arena::run_tournament(&args, common),
        Some(Command::Ladder(args)) => ladder::run(&args, common),
        Some(Command::Train(args)) => train::run(&args, common),
        Some(Command::Reproduce(args)) => train::reproduce(&args, common),
        Some(Command::Book(args)) => book::run(&args, common),
        Some(Command::Check(args)) => check::run(&args, common),
        Some(Command::Engine(args)) => engine::run(&args, common),
        Some(Command::Export(args)) => export::run(&args, common),
        Some(Command::Convert(args)) => convert::run(&args, common),
        Some(Command::SelfCheck) => self_check::run(origin, common),
        Some(Command::Completions(args)) => completions::run(&args),
        Some(Command::Man(args)) => man::run(&args),
    }
}

/// Reads what stands where a command wants a position: its text, a transcript, `start`, or `-` for
/// standard input.
fn read_position(text: &str, common: &Common) -> Result<Game> {
    let text = match unprotected(text) {
        "-" => read_all(io::stdin(), "standard input")?,
        text => text.to_owned(),
    };
    input::parse(&text, common.variant(), common.geometry()).map_err(misuse)
}

/// The game that a command is about: of its argument, or the one with this number of a file.
fn read_game(text: &str, file: &FromFile, common: &Common) -> Result<Game> {
    let Some(path) = &file.file else {
        return read_position(text, common);
    };
    let records = match read_records(path, common)? {
        Some(records) => records,
        None => vec![Record::new(read_text(path, common)?)],
    };
    let count = records.len();
    let record = records.into_iter().nth(file.number - 1);
    record
        .map(|record| record.game)
        .ok_or_else(|| misuse(format!("{} has {count} games: there is no number {}", path.display(), file.number)))
}

/// The games of a file that is GGF, WTHOR or a log of the course.
fn read_records(path: &Path, common: &Common) -> Result<Option<Vec<Record>>> {
    file::read(path, common.variant()).map_err(|error| match error {
        GameFileError::Io { .. } => anyhow::Error::new(error),
        _ => misuse(error),
    })
}

/// Opens a file to be read line by line.
fn open(path: &Path) -> Result<BufReader<File>> {
    let open = || {
        let file = File::open(path)?;
        if file.metadata()?.is_dir() {
            return Err(io::Error::from(io::ErrorKind::IsADirectory));
        }
        Ok(file)
    };
    let file = open().with_context(|| path.display().to_string())?;
    Ok(BufReader::new(file))
}

/// The game or position that is the whole text of a file.
fn read_text(path: &Path, common: &Common) -> Result<Game> {
    let name = path.display().to_string();
    let text = read_all(open(path)?, &name)?;
    input::parse(&text, common.variant(), common.geometry()).map_err(|error| misuse(format!("{name}: {error}")))
}

/// All of a stream, as long as it is no longer than any position or game can be.
fn read_all(reader: impl Read, name: &str) -> Result<String> {
    let bytes = read_bounded(reader, LONGEST_LINE as u64).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => {
            misuse(format!("{name} is longer than {LONGEST_LINE} bytes, too long for a position"))
        }
        _ => anyhow::Error::new(error).context(name.to_owned()),
    })?;
    String::from_utf8(bytes)
        .map(without_bom)
        .map_err(|error| misuse(format!("{name}, byte {}: not text", error.utf8_error().valid_up_to() + 1)))
}
