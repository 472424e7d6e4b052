//! A running program: lines to it, lines from it, and limits on what it uses.
//!
//! One thread reads its output, another its errors, and a third watches its memory and processes. Whatever goes wrong is
//! a [`Fault`] of the program. Dropping it kills it with all its children.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use turncoat_players::{Fault, StopFlag};
use turncoat_record::lines::LONGEST_LINE;
use turncoat_util::{BoundedLines, LineFault};

use crate::copy::Copies;
use crate::hosting::Hosting;
use crate::log::Log;
use crate::sandbox::{self, Launch};
use crate::tree::{self, Tree};

/// Unread lines that are a fault.
const WAITING_LINES: usize = 1024;
/// The most that a program may print to standard error.
const MOST_LOG: u64 = 256 << 20;
/// Between two checks of what it uses.
const LOOK: Duration = Duration::from_millis(10);
/// How long the sandbox may take to clear up after a program that was ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Between two looks at the stop flag.
const TICK: Duration = Duration::from_millis(20);
/// The environment variable that marks a trusted program and its descendants.
const MARK: &str = "TURNCOAT_PROGRAM";

/// A hint for programs that the sandbox does not find.
const NOT_SHOWN: &str = "; the sandbox does not show what lies outside the folders of the program and of the system: \
                         name the program by its full path, or --trust";

/// What the reading thread delivers.
enum Heard {
    Line(String),
    Fault(Fault),
    End,
}

/// What the threads and the owner share.
#[derive(Debug, Default)]
struct Shared {
    /// The first thing that went wrong.
    fault: Mutex<Option<Fault>>,
    /// Memory after the start; 0 until that is known.
    baseline: AtomicU64,
    /// Its standard error has ended.
    said_all: AtomicBool,
    over: AtomicBool,
}

impl Shared {
    fn blame(&self, fault: Fault) {
        let mut first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert(fault);
    }

    fn fault(&self) -> Option<Fault> {
        let first = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        first.clone()
    }
}

/// A running program.
#[derive(Debug)]
pub(crate) struct Process {
    child: Child,
    input: Option<ChildStdin>,
    heard: Receiver<Heard>,
    shared: Arc<Shared>,
    log: Log,
    /// The word that marks a trusted program.
    mark: Option<String>,
    /// What it may use.
    limits: Hosting,
    threads: Vec<JoinHandle<()>>,
    /// What it reads lies there.
    _copies: Option<Copies>,
}

impl Process {
    /// Starts a program.
    pub(crate) fn start(launch: &Launch, hosting: &Hosting, log: Log) -> Result<Self, Fault> {
        let mark = hosting.trust.then(new_mark);
        let (mut command, copies) = match &mark {
            None => sandbox::confined(launch),
            Some(mark) => (sandbox::trusted(launch, (MARK, mark)), None),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Its own group: what is typed at the terminal is not meant for it, and all of it can be ended.
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| Fault::Crash(format!("it cannot be started: {error}")))?;
        let shared = Arc::new(Shared::default());
        let (sender, heard) = sync_channel(WAITING_LINES);
        let mut threads = Vec::new();
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let Some(output) = output {
            let (pid, shared, trusted) = (child.id(), Arc::clone(&shared), mark.is_some());
            threads.push(thread::spawn(move || {
                read(BufReader::new(output), &sender, (pid, trusted), &shared);
            }));
        }
        if let Some(errors) = errors {
            let (log, shared) = (log.clone(), Arc::clone(&shared));
            threads.push(thread::spawn(move || {
                log.copy_from(BufReader::new(errors));
                shared.said_all.store(true, Ordering::Relaxed);
            }));
        }
        let (pid, watched, said) = (child.id(), Arc::clone(&shared), log.clone());
        let limits = hosting.clone();
        threads.push(thread::spawn(move || {
            watch(pid, &watched, &said, &limits);
        }));
        Ok(Self { child, input, heard, shared, log, mark, limits: hosting.clone(), threads, _copies: copies })
    }

    /// From now on memory counts: what it holds now is what it needs to be there.
    pub(crate) fn has_started(&self) {
        let resident = Tree::below(self.child.id()).resident().max(1);
        self.shared.baseline.store(resident, Ordering::Relaxed);
    }

    /// Sends it a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Fault> {
        let written = self
            .input
            .as_mut()
            .map(|input| input.write_all(format!("{line}\n").as_bytes()).and_then(|()| input.flush()));
        match written {
            Some(Ok(())) => Ok(()),
            Some(Err(_)) | None => Err(self.ended()),
        }
    }

    /// Discards unsolicited lines.
    pub(crate) fn discard(&self) -> Result<(), Fault> {
        while let Ok(heard) = self.heard.try_recv() {
            match heard {
                Heard::Line(text) => self.log.add(format!("{text}\n").as_bytes()),
                Heard::Fault(fault) => return Err(fault),
                Heard::End => return Ok(()),
            }
        }
        Ok(())
    }

    /// The next line, if one comes in time.
    pub(crate) fn receive(&mut self, until: Instant, stop: &StopFlag) -> Result<String, Fault> {
        loop {
            if let Some(fault) = self.shared.fault() {
                return Err(fault);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.heard.recv_timeout(left.min(TICK)) {
                Ok(Heard::Line(text)) => return Ok(text),
                Ok(Heard::Fault(fault)) => return Err(self.shared.fault().unwrap_or(fault)),
                Ok(Heard::End) | Err(RecvTimeoutError::Disconnected) => return Err(self.ended()),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if left.is_zero() {
                // A program that uses too much is slow; then that is its fault, even if no check has seen it yet.
                self.look();
                return Err(self.shared.fault().unwrap_or(Fault::Timeout(String::new())));
            }
            if stop.is_raised() {
                return Err(Fault::Timeout(String::new()));
            }
        }
    }

    /// Checks what it uses, out of turn.
    fn look(&self) {
        let pid = self.child.id();
        if let Some(fault) = overuse(pid, &self.shared, &self.log, &self.limits) {
            self.shared.blame(fault);
        }
    }

    /// Why it has ended.
    fn ended(&mut self) -> Fault {
        if let Some(fault) = self.shared.fault() {
            return fault;
        }
        // Its last output may still be on the way, on a busy machine for a while.
        let patience = Instant::now() + Duration::from_secs(2);
        let mut status = None;
        let said_all = || self.shared.said_all.load(Ordering::Relaxed);
        while (status.is_none() || !said_all()) && Instant::now() < patience {
            thread::sleep(Duration::from_millis(2));
            status = status.or(self.child.try_wait().ok().flatten());
        }
        // The watching thread may have recorded a reason meanwhile.
        if let Some(fault) = self.shared.fault() {
            return fault;
        }
        let how = match status {
            Some(status) => format!("it ended ({status})"),
            None => "it closed its output".to_owned(),
        };
        let said = match self.log.last_line() {
            Some(line) => format!("{how}: {line}"),
            None => how,
        };
        let not_found = status.and_then(|status| status.code()) == Some(127);
        if not_found && self.mark.is_none() {
            return Fault::Crash(format!("{said}{NOT_SHOWN}"));
        }
        Fault::Crash(said)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.shared.over.store(true, Ordering::Relaxed);
        // Before closing its input: a program that exits by itself leaves the sandbox's first process to the system.
        end(self.child.id(), self.mark.is_some());
        drop(self.input.take());
        let patience = Instant::now() + LAST_WORDS;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() > patience {
                tree::kill_group(self.child.id());
                break;
            }
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.child.wait();
        if let Some(mark) = &self.mark {
            tree::kill_marked(&format!("{MARK}={mark}"));
        }
        // With all of its processes gone, its pipes have ended.
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// Ends a program. In the sandbox its second process is the first of a namespace, which takes all others with it; the
/// sandbox's own one clears that away and ends too, so that nothing is left for the system to clear. A trusted one is
/// ended with its group and whatever has left that.
fn end(pid: u32, trusted: bool) {
    if trusted {
        let tree = Tree::below(pid);
        tree::kill_group(pid);
        tree.kill();
        return;
    }
    match tree::children(pid).first() {
        Some(&first) => tree::kill(first),
        None => tree::kill_group(pid),
    }
}

fn new_mark() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

/// Reads the program's output to its end. A program that prints too much is killed.
fn read(stream: impl io::BufRead, sender: &SyncSender<Heard>, (pid, trusted): (u32, bool), shared: &Shared) {
    let mut lines = BoundedLines::new(stream, LONGEST_LINE);
    loop {
        let fault = |text: &str| Heard::Fault(Fault::Protocol(text.to_owned()));
        let heard = match lines.next() {
            Some(Ok(text)) => Heard::Line(text),
            Some(Err(LineFault::TooLong)) => fault("a line of more than 64 KiB"),
            Some(Err(LineFault::NotText { .. })) => fault("a line that is not text"),
            Some(Err(LineFault::Io(_))) | None => Heard::End,
        };
        let over = matches!(heard, Heard::End);
        if let Err(TrySendError::Full(_)) = sender.try_send(heard) {
            let fault = format!("{WAITING_LINES} unsolicited lines");
            shared.blame(Fault::Protocol(fault));
            end(pid, trusted);
        }
        if over {
            return;
        }
    }
}

/// Watches a program until it is over, and kills it when it uses too much.
fn watch(pid: u32, shared: &Shared, log: &Log, limits: &Hosting) {
    while !shared.over.load(Ordering::Relaxed) {
        thread::sleep(LOOK);
        if let Some(fault) = overuse(pid, shared, log, limits) {
            shared.blame(fault);
            end(pid, limits.trust);
            return;
        }
    }
}

/// The limit that a program exceeds at this moment.
fn overuse(pid: u32, shared: &Shared, log: &Log, limits: &Hosting) -> Option<Fault> {
    let processes = limits.processes;
    // The sandbox itself has two processes.
    let tree = Tree::up_to(pid, processes + 3);
    let baseline = shared.baseline.load(Ordering::Relaxed);
    let mut fault = None;
    if baseline > 0 {
        let more = tree.resident().saturating_sub(baseline);
        limits.meter.note(more);
        if let Some(memory) = limits.memory.filter(|memory| more > *memory) {
            let (more, memory) = (more as f64 / 1e6, memory as f64 / 1e6);
            fault =
                Some(Fault::OutOfMemory(format!("it held {more:.1} MB beyond its start, {memory:.0} MB are allowed")));
        }
    }
    if tree.count() > processes + 2 {
        fault = Some(Fault::Crash(format!("it made more than {processes} processes")));
    }
    if log.all() > MOST_LOG {
        fault = Some(Fault::Protocol("it printed more than 256 MiB".to_owned()));
    }
    fault
}
