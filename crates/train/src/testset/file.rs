//! A test set as a file: OBF with the plan in a comment, and a comment after the positions of each game.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;
use turncoat_board::{Board, Geometry, VariantKind};
use turncoat_record::obf::{self, ObfReadError, ScoredPosition};
use turncoat_util::shell::quote;
use turncoat_util::{FileLock, LockError, read_file};

use super::{PlanFault, TestsetPlan};

/// Before the plan.
const PLAN: &str = "% plan ";
/// Before the number of the game whose positions end here. What lies after the last one is not whole.
const GAME: &str = "% game ";
/// The largest file that is read.
const LARGEST: u64 = 64 << 20;

/// The growing file of a test set, which no other process writes as long as this lives.
#[derive(Debug)]
pub struct TestsetFile {
    path: PathBuf,
    file: File,
    plan: TestsetPlan,
    /// The next game whose positions are missing.
    next: u64,
    /// Boards that are in the file, one for all that are equal by symmetry.
    seen: HashSet<Board>,
    _lock: FileLock,
}

impl TestsetFile {
    /// Begins a test set in a new file.
    ///
    /// # Errors
    /// If there is a file already, or it cannot be written.
    pub fn create(path: &Path, plan: TestsetPlan) -> Result<Self, TestsetError> {
        let lock = lock(path)?;
        let json = serde_json::to_string(&plan).map_err(|error| TestsetError::io(path)(error.into()))?;
        let mut file = File::create_new(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => TestsetError::Exists(path.to_owned()),
            _ => TestsetError::io(path)(error),
        })?;
        writeln!(file, "% {}\n{PLAN}{json}", plan.about()).map_err(TestsetError::io(path))?;
        Ok(Self { path: path.to_owned(), file, plan, next: 0, seen: HashSet::new(), _lock: lock })
    }

    /// Continues the test set of a file. What was written of a game that is not whole is dropped.
    ///
    /// # Errors
    /// If the file is not a test set, this program would play other games, or another process writes it.
    pub fn resume(path: &Path) -> Result<Self, TestsetError> {
        let lock = lock(path)?;
        let text = read(path)?;
        let plan = plan(&text).ok_or_else(|| TestsetError::NoPlan(path.to_owned()))?;
        let plan: TestsetPlan = plan
            .map_err(|error| TestsetError::Plan { path: path.to_owned(), fault: error.to_string() })
            .and_then(|plan: TestsetPlan| plan.check().map(|()| plan).map_err(TestsetError::plan(path)))?;
        let (whole, next) = whole_games(&text);
        let positions = positions(path, &text[..whole], Geometry::EIGHT)?;
        let seen = positions.iter().map(|(_, entry)| canonical(entry)).collect();
        let mut file = OpenOptions::new().append(true).open(path).map_err(TestsetError::io(path))?;
        file.set_len(whole as u64).and_then(|()| file.flush()).map_err(TestsetError::io(path))?;
        Ok(Self { path: path.to_owned(), file, plan, next, seen, _lock: lock })
    }

    /// What its positions depend on.
    pub const fn plan(&self) -> &TestsetPlan {
        &self.plan
    }

    /// The number of the next game to be played.
    pub const fn next(&self) -> u64 {
        self.next
    }

    /// How many positions it has.
    pub fn positions(&self) -> usize {
        self.seen.len()
    }

    /// Adds the positions of the next game, but for those that are there already.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn append(&mut self, entries: &[ScoredPosition]) -> Result<(), TestsetError> {
        let mut lines = String::new();
        for entry in entries {
            if self.seen.insert(canonical(entry)) {
                lines += &obf::write(entry);
                lines.push('\n');
            }
        }
        lines += &format!("{GAME}{}\n", self.next);
        let written = self.file.write_all(lines.as_bytes()).and_then(|()| self.file.sync_data());
        written.map_err(TestsetError::io(&self.path))?;
        self.next += 1;
        Ok(())
    }
}

/// The positions of an OBF file to measure on, each with its score for its mover. A file that names its game must be of
/// this one.
///
/// # Errors
/// If the file cannot be read or has no positions, belongs to the other game, or a line is malformed, has no score or a
/// game that is over.
pub fn read_positions(
    path: &Path,
    variant: VariantKind,
    geometry: Geometry,
) -> Result<Vec<ScoredPosition>, TestsetError> {
    let text = read(path)?;
    if let Some(Ok(plan)) = plan(&text)
        && plan.variant != variant
    {
        return Err(TestsetError::OtherVariant { path: path.to_owned(), variant: plan.variant });
    }
    let entries = positions(path, &text, geometry)?;
    if entries.is_empty() {
        return Err(TestsetError::Empty(path.to_owned()));
    }
    for (line, entry) in &entries {
        let fault = if entry.position.is_over() {
            "the game is over: there is nothing to estimate"
        } else if entry.scores.is_empty() {
            "the exact score is missing: a move with its score is expected after the position, as in F5:+4;"
        } else {
            continue;
        };
        return Err(TestsetError::Line { path: path.to_owned(), line: *line, fault });
    }
    Ok(entries.into_iter().map(|(_, entry)| entry).collect())
}

fn lock(path: &Path) -> Result<FileLock, TestsetError> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    FileLock::acquire(name).map_err(|error| match error {
        LockError::Held(_) => TestsetError::Busy(path.to_owned()),
        LockError::Io(source) => TestsetError::io(path)(source),
    })
}

fn read(path: &Path) -> Result<String, TestsetError> {
    let bytes = read_file(path, LARGEST).map_err(TestsetError::io(path))?;
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = error.as_bytes()[..good].split(|&byte| byte == b'\n').count();
        TestsetError::Line { path: path.to_owned(), line, fault: "this is not text" }
    })
}

/// The plan in the comments at the beginning of a test set; `None` if it has none.
fn plan(text: &str) -> Option<Result<TestsetPlan, serde_json::Error>> {
    let mut comments = text.lines().take_while(|line| line.starts_with('%'));
    comments.find_map(|line| line.strip_prefix(PLAN)).map(serde_json::from_str)
}

/// How many bytes belong to whole games or to what stands before them, and the number of the next game.
fn whole_games(text: &str) -> (usize, u64) {
    let (mut whole, mut next, mut end) = (0, 0, 0);
    for line in text.split_inclusive('\n').filter(|line| line.ends_with('\n')) {
        end += line.len();
        if line.starts_with(PLAN) {
            whole = end;
        } else if let Some(number) = line.strip_prefix(GAME).and_then(|number| number.trim().parse::<u64>().ok()) {
            (whole, next) = (end, number.saturating_add(1));
        }
    }
    (whole, next)
}

fn positions(path: &Path, text: &str, geometry: Geometry) -> Result<Vec<(usize, ScoredPosition)>, TestsetError> {
    let entries: Result<Vec<_>, _> = obf::read(text.as_bytes(), geometry).collect();
    entries.map_err(|source| TestsetError::Obf { path: path.to_owned(), source })
}

fn canonical(entry: &ScoredPosition) -> Board {
    entry.position.board().canonical().0
}

/// What is wrong with the file of a test set.
#[derive(Debug, Error)]
pub enum TestsetError {
    /// It cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file is in the place of a new one.
    #[error("{file} exists already: --resume {} continues it", quote(&.0.display().to_string()), file = .0.display())]
    Exists(PathBuf),
    /// Another process writes it.
    #[error("{}: another process writes this file", .0.display())]
    Busy(PathBuf),
    /// It does not say how it was made.
    #[error("{}: this is not a test set that can be resumed: no line begins with \"{PLAN}\"", .0.display())]
    NoPlan(PathBuf),
    /// It cannot be continued as it was begun.
    #[error("{}: {fault}", path.display())]
    Plan {
        /// Which.
        path: PathBuf,
        /// Why.
        fault: String,
    },
    /// It belongs to the other game.
    #[error("{}: these are positions of {}: --variant {variant} measures on them", path.display(), variant.title())]
    OtherVariant {
        /// Which.
        path: PathBuf,
        /// Its game.
        variant: VariantKind,
    },
    /// It has no positions.
    #[error("{}: no positions", .0.display())]
    Empty(PathBuf),
    /// A line is not OBF.
    #[error("{}: {source}", path.display())]
    Obf {
        /// Which file.
        path: PathBuf,
        /// The line and its fault.
        source: ObfReadError,
    },
    /// A line is of no use.
    #[error("{}: line {line}: {fault}", path.display())]
    Line {
        /// Which file.
        path: PathBuf,
        /// The line's number.
        line: usize,
        /// What is wrong with it.
        fault: &'static str,
    },
}

impl TestsetError {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }

    fn plan(path: &Path) -> impl FnOnce(PlanFault) -> Self {
        let path = path.to_owned();
        move |fault| Self::Plan { path, fault: fault.to_string() }
    }

    /// Whether what was asked for makes no sense, rather than something having failed.
    pub const fn is_misuse(&self) -> bool {
        !matches!(self, Self::Io { .. } | Self::Busy(_))
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use turncoat_board::{Position, Symmetry};
    use turncoat_players::StopFlag;

    use super::super::TestsetWorker;
    use super::*;

    fn small() -> TestsetPlan {
        TestsetPlan::new(VariantKind::Reversed, 3, 5, 5, [6, 8].into()).unwrap()
    }

    fn fill(file: &mut TestsetFile) {
        let plan = file.plan().clone();
        let mut worker = TestsetWorker::new(&plan, &StopFlag::default()).unwrap();
        while file.next() < plan.games {
            file.append(&worker.positions(file.next()).unwrap().unwrap()).unwrap();
        }
    }

    #[test]
    fn a_test_set_that_was_cut_anywhere_is_resumed_to_the_same_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obf");
        fill(&mut TestsetFile::create(&path, small()).unwrap());
        let whole = fs::read_to_string(&path).unwrap();
        let read = read_positions(&path, VariantKind::Reversed, Geometry::EIGHT).unwrap();
        assert_eq!(read.len(), 6, "{whole}");
        let plan_ends = whole.match_indices('\n').nth(1).unwrap().0 + 1;
        for cut in [plan_ends, plan_ends + 30, whole.len() - 1, whole.len() - 40, whole.len()] {
            fs::write(&path, &whole[..cut]).unwrap();
            fill(&mut TestsetFile::resume(&path).unwrap());
            assert_eq!(fs::read_to_string(&path).unwrap(), whole, "cut at {cut}");
        }
        // Nothing else is left behind.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn equal_positions_are_taken_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obf");
        let mut file = TestsetFile::create(&path, small()).unwrap();
        let first = |position: Position| position.play(position.legal_moves().first().unwrap()).unwrap();
        let position = first(first(first(Position::start(Geometry::EIGHT))));
        for symmetry in Symmetry::ALL {
            let image = position.transformed(symmetry);
            file.append(&[ScoredPosition { position: image, scores: Vec::new() }]).unwrap();
        }
        assert_eq!(file.positions(), 1);
    }

    #[test]
    fn what_is_no_test_set_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.obf");
        let file = TestsetFile::create(&path, small()).unwrap();
        let fault = |result: Result<TestsetFile, TestsetError>| {
            let text = result.unwrap_err().to_string();
            text.replace(&format!("{}", folder.path().display()), "")
        };
        assert_eq!(fault(TestsetFile::resume(&path)), "/a.obf: another process writes this file");
        drop(file);
        let exists = fault(TestsetFile::create(&path, small()));
        assert_eq!(exists, "/a.obf exists already: --resume /a.obf continues it");
        let text = fs::read_to_string(&path).unwrap();
        let weights = small().weights;
        fs::write(&path, text.replace(&weights, "0123")).unwrap();
        assert!(fault(TestsetFile::resume(&path)).contains("played with the weights 0123"));
        fs::write(&path, text.replace("\"level\":5", "\"level\":21")).unwrap();
        assert!(fault(TestsetFile::resume(&path)).contains("level is 1 to 20, not 21"));
        fs::write(&path, "% nothing\n").unwrap();
        assert!(fault(TestsetFile::resume(&path)).contains("not a test set"));
    }
}
