//! `train show` and `train report`: a run at any moment, and any individual of it.

use std::fs;
use std::process::Stdio;

use serde_json::Value;

use super::{command, files, folder, generations, printed, run, said};

fn json(line: &str) -> Value {
    serde_json::from_str(line).unwrap()
}

#[test]
fn a_run_can_be_looked_at_all_the_time() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --out whole -q");
    let mut child = command(&folder, "train genetic small.toml --out run -q").stdout(Stdio::null()).spawn().unwrap();
    while generations(&folder.path().join("run")) == 0 {
        std::thread::yield_now();
    }
    while child.try_wait().unwrap().is_none() {
        let seen = json(&printed(&folder, "train show run --json"));
        if seen["state"] == "running" {
            assert_eq!(seen["process"], child.id());
        }
        assert!(seen["generation"] == 0 || seen["best"].is_number() && seen["mean"].is_number(), "{seen}");
    }
    assert_eq!(files(&folder.path().join("run")), files(&folder.path().join("whole")));
    let text = printed(&folder, "train show run");
    assert!(text.contains(": finished\n30 of 30 generations, "), "{text}");
    assert!(text.contains("\nchampion: run/champion.toml\n"), "{text}");
    assert_eq!(text.lines().count(), 15, "{text}");
    let head = "spread   seconds  against random  against gene45:depth=1,final=0\n";
    assert!(text.contains(head) && text.trim_end().ends_with(" %"), "{text}");
}

#[test]
fn sets_of_runs_are_shown_and_reported_too() {
    let folder = folder();
    let few = "--set generations=3 --set algorithm.population=8";
    printed(&folder, &format!("train replicate small.toml {few} --seeds 1..2 --out set -q"));
    let text = printed(&folder, "train show set");
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("run     state "), "{text}");
    assert!(lines[1].starts_with("seed-1  finished      3 of 3 ") && lines[2].starts_with("seed-2  "), "{text}");
    assert_eq!(json(printed(&folder, "train show set --json").lines().nth(1).unwrap())["name"], "seed-2");
    let again = printed(&folder, "train replicate --resume set -q");
    fs::remove_file(folder.path().join("set/replicates.csv")).unwrap();
    assert_eq!(printed(&folder, "train report set"), again);
    assert!(folder.path().join("set/replicates.csv").exists());
    // Whatever lies below a folder.
    assert!(printed(&folder, "train show .").contains("\nset/seed-1  finished "));
    let refused = run(&folder, "train show set --rank 1");
    assert!(said(&refused).contains("holds a set of genetic runs"), "{}", said(&refused));
    fs::create_dir(folder.path().join("nothing")).unwrap();
    assert!(said(&run(&folder, "train show nothing")).contains("there is no run in this folder"));
}

#[test]
fn any_logged_individual_plays() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --out run -q");
    let listed = printed(&folder, "train show run --generation 4");
    assert_eq!(listed.lines().count(), 21, "{listed}");
    let said_so = printed(&folder, "train show run --generation 4 --rank 17 --out w.toml");
    assert!(said_so.contains("of generation 4, rank 17, fitness "), "{said_so}");
    let file = fs::read_to_string(folder.path().join("w.toml")).unwrap();
    assert_eq!(printed(&folder, "train show run --generation 4 --rank 17"), file);
    let one = json(&printed(&folder, "train show run --generation 4 --rank 17 --json"));
    assert_eq!(one["parameters"], file);
    let listed = printed(&folder, "train show run --generation 4 --json");
    assert_eq!(json(listed.lines().nth(16).unwrap())["individual"], one["individual"]);
    printed(&folder, "match gene45:depth=1,final=0,weights=w.toml random --games 2");
    // The best of the last generation, unless another is asked for.
    printed(&folder, "train show run --out w.toml --force");
    assert_eq!(
        fs::read_to_string(folder.path().join("w.toml")).unwrap(),
        printed(&folder, "train show run --generation 30 --rank 1")
    );
    for (arguments, expected) in [
        ("train show run --out w.toml", "w.toml exists"),
        ("train show run --out -", "- is no file: /dev/stdout is standard output"),
        ("train show run --generation 31", "there is no generation 31: 30 are done"),
        ("train show run --generation 3 --rank 21", "there is no rank 21 in generation 3: 20 individuals"),
        ("train show run --generation 0", "0 is not in"),
        ("train show run --force", "--out"),
        ("train show run --seed 3", "--seed has no effect on train show"),
        ("train show nothing", "nothing: there is no run"),
    ] {
        let output = run(&folder, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(said(&output).contains(expected), "{arguments}: {}", said(&output));
    }
}

#[test]
fn a_report_is_written_while_the_run_goes_on() {
    let folder = folder();
    printed(&folder, "train genetic small.toml --out whole -q");
    let mut child = command(&folder, "train genetic small.toml --out run -q").stdout(Stdio::null()).spawn().unwrap();
    let out = folder.path().join("run");
    while generations(&out) < 2 {
        std::thread::yield_now();
    }
    while child.try_wait().unwrap().is_none() {
        let text = printed(&folder, "train report run --threads 1");
        assert!(text.contains("weights:  run/champion.toml\nreport:   run/report.html\n"), "{text}");
    }
    assert_eq!(files(&out), files(&folder.path().join("whole")));
    let text = printed(&folder, "train report run --tensorboard events/run");
    assert!(text.ends_with("events:   events/run/events.out.tfevents.turncoat\n"), "{text}");
    assert!(folder.path().join("events/run/events.out.tfevents.turncoat").is_file());
    let report = json(&printed(&folder, "train report run --json"));
    assert_eq!((&report["generations"], &report["weights"]), (&30.into(), &"run/champion.toml".into()));
    assert_eq!(files(&out), files(&folder.path().join("whole")));
}
