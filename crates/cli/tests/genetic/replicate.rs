//! `train replicate`: one experiment with several seeds.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{command, files, folder, generations, printed, run, said};

const SHORT: &str = "--set generations=4 --set yardstick.1.games=4 --set yardstick.2.games=4";

#[test]
fn an_experiment_is_run_with_several_seeds() {
    let folder = folder();
    let text = printed(&folder, &format!("train replicate small.toml --seeds 1..3 {SHORT} --out runs"));
    assert_eq!(text.lines().count(), 9, "{text}");
    assert!(text.contains("won 1: games won, the best against random, 4 games\n"), "{text}");
    let out = folder.path().join("runs");
    // Each is the run of its seed.
    printed(&folder, &format!("train genetic small.toml {SHORT} --set seed=2 --out two -q"));
    assert_eq!(files(&out.join("seed-2")), files(&folder.path().join("two")));
    let table = fs::read_to_string(out.join("replicates.csv")).unwrap();
    assert!(table.starts_with("seed,generations,best,mean,yardstick_1,yardstick_2\n1,4,"), "{table}");
    for name in ["fitness.svg", "win-rates.svg"] {
        assert!(fs::read_to_string(out.join(name)).unwrap().contains("<polygon"), "{name}");
    }
    let json = printed(&folder, "train replicate --resume runs --json");
    let lines: Vec<Value> = json.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let best: Vec<f64> = lines[..3].iter().map(|run| run["values"][0].as_f64().unwrap()).collect();
    let mean = lines[3]["estimates"][0]["mean"].as_f64().unwrap();
    assert!((mean - best.iter().sum::<f64>() / 3.0).abs() < 1e-9, "{json}");
    for (arguments, expected) in [
        ("train replicate small.toml --seeds 1..3 --out runs", "runs is not empty: it has a run"),
        ("train replicate small.toml --seeds 3..1 --out other", "from a number to a larger one"),
        ("train replicate small.toml --seeds 1..3", "--out"),
        ("train replicate --resume runs/seed-1", "runs/seed-1 holds a genetic run"),
        ("train genetic --resume runs", "runs holds a set of genetic runs"),
        ("train replicate small.toml --seeds 1..3 --out other --set keep=0", "keep: 1 to"),
        ("train replicate small.toml --seeds 1..3 --out other --set seed=4", "--set seed: each run has a seed"),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments}: {}", said(&output));
    }
    assert!(!folder.path().join("other").exists());
}

#[test]
fn interrupted_replicates_are_resumed() {
    let folder = folder();
    printed(&folder, &format!("train replicate small.toml --seeds 1,4 {SHORT} --out whole -q"));
    let arguments = format!("train replicate small.toml --seeds 1,4 {SHORT} --out runs -q");
    let mut child = command(&folder, &arguments).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    while generations(&folder.path().join("runs/seed-1")) == 0 {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    printed(&folder, "train replicate --resume runs -q");
    for name in ["", "seed-1", "seed-4"] {
        let [runs, whole] = ["runs", "whole"].map(|folder_name| files(&folder.path().join(folder_name).join(name)));
        assert_eq!(runs, whole, "{name}");
    }
}
