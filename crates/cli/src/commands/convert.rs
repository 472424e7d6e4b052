//! `convert`: between position and game formats.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, BufWriter, Write};

use anyhow::{Context, Result};
use turncoat_board::{Game, Move};
use turncoat_record::lines::Lines;
use turncoat_record::obf::{self, Entry};
use turncoat_record::svg::{self, Marks};
use turncoat_record::{input, transcript};

use crate::args::{Common, ConvertArgs, Format};
use crate::failure::misuse;

/// What a line of input held.
struct Item {
    game: Game,
    scores: Vec<(Move, turncoat_board::Score)>,
    /// Whether the moves that lead to the position are known.
    has_moves: bool,
}

pub(super) fn run(args: &ConvertArgs, common: &Common) -> Result<()> {
    // The output is opened only once the first item was read: a bad input leaves no empty file.
    let mut out: Option<Box<dyn Write>> = None;
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
        let text = write_item(&item, args)?;
        if out.is_none() {
            out = Some(open_output(args)?);
        }
        writeln!(
            out.as_mut().expect("it was just opened"),
            "{}",
            text.trim_end()
        )?;
        Ok(())
    };
    match (&args.file, args.input.as_deref()) {
        (Some(path), _) => {
            let file = File::open(path).with_context(|| path.display().to_string())?;
            each_line(BufReader::new(file), &path.display().to_string(), &mut take)?;
        }
        (None, Some("-")) => each_line(BufReader::new(io::stdin()), "standard input", &mut take)?,
        (None, Some(text)) => {
            super::refuse_option(text)?;
            take(text)?;
        }
        (None, None) => return Err(misuse("there is nothing to convert")),
    }
    if items == 0 {
        return Err(misuse("the input holds no position and no game"));
    }
    if let Some(mut out) = out {
        out.flush()?;
    }
    Ok(())
}

fn each_line(
    reader: impl io::BufRead,
    name: &str,
    take: &mut dyn FnMut(&str) -> Result<()>,
) -> Result<()> {
    for line in Lines::new(reader) {
        let (number, text) = line.map_err(|error| misuse(format!("{name}: {error}")))?;
        if text.trim().is_empty() {
            continue;
        }
        take(&text).map_err(|error| match error.downcast::<io::Error>() {
            Ok(broken) => anyhow::Error::new(broken),
            Err(other) => misuse(format!("{name}, line {number}: {other}")),
        })?;
    }
    Ok(())
}

fn read_item(line: &str, common: &Common) -> Result<Option<Item>> {
    if line.contains([';', '%']) {
        let entry = obf::parse_line(line, common.size).map_err(misuse)?;
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

fn open_output(args: &ConvertArgs) -> Result<Box<dyn Write>> {
    let Some(path) = &args.out else {
        return Ok(Box::new(io::stdout().lock()));
    };
    let mut options = OpenOptions::new();
    options.write(true);
    let options = if args.force {
        options.create(true).truncate(true)
    } else {
        options.create_new(true)
    };
    let file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => misuse(format!(
            "{} exists already: --force overwrites it",
            path.display()
        )),
        _ => anyhow::Error::new(error).context(path.display().to_string()),
    })?;
    Ok(Box::new(BufWriter::new(file)))
}
