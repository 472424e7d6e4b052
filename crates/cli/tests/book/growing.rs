//! Growth: the same on any number of threads, stopped and continued, and exact on small boards.

use std::fs;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use super::{Folder, said};

#[test]
fn one_thread_and_two_grow_the_same_file() {
    let folder = Folder::new();
    for limit in ["--positions 40", "--nodes 20000", "--positions 100"] {
        for threads in [1, 2] {
            folder.book(&format!(
                "grow {threads}.book --plies 3 --line-plies 6 --depth 6 {limit} --threads {threads} -q --variant reversi"
            ));
        }
        assert_eq!(folder.read("1.book"), folder.read("2.book"), "{limit}");
    }
    assert!(folder.book("check 1.book").contains("sound"));
    let before = folder.json("check 1.book")["positions"].as_u64();
    for aim in ["--depth 7 --choices 1", "--depth 8 --rival 6 --balanced 9 --line-plies 8 --margin 2 --positions 60"] {
        for threads in [1, 2] {
            folder.book(&format!("grow {threads}.book --plies 3 {aim} --threads {threads} -q"));
        }
        assert_eq!(folder.read("1.book"), folder.read("2.book"), "{aim}");
        let grown = folder.json("check 1.book");
        assert_eq!(grown["faults"].as_u64(), Some(0), "{grown}");
        assert_eq!(grown["positions"].as_u64() > before, aim.contains("--rival"), "{grown}");
    }
}

#[test]
fn a_book_that_is_stopped_continues() {
    let folder = Folder::new();
    let line = "grow a.book --plies 5 --depth 12 --threads 1 -q";
    let growing = folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lock = folder.path("a.book-lock");
    while fs::read(&lock).unwrap_or_default().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    let held = folder.fails(line, 2);
    assert!(held.contains("a.book: another process is growing this book, process "), "{held}");
    let id = growing.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = growing.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("stopped; the same command continues"), "{}", said(&output));
    let before = folder.json("check a.book")["positions"].as_u64().unwrap();
    let more = folder.json(&format!("{line} --positions 3"));
    assert_eq!((more["searched"].as_u64(), more["complete"].as_bool()), (Some(3), Some(false)));
    assert_eq!(more["positions"].as_u64(), Some(before + 3));
    assert!(!lock.exists());
}

#[test]
fn what_others_put_in_the_place_of_a_book_stays() {
    let folder = Folder::new();
    let line = "grow a.book --plies 5 --depth 12 --threads 1 -q";
    let growing = folder.command(line).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    while fs::read(folder.path("a.book-lock")).unwrap_or_default().is_empty() {
        thread::sleep(Duration::from_millis(5));
    }
    fs::write(folder.path("a.book"), "theirs").unwrap();
    let id = growing.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = growing.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    assert!(said(&output).contains("a.book is not the file it was: the book is in "), "{}", said(&output));
    assert_eq!(folder.read("a.book"), b"theirs");
    assert!(folder.book("check a.2.book").contains("sound"));
}

#[test]
fn another_evaluation_scores_a_book_anew() {
    let folder = Folder::new();
    let line = "grow a.book --plies 2 --line-plies 2 --depth 4";
    folder.book(line);
    let before = folder.read("a.book");
    folder.book(&format!("{line} --eval hand --rescore --positions 2"));
    let checked = said(&folder.command("check a.book").output().unwrap());
    assert!(checked.contains("3 scores are not by hand: book grow --rescore searches them again"), "{checked}");
    let searched = folder.json(&format!("{line} --eval hand --rescore"))["searched"].as_u64();
    assert_eq!(searched, Some(3));
    assert_eq!(folder.json("stats a.book")["evaluation"], "hand");
    assert_ne!(folder.read("a.book"), before);
    folder.book(&format!("{line} --eval patterns --rescore"));
    assert_eq!(folder.read("a.book"), before);
}

#[test]
fn four_by_four_is_solved_ply_by_ply() {
    let folder = Folder::new();
    for (variant, score) in [("reversed", 4.0), ("reversi", -10.0)] {
        let line = format!("solve {variant}.book --size 4 --plies 4 --variant {variant} --hash 1");
        let solved = folder.json(&line);
        assert_eq!((solved["score"].as_f64(), solved["complete"].as_bool()), (Some(score), Some(true)));
        let again = folder.json(&line);
        assert_eq!((again["solved"].as_u64(), again["score"].as_f64()), (Some(0), Some(score)));
        let check = folder.json(&format!("check {variant}.book"));
        assert_eq!((check["faults"].as_u64(), check["unreached"].as_u64()), (Some(0), Some(0)));
        // A search that shares nothing with the solver agrees, of the last layer and of any other.
        for plies in ["", "--plies 2"] {
            let proven = folder.json(&format!("check {variant}.book --verify 9 {plies} --hash 1"));
            assert_eq!((proven["refuted"].as_u64(), proven["faults"].as_u64()), (Some(0), Some(0)));
            assert!(proven["verified"].as_u64() > Some(2) && proven["nodes"].as_u64() > Some(1000), "{proven}");
        }
        let random = folder.json(&format!("stats {variant}.book"))["random"].clone();
        let whole =
            |it: &serde_json::Value| ["won", "drawn", "lost"].map(|key| it[key].as_f64().unwrap()).iter().sum::<f64>();
        assert_eq!(random.as_array().unwrap().len(), 5);
        assert!(random.as_array().unwrap().iter().all(|it| (whole(it) - 1.0).abs() < 1e-9), "{random}");
        assert_eq!(random[0][if score > 0.0 { "won" } else { "lost" }], 1.0);
        // Answers for either side to the end of the game.
        let answers = folder.json(&format!("{line} --answers 12"));
        assert!(answers["solved"].as_u64() > Some(0) && answers["complete"] == true, "{answers}");
        assert_eq!(folder.json(&format!("{line} --answers 12"))["solved"], 0);
        assert_eq!(folder.json(&format!("check {variant}.book"))["faults"], 0);
        let text = folder.book(&format!("show --book {variant}.book"));
        assert!(text.contains(&format!("{score:+.2}=")), "{text}");
        // A book that grows leaves what is proven alone.
        let grown = folder.json(&format!("grow {variant}.book --plies 2 --line-plies 4 --depth 3"));
        assert_eq!((grown["searched"].as_u64(), grown["complete"].as_bool()), (Some(0), Some(true)));
    }
}
