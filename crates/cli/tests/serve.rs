//! `turncoat serve`: the address it prints, and games that outlive the process.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

/// A server that is killed, not asked to end, when it is dropped.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(data: &Path) -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_turncoat"))
            .args(["serve", "--json", "--addr", "127.0.0.1:0", "--data"])
            .arg(data)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        output.read_line(&mut line).unwrap();
        let ready: Value = serde_json::from_str(&line).unwrap();
        let address = ready["address"].as_str().unwrap();
        let address = address.strip_prefix("http://").unwrap();
        Self { process, address: address.trim_end_matches('/').to_owned() }
    }

    /// The body of the answer.
    fn ask(&self, method: &str, path: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let (host, length) = (&self.address, body.len());
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
fn a_game_is_there_after_the_process_was_killed() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    assert!(server.ask("GET", "/", "").starts_with("<!doctype html>"));
    let game = r#"{"game":{"moves":"f5"},"black":"human","white":"greedy"}"#;
    assert_eq!(server.ask("POST", "/api/games", game), r#"{"id":1}"#);
    let more = game.replace("f5", "f5d6c3");
    server.ask("PUT", "/api/games/1", &more);
    drop(server);
    let server = Server::start(data.path());
    let kept: Value = serde_json::from_str(&server.ask("GET", "/api/games/1", "")).unwrap();
    assert_eq!(kept["moves"], "f5d6c3");
}

#[test]
fn an_address_that_cannot_be_had_is_a_misuse() {
    let data = tempfile::tempdir().unwrap();
    let server = Server::start(data.path());
    let output = Command::new(env!("CARGO_BIN_EXE_turncoat"))
        .args(["serve", "--addr", &server.address, "--data"])
        .arg(data.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(error.contains(&server.address), "{error}");
}

#[test]
fn an_address_in_use_is_named_with_the_way_out() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_turncoat"))
        .args(["serve", "--addr", &address, "--data"])
        .arg(folder.path())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8(output.stderr).unwrap();
    let told = format!("error: {address} is in use by another program; choose another --addr");
    assert!(said.starts_with(&told), "{said}");
}

/// The first line that a server prints, and the server, which is killed when it is dropped.
fn announced(arguments: &[&str], variable: Option<&str>) -> (String, Server) {
    let data = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
    command.args(["serve", "--data"]).arg(data.path()).args(arguments).env_remove("TURNCOAT_TOKEN");
    command.envs(variable.map(|token| ("TURNCOAT_TOKEN", token)));
    let mut process = command.stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.strip_prefix("Turncoat is at http://").unwrap().split(' ').next().unwrap();
    let address = address.split('/').next().unwrap().to_owned();
    (line, Server { process, address })
}

#[test]
fn an_address_that_others_can_reach_has_a_token() {
    let (line, server) = announced(&["--addr", "0.0.0.0:0"], None);
    let token = line.split("/#token=").nth(1).unwrap().split(' ').next().unwrap();
    assert_eq!(token.len(), 32, "{line}");
    assert!(server.ask("GET", "/api/about", "").contains("no-token"));
    drop(server);
    let (open, server) = announced(&["--addr", "0.0.0.0:0", "--open"], None);
    assert!(!open.contains("token"), "{open}");
    assert!(server.ask("GET", "/api/about", "").contains("version"));
    drop(server);
    let (own, _server) = announced(&["--addr", "127.0.0.1:0"], None);
    assert!(own.ends_with("/ (Ctrl-C ends it)\n"), "{own}");
}

#[test]
fn a_token_can_be_kept_in_a_file_or_a_variable() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("token");
    let arguments = ["--addr", "127.0.0.1:0", "--token", file.to_str().unwrap()];
    let of = |line: &str| line.split("/#token=").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let (first, _server) = announced(&arguments, None);
    let (again, _server) = announced(&arguments, None);
    assert_eq!(of(&first), of(&again));
    assert_eq!(std::fs::read_to_string(&file).unwrap().trim(), of(&first));
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
    let (named, _server) = announced(&["--addr", "127.0.0.1:0"], Some("a-token-of-the-tests"));
    assert_eq!(of(&named), "a-token-of-the-tests");
    for text in ["short", "with a space in it"] {
        std::fs::write(&file, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_turncoat"))
            .args(["serve", "--token"])
            .args([&file, Path::new("--data"), folder.path()])
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8(output.stderr).unwrap().contains("a token has"));
    }
}

#[test]
fn files_that_are_no_players_are_named_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../weights/linear-reversed.toml"));
    for (name, text) in [
        ("good.toml", text.unwrap().as_str()),
        ("a b.toml", ""),
        ("other.toml", "player = \"nobody\""),
        ("cut.toml", "player = \"gene45\""),
        ("cut.weights", "TCPW"),
        ("cut.probcut.toml", "beside the weights"),
        ("notes.txt", ""),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_turncoat"));
    command.args(["serve", "--addr", "127.0.0.1:0", "--data"]).arg(folder.path().join("data"));
    let mut process =
        command.arg("--players").arg(folder.path()).stderr(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut said = Vec::new();
    let mut lines = BufReader::new(process.stderr.take().unwrap()).lines();
    while said.len() < 4 {
        said.push(lines.next().unwrap().unwrap());
    }
    process.kill().unwrap();
    process.wait().unwrap();
    said.extend(lines.map(Result::unwrap));
    let place = format!("{}/", folder.path().display());
    let said: Vec<String> = said.iter().map(|line| line.replace(&place, "")).collect();
    for (line, expected) in said.iter().zip([
        "a b.toml is no player: names are made of letters",
        "cut.toml is no player: ",
        "cut.weights is no player: the file is cut off after 4 bytes",
        "other.toml is no player: no player with parameters is called \"nobody\"",
    ]) {
        assert!(line.starts_with(expected), "{line}");
    }
    assert_eq!(said.len(), 4, "{said:?}");
}

#[test]
fn the_runs_of_a_folder_are_shown() {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../train/tests/fixtures");
    let (_, server) = announced(&["--addr", "127.0.0.1:0", "--runs", runs.to_str().unwrap()], None);
    let list: Value = serde_json::from_str(&server.ask("GET", "/api/runs", "")).unwrap();
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|run| run["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["genetic"]);
    let run: Value = serde_json::from_str(&server.ask("GET", "/api/runs/genetic", "")).unwrap();
    assert_eq!((&run["state"], &run["generation"]), (&Value::from("stopped"), &Value::from(3)));
    let output = Command::new(env!("CARGO_BIN_EXE_turncoat")).args(["serve", "--runs", "no/such"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("error: no/such: "));
}
