//! The files that a run writes at its end.

use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use turncoat_arena::report::{self, Report};

use crate::args::ArenaArgs;
use crate::failure::misuse;

type Make = fn(&Report<'_>) -> String;

/// Files to be written, each with what makes it.
pub(super) struct Files(Vec<(PathBuf, Make)>);

impl Files {
    /// Finds out before the first game whether they can be written after the last one.
    pub(super) fn check(args: &ArenaArgs) -> Result<Self> {
        let asked: [(&Option<PathBuf>, Make); 4] = [
            (&args.html, report::page),
            (&args.csv, report::table_csv),
            (&args.games_csv, report::games_csv),
            (&args.export, report::transcripts),
        ];
        let files: Vec<(PathBuf, Make)> = asked
            .into_iter()
            .filter_map(|(path, make)| Some((path.clone()?, make)))
            .collect();
        for (index, (path, _)) in files.iter().enumerate() {
            let twice = files[..index].iter().any(|(other, _)| other == path);
            if twice || args.store.as_ref() == Some(path) {
                return Err(misuse(format!(
                    "{}: two things cannot be written to one file",
                    path.display()
                )));
            }
            if path.is_dir() {
                return Err(misuse(format!("{} is a folder", path.display())));
            }
            if path.exists() && !args.force {
                return Err(misuse(format!(
                    "{} exists already: --force overwrites it",
                    path.display()
                )));
            }
            let part = part_of(path);
            create(&part)
                .and_then(|_| Ok(fs::remove_file(&part)?))
                .with_context(|| path.display().to_string())?;
        }
        Ok(Self(files))
    }

    /// Writes them, each as a whole: first beside its place, then into it.
    pub(super) fn write(&self, report: &Report<'_>) -> Result<()> {
        for (path, make) in &self.0 {
            let part = part_of(path);
            let written = create(&part).and_then(|mut file| {
                file.write_all(make(report).as_bytes())?;
                file.sync_all()?;
                fs::rename(&part, path)?;
                Ok(())
            });
            if let Err(error) = written {
                let _ = fs::remove_file(&part);
                return Err(error.context(path.display().to_string()));
            }
        }
        Ok(())
    }
}

/// The name under which a file is written before it takes its place.
fn part_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".part-{}", std::process::id()));
    name.into()
}

fn create(path: &Path) -> Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    Ok(options.open(path)?)
}
