//! Books as files: opened, kept while they grow, and put in their place.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, Result, bail};
use turncoat_board::{Geometry, VariantKind};
use turncoat_book::{Book, locate};
use turncoat_players::book::{ReadBookError, check_kind, read_book};
use turncoat_util::{FileId, FileLock, LockError, OutputError, OutputFile, replace_file};

use crate::args::Common;
use crate::failure::{misuse, output_failure};
use crate::output;

/// A growing book is saved so often: a kill costs no more.
const BETWEEN_SAVES: Duration = Duration::from_secs(20);

/// Reads a book, the one of this game and size that comes with the program if none is named. Options that name another
/// game or size are refused.
pub(super) fn open(path: Option<&Path>, common: &Common) -> Result<Book> {
    let (variant, geometry) = (common.variant(), common.geometry());
    let own = if path.is_none() { locate(variant, geometry) } else { None };
    let path = path.or(own.as_deref()).ok_or_else(|| {
        misuse(format!("no book for {variant} on {geometry} comes with this program: name the file of one"))
    })?;
    let book = read_book(path).map_err(failure)?;
    let variant = common.variant.unwrap_or(book.variant());
    let geometry = common.size.unwrap_or(book.geometry());
    check_kind(&book, variant, geometry).map_err(|fault| misuse(format!("{}: {fault}", path.display())))?;
    Ok(book)
}

/// Says how many scores of a book are another evaluation's.
pub(super) fn note_stale(book: &Book) {
    let stale = book.entries().iter().filter(|entry| entry.is_stale()).count();
    if stale > 0 {
        let name = &book.evaluation().name;
        output::note(format!("{stale} scores are not by {name}: book grow --rescore searches them again"));
    }
}

/// A file that is no book is a misuse, one that cannot be read a failure.
fn failure(error: ReadBookError) -> anyhow::Error {
    match error {
        ReadBookError::Fault { .. } => misuse(error),
        ReadBookError::Io { path, source } => anyhow::Error::new(source).context(path),
    }
}

/// Writes a book to a new file, or over one by force.
pub(super) fn write(path: &Path, book: &Book, force: bool) -> Result<()> {
    let mut file = OutputFile::create(path, force).map_err(|error| output_failure(path, error))?;
    // A device or a pipe is nobody's book.
    let _lock = path.is_file().then(|| lock(path)).transpose()?;
    file.write_all(&book.write()).and_then(|()| file.finish()).with_context(|| path.display().to_string())
}

/// Keeps other processes from changing a book.
fn lock(path: &Path) -> Result<FileLock> {
    let mut name = path.as_os_str().to_owned();
    name.push("-lock");
    FileLock::acquire(PathBuf::from(name)).map_err(|error| match error {
        LockError::Held(process) => {
            let process = process.map_or_else(String::new, |process| format!(", process {process}"));
            misuse(format!("{}: another process is growing this book{process}", path.display()))
        }
        LockError::Io(error) => anyhow::Error::new(error).context(path.display().to_string()),
    })
}

/// What tells a file from one that has taken its place, or has been written to.
type Sight = (FileId, u64, Option<SystemTime>);

fn sight(path: &Path) -> Option<Sight> {
    let metadata = path.metadata().ok()?;
    Some((FileId::from(&metadata), metadata.len(), metadata.modified().ok()))
}

/// Writes a file next to another, under a name that is free.
fn write_beside(path: &Path, file: &[u8]) -> Result<PathBuf> {
    let name = |number: u32| path.with_extension(format!("{number}.book"));
    for beside in (2..1000).map(name) {
        if beside.exists() {
            continue;
        }
        let mut output = OutputFile::create(&beside, false).map_err(|error| output_failure(&beside, error))?;
        output.write_all(file).and_then(|()| output.finish()).with_context(|| beside.display().to_string())?;
        return Ok(beside);
    }
    bail!("{} is not the file it was, and no name is free beside it", path.display())
}

/// The file of a book that changes. No other process may change it meanwhile.
pub(super) struct Kept {
    path: PathBuf,
    saved: Instant,
    /// What lay there when we looked last.
    seen: Option<Sight>,
    _lock: FileLock,
}

impl Kept {
    /// Opens the book of a file, or begins one.
    pub(super) fn open(
        path: &Path,
        common: &Common,
        begin: impl FnOnce(VariantKind, Geometry) -> Result<Book>,
    ) -> Result<(Book, Self)> {
        if let Err(error) = OutputFile::check(path, true) {
            return Err(output_failure(path, error));
        }
        if path.exists() && !path.is_file() {
            return Err(output_failure(path, OutputError::Io(io::Error::other("is not a regular file"))));
        }
        if path.is_symlink() && !path.exists() {
            return Err(output_failure(path, OutputError::Io(io::Error::other("is a link that leads nowhere"))));
        }
        // Where a link leads, the file is replaced and the link stays.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let lock = lock(&path)?;
        let seen = sight(&path);
        let book = if path.exists() { open(Some(&path), common)? } else { begin(common.variant(), common.geometry())? };
        Ok((book, Self { path, saved: Instant::now(), seen, _lock: lock }))
    }

    /// Saves the book if that was not done for a while.
    pub(super) fn save_now_and_then(&mut self, book: &mut Book) -> Result<()> {
        if self.saved.elapsed() < BETWEEN_SAVES {
            return Ok(());
        }
        self.save(book)
    }

    /// Saves the book: whole, or the old one stays. What somebody else has put there stays too, and the book goes beside it.
    pub(super) fn save(&mut self, book: &mut Book) -> Result<()> {
        book.settle();
        let file = book.write();
        if sight(&self.path) != self.seen {
            let theirs = self.path.clone();
            self.path = write_beside(&theirs, &file)?;
            self.seen = sight(&self.path);
            bail!("{} is not the file it was: the book is in {}", theirs.display(), self.path.display());
        }
        replace_file(&self.path, &file).with_context(|| self.path.display().to_string())?;
        self.seen = sight(&self.path);
        self.saved = Instant::now();
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
