//! What the systems have in different ways: users, modes of files, signals, groups of processes.
//!
//! On systems other than Unix there is no sandbox, and a trusted program runs without limits; it can be ended with its
//! children, but not stopped.

#[cfg(unix)]
pub(crate) use self::unix::*;

#[cfg(not(unix))]
pub(crate) use self::other::*;

/// What a process can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Stop,
    Continue,
    Kill,
}

#[cfg(unix)]
mod unix {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::os::fd::AsRawFd;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::path::{Path, PathBuf};
    use std::process::Command;

    pub(crate) use rustix::param::clock_ticks_per_second;
    use rustix::process::{Pid, kill_process, kill_process_group};
    pub(crate) use std::os::unix::fs::symlink;

    use super::Signal;

    /// Whether there can be a sandbox at all.
    pub(crate) const HAS_SANDBOX: bool = true;

    pub(crate) fn is_root() -> bool {
        rustix::process::getuid().is_root()
    }

    /// Whether a file belongs to this user.
    pub(crate) fn is_own(data: &Metadata) -> bool {
        data.uid() == rustix::process::getuid().as_raw()
    }

    pub(crate) fn mode(data: &Metadata) -> u32 {
        data.permissions().mode()
    }

    pub(crate) fn permissions(mode: u32) -> fs::Permissions {
        fs::Permissions::from_mode(mode)
    }

    pub(crate) fn set_mode(path: &Path, mode: u32) -> io::Result<()> {
        fs::set_permissions(path, permissions(mode))
    }

    pub(crate) fn is_busy(error: &io::Error) -> bool {
        error.raw_os_error() == Some(rustix::io::Errno::BUSY.raw_os_error())
    }

    /// The path by which children of this process find an open file.
    pub(crate) fn path_of(file: &File) -> PathBuf {
        PathBuf::from(format!("/proc/{}/fd/{}", std::process::id(), file.as_raw_fd()))
    }

    /// Gives a program a group of its own: what is typed at the terminal is not meant for it, and all of it can be ended.
    pub(crate) fn lead_group(command: &mut Command) {
        command.process_group(0);
    }

    /// Tells a process something; it may have ended by itself.
    pub(crate) fn signal(number: u32, signal: Signal) {
        if let Some(pid) = pid(number) {
            let _ = kill_process(pid, known(signal));
        }
    }

    /// Ends a group of processes.
    pub(crate) fn kill_group(number: u32) {
        if let Some(pid) = pid(number) {
            let _ = kill_process_group(pid, known(Signal::Kill));
        }
    }

    fn pid(number: u32) -> Option<Pid> {
        Pid::from_raw(i32::try_from(number).ok()?)
    }

    fn known(signal: Signal) -> rustix::process::Signal {
        match signal {
            Signal::Stop => rustix::process::Signal::STOP,
            Signal::Continue => rustix::process::Signal::CONT,
            Signal::Kill => rustix::process::Signal::KILL,
        }
    }
}

#[cfg(not(unix))]
mod other {
    use std::fs::{self, File, Metadata};
    use std::io;
    use std::path::{Path, PathBuf};
    use std::process::{Command, Stdio};

    use super::Signal;

    pub(crate) const HAS_SANDBOX: bool = false;

    pub(crate) fn is_root() -> bool {
        false
    }

    pub(crate) fn is_own(_: &Metadata) -> bool {
        true
    }

    pub(crate) fn mode(_: &Metadata) -> u32 {
        0o777
    }

    pub(crate) fn set_mode(_: &Path, _: u32) -> io::Result<()> {
        Ok(())
    }

    pub(crate) fn symlink(from: impl AsRef<Path>, to: impl AsRef<Path>) -> io::Result<()> {
        fs::copy(from, to).map(drop)
    }

    pub(crate) fn is_busy(_: &io::Error) -> bool {
        false
    }

    pub(crate) fn path_of(_: &File) -> PathBuf {
        PathBuf::new()
    }

    pub(crate) fn clock_ticks_per_second() -> u64 {
        1
    }

    pub(crate) fn lead_group(_: &mut Command) {}

    pub(crate) fn signal(number: u32, signal: Signal) {
        if signal == Signal::Kill {
            kill_group(number);
        }
    }

    pub(crate) fn kill_group(number: u32) {
        let number = number.to_string();
        let mut kill = Command::new("taskkill");
        kill.args(["/T", "/F", "/PID", &number]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let _ = kill.status();
    }
}
