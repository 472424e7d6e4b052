//! What front ends hear, to the byte. The player is a simple one, whose moves do not change as the engine learns.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use super::Folder;

/// What the engine answers to all of this.
fn answers(words: &[&str], input: &str) -> String {
    let folder = Folder::new();
    let mut engine = folder
        .command(&[&["engine"], words].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = engine.stdin.take().unwrap();
    to.write_all(input.as_bytes()).unwrap();
    drop(to);
    let output = engine.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_session_of_gtp() {
    let input = "protocol_version\n1 name\nlist_games\nset_game Reversed Othello\nclear_board\nplay b f5\n\
                 play WHITE d6\ngenmove b\nshowboard\nplay w a1\nnonsense\n7 undo\n# a comment\n\
                 time_settings 60 0 0\nboardsize 7\nset_game Go\nfinal_score\nquit\n";
    let board = "  A B C D E F G H\n1 - - - - - - - -\n2 - - - - - - - -\n3 - - X - - - - -\n4 - - - X X - - -\n\
                 5 - - - O X X - -\n6 - - - O - - - -\n7 - - - - - - - -\n8 - - - - - - - -\nwhite to move";
    let expected = format!(
        "= 2\n\n=1 Turncoat\n\n= Othello\nReversed Othello\n\n=\n\n=\n\n=\n\n=\n\n= C3\n\n= {board}\n\n\
         ? illegal move\n\n? unknown command\n\n=7\n\n=\n\n? unacceptable size\n\n? unsupported game\n\n\
         ? the game is not over\n\n=\n\n"
    );
    assert_eq!(answers(&["gtp", "--player", "greedy"], input), expected);
}

#[test]
fn a_session_of_botzone_kept_running_and_started_anew() {
    let keep = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<";
    let input =
        "{\"requests\":[{\"x\":-1,\"y\":-1}],\"responses\":[]}\n{\"x\":2,\"y\":2}\nbroken\n";
    let expected = format!(
        "{{\"debug\":\"depth 1, -3.00 discs\",\"response\":{{\"x\":3,\"y\":2}}}}\n{keep}\n\
         {{\"debug\":\"depth 1, -3.00 discs\",\"response\":{{\"x\":1,\"y\":2}}}}\n{keep}\n\
         {{\"debug\":\"error: this is no JSON object: expected value at line 1 column 1\",\
         \"response\":{{\"x\":-1,\"y\":-1}}}}\n{keep}\n"
    );
    assert_eq!(answers(&["botzone", "--player", "greedy"], input), expected);
    let input = "{\"requests\":[{\"x\":5,\"y\":4}],\"responses\":[]}\n";
    let words = [
        "botzone",
        "--once",
        "--player",
        "greedy",
        "--variant",
        "reversi",
    ];
    assert_eq!(
        answers(&words, input),
        "{\"debug\":\"depth 1, +0.00 discs\",\"response\":{\"x\":5,\"y\":3}}\n"
    );
}

#[test]
fn a_session_of_lines() {
    let input = "garbage\n---------------------------OX------XO--------------------------- X\n";
    assert_eq!(
        answers(&["line", "--player", "greedy"], input),
        "error: character 1: 'g' on a1 is no cell: X is black, O is white, - is empty\nd3\n"
    );
}

#[test]
fn a_session_of_nboard() {
    let folder = Folder::new();
    let mut engine = folder
        .command(&["engine", "nboard", "--player", "greedy"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut to = engine.stdin.take().unwrap();
    let mut lines = BufReader::new(engine.stdout.take().unwrap()).lines();
    // A front end waits for the move before it says more; any order ends the thinking.
    let mut heard_until = |say: &str, last: &str| {
        to.write_all(say.as_bytes()).unwrap();
        let mut heard = Vec::new();
        loop {
            let line = lines.next().unwrap().unwrap();
            // How long it took is different every time.
            let timed = line.starts_with("nodestats");
            heard.push(if timed { "nodestats".to_owned() } else { line });
            if heard.last().unwrap().starts_with(last) {
                return heard;
            }
        }
    };
    let ggf = "(;GM[Othello]PC[NBoard]DT[2026]PB[a]PW[b]TI[5:00]TY[8a]RE[?]\
               BO[8 ---------------------------O*------*O--------------------------- *]B[F5];)";
    let begin =
        format!("nboard 2\nset depth 4\nset game {ggf}\nmove D6/0.00/1.2\nunheard of\nping 3\n");
    assert_eq!(
        heard_until(&begin, "pong"),
        ["set myname Turncoat", "pong 3"]
    );
    let heard = heard_until("go\n", "===");
    assert_eq!(heard[0], "status thinking");
    assert!(heard.last().unwrap().starts_with("=== C3/"), "{heard:?}");
    let heard = heard_until("move PA\nset game nonsense\nping 5\n", "pong 5");
    let faults: Vec<&String> = heard.iter().filter(|line| line.contains("error")).collect();
    assert_eq!(
        faults,
        [
            "status error: pass: black has a legal move and may not pass",
            "status error: set game: character 1: no game is here: it begins with (;"
        ]
    );
    heard_until("set depth 60\nhint 1\nping 6\n", "pong 6");
    to.write_all(b"quit\n").unwrap();
    assert!(engine.wait().unwrap().success());
}
