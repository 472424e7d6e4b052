//! The sandbox: what a program cannot reach, what it may hold, and when it runs, as root and as an ordinary user.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use serde_json::Value;

use super::{Folder, has_sandbox, objects, said};

/// An ordinary user without a name.
const ORDINARY: u32 = 61_235;

fn is_root() -> bool {
    fs::metadata("/proc/self").unwrap().uid() == 0
}

/// A folder of bots for each user that can be tried from here: whoever runs the tests, and an ordinary one.
fn folders() -> Vec<(Folder, bool)> {
    let mut folders = vec![(Folder::new(), false)];
    if is_root() {
        let folder = Folder::new();
        for entry in fs::read_dir(folder.0.path()).unwrap() {
            chown(entry.unwrap().path(), Some(ORDINARY), Some(ORDINARY)).unwrap();
        }
        chown(folder.0.path(), Some(ORDINARY), Some(ORDINARY)).unwrap();
        fs::copy(env!("CARGO_BIN_EXE_turncoat"), folder.path("turncoat")).unwrap();
        folders.push((folder, true));
    }
    folders
}

/// A command, as an ordinary user if asked.
fn command(folder: &Folder, ordinary: bool, words: &[&str]) -> Command {
    if !ordinary {
        return folder.command(words);
    }
    let mut command = Command::new("setpriv");
    command.args([format!("--reuid={ORDINARY}"), format!("--regid={ORDINARY}")]);
    command.args(["--clear-groups", "--inh-caps=-all"]).arg(folder.path("turncoat")).args(words);
    command.current_dir(folder.0.path()).env_remove("TURNCOAT_PYTHON").stdin(Stdio::null());
    command
}

/// A bot in the system's Python, which every user can run.
fn bot(name: &str) -> String {
    let python = "/usr/bin/python3";
    assert!(fs::exists(python).unwrap(), "there is no {python}: `cargo xtask setup` installs it");
    format!("line:{python} {name}.py")
}

/// The games of a bot against another, and what it printed.
fn games(folder: &Folder, ordinary: bool, players: [&str; 2], more: &[&str]) -> (Vec<Value>, String) {
    let mut words = vec!["match", players[0], players[1], "--games", "2", "--concurrency", "1", "--json", "-q"];
    words.extend(["--logs", "logs"]);
    if !more.contains(&"--openings") {
        words.extend(["--openings", "random:0"]);
    }
    words.extend(more);
    let inner = command(folder, ordinary, &words);
    // The arena may have been started with open files of its own.
    let mut command = Command::new("bash");
    command
        .args(["-c", "exec 7</dev/zero 37</dev/zero; exec \"$@\"", "bash"])
        .arg(inner.get_program())
        .args(inner.get_args());
    for (name, value) in inner.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.current_dir(folder.0.path()).stdin(Stdio::null()).env("SECRET", "SECRET-7f3a");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", said(&output));
    let mut games = objects(&output);
    games.pop();
    let mut log = String::new();
    for entry in fs::read_dir(folder.path("logs")).unwrap() {
        log += &String::from_utf8_lossy(&fs::read(entry.unwrap().path()).unwrap());
    }
    assert_eq!(folder.left_running(), Vec::<String>::new());
    (games, log)
}

fn reasons(games: &[Value]) -> Vec<&str> {
    games.iter().map(|game| game["reason"].as_str().unwrap()).collect()
}

#[test]
fn walls_hold() {
    if !has_sandbox() {
        return;
    }
    for (folder, ordinary) in folders() {
        fs::write(folder.path("marks.txt"), "SECRET").unwrap();
        let more = ["--profile", "course", "--time", "20s", "--store", "games.db"];
        let (games, log) = games(&folder, ordinary, [&bot("probe"), "greedy"], &more);
        assert_eq!(reasons(&games), ["finished"; 2], "{games:?}");
        assert!(log.contains("probed") && !log.contains("BREACH") && !log.contains("SECRET"), "{log}");
    }
}

#[test]
fn memory_is_limited_from_the_first_moment_and_without_an_option() {
    if !has_sandbox() {
        return;
    }
    for (folder, ordinary) in folders() {
        let (games, _) = games(&folder, ordinary, [&bot("early"), "greedy"], &["--time", "60s"]);
        assert_eq!(reasons(&games), ["out-of-memory"; 2], "{games:?}");
        let detail = games[0]["detail"].as_str().unwrap();
        assert!(detail.ends_with("MB are allowed in all"), "{detail}");
    }
}

#[test]
fn shared_memory_counts_once() {
    if !has_sandbox() {
        return;
    }
    for (folder, ordinary) in folders() {
        let (games, _) = games(&folder, ordinary, [&bot("pool"), "greedy"], &["--time", "20s", "--memory", "100"]);
        assert_eq!(reasons(&games), ["finished"; 2], "{games:?}");
    }
}

#[test]
fn nobody_thinks_on_the_other_sides_time() {
    if !has_sandbox() {
        return;
    }
    for (folder, ordinary) in folders() {
        let more = ["--time", "60s", "--openings", "random:52"];
        let (games, log) = games(&folder, ordinary, [&bot("ponder"), &bot("slow")], &more);
        assert_eq!(reasons(&games), ["finished"; 2], "{games:?}");
        assert!(log.contains("waited") && !log.contains("BREACH"), "{log}");
    }
}

#[test]
fn the_limit_of_output_is_that_of_a_game() {
    let folder = Folder::new();
    let (games, _) = games(&folder, false, [&Folder::line("talker"), "greedy"], &["--time", "60s"]);
    assert_eq!(reasons(&games), ["finished"; 2], "{games:?}");
}

#[test]
fn a_declared_folder_is_shown() {
    if !has_sandbox() {
        return;
    }
    for (folder, ordinary) in folders() {
        fs::write(folder.path("data.txt"), "").unwrap();
        let (hidden, _) = games(&folder, ordinary, [&bot("data"), "greedy"], &["--time", "20s"]);
        assert_eq!(reasons(&hidden), ["crash"; 2], "{hidden:?}");
        let detail = hidden[0]["detail"].as_str().unwrap();
        assert!(detail.contains("No such file or directory") && detail.contains(",folder=DIR"), "{detail}");
        let declared = format!("{},folder=.", bot("data"));
        let (shown, _) = games(&folder, ordinary, [&declared, "greedy"], &["--time", "20s"]);
        assert_eq!(reasons(&shown), ["finished"; 2], "{shown:?}");
    }
}

#[test]
fn a_killed_arena_leaves_no_process_and_its_copies_go_with_the_next() {
    if !has_sandbox() {
        return;
    }
    let folder = Folder::new();
    // Root's programs have a uid of their own, and are shown copies of private files.
    fs::set_permissions(folder.path("silent.py"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::set_permissions(folder.path("good_line.py"), fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir(folder.path("scratch")).unwrap();
    let start = |bot: &str| {
        let bot = Folder::line(bot);
        let mut command = folder.command(&["match", &bot, "greedy", "--games", "2", "--time", "60s", "-q"]);
        command.env("TMPDIR", folder.path("scratch")).stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().unwrap()
    };
    let copies = || fs::read_dir(folder.path("scratch")).unwrap().flatten().count();
    let mut arena = start("silent");
    while folder.left_running().len() < 3 {
        assert!(arena.try_wait().unwrap().is_none());
        sleep(Duration::from_millis(10));
    }
    assert_eq!(copies() > 0, is_root());
    arena.kill().unwrap();
    arena.wait().unwrap();
    while !folder.left_running().is_empty() {
        sleep(Duration::from_millis(10));
    }
    assert!(start("good_line").wait().unwrap().success());
    assert_eq!(copies(), 0);
}

#[test]
fn check_says_which_protection_is_in_force() {
    if !has_sandbox() {
        return;
    }
    for (folder, ordinary) in folders() {
        let output = command(&folder, ordinary, &["check", "--sandbox"]).output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{}", said(&output));
        for topic in
            ["namespaces", "user", "files", "system calls", "memory", "processes", "opponent's turn", "one CPU"]
        {
            assert!(text.lines().any(|line| line.starts_with(topic)), "{topic}: {text}");
        }
        assert_eq!(text.contains("a uid of its own"), is_root() && !ordinary, "{text}");
    }
}
