//! A running program: lines to it, lines from it, and limits on what it uses.
//!
//! One thread reads its output, another its errors, and a third watches its memory and processes. Whatever goes wrong is
//! a [`Fault`] of the program. Dropping it kills it with all its children.

use std::io::{self, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, TrySendError, channel, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use turncoat_players::{Fault, StopFlag};
use turncoat_record::lines::LONGEST_LINE;
use turncoat_util::{BoundedLines, LineFault};

use crate::hosting::Hosting;
use crate::log::Log;
use crate::running::Running;
use crate::sandbox::{self, Confined, Launch};
use crate::system;
use crate::tree::{self, Tree};
use crate::witness::Usage;

/// Unread lines that are a fault.
const WAITING_LINES: usize = 1024;
/// Unread bytes that are a fault.
const WAITING_BYTES: usize = 1 << 20;
/// The most that a program may print to standard error in a game.
const MOST_LOG: u64 = 256 << 20;
/// What the kernel's limit allows beyond `--memory`: page tables, pipes and the like are not the program's fault.
const OVERHEAD: u64 = 32 << 20;
/// Between two checks of what it uses.
const LOOK: Duration = Duration::from_millis(10);
/// How long the sandbox may take to clear up after a program that was ended.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Between two looks at the stop flag.
const TICK: Duration = Duration::from_millis(20);
/// The environment variable that marks a trusted program and its descendants.
const MARK: &str = "TURNCOAT_PROGRAM";

/// A hint for programs that the sandbox does not find.
const NOT_SHOWN: &str = "; the sandbox does not show more than the program, the files in its command and the system's: \
                         name the program by its full path, or --trust";

/// What the reading thread delivers.
enum Heard {
    /// A line, and when it had been read.
    Line(String, Instant),
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
    /// The most memory beyond that since the last question.
    peak: AtomicU64,
    /// Its standard error has ended.
    said_all: AtomicBool,
    over: AtomicBool,
    /// Bytes of lines that have been read and not received.
    waiting: AtomicUsize,
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
    running: Arc<Running>,
    log: Log,
    /// The word that marks a trusted program.
    mark: Option<String>,
    /// What it may use.
    limits: Hosting,
    threads: Vec<JoinHandle<()>>,
    /// What it needs as long as it runs.
    _kept: sandbox::Kept,
}

/// Starts a process from a thread that lasts as long as this program. The sandbox ends with its parent, which for the
/// system is the thread that started it: one that only waits for a single move would take the program with it.
fn spawn(command: Command) -> io::Result<Child> {
    type Order = (Command, SyncSender<io::Result<Child>>);
    static STARTER: OnceLock<Mutex<Sender<Order>>> = OnceLock::new();
    let starter = STARTER.get_or_init(|| {
        let (sender, orders) = channel::<Order>();
        thread::spawn(move || {
            for (mut command, answer) in orders {
                // Whoever ordered it waits for the answer.
                let _ = answer.send(command.spawn());
            }
        });
        Mutex::new(sender)
    });
    let (answer, started) = sync_channel(1);
    let ordered = starter.lock().unwrap_or_else(PoisonError::into_inner).send((command, answer));
    let ended = || io::Error::other("the thread that starts programs has ended");
    ordered.map_err(|_| ended())?;
    started.recv().map_err(|_| ended())?
}

impl Process {
    /// Starts a program.
    pub(crate) fn start(launch: &Launch, hosting: &Hosting, log: Log) -> Result<Self, Fault> {
        let mark = hosting.trust.then(new_mark);
        let Confined { mut command, group, kept } = match &mark {
            None => sandbox::confined(launch, hosting)?,
            Some(mark) => sandbox::trusted(launch, hosting, (MARK, mark)),
        };
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        system::lead_group(&mut command);
        let mut child = spawn(command).map_err(|error| Fault::Crash(format!("it cannot be started: {error}")))?;
        let running = Arc::new(Running::new(child.id(), mark.is_some(), group));
        let shared = Arc::new(Shared::default());
        let (sender, heard) = sync_channel(WAITING_LINES);
        let mut threads = Vec::new();
        let (input, output, errors) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        if let Some(output) = output {
            let (running, shared) = (Arc::clone(&running), Arc::clone(&shared));
            threads.push(thread::spawn(move || {
                read(BufReader::new(output), &sender, &running, &shared);
            }));
        }
        if let Some(errors) = errors {
            let (log, shared) = (log.clone(), Arc::clone(&shared));
            threads.push(thread::spawn(move || {
                log.copy_from(BufReader::new(errors));
                shared.said_all.store(true, Ordering::Relaxed);
            }));
        }
        let (watched, state, said) = (Arc::clone(&running), Arc::clone(&shared), log.clone());
        let limits = hosting.clone();
        threads.push(thread::spawn(move || {
            watch(&watched, &state, &said, &limits);
        }));
        Ok(Self { child, input, heard, shared, running, log, mark, limits: hosting.clone(), threads, _kept: kept })
    }

    /// From now on memory counts: what it holds now is what it needs to be there.
    pub(crate) fn has_started(&self) {
        let held = self.running.memory(0).max(1);
        self.shared.baseline.store(held, Ordering::Relaxed);
        if let Some(memory) = self.limits.memory {
            self.running.allow_more(memory + OVERHEAD);
        }
    }

    /// From now on the peak of its memory is measured anew.
    pub(crate) fn is_asked(&self) {
        self.shared.peak.store(0, Ordering::Relaxed);
    }

    /// The most bytes that it has held beyond its start since it was asked; `None` where nobody knows.
    pub(crate) fn peak(&self) -> Option<u64> {
        // A bound that costs little will do: what is allowed is watched elsewhere.
        let held = Some(self.running.memory(u64::MAX)).filter(|&held| held > 0)?;
        let beyond = held.saturating_sub(self.shared.baseline.load(Ordering::Relaxed));
        Some(beyond.max(self.shared.peak.load(Ordering::Relaxed)))
    }

    /// Stops all of its processes until it is thawed: nobody thinks on the other side's time.
    pub(crate) fn freeze(&self) {
        self.running.freeze();
    }

    /// Lets it go on.
    pub(crate) fn thaw(&self) {
        self.running.thaw();
    }

    /// What the machine has given it so far.
    pub(crate) fn usage(&self) -> Usage {
        Usage::of(&Tree::below(self.child.id()))
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
                Heard::Line(text, _) => self.note_unused(&self.received(text)),
                Heard::Fault(fault) => return Err(fault),
                Heard::End => return Ok(()),
            }
        }
        Ok(())
    }

    /// Records a line that means nothing in the protocol: it may tell what went wrong.
    pub(crate) fn note_unused(&self, line: &str) {
        self.log.add(format!("{line}\n").as_bytes());
    }

    /// What it said last, to be added to a fault.
    pub(crate) fn last_words(&self) -> String {
        self.log.last_lines().map_or_else(String::new, |lines| format!("; its last lines: {lines}"))
    }

    /// Takes a line out of those that wait.
    fn received(&self, line: String) -> String {
        self.shared.waiting.fetch_sub(line.len(), Ordering::Relaxed);
        line
    }

    /// The next line, if one comes in time, and when it had been read: that may be long before it is received here.
    pub(crate) fn receive(&mut self, until: Instant, stop: &StopFlag) -> Result<(String, Instant), Fault> {
        loop {
            if let Some(fault) = self.shared.fault() {
                return Err(fault);
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.heard.recv_timeout(left.min(TICK)) {
                Ok(Heard::Line(text, at)) => return Ok((self.received(text), at)),
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
        if let Some(fault) = overuse(&self.running, &self.shared, &self.log, &self.limits) {
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
        // The kernel may have ended it for what it used.
        self.look();
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
        self.running.end();
        drop(self.input.take());
        let patience = Instant::now() + LAST_WORDS;
        while matches!(self.child.try_wait(), Ok(None)) {
            if Instant::now() > patience {
                system::kill_group(self.child.id());
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

fn new_mark() -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    format!("{}-{number}", std::process::id())
}

/// Reads the program's output to its end. A program that prints too much is killed.
fn read(stream: impl io::BufRead, sender: &SyncSender<Heard>, running: &Running, shared: &Shared) {
    let mut lines = BoundedLines::new(stream, LONGEST_LINE);
    loop {
        let fault = |text: &str| Heard::Fault(Fault::Protocol(text.to_owned()));
        let heard = match lines.next() {
            Some(Ok(text)) => Heard::Line(text, Instant::now()),
            Some(Err(LineFault::TooLong)) => fault("a line of more than 64 KiB"),
            Some(Err(LineFault::NotText { .. })) => fault("a line that is not text"),
            Some(Err(LineFault::Io(_))) | None => Heard::End,
        };
        let over = matches!(heard, Heard::End);
        let length = if let Heard::Line(text, _) = &heard { text.len() } else { 0 };
        let flooded = shared.waiting.fetch_add(length, Ordering::Relaxed) + length > WAITING_BYTES;
        if flooded {
            shared.blame(Fault::Protocol("more than 1 MiB of unsolicited lines".to_owned()));
            running.end();
        } else if let Err(TrySendError::Full(_)) = sender.try_send(heard) {
            shared.blame(Fault::Protocol(format!("{WAITING_LINES} unsolicited lines")));
            running.end();
        }
        if over {
            return;
        }
    }
}

/// Watches a program until it is over, and kills it when it uses too much.
fn watch(running: &Running, shared: &Shared, log: &Log, limits: &Hosting) {
    let mut rested = None;
    while !shared.over.load(Ordering::Relaxed) {
        thread::sleep(LOOK);
        running.keep_frozen();
        let rest = running.rest();
        // One look at a program that rests is enough.
        if rest.is_some() && rest == rested {
            continue;
        }
        rested = rest;
        if let Some(fault) = overuse(running, shared, log, limits) {
            shared.blame(fault);
            running.end();
            return;
        }
    }
}

/// The limit that a program exceeds at this moment. Too many processes come first: they hold memory, too.
fn overuse(running: &Running, shared: &Shared, log: &Log, limits: &Hosting) -> Option<Fault> {
    if running.has_more_than(limits.processes) {
        return Some(Fault::Crash(format!("it made more than {} processes", limits.processes)));
    }
    if log.all() > MOST_LOG {
        return Some(Fault::Protocol("it printed more than 256 MiB in a game".to_owned()));
    }
    let (baseline, ceiling) = (shared.baseline.load(Ordering::Relaxed), limits.ceiling());
    let memory = limits.memory.filter(|_| baseline > 0);
    let allowed = memory.map_or(ceiling, |memory| ceiling.min(baseline + memory));
    let held = running.memory(allowed);
    if baseline > 0 {
        let beyond = held.saturating_sub(baseline);
        limits.meter.note(beyond);
        shared.peak.fetch_max(beyond, Ordering::Relaxed);
    }
    let ran_out = running.ran_out();
    if held <= allowed && !ran_out {
        return None;
    }
    let of = |bytes: u64| if ran_out { "too much memory".to_owned() } else { format!("{:.1} MB", bytes as f64 / 1e6) };
    Some(Fault::OutOfMemory(match memory {
        Some(memory) if held <= ceiling => {
            let beyond = of(held.saturating_sub(baseline));
            format!("it held {beyond} beyond its start, {:.0} MB are allowed", memory as f64 / 1e6)
        }
        _ => format!("it held {}, {:.0} MB are allowed in all", of(held), ceiling as f64 / 1e6),
    }))
}
