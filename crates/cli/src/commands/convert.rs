//! `convert`: between position and game formats.

use std::io::{self, BufReader, BufWriter, StdoutLock, Write};
use std::path::PathBuf;

use anyhow::{Context, Result};
use turncoat_board::{Game, Move, Position};
use turncoat_record::Record;
use turncoat_record::diagram::{self, Blocks};
use turncoat_record::ggf::{self, Ggf};
use turncoat_record::lines::LineError;
use turncoat_record::obf::{self, ScoredPosition};
use turncoat_record::svg::{self, Marks};
use turncoat_record::{chess_log, input, transcript};
use turncoat_util::OutputFile;

use super::{open, read_records};
use crate::args::{Common, ConvertArgs, OutputFormat, unprotected};
use crate::failure::{Misuse, misuse, output_failure};
use crate::view::board::{BoardView, capital};

/// What a line of input held.
struct Item {
    record: Record,
    scores: Vec<(Move, turncoat_board::Score)>,
    /// Whether the moves that lead to the position are known.
    has_moves: bool,
}

impl Item {
    const fn new(record: Record) -> Self {
        Self { record, scores: Vec::new(), has_moves: true }
    }
}

pub(super) fn run(args: &ConvertArgs, common: &Common) -> Result<()> {
    if args.legal && !matches!(args.to, OutputFormat::Svg | OutputFormat::Board) {
        return Err(misuse("--legal is for --to svg and --to board"));
    }
    let mut out = Output::new(args);
    let mut items = 0;
    let mut put = |item: &Item| -> Result<()> {
        items += 1;
        if args.to == OutputFormat::Svg && items > 1 {
            return Err(misuse("a picture shows one position, but the input has more"));
        }
        let text = write_item(item, args)?;
        // Boards are drawn with an empty line before them, which keeps them apart.
        let text = if items == 1 { text.trim_start_matches('\n') } else { &text };
        out.line(text.trim_end())
    };
    let mut take = |line: &str| match read_item(line, common)? {
        Some(item) => put(&item),
        None => Ok(()),
    };
    let records = match &args.file {
        Some(path) => read_records(path, common)?,
        None => None,
    };
    match (&args.file, args.input.as_deref()) {
        (Some(_), _) if records.is_some() => {
            for record in records.into_iter().flatten() {
                put(&Item::new(record))?;
            }
        }
        (Some(path), _) => {
            each_line(open(path)?, &path.display().to_string(), &mut take)?;
        }
        (None, Some("-")) => each_line(BufReader::new(io::stdin()), "standard input", &mut take)?,
        (None, Some(text)) => take(unprotected(text))?,
        (None, None) => return Err(misuse("there is nothing to convert")),
    }
    if items == 0 {
        let name = args.file.as_ref().map_or("the input".to_owned(), |path| path.display().to_string());
        return Err(misuse(format!("{name} holds neither a position nor a game")));
    }
    out.finish()
}

fn each_line(reader: impl io::BufRead, name: &str, take: &mut dyn FnMut(&str) -> Result<()>) -> Result<()> {
    for line in Blocks::new(reader) {
        let (number, text) = line.map_err(|error| match error {
            LineError::Unreadable { source, .. } => anyhow::Error::new(source).context(name.to_owned()),
            other => misuse(format!("{name}: {other}")),
        })?;
        if text.trim().is_empty() {
            continue;
        }
        take(&text).map_err(|error| {
            // Only what is wrong with the line is the line's fault.
            if error.is::<Misuse>() { misuse(format!("{name}, line {number}: {error}")) } else { error }
        })?;
    }
    Ok(())
}

fn read_item(line: &str, common: &Common) -> Result<Option<Item>> {
    // A comment may follow anything.
    let line = line.split('%').next().unwrap_or_default();
    if line.trim().is_empty() {
        return Ok(None);
    }
    if ggf::looks_like(line) || chess_log::looks_like(line) {
        let game = input::parse(line, common.variant(), common.geometry()).map_err(misuse)?;
        return Ok(Some(Item::new(Record::new(game))));
    }
    if line.contains(';') {
        let entry = obf::parse_line(line, common.geometry()).map_err(|error| misuse(format!("not OBF: {error}")))?;
        return Ok(entry.map(|ScoredPosition { position, scores }| Item {
            record: Record::new(Game::from_position(common.variant(), position)),
            scores,
            has_moves: false,
        }));
    }
    let game = input::parse(line, common.variant(), common.geometry()).map_err(misuse)?;
    let has_moves = !diagram::looks_like(line) && (transcript::looks_like(line) || line.trim() == "start");
    Ok(Some(Item { record: Record::new(game), scores: Vec::new(), has_moves }))
}

fn write_item(item: &Item, args: &ConvertArgs) -> Result<String> {
    let game = &item.record.game;
    let position = game.position();
    let from_start = game.start() == Position::start(game.geometry());
    Ok(match args.to {
        OutputFormat::Text => position.to_string(),
        OutputFormat::Transcript | OutputFormat::ChessLog if !item.has_moves || !from_start => {
            return Err(misuse("a position has no transcript: the moves that led to it are unknown"));
        }
        OutputFormat::Transcript => transcript::write(game),
        OutputFormat::ChessLog => chess_log::write(game),
        OutputFormat::Ggf => ggf::write(&Ggf::new(item.record.clone())),
        OutputFormat::Obf => obf::write(&ScoredPosition { position, scores: item.scores.clone() }),
        OutputFormat::Board => draw(game, args),
        OutputFormat::Svg => {
            let last = game.moves().iter().rev().find_map(|m| m.square());
            svg::draw(position, Marks { last, legal: args.legal })
        }
    })
}

/// The board as the terminal shows it, and who moves.
fn draw(game: &Game, args: &ConvertArgs) -> String {
    let terminal = BoardView::for_terminal();
    let view = BoardView { colours: terminal.colours && args.out.is_none(), legal: args.legal };
    let position = game.position();
    let last = game.moves().iter().rev().find_map(|m| m.square());
    let mut drawing = view.draw(position, last);
    if !position.is_over() {
        drawing += &format!("\n   {} to move", capital(position.side()));
    }
    drawing
}

/// Where the result goes: standard output, or a file that is put in its place when everything was written.
/// Until then a file of that name stays as it is, also when it is the one being read.
struct Output<'a> {
    args: &'a ConvertArgs,
    sink: Option<Sink>,
}

enum Sink {
    Standard(StdoutLock<'static>),
    File(BufWriter<OutputFile>, PathBuf),
}

impl<'a> Output<'a> {
    const fn new(args: &'a ConvertArgs) -> Self {
        Self { args, sink: None }
    }

    /// Opened only once there is something to write: a bad input leaves no file.
    fn open(&self) -> Result<Sink> {
        let Some(path) = &self.args.out else {
            return Ok(Sink::Standard(io::stdout().lock()));
        };
        let file = OutputFile::create(path, self.args.force).map_err(|error| output_failure(path, error))?;
        Ok(Sink::File(BufWriter::new(file), path.clone()))
    }

    fn line(&mut self, text: &str) -> Result<()> {
        if self.sink.is_none() {
            self.sink = Some(self.open()?);
        }
        match self.sink.as_mut() {
            Some(Sink::Standard(out)) => Ok(writeln!(out, "{text}")?),
            Some(Sink::File(out, path)) => writeln!(out, "{text}").with_context(|| path.display().to_string()),
            None => Ok(()),
        }
    }

    fn finish(self) -> Result<()> {
        match self.sink {
            None => Ok(()),
            Some(Sink::Standard(mut out)) => Ok(out.flush()?),
            Some(Sink::File(out, path)) => {
                let file = out.into_inner().map_err(io::IntoInnerError::into_error);
                file.and_then(OutputFile::finish).with_context(|| path.display().to_string())
            }
        }
    }
}
