//! Scripted bad programs: each loses with the right reason, the tournament ends, nothing stays running.

use std::net::TcpListener;

use serde_json::Value;

use super::{Folder, has_sandbox, said, trust};

/// Plays a bot against `greedy` and returns its games.
fn games(folder: &Folder, bot: &str, more: &[&str]) -> Vec<Value> {
    let mut words = vec!["match", bot, "greedy", "--games", "2", "--openings", "random:0", "--json", "-q"];
    words.extend(["--concurrency", "1"]);
    words.extend(more);
    if !more.contains(&"--trust") {
        words.extend(trust());
    }
    let mut objects = folder.objects(&words);
    let summary = objects.pop().unwrap();
    assert_eq!((summary["games"].as_u64(), summary["complete"].as_bool()), (Some(2), Some(true)));
    assert_eq!(folder.left_running(), Vec::<String>::new(), "{bot}");
    objects
}

/// The bot loses both games by this fault.
fn loses(folder: &Folder, bot: &str, more: &[&str], reason: &str) -> String {
    let games = games(folder, bot, more);
    for game in &games {
        let greedy = if game["black"] == "greedy" { "black" } else { "white" };
        assert_eq!((game["reason"].as_str(), game["winner"].as_str()), (Some(reason), Some(greedy)), "{game}");
    }
    games[0]["detail"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn silent_and_stubborn_ones_lose_by_time() {
    let folder = Folder::new();
    for bot in ["silent", "stubborn"] {
        let detail = loses(&folder, &Folder::line(bot), &["--time", "300ms"], "timeout");
        assert!(detail.contains(" s (limit 0.300 s)"), "{detail}");
    }
}

#[test]
fn chatty_illegal_and_crashing_ones_lose_by_what_they_do() {
    let folder = Folder::new();
    let time = ["--time", "5s"];
    let detail = loses(&folder, &Folder::line("chatty"), &time, "protocol-error");
    assert_eq!(detail, "\"let me think about this ...\" is not a move");
    assert_eq!(loses(&folder, &Folder::line("illegal"), &time, "illegal-move"), "d4");
    let detail = loses(&folder, &Folder::line("crash20"), &time, "crash");
    assert!(detail.ends_with("ZeroDivisionError: the twentieth"), "{detail}");
    let games = games(&folder, &Folder::line("crash20"), &time);
    assert!(games.iter().all(|game| game["moves"].as_str().unwrap().len() >= 2 * 38));
}

#[test]
fn floods_are_cut_short() {
    let folder = Folder::new();
    let time = ["--time", "20s"];
    let detail = loses(&folder, &Folder::line("gigabyte"), &time, "protocol-error");
    assert_eq!(detail, "a line of more than 64 KiB");
    // Whichever is noticed first: too many lines, or one of them where a move should be.
    loses(&folder, &Folder::line("flood"), &time, "protocol-error");
}

#[test]
fn memory_and_processes_are_limited() {
    let folder = Folder::new();
    let limits = ["--time", "20s", "--memory", "100"];
    let detail = loses(&folder, &Folder::line("glutton"), &limits, "out-of-memory");
    assert!(detail.ends_with("MB beyond its start, 100 MB are allowed"), "{detail}");
    loses(&folder, "py:course_hungry.py", &limits, "out-of-memory");
}

#[test]
fn too_many_processes_lose_with_a_sandbox_and_without() {
    let folder = Folder::new();
    for more in [&["--time", "20s"][..], &["--time", "20s", "--trust"]] {
        if more.len() == 2 && !has_sandbox() {
            continue;
        }
        let detail = loses(&folder, &Folder::line("forking"), more, "crash");
        assert_eq!(detail, "it made more than 32 processes");
    }
}

#[test]
fn in_the_sandbox_nothing_is_written_and_nobody_called() {
    if !has_sandbox() {
        return;
    }
    let folder = Folder::new();
    let detail = loses(&folder, &Folder::line("writer"), &["--time", "5s"], "crash");
    assert!(detail.contains("Read-only file system"), "{detail}");
    assert!(!folder.path("was-here").exists());
    let detail = loses(&folder, &Folder::line("filler"), &["--time", "20s"], "crash");
    assert!(detail.contains("No space left on device"), "{detail}");
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let bot = format!("{} {}", Folder::line("socket_bot"), listener.local_addr().unwrap().port());
    let detail = loses(&folder, &bot, &["--time", "5s"], "crash");
    assert!(detail.contains("Error"), "{detail}");
    assert!(listener.accept().is_err());
}

#[test]
fn trusted_programs_end_with_all_their_children_too() {
    let folder = Folder::new();
    let words = ["--time", "300ms", "--trust"];
    let mut all = vec!["match", "greedy"];
    let bot = Folder::line("stubborn");
    all.extend([bot.as_str(), "--games", "2", "--json", "-q"]);
    all.extend(words);
    let objects = folder.objects(&all);
    assert!(objects[..2].iter().all(|game| game["reason"] == "timeout"));
    assert_eq!(folder.left_running(), Vec::<String>::new());
}

#[test]
fn a_tournament_of_them_all_comes_to_its_end() {
    let folder = Folder::new();
    let bots: Vec<String> = ["silent", "chatty", "illegal", "crash20", "good_line"].map(Folder::line).to_vec();
    let mut words = vec!["tournament", "greedy"];
    words.extend(bots.iter().map(String::as_str));
    words.extend(["py:course_raises.py", "--games", "2", "--time", "1s", "--json", "-q"]);
    words.extend(trust());
    let objects = folder.objects(&words);
    assert_eq!(objects.len(), 7 * 6 + 1);
    let table = objects.last().unwrap()["table"].as_array().unwrap();
    let faults = |name: &str| {
        let row = table.iter().find(|row| row["player"].as_str().unwrap().contains(name)).unwrap();
        row["faults"].as_u64().unwrap()
    };
    assert_eq!((faults("greedy"), faults("good_line")), (0, 0));
    for bot in ["silent", "chatty", "illegal", "crash20"] {
        assert!(faults(bot) > 0, "{bot}");
    }
    assert_eq!(folder.left_running(), Vec::<String>::new());
}

#[test]
fn where_there_is_no_sandbox_it_says_so() {
    let folder = Folder::new();
    let mut command = folder.command(&["match", "greedy", "line:cat", "--games", "2"]);
    // A path with nothing but the bot's program on it.
    let own = folder.path("programs");
    std::fs::create_dir(&own).unwrap();
    std::os::unix::fs::symlink("/bin/cat", own.join("cat")).unwrap();
    let output = command.env("PATH", &own).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(said(&output).contains("bubblewrap is not installed"), "{}", said(&output));
    assert!(said(&output).contains("--trust"));
}
