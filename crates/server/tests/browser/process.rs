//! The one Chromium that all tests share. Debian starts it by a script, so its process group stands for it.

use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::{env, thread};

use tungstenite::WebSocket;
use tungstenite::stream::MaybeTlsStream;

/// A connection to the browser's debugging protocol.
pub(crate) type Connection = WebSocket<MaybeTlsStream<TcpStream>>;

/// The browser, once a test has started it.
static SHARED: Mutex<Option<Browser>> = Mutex::new(None);

/// Waits until its input ends, which is when the process that holds the other end is gone, however it ended; then ends
/// the process group `$0` and removes the folder `$1`.
const GUARD: &str = r#"cat; kill -s KILL -- "-$0"; rm -rf "$1" || { sleep 1; rm -rf "$1"; }"#;

/// Names that the browser goes by.
const BROWSERS: [&str; 4] = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"];

/// The browser's program: the one of `TURNCOAT_CHROMIUM`, or one on the path; `None` if `TURNCOAT_SKIP` names these tests.
fn program() -> Option<PathBuf> {
    if env::var("TURNCOAT_SKIP").is_ok_and(|skip| skip.contains("browser")) {
        eprintln!("not run: TURNCOAT_SKIP names the browser's tests");
        return None;
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = || {
        env::split_paths(&path)
            .flat_map(|folder| BROWSERS.map(|name| folder.join(name)))
            .find(|program| program.is_file())
    };
    let program = env::var_os("TURNCOAT_CHROMIUM").map(PathBuf::from);
    Some(program.or_else(on_path).expect(
        "no Chromium: `cargo xtask setup` installs it, TURNCOAT_CHROMIUM names it, TURNCOAT_SKIP=browser leaves \
         these tests out",
    ))
}

/// Connects to the browser, which is started if it does not run; `None` if the browser's tests are left out.
///
/// A browser that dies fails the tests that are using it, by name; the next one starts another.
pub(crate) fn connect() -> Option<Connection> {
    let program = program()?;
    let mut shared = SHARED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(Ok((socket, _))) = shared.as_ref().map(|browser| tungstenite::connect(&browser.address)) {
        return Some(socket);
    }
    let browser = shared.insert(Browser::start(&program));
    Some(tungstenite::connect(&browser.address).unwrap().0)
}

/// A running browser.
struct Browser {
    process: Child,
    /// Runs [`GUARD`] over the process.
    guard: Child,
    /// Where it listens.
    address: String,
}

impl Browser {
    fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().unwrap().keep();
        let mut process = in_own_group(program)
            .args([
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                // A page is never in the background: each test looks at its own.
                "--disable-background-timer-throttling",
                "--disable-backgrounding-occluded-windows",
                "--disable-renderer-backgrounding",
                "--lang=en",
                "--remote-debugging-port=0",
                "about:blank",
            ])
            // A test's page does not live long enough for optimised code to pay; measurements want it.
            .args(cfg!(test).then_some("--js-flags=--single-threaded,--no-opt,--no-maglev,--max-lazy"))
            .arg(format!("--user-data-dir={}", profile.display()))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut guard = in_own_group(Path::new("sh"));
        guard.args(["-c", GUARD, &process.id().to_string()]).arg(profile).stdin(Stdio::piped());
        let guard = guard.stderr(Stdio::null()).spawn().unwrap();
        let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let address = lines
            .find_map(|line| Some(line.ok()?.strip_prefix("DevTools listening on ")?.to_owned()))
            .expect("the browser says where it listens");
        // It keeps talking, and must not be held up by it.
        thread::spawn(move || lines.for_each(drop));
        Self { process, guard, address }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // This closes the guard's input first.
        let _ = self.guard.wait();
        let _ = self.process.wait();
    }
}

/// A command whose processes form a group that no signal of the terminal reaches.
fn in_own_group(program: &Path) -> Command {
    let mut command = Command::new(program);
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    command
}
