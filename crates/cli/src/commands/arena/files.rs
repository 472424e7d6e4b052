//! The files that a run writes at its end.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use turncoat_arena::report::{self, Report};
use turncoat_util::{OutputError, OutputFile};

use crate::args::ArenaArgs;
use crate::failure::{misuse, output_failure};

type Make = fn(&Report<'_>) -> String;

/// The files to write, each with its maker.
pub(super) struct OutputFiles {
    files: Vec<(PathBuf, Make)>,
    /// A folder for everything.
    archive: Option<PathBuf>,
    force: bool,
}

/// The files of an archive beside the logs.
const ARCHIVED: [(&str, Make); 4] = [
    ("index.html", report::page),
    ("table.csv", report::table_csv),
    ("games.csv", report::games_csv),
    ("games.txt", report::transcripts),
];

impl OutputFiles {
    /// Finds out before the first game whether they can be written after the last one.
    pub(super) fn check(args: &ArenaArgs) -> Result<Self> {
        let asked: [(&Option<PathBuf>, Make); 4] = [
            (&args.html, report::page),
            (&args.csv, report::table_csv),
            (&args.games_csv, report::games_csv),
            (&args.export, report::transcripts),
        ];
        let files: Vec<(PathBuf, Make)> =
            asked.into_iter().filter_map(|(path, make)| Some((path.clone()?, make))).collect();
        let mut taken = args.store.as_deref().map_or_else(Vec::new, of_store);
        for (path, _) in &files {
            let place = place_of(path);
            if taken.contains(&place) {
                return Err(misuse(format!("{}: two outputs cannot share a file", path.display())));
            }
            taken.push(place);
            check_one(path, args.force)?;
        }
        let (force, archive) = (args.force, args.archive.clone());
        if let Some(folder) = &archive {
            check_archive(folder, force)?;
        }
        Ok(Self { files, archive, force })
    }

    /// Writes them, each as a whole: first beside its place, then into it. All are tried; the first error
    /// is returned.
    pub(super) fn write(&self, report: &Report<'_>) -> Result<()> {
        let write = |(path, make): &(PathBuf, Make)| {
            write_one(path, &make(report), self.force).with_context(|| path.display().to_string())
        };
        let written: Vec<Result<()>> = self.files.iter().map(write).collect();
        let archived = self.archive.as_deref().map_or(Ok(()), |folder| self.write_archive(folder, report));
        written.into_iter().collect::<Result<()>>().and(archived)
    }

    /// Writes the folder: pages that any server of files can show, and the log of each game.
    fn write_archive(&self, folder: &Path, report: &Report<'_>) -> Result<()> {
        let logs = folder.join("logs");
        fs::create_dir_all(&logs).with_context(|| logs.display().to_string())?;
        let write =
            |path: PathBuf, text: &str| write_one(&path, text, self.force).with_context(|| path.display().to_string());
        for (name, make) in ARCHIVED {
            write(folder.join(name), &make(report))?;
        }
        for game in report.results.games() {
            if let Some(log) = report::chess_log(report.plan, game.start.as_deref(), &game.moves) {
                write(logs.join(format!("game-{:05}.json", game.fixture.number + 1)), &log)?;
            }
        }
        Ok(())
    }
}

/// A folder may be written into if there is nothing in it, or it may be overwritten.
fn check_archive(folder: &Path, force: bool) -> Result<()> {
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(false) if !force => {
            Err(misuse(format!("{}: there is something in this folder; --force overwrites it", folder.display())))
        }
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(misuse(format!("{}: {error}", folder.display()))),
        _ => Ok(()),
    }
}

fn check_one(path: &Path, force: bool) -> Result<()> {
    OutputFile::check(path, force).map_err(|error| output_failure(path, error))
}

fn write_one(path: &Path, text: &str, force: bool) -> Result<()> {
    // Something may have come there while the games were played.
    let appeared = || anyhow!("it was created during the run and is left as it is");
    let mut file = OutputFile::create(path, force).map_err(|error| match error {
        OutputError::Exists => appeared(),
        error => error.into(),
    })?;
    file.write_all(text.as_bytes())?;
    file.finish().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => appeared(),
        _ => error.into(),
    })
}

/// The places of a store and of the files that go with it.
fn of_store(store: &Path) -> Vec<PathBuf> {
    let place = place_of(store);
    let ends = ["", "-wal", "-shm", "-journal", "-lock", "-new"];
    ends.map(|end| with_end(&place, end)).to_vec()
}

/// Where a path leads, so that two spellings of it are one.
fn place_of(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize();
    match (folder, path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}
