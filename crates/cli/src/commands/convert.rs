//! `convert`: between position and game formats.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, StdoutLock, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use tempfile::NamedTempFile;
use turncoat_board::{Game, Move};
use turncoat_record::lines::{LineError, Lines};
use turncoat_record::obf::{self, Entry};
use turncoat_record::svg::{self, Marks};
use turncoat_record::{input, transcript};

use super::open;
use crate::args::{Common, ConvertArgs, Format, unprotected};
use crate::failure::{Misuse, misuse};

/// What a line of input held.
struct Item {
    game: Game,
    scores: Vec<(Move, turncoat_board::Score)>,
    /// Whether the moves that lead to the position are known.
    has_moves: bool,
}

pub(super) fn run(args: &ConvertArgs, common: &Common) -> Result<()> {
    if args.legal && args.to != Format::Svg {
        return Err(misuse(
            "--legal marks moves in a picture: it goes with --to svg",
        ));
    }
    let mut out = Output::new(args);
    let mut items = 0;
    let mut take = |line: &str| -> Result<()> {
        let Some(item) = read_item(line, common)? else {
            return Ok(());
        };
        items += 1;
        if args.to == Format::Svg && items > 1 {
            return Err(misuse(
                "a picture shows one position, and the input has more",
            ));
        }
        out.line(write_item(&item, args)?.trim_end())
    };
    match (&args.file, args.input.as_deref()) {
        (Some(path), _) => {
            each_line(open(path)?, &path.display().to_string(), &mut take)?;
        }
        (None, Some("-")) => each_line(BufReader::new(io::stdin()), "standard input", &mut take)?,
        (None, Some(text)) => take(unprotected(text))?,
        (None, None) => return Err(misuse("there is nothing to convert")),
    }
    if items == 0 {
        return Err(misuse("the input holds no position and no game"));
    }
    out.finish()
}

fn each_line(
    reader: impl io::BufRead,
    name: &str,
    take: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<()> {
    for line in Lines::new(reader) {
        let (number, text) = line.map_err(|error| match error {
            LineError::Unreadable { source, .. } => {
                anyhow::Error::new(source).context(name.to_owned())
            }
            other => misuse(format!("{name}: {other}")),
        })?;
        if text.trim().is_empty() {
            continue;
        }
        take(&text).map_err(|error| {
            // Only what is wrong with the line is the line's fault.
            if error.is::<Misuse>() {
                misuse(format!("{name}, line {number}: {error}"))
            } else {
                error
            }
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
    if line.contains(';') {
        let entry = obf::parse_line(line, common.size)
            .map_err(|error| misuse(format!("not OBF: {error}")))?;
        return Ok(entry.map(|Entry { position, scores }| Item {
            game: Game::from_position(common.variant, position),
            scores,
            has_moves: false,
        }));
    }
    let game = input::parse(line, common.variant, common.size).map_err(misuse)?;
    let has_moves = transcript::looks_like(line) || line.trim() == "start";
    Ok(Some(Item {
        game,
        scores: Vec::new(),
        has_moves,
    }))
}

fn write_item(item: &Item, args: &ConvertArgs) -> Result<String> {
    let position = item.game.position();
    Ok(match args.to {
        Format::Text => position.to_string(),
        Format::Transcript if !item.has_moves => {
            return Err(misuse(
                "a position has no transcript: the moves that led to it are unknown",
            ));
        }
        Format::Transcript => transcript::write(&item.game),
        Format::Obf => obf::write(&Entry {
            position,
            scores: item.scores.clone(),
        }),
        Format::Svg => {
            let last = item.game.moves().iter().rev().find_map(|m| m.square());
            svg::draw(
                position,
                Marks {
                    last,
                    legal: args.legal,
                },
            )
        }
    })
}

/// Where the result goes: standard output, or a file that is put in its place when everything was written.
/// Until then a file of that name stays as it is, also when it is the one being read.
struct Output<'a> {
    args: &'a ConvertArgs,
    sink: Option<Sink>,
}

enum Sink {
    Standard(StdoutLock<'static>),
    /// A plain file, written beside its place first.
    Staged(BufWriter<NamedTempFile>, PathBuf),
    /// A device or a pipe, which cannot be replaced.
    Device(BufWriter<File>, PathBuf),
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
        let name = || path.display().to_string();
        match path.metadata() {
            Ok(data) if !data.is_file() => {
                let file = OpenOptions::new()
                    .write(true)
                    .open(path)
                    .with_context(name)?;
                return Ok(Sink::Device(BufWriter::new(file), path.clone()));
            }
            Ok(_) if !self.args.force => {
                return Err(misuse(format!(
                    "{} exists already: --force overwrites it",
                    path.display()
                )));
            }
            _ => {}
        }
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let staged = NamedTempFile::new_in(folder.unwrap_or(Path::new("."))).with_context(name)?;
        Ok(Sink::Staged(BufWriter::new(staged), path.clone()))
    }

    fn line(&mut self, text: &str) -> Result<()> {
        if self.sink.is_none() {
            self.sink = Some(self.open()?);
        }
        match self.sink.as_mut() {
            Some(Sink::Standard(out)) => Ok(writeln!(out, "{text}")?),
            Some(Sink::Staged(out, path)) => {
                writeln!(out, "{text}").with_context(|| path.display().to_string())
            }
            Some(Sink::Device(out, path)) => {
                writeln!(out, "{text}").with_context(|| path.display().to_string())
            }
            None => Ok(()),
        }
    }

    fn finish(self) -> Result<()> {
        match self.sink {
            None => Ok(()),
            Some(Sink::Standard(mut out)) => Ok(out.flush()?),
            Some(Sink::Device(mut out, path)) => {
                out.flush().with_context(|| path.display().to_string())
            }
            Some(Sink::Staged(out, path)) => {
                let name = || path.display().to_string();
                let staged = out
                    .into_inner()
                    .map_err(io::IntoInnerError::into_error)
                    .with_context(name)?;
                // A temporary file is private; the result is as open as any other new file.
                set_usual_permissions(staged.as_file()).with_context(name)?;
                let kept = if self.args.force {
                    staged.persist(&path)
                } else {
                    staged.persist_noclobber(&path)
                };
                kept.map_err(|error| error.error).with_context(name)?;
                Ok(())
            }
        }
    }
}

#[cfg(unix)]
fn set_usual_permissions(file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.set_permissions(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn set_usual_permissions(_file: &File) -> io::Result<()> {
    Ok(())
}
