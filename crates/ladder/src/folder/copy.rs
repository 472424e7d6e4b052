//! Copies of players, named by their contents: a version plays on as it was tested, whatever becomes of its files.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use tempfile::TempDir;
use turncoat_util::printable;

use super::{EntryFault, Listing, MOST_BYTES, Manifest, Stamp};

/// How the folders begin that a copy is made in; what a killed process left of them is removed.
const STAGED: &str = ".taking-";

/// A version of a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// The hash of its contents.
    pub digest: String,
    /// What it is called, without characters that would order a terminal about.
    pub title: String,
    /// The player's text, whose paths lead to the copy.
    pub spec: String,
}

/// Copies a player below `versions` and reads how it is run.
///
/// # Errors
/// If it changed meanwhile, cannot be read or written, or has no program.
pub fn take(listing: &Listing, title: &str, versions: &Path) -> Result<Taken, EntryFault> {
    let made = |error: io::Error| EntryFault::copy(Path::new(listing.root.file_name().unwrap_or_default()), &error);
    fs::create_dir_all(versions).map_err(made)?;
    let staged = tempfile::Builder::new().prefix(STAGED).tempdir_in(versions).map_err(made)?;
    readable_to_all(staged.path()).map_err(made)?;
    let digest = copy(listing, staged.path())?;
    if Listing::new(&listing.root).as_ref() != Ok(listing) {
        return Err(EntryFault::Changed);
    }
    // What it says about itself is part of its contents.
    Manifest::read(staged.path())?;
    let place = versions.join(&digest);
    keep(staged, &place).map_err(made)?;
    let place = place.canonicalize().map_err(made)?;
    let manifest = Manifest::read(&place)?;
    let title = printable(manifest.name.as_deref().unwrap_or(title));
    Ok(Taken { digest, title, spec: manifest.spec(&place)? })
}

/// Removes what a killed process left half copied.
pub(crate) fn tidy(versions: &Path) {
    for entry in fs::read_dir(versions).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(STAGED) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// Copies all files; returns the hash of their names and contents.
fn copy(listing: &Listing, to: &Path) -> Result<String, EntryFault> {
    let mut hash = Sha256::new();
    let mut left = MOST_BYTES;
    for (path, stamp) in &listing.files {
        let from = if listing.is_folder { listing.root.join(path) } else { listing.root.clone() };
        let name = if listing.is_folder { path.clone() } else { plain_name(path) };
        let fault = |error: io::Error| EntryFault::io(path, &error);
        let bytes = read(&from, &listing.root, left).map_err(fault)?;
        if bytes.len() as u64 != stamp.length {
            return Err(EntryFault::Changed);
        }
        left -= bytes.len() as u64;
        let head = format!("{}\0{}\0{}\0", name.display(), bytes.len(), stamp.is_executable);
        hash.update(head);
        hash.update(&bytes);
        write(&to.join(&name), &bytes, stamp).map_err(|error| EntryFault::copy(path, &error))?;
    }
    let digest = hash.finalize();
    // 128 bits tell all versions apart, and paths stay short.
    Ok(digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect())
}

/// The name of a single file in its copy: its own, where a player's text can hold it and a folder's program is called so.
fn plain_name(path: &Path) -> PathBuf {
    let is_plain =
        path.extension().is_some_and(|it| it == "py") && path.to_str().is_some_and(super::manifest::is_plain);
    if is_plain { path.to_owned() } else { "ai.py".into() }
}

/// Reads a file, which is still one when it is opened, and still lies below the root.
fn read(path: &Path, root: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut options = OpenOptions::new();
    options.read(true);
    // A pipe would be waited for.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, rustix::fs::OFlags::NONBLOCK.bits() as i32);
    let file = options.open(path)?;
    if !file.metadata()?.is_file() || !lies_below(&file, root) {
        return Err(io::Error::other("it is no longer a file of this player"));
    }
    let mut bytes = Vec::new();
    file.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Whether an open file lies in this folder, or is this file, whatever links were changed before it was opened.
fn lies_below(file: &File, root: &Path) -> bool {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        let real = fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd()));
        matches!((real, root.canonicalize()), (Ok(real), Ok(root)) if real.starts_with(&root))
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, root);
        true
    }
}

fn write(path: &Path, bytes: &[u8], stamp: &Stamp) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = File::create_new(path)?;
    file.write_all(bytes)?;
    #[cfg(unix)]
    {
        let mode = if stamp.is_executable { 0o755 } else { 0o644 };
        file.set_permissions(std::os::unix::fs::PermissionsExt::from_mode(mode))?;
    }
    file.sync_all()
}

/// In the sandbox a program may be another user.
fn readable_to_all(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

/// Puts a copy into its place, unless the same one is there.
fn keep(staged: TempDir, place: &Path) -> io::Result<()> {
    if place.is_dir() {
        return staged.close();
    }
    match fs::rename(staged.path(), place) {
        Ok(()) => {
            let _ = staged.keep();
            Ok(())
        }
        Err(_) if place.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}
