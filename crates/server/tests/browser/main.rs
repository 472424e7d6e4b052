//! The page in a real browser: played, analysed and read as people do.
//!
//! `cargo xtask test` brings the browser; `cargo xtask screenshots` also keeps the pictures that are taken on the way.

mod access;
mod analyse;
mod arena;
mod bad_luck;
mod chromium;
#[path = "../client/mod.rs"]
mod client;
mod clocks;
mod door;
mod ending;
mod exchange;
mod faults;
mod haste;
mod hints;
mod host;
mod keeping;
mod lab;
mod layout;
mod play;
mod process;
mod resuming;
mod running;
mod saving;
mod site;
mod study;

use chromium::Page;
use client::Server;
use host::Site;

/// Whoever is behind the page: a server, or nobody but the browser.
enum Host {
    Server { _server: Server },
    Site { _site: Site },
}

/// Whether the tests are to look at the page of static files: `cargo xtask test static`.
fn is_static() -> bool {
    std::env::var("TURNCOAT_BACKEND").is_ok_and(|name| name == "site")
}

/// A page, of a server or of static files; `None` if the browser's tests are left out.
fn page(at: &str) -> Option<(Host, Page)> {
    if is_static() {
        let site = Site::start();
        let page = Page::open(&site.at(at))?;
        return Some((Host::Site { _site: site }, page));
    }
    let (server, page) = server_page(at)?;
    Some((Host::Server { _server: server }, page))
}

/// A server and its page, for what only a server has; `None` if the browser's tests are left out.
fn server_page(at: &str) -> Option<(Server, Page)> {
    if is_static() {
        return None;
    }
    let server = Server::start();
    let page = Page::open(&format!("http://{}/{at}", server.address()))?;
    Some((server, page))
}
