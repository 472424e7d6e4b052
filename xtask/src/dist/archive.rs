//! Archives whose bytes depend on their contents alone: sorted, all of one time, of nobody.

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, ensure};

use crate::shell::{self, output};

/// A file of an archive.
pub(super) struct Entry {
    name: String,
    bytes: Vec<u8>,
    mode: u32,
}

impl Entry {
    pub(super) fn file(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), bytes, mode: 0o644 }
    }

    pub(super) fn program(name: impl Into<String>, bytes: Vec<u8>) -> Self {
        Self { name: name.into(), bytes, mode: 0o755 }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }
}

/// Writes an archive whose files lie in one folder, `.zip` for Windows and `.tar.gz` for others; its path.
pub(super) fn write(place: &Path, top: &str, mut entries: Vec<Entry>, epoch: u64, zip: bool) -> Result<PathBuf> {
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    for entry in &mut entries {
        entry.name = format!("{top}/{}", entry.name);
    }
    let named = |end: &str| PathBuf::from(format!("{}{end}", place.display()));
    if zip { write_zip(named(".zip"), &entries, epoch) } else { write_tar(named(".tar.gz"), &entries, epoch) }
}

fn write_tar(path: PathBuf, entries: &[Entry], epoch: u64) -> Result<PathBuf> {
    // Without the name and the time that gzip would note.
    let mut gzip =
        Command::new("gzip").args(["-9", "-n"]).stdin(Stdio::piped()).stdout(File::create(&path)?).spawn()?;
    gzip.stdin.take().context("gzip has no input")?.write_all(&tar(entries, epoch)?)?;
    ensure!(gzip.wait()?.success(), "gzip failed");
    Ok(path)
}

/// The files as a tar archive, in the form of POSIX.1-1988.
fn tar(entries: &[Entry], epoch: u64) -> Result<Vec<u8>> {
    let mut tar = Vec::new();
    for Entry { name, bytes, mode } in entries {
        ensure!(name.len() < 100, "{name}: the name is too long for an archive");
        let mut head = [0; 512];
        let mut put = |at: usize, text: &str| head[at..at + text.len()].copy_from_slice(text.as_bytes());
        put(0, name);
        put(100, &format!("{mode:07o}"));
        put(108, "0000000");
        put(116, "0000000");
        put(124, &format!("{:011o}", bytes.len()));
        put(136, &format!("{epoch:011o}"));
        // The sum is that of the head with blanks in its place.
        put(148, "        ");
        put(156, "0");
        put(257, "ustar");
        put(263, "00");
        put(265, "root");
        put(297, "root");
        let sum: u32 = head.iter().copied().map(u32::from).sum();
        head[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        tar.extend(head);
        tar.extend(bytes);
        tar.resize(tar.len().next_multiple_of(512), 0);
    }
    tar.resize(tar.len() + 1024, 0);
    Ok(tar)
}

/// By the program `zip`, from files of that time.
fn write_zip(path: PathBuf, entries: &[Entry], epoch: u64) -> Result<PathBuf> {
    let stage = path.with_extension("stage");
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(epoch);
    for Entry { name, bytes, .. } in entries {
        let file = stage.join(name);
        fs::create_dir_all(file.parent().context("a file lies in a folder")?)?;
        fs::write(&file, bytes)?;
        File::options().write(true).open(&file)?.set_modified(time)?;
    }
    // Sorted, without folders, owners and other times than the one.
    let names = entries.iter().map(|entry| &entry.name);
    let mut zip = Command::new("zip");
    shell::run(zip.args(["-q", "-X", "-D", "-9"]).arg(&path).args(names).current_dir(&stage).env("TZ", "UTC"))
        .context("zip is needed: on Debian, apt-get install zip")?;
    fs::remove_dir_all(&stage)?;
    Ok(path)
}

/// Writes the sums of all files of a folder.
pub(super) fn write_sums(folder: &Path) -> Result<()> {
    let mut names: Vec<String> = fs::read_dir(folder)?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name != "SHA256SUMS")
        .collect();
    names.sort();
    let sums = output(Command::new("sha256sum").args(&names).current_dir(folder))?;
    fs::write(folder.join("SHA256SUMS"), &sums)?;
    print!("{sums}");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_programs_read_the_archive_and_it_is_the_same_twice() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let entries = vec![Entry::program("b", b"program".to_vec()), Entry::file("a/long", vec![7; 513])];
            super::write(&folder.path().join(name), "top", entries, 1_000_000_000, false).unwrap()
        };
        let (first, second) = (write("first"), write("second"));
        assert_eq!(fs::read(&first).unwrap(), fs::read(&second).unwrap());
        let mut tar = Command::new("tar");
        let listed = output(tar.args(["-tvzf"]).arg(&first).env("TZ", "UTC")).unwrap();
        let lines: Vec<&str> = listed.lines().collect();
        assert!(lines[0].starts_with("-rw-r--r--") && lines[0].ends_with(" top/a/long"), "{listed}");
        assert!(lines[1].starts_with("-rwxr-xr-x") && lines[1].ends_with(" top/b"), "{listed}");
        assert!(lines.len() == 2 && listed.contains("513 2001-09-09"), "{listed}");
    }
}
