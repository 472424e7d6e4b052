//! A server that was started for a trial, and the first move on its page.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};

use crate::page;
use crate::shell::target;

/// How long a server may take to end.
const END: Duration = Duration::from_secs(20);
/// A game in which the engine begins.
const GAME: &str =
    r#"{"game":{"variant":"reversed","size":8,"start":"start","moves":""},"black":"turncoat:level=3","white":"human"}"#;

/// A server; it ends with the value.
pub(super) struct Serving {
    server: Child,
    /// Where it listens.
    host: String,
}

impl Serving {
    /// Starts a server, which prints its address as JSON.
    pub(super) fn start(mut command: Command) -> Result<Self> {
        let mut server = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let mut line = String::new();
        BufReader::new(server.stdout.take().context("the server says nothing")?).read_line(&mut line)?;
        let host = text_of(&line, "address").and_then(|url| url.strip_prefix("http://")?.split('/').next());
        let host = host.with_context(|| format!("the server did not say where it is: {line:?}"));
        match host {
            Ok(host) => Ok(Self { host: host.to_owned(), server }),
            Err(error) => {
                let _ = server.kill();
                Err(error)
            }
        }
    }

    /// Has a browser open a game in which it is the engine's turn, and returns the move that the page has kept.
    pub(super) fn first_move(&self, patience: Duration) -> Result<String> {
        let began = Instant::now();
        let made = self.ask("POST", "/api/games", GAME)?;
        let id = made.rsplit_once("\"id\":").map(|(_, rest)| rest.trim_end_matches('}').trim().to_owned());
        let id = id.with_context(|| format!("no game was made: {made}"))?;
        let browser = page::browser().context("a browser is needed: cargo xtask setup installs it")?;
        let profile = target().join("dist-try").join("browser");
        let _ = fs::remove_dir_all(&profile);
        // Debian's command is a script that does not hand signals on: its group is ended.
        let mut browser = Command::new(browser)
            .process_group(0)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg(format!("http://{}/#/play?resume={id}", self.host))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut chosen = Ok(String::new());
        while began.elapsed() < patience && chosen.as_ref().is_ok_and(String::is_empty) {
            sleep(Duration::from_millis(100));
            let game = self.ask("GET", &format!("/api/games/{id}"), "");
            chosen = game.and_then(|game| Ok(text_of(&game, "moves").context("the game is gone")?.to_owned()));
        }
        let _ = Command::new("kill").args(["-KILL", "--", &format!("-{}", browser.id())]).status();
        let _ = browser.wait();
        let chosen = chosen?;
        ensure!(!chosen.is_empty(), "there was no move on the page after {} s", patience.as_secs());
        Ok(chosen)
    }

    /// Asks the server; the answer with its head.
    fn ask(&self, method: &str, path: &str, body: &str) -> Result<String> {
        let mut stream = TcpStream::connect(&self.host).with_context(|| self.host.clone())?;
        let (host, length) = (&self.host, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\
             Connection: close\r\n\r\n{body}"
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    /// Ends the server as Ctrl-C does, and sees that it ends well. Wine makes the signal the Ctrl-C of Windows.
    pub(super) fn stop(mut self) -> Result<()> {
        let id = self.server.id().to_string();
        ensure!(Command::new("kill").args(["-INT", &id]).status()?.success(), "the server had ended before");
        let began = Instant::now();
        while began.elapsed() < END {
            if let Some(status) = self.server.try_wait()? {
                ensure!(status.success(), "after Ctrl-C the server ended with {status}");
                return Ok(());
            }
            sleep(Duration::from_millis(50));
        }
        anyhow::bail!("the server does not end after Ctrl-C")
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// The text of a name in a line of JSON.
fn text_of<'a>(json: &'a str, name: &str) -> Option<&'a str> {
    let (_, rest) = json.split_once(&format!("\"{name}\":\""))?;
    Some(rest.split_once('"')?.0)
}
