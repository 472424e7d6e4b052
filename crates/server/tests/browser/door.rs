//! The door of a server that others can reach: one click with the token, or the form.

use serde_json::json;
use turncoat_server::{Access, Token};

use crate::chromium::Page;
use crate::client::Server;

const TOKEN: &str = "a-token-of-the-tests";

fn server() -> Server {
    Server::with(|config| config.access = Access::Token(TOKEN.parse::<Token>().unwrap()))
}

#[test]
fn one_click_opens_the_page_and_the_token_is_gone_from_its_address() {
    let server = server();
    let Some(mut page) = Page::open(&format!("http://{}/#token={TOKEN}", server.address())) else {
        return;
    };
    page.until("document.querySelector('.play .cell.legal')");
    assert_eq!(page.value("location.pathname + location.hash"), json!("/"));
    // No script can read it, and sockets have it too.
    assert_eq!(page.value("document.cookie"), json!(""));
    page.value("location.hash = '#/analyse?game=reversed&size=8&line=d3'");
    page.until("Number(document.querySelector('.depth')?.dataset.depth) > 2");
    // The same address again does not keep the token in the history either.
    page.go(&format!("http://{}/?again#token={TOKEN}", server.address()));
    assert_eq!(page.value("location.hash"), json!(""));
    page.is_well();
}

#[test]
fn who_comes_without_the_token_is_asked_for_it() {
    let server = server();
    let Some(mut page) = Page::open(&format!("http://{}/#token=not-the-right-token", server.address())) else {
        return;
    };
    page.until("document.querySelector('#told')?.textContent.includes('not the token')");
    assert_eq!(page.value("location.pathname"), json!("/door"));
    page.value("localStorage.setItem('language', 'zh')");
    page.value(&format!("location.replace('http://{}/?again#/learn')", server.address()));
    page.until(
        "document.querySelector('#ask')?.textContent.includes('令牌') && !document.querySelector('#door').hidden",
    );
    page.value(&format!("document.querySelector('#token').value = '{TOKEN}'"));
    page.click("#enter");
    page.until("document.querySelector('.corner-card')");
    assert_eq!(page.value("location.pathname + location.hash"), json!("/#/learn"));
    page.value("localStorage.removeItem('language')");
}
