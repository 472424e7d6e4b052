//! Games in other people's formats, read by `convert`, `play` and `analyze`.

use std::fs;

use super::Folder;

const GGF: &str = "(;GM[Othello]PC[GGS/os]DT[2003]PB[a]PW[b]TI[]TY[8]RE[?]\
                   BO[8 ---------------------------O*------*O--------------------------- *]B[F5]W[D6]B[C3];)";

fn printed(folder: &Folder, words: &[&str]) -> String {
    let output = folder.run(words);
    assert!(output.status.success(), "{words:?}: {}", super::said(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn ggf_is_converted_both_ways() {
    let folder = Folder::new();
    fs::write(folder.path("games.ggf"), format!("{GGF}\n{}\n", GGF.replace("TY[8]", "TY[8a]"))).unwrap();
    let words = ["convert", "--file", "games.ggf", "--to"];
    let convert = |to: &str| printed(&folder, &[&words[..], &[to]].concat());
    assert_eq!(convert("transcript"), "f5d6c3\nf5d6c3\n");
    assert_eq!(convert("ggf"), format!("{GGF}\n{}\n", GGF.replace("TY[8]", "TY[8a]")));
    assert_eq!(printed(&folder, &["convert", GGF, "--to", "transcript"]), "f5d6c3\n");
}

#[test]
fn wthor_games_have_their_names() {
    let folder = Folder::new();
    let mut games = vec![20, 24, 1, 31, 1, 0, 0, 0, 0, 0, 0xd3, 7, 8, 0, 22, 0];
    games.extend([1, 0, 0, 0, 1, 0, 33, 32, 56, 64, 33]);
    games.resize(16 + 68, 0);
    fs::write(folder.path("WTH_2003.wtb"), games).unwrap();
    let names = |length: usize, names: &[&str]| {
        let mut bytes = vec![20, 24, 1, 31, 0, 0, 0, 0, names.len() as u8, 0, 0, 0, 0, 0, 0, 0];
        for name in names {
            let mut field = name.as_bytes().to_vec();
            field.resize(length, 0);
            bytes.extend(field);
        }
        bytes
    };
    fs::write(folder.path("WTHOR.JOU"), names(20, &["Tamenori", "Hassan"])).unwrap();
    fs::write(folder.path("WTHOR.TRN"), names(26, &["?", "Stockholm"])).unwrap();
    let ggf = printed(&folder, &["convert", "--file", "WTH_2003.wtb", "--to", "ggf"]);
    assert!(ggf.starts_with("(;GM[Othello]PC[Stockholm]DT[2003]PB[Tamenori]PW[Hassan]"), "{ggf}");
    let analysed = printed(&folder, &["analyze", "--game", "--file", "WTH_2003.wtb", "--depth", "2", "--json"]);
    assert_eq!(analysed.lines().count(), 3);
    let output = folder.run(&["analyze", "--game", "--file", "WTH_2003.wtb", "--number", "2"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(super::said(&output).contains("has 1 games"));
}

#[test]
fn a_log_of_the_course_is_replayed() {
    let folder = Folder::new();
    let log = printed(&folder, &["convert", "f5d6c3", "--to", "chess-log"]);
    fs::write(folder.path("chess_log.txt"), &log).unwrap();
    let back = printed(&folder, &["convert", "--file", "chess_log.txt", "--to", "transcript"]);
    assert_eq!(back, "f5d6c3\n");
    let shown = printed(&folder, &["play", "--file", "chess_log.txt", "--replay"]);
    assert!(shown.contains("3. Black plays c3."), "{shown}");
    let boards = printed(&folder, &["play", "--file", "chess_log.txt", "--replay", "--json"]);
    assert_eq!(boards.lines().count(), 4);
    // The game can be gone on with.
    let words = ["play", "--file", "chess_log.txt", "--black", "greedy", "--white", "greedy", "--json"];
    assert!(printed(&folder, &words).contains("\"moves\":\"f5d6c3"));
    fs::write(folder.path("bad.txt"), "[[[1]]]").unwrap();
    let output = folder.run(&["play", "--file", "bad.txt", "--replay"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(super::said(&output).contains("bad.txt: not a chess_log: the first board has 1 rows"));
}
