//! Foreign programs in the pool of the genetic lab: they play, and who fails ends the run with a word, and nothing that
//! was there is overwritten.

use std::fs;

use super::{Folder, said, trust};

/// A small experiment with this pool.
fn experiment(pool: &[&str]) -> String {
    let pool: Vec<String> = pool.iter().map(|player| format!("{player:?}")).collect();
    format!(
        "title = \"A pool\"\nplayer = \"gene45:depth=1,final=0\"\nseed = 1\ngenerations = 2\n\
         [genome]\nkind = \"binary\"\ngroups = [\"discs\"]\nbits = 7\n\
         [algorithm]\nkind = \"binary\"\npopulation = 4\nmutation = 0.01\n\
         [fitness]\nopponents = \"pool\"\npool = [{}]\nscore = \"points\"\n",
        pool.join(", ")
    )
}

fn run(folder: &Folder, words: &[&str]) -> std::process::Output {
    folder.run(&[&["train", "genetic"], words, trust()].concat())
}

#[test]
fn programs_take_part_and_are_the_same_when_a_run_goes_on() {
    let folder = Folder::new();
    let (line, gtp) =
        (Folder::line("good_line"), format!("gtp:{} engine gtp --player greedy", env!("CARGO_BIN_EXE_turncoat")));
    fs::write(folder.path("pool.toml"), experiment(&[&line, &gtp])).unwrap();
    let output = run(&folder, &["pool.toml", "--out", "run", "--json", "-q"]);
    assert!(output.status.success(), "{}", said(&output));
    assert!(folder.path("run/champion.toml").exists());
    assert_eq!(folder.left_running(), Vec::<String>::new());

    // Nothing is left to do, but the program is not the one that it began with.
    fs::write(folder.path("good_line.py"), "print('a1')\n").unwrap();
    let output = run(&folder, &["--resume", "run"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("is not the program that the run began with"), "{}", said(&output));
}

#[test]
fn a_program_that_fails_ends_the_run_and_says_why() {
    let folder = Folder::new();
    let bad = Folder::line("illegal");
    fs::write(folder.path("pool.toml"), experiment(&[&bad])).unwrap();
    let output = run(&folder, &["pool.toml", "--out", "run"]);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let words = said(&output);
    assert!(words.contains("illegal.py failed as") && words.contains("0 of 2 generations are safe"), "{words}");
    let checkpoint = |folder: &Folder| {
        let files = fs::read_dir(folder.path("run")).unwrap().flatten();
        let mut files: Vec<_> = files.map(|file| (file.file_name(), fs::read(file.path()).unwrap())).collect();
        files.sort();
        files
    };
    let before = checkpoint(&folder);
    let output = run(&folder, &["--resume", "run"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(checkpoint(&folder), before);
    assert_eq!(folder.left_running(), Vec::<String>::new());
}

#[test]
fn what_cannot_be_run_is_refused_before_a_folder_is_made() {
    let folder = Folder::new();
    fs::write(folder.path("pool.toml"), experiment(&["py:nowhere.py"])).unwrap();
    let output = run(&folder, &["pool.toml", "--out", "run"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(said(&output).contains("fitness.pool: ") && said(&output).contains("nowhere.py"), "{}", said(&output));
    assert!(!folder.path("run").exists());
    // Who evolves must have parameters.
    let text = experiment(&["random"]).replace("gene45:depth=1,final=0", "py:course_good.py");
    fs::write(folder.path("pool.toml"), text).unwrap();
    let output = run(&folder, &["pool.toml", "--out", "run"]);
    assert_eq!(output.status.code(), Some(2), "{}", said(&output));
    assert!(!folder.path("run").exists());
}
