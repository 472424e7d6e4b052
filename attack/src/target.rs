//! The binary under attack, and how a command of it is run and watched.

use std::fs;
use std::io::Read;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use tempfile::TempDir;

/// The most that one command may take, on a machine under load too.
const PATIENCE: Duration = Duration::from_mins(5);
/// The most memory that the binary itself may hold, in bytes: its weights and tables take about a tenth of it.
const MOST_MEMORY: u64 = 1 << 30;
/// An ordinary user without a name, for attackers that are root.
const ORDINARY: u32 = 61_234;

/// The binary under attack.
#[derive(Debug)]
pub struct Target {
    /// A copy of the binary that every user can run.
    binary: PathBuf,
    /// The Python of hostile programs.
    pub(crate) python: PathBuf,
    /// The seed of everything random.
    pub seed: u64,
    _copy: TempDir,
}

/// Who runs the binary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum User {
    /// The attacker's own user.
    Own,
    /// An ordinary one.
    Ordinary,
}

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) status: ExitStatus,
    pub(crate) printed: String,
    pub(crate) said: String,
}

impl Target {
    /// A copy of this binary, and the Python that its programs run with.
    ///
    /// # Errors
    /// If it cannot be copied.
    pub fn new(binary: &Path, python: &Path, seed: u64) -> Result<Self> {
        let copy = open_folder()?;
        let place = copy.path().join("turncoat");
        fs::copy(binary, &place).with_context(|| binary.display().to_string())?;
        Ok(Self { binary: place, python: std::path::absolute(python)?, seed, _copy: copy })
    }

    /// The users that can be tried from here.
    #[must_use]
    pub fn users(&self) -> &'static [User] {
        if is_root() { &[User::Own, User::Ordinary] } else { &[User::Own] }
    }

    /// A command of the binary in a folder, as this user.
    pub(crate) fn command(&self, user: User, folder: &Path, words: &[&str]) -> Command {
        let mut command = match user {
            User::Own => Command::new(&self.binary),
            User::Ordinary => {
                let mut command = Command::new("setpriv");
                command.args([format!("--reuid={ORDINARY}"), format!("--regid={ORDINARY}")]);
                command.args(["--clear-groups", "--inh-caps=-all"]).arg(&self.binary);
                command
            }
        };
        command.args(words).current_dir(folder).env("TURNCOAT_PYTHON", &self.python);
        command.env("TMPDIR", folder.join("tmp")).env("HOME", folder);
        command.stdin(Stdio::null());
        command
    }

    /// Runs a command of the binary to its end; see [`watched`].
    pub(crate) fn run(&self, user: User, folder: &Path, words: &[&str]) -> Result<Outcome> {
        watched(&mut self.command(user, folder, words))
    }
}

/// Runs a command to its end. Too long, too much memory, a panic or a signal is an error.
pub(crate) fn watched(command: &mut Command) -> Result<Outcome> {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let (printed, said) = (child.stdout.take(), child.stderr.take());
    let printed = thread::spawn(move || read(printed));
    let said = thread::spawn(move || read(said));
    let begun = Instant::now();
    let mut peak = 0;
    let status = loop {
        peak = peak.max(peak_memory(child.id()));
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if begun.elapsed() > PATIENCE {
            child.kill()?;
            child.wait()?;
            bail!("it took longer than {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(5));
    };
    let text = |thread: thread::JoinHandle<String>| thread.join().unwrap_or_default();
    let outcome = Outcome { status, printed: text(printed), said: text(said) };
    let code = outcome.status.code();
    ensure!(matches!(code, Some(0..=3)), "it ended with {status}: {}", outcome.said);
    ensure!(!outcome.said.contains("panicked at"), "it panicked: {}", outcome.said);
    ensure!(peak < MOST_MEMORY, "it held {} MB", peak >> 20);
    Ok(outcome)
}

/// A folder that this user owns and everybody can enter, with an empty `tmp` in it.
pub(crate) fn folder_for(user: User) -> Result<TempDir> {
    let folder = open_folder()?;
    let scratch = folder.path().join("tmp");
    fs::create_dir(&scratch)?;
    give(user, folder.path())?;
    give(user, &scratch)?;
    Ok(folder)
}

/// Gives a file to a user.
pub(crate) fn give(user: User, path: &Path) -> Result<()> {
    if user == User::Ordinary {
        chown(path, Some(ORDINARY), Some(ORDINARY))?;
    }
    Ok(())
}

fn open_folder() -> Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("attack-").tempdir()?;
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755))?;
    Ok(folder)
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}

/// The words of every process that still has to do with a folder, once nothing more ends.
pub(crate) fn left_running(folder: &Path) -> Vec<String> {
    let place = folder.display().to_string();
    let patience = Instant::now() + Duration::from_secs(20);
    loop {
        let left = processes_about(&place);
        if left.is_empty() || Instant::now() > patience {
            return left;
        }
        thread::sleep(Duration::from_millis(20));
    }
}

fn processes_about(place: &str) -> Vec<String> {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let words = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let words = words.map(|words| String::from_utf8_lossy(&words).replace('\0', " "));
    words.filter(|words| words.contains(place)).map(|words| words.chars().take(200).collect()).collect()
}

/// The most that a process has held so far.
fn peak_memory(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok());
    kilobytes.unwrap_or(0) << 10
}

fn read(stream: Option<impl Read>) -> String {
    let mut bytes = Vec::new();
    if let Some(mut stream) = stream {
        let _ = stream.read_to_end(&mut bytes);
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
