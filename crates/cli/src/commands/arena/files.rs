//! The files that a run writes at its end.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use turncoat_arena::report::{self, Report};
use turncoat_util::StagedFile;

use crate::args::ArenaArgs;
use crate::failure::misuse;

type Make = fn(&Report<'_>) -> String;

/// The files to write, each with its maker.
pub(super) struct OutputFiles {
    files: Vec<(PathBuf, Make)>,
    force: bool,
}

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
        let force = args.force;
        Ok(Self { files, force })
    }

    /// Writes them, each as a whole: first beside its place, then into it. All are tried; the first error
    /// is returned.
    pub(super) fn write(&self, report: &Report<'_>) -> Result<()> {
        let write = |(path, make): &(PathBuf, Make)| {
            write_one(path, &make(report), self.force).with_context(|| path.display().to_string())
        };
        let written: Vec<Result<()>> = self.files.iter().map(write).collect();
        written.into_iter().collect()
    }
}

fn check_one(path: &Path, force: bool) -> Result<()> {
    if path.is_dir() {
        return Err(misuse(format!("{} is a folder", path.display())));
    }
    if path.exists() && !force {
        return Err(misuse(format!("{} exists already: --force overwrites it", path.display())));
    }
    StagedFile::create(path).map(drop).with_context(|| path.display().to_string())
}

fn write_one(path: &Path, text: &str, force: bool) -> Result<()> {
    let mut file = StagedFile::create(path)?;
    file.write_all(text.as_bytes())?;
    if force {
        return Ok(file.replace()?);
    }
    // Something may have come there while the games were played.
    file.keep_new().map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!("it was created during the run and is left as it is"),
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
