//! A plain host of static files, below a path, as anybody's web host is.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, fs, thread};

/// The site that `cargo xtask site` builds, at an address of its own.
pub(crate) struct Site {
    address: SocketAddr,
    is_cut: Arc<AtomicBool>,
}

impl Site {
    pub(crate) fn start() -> Self {
        Self::start_in(folder())
    }

    /// A host of the files in a folder.
    pub(crate) fn start_in(folder: PathBuf) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let is_cut = Arc::new(AtomicBool::new(false));
        let cut = Arc::clone(&is_cut);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                if cut.load(Ordering::Relaxed) {
                    let _ = stream.shutdown(Shutdown::Both);
                    continue;
                }
                let folder = folder.clone();
                thread::spawn(move || answer(&stream, &folder));
            }
        });
        Self { address, is_cut }
    }

    /// The address of something on the page.
    pub(crate) fn at(&self, place: &str) -> String {
        format!("http://{}/some/folder/{place}", self.address)
    }

    /// Nothing is answered from now on.
    pub(crate) fn cut(&self) {
        self.is_cut.store(true, Ordering::Relaxed);
    }
}

/// Where the files lie.
pub(crate) fn folder() -> PathBuf {
    let folder = env::var_os("TURNCOAT_SITE").map(PathBuf::from);
    let folder = folder.expect("no site: `cargo xtask test` builds it, TURNCOAT_SITE names its folder");
    assert!(folder.join("index.html").is_file(), "{} is no site", folder.display());
    folder
}

/// Answers requests on a connection until it is closed. What lies compressed beside a file is sent in its place.
fn answer(stream: &TcpStream, folder: &Path) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    loop {
        let request = lines.next()?.ok()?;
        let mut takes_gzip = false;
        loop {
            let field = lines.next()?.ok()?.to_lowercase();
            takes_gzip |= field.starts_with("accept-encoding:") && field.contains("gzip");
            if field.is_empty() {
                break;
            }
        }
        let path = request.split(' ').nth(1)?.strip_prefix("/some/folder/")?.split(['?', '#']).next()?;
        let path = if path.is_empty() { "index.html" } else { path };
        let packed = fs::read(folder.join(format!("{path}.gz"))).ok().filter(|_| takes_gzip);
        let encoding = if packed.is_some() { "Content-Encoding: gzip\r\n" } else { "" };
        let (status, content) = match packed.map_or_else(|| fs::read(folder.join(path)), Ok) {
            Ok(content) => ("200 OK", content),
            Err(_) => ("404 Not Found", Vec::new()),
        };
        let kind = match path.rsplit('.').next()? {
            "html" => "text/html; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "webmanifest" => "application/manifest+json",
            "wasm" => "application/wasm",
            _ => "application/octet-stream",
        };
        let length = content.len();
        let head = format!("HTTP/1.1 {status}\r\nContent-Type: {kind}\r\n{encoding}Content-Length: {length}\r\n\r\n");
        let mut stream = stream;
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&content)).ok()?;
    }
}
