//! A reproduction in its folder.
//!
//! | file | holds |
//! |---|---|
//! | `settings.toml`, `settings.digest` | the report, the scale and the seed |
//! | `PART.json` | what a part came to |
//! | `runs/` | the genetic runs |
//! | `report.html` | the page, written anew after each part |

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use turncoat_players::StopFlag;

use super::{Context, Outcome, PAGE, Part, Report, ReproduceError, Scale, page};
use crate::run_folder::{Digest, FolderError, RunFolder, RunKind, settings};

/// What a reproduction depends on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ReproduceSettings {
    /// The player of the report.
    pub(super) report: String,
    scale: Scale,
    seed: u64,
}

impl ReproduceSettings {
    pub(super) fn fault(&self) -> Option<String> {
        Report::find(&self.report).err().map(|error| error.to_string())
    }
}

/// A report's parts in a folder, where no other process works as long as this lives.
#[derive(Debug)]
pub struct Reproduction {
    folder: RunFolder,
    settings: ReproduceSettings,
    report: Report,
    done: BTreeMap<String, Outcome>,
}

/// How far a reproduction has come.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// This part is done, in so many seconds.
    Part(String, f64),
    /// All are.
    Complete,
    /// The flag was raised.
    Interrupted,
}

impl Reproduction {
    /// Begins with a report in a new folder.
    ///
    /// # Errors
    /// If there is no such report, or the folder has anything in it.
    pub fn create(report: &str, scale: Scale, seed: u64, folder: &Path) -> Result<Self, ReproduceError> {
        Report::find(report)?;
        let settings = ReproduceSettings { report: report.to_owned(), scale, seed };
        let folder = settings::begin(&settings, folder, RunKind::Reproduction)?;
        Digest::new(&settings, &folder)?.write(&folder)?;
        Self::open(folder, settings)
    }

    /// Resumes the reproduction of a folder.
    ///
    /// # Errors
    /// If there is none, or a file of it is not what was written.
    pub fn resume(folder: &Path) -> Result<Self, ReproduceError> {
        let (folder, settings) = settings::resume(folder, RunKind::Reproduction, ReproduceSettings::fault)?;
        let digest = Digest::new(&settings, &folder)?;
        if !digest.check(&folder)? {
            digest.write(&folder)?;
        }
        Self::open(folder, settings)
    }

    fn open(folder: RunFolder, settings: ReproduceSettings) -> Result<Self, ReproduceError> {
        let report = Report::find(&settings.report)?;
        let mut done = BTreeMap::new();
        for part in &report.parts {
            let path = folder.file(&name_of(part));
            if path.exists() {
                let text = fs::read_to_string(&path).map_err(FolderError::io(&path))?;
                let outcome = serde_json::from_str(&text).map_err(|error| FolderError::damaged(path, error))?;
                done.insert(part.id.clone(), outcome);
            }
        }
        Ok(Self { folder, settings, report, done })
    }

    /// The report.
    pub const fn report(&self) -> &Report {
        &self.report
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How many parts are done, of those that can be run.
    pub fn done(&self) -> (usize, usize) {
        (self.done.len(), self.report.parts.iter().filter(|part| part.can_be_run()).count())
    }

    /// What the parts came to, by their names.
    pub const fn outcomes(&self) -> &BTreeMap<String, Outcome> {
        &self.done
    }

    /// Does the next part, or finishes after the last one. `hear` is told what is under way.
    ///
    /// # Errors
    /// If a player fails or something cannot be written; what is done stays.
    pub fn step(&mut self, stop: &StopFlag, hear: &(dyn Fn(&str) + Sync)) -> Result<Step, ReproduceError> {
        let next = self.report.parts.iter().find(|part| part.can_be_run() && !self.done.contains_key(&part.id));
        let Some(part) = next else {
            self.write_page()?;
            return Ok(Step::Complete);
        };
        let runs = self.folder.file("runs");
        let ReproduceSettings { scale, seed, .. } = self.settings;
        let context = Context { folder: &runs, scale, seed, stop, hear };
        let Some(outcome) = part.run(&self.report, context)? else {
            return Ok(Step::Interrupted);
        };
        let (id, seconds, name) = (part.id.clone(), outcome.seconds, name_of(part));
        let text =
            serde_json::to_string(&outcome).map_err(|error| FolderError::io(self.folder.file(&name))(error.into()))?;
        self.folder.replace(&name, text + "\n")?;
        self.done.insert(id.clone(), outcome);
        self.write_page()?;
        Ok(Step::Part(id, seconds))
    }

    fn write_page(&self) -> Result<(), FolderError> {
        let scale = self.settings.scale;
        self.folder.replace(PAGE, page::page(&self.report, &self.done, scale, self.settings.seed))
    }
}

/// The file of a part.
pub(super) fn name_of(part: &Part) -> String {
    format!("{}.json", part.id)
}
