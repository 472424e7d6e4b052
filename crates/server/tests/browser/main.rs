//! The page in a real browser: played, analysed and read as people do.
//!
//! `cargo xtask test` brings the browser; `cargo xtask screenshots` also keeps the pictures that are taken on the way.

mod access;
mod analyse;
mod chromium;
#[path = "../client/mod.rs"]
mod client;
mod door;
mod exchange;
mod faults;
mod haste;
mod host;
mod keeping;
mod layout;
mod play;
mod process;
mod resuming;
mod running;
mod site;

use chromium::Page;
use client::Server;

/// A server and its page; `None` if the browser's tests are left out.
fn page(at: &str) -> Option<(Server, Page)> {
    let server = Server::start();
    let page = Page::open(&format!("http://{}/{at}", server.address()))?;
    Some((server, page))
}
