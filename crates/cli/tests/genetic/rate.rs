//! `train rate`: generations against any player, after the fact.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{command, files, folder, printed, run, said};

#[test]
fn generations_play_after_the_fact() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --generations 6 --out run -q");
    let text = printed(&folder, "train rate run --against greedy --games 20");
    assert_eq!(text.lines().count(), 9, "{text}");
    assert!(
        text.ends_with("table: run/rates/greedy-best/rates.csv\ncurve: run/rates/greedy-best/rates.svg\n"),
        "{text}"
    );
    assert_eq!(printed(&folder, "train rate run --against greedy --games 20 --threads 1"), text);
    // Those that the run itself met as its yardstick.
    let options = "--against random --games 100 --plies 0 --generations 1,2..6:2 --json";
    let rates = printed(&folder, &format!("train rate run {options}"));
    let log = fs::read_to_string(folder.path().join("run/log.jsonl")).unwrap();
    let log: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rates: Vec<Value> = rates.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rates.len(), 5);
    for rate in &rates[..4] {
        let yardstick = &log[rate["generation"].as_u64().unwrap() as usize - 1]["yardsticks"][0];
        assert_eq!([&rate["black_wins"], &rate["margin"]], [&yardstick["black_wins"], &yardstick["margin"]]);
    }
    for from in ["saved", "all"] {
        printed(&folder, &format!("train rate run --against random --games 6 --plies 0 --from {from} --name {from}.1"));
        assert!(folder.path().join(format!("run/rates/{from}.1/rates.svg")).is_file());
    }
    for (arguments, expected) in [
        ("run", "--against"),
        ("run --against nobody", "--against: "),
        ("run --against random --generations 7", "there is no generation 7: 6 are done"),
        ("run --against random --generations 3..1", "from a number to a larger one"),
        ("run --against random --games 3", "--games: an even number"),
        ("run --against random --rank 21", "there is no rank 21 in generation 1: 20 individuals"),
        ("run --against random --rank 2 --from all", "cannot be used with"),
        ("run --against random --name ../x", "a name has letters"),
        ("run --against greedy", "run/rates/greedy-best/rate.json says that these are other games: --name"),
        ("run --against random --depth 3", "--depth has no effect on train rate"),
        ("nothing --against random", "nothing: there is no run"),
    ] {
        let output = run(&folder, &format!("train rate {arguments}"));
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments}: {}", said(&output));
    }
}

#[test]
fn an_interrupted_rating_is_continued_by_the_same_command() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --generations 6 --out run -q");
    let arguments = "train rate run --against greedy --games 400 -q";
    let whole = printed(&folder, &format!("{arguments} --name whole"));
    let mut child = command(&folder, &format!("{arguments} --name cut")).stderr(Stdio::null()).spawn().unwrap();
    let out = folder.path().join("run/rates");
    while !out.join("cut/rates.csv").exists() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    assert_eq!(printed(&folder, &format!("{arguments} --name cut")), whole.replace("/whole/", "/cut/"));
    assert_eq!(files(&out.join("cut")), files(&out.join("whole")));
}
