//! `train sweep`, and `train compare` of several runs.

use std::fs;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{command, files, folder, generations, printed, run, said};

const SHORT: &str = "--set generations=3 --set yardstick.1.games=4 --set algorithm.population=8,12";

#[test]
fn an_experiment_is_run_with_several_values() {
    let folder = folder();
    let out = folder.path().join("sweep");
    let sweep = format!("train sweep small.toml {SHORT} --set algorithm.mutation=0.01,0.1 --seeds 1..2 --out sweep");
    let text = printed(&folder, &sweep);
    assert_eq!(text.lines().count(), 8, "{text}");
    assert!(text.contains("\nalgorithm.population=12 algorithm.mutation=0.01     2 "), "{text}");
    let table = fs::read_to_string(out.join("sweep.csv")).unwrap();
    let head = "\"algorithm.population\",\"algorithm.mutation\",seed,generations,best,mean,yardstick_1,yardstick_2\n\"8\",\"0.01\",1,3,";
    assert!(table.starts_with(head), "{table}");
    assert_eq!(table.lines().count(), 9);
    for name in ["best.svg", "mean.svg", "yardstick-1.svg", "yardstick-2.svg"] {
        assert_eq!(fs::read_to_string(out.join(name)).unwrap().matches("<polygon").count(), 4, "{name}");
    }
    // Each combination is a folder of replicates, and each run that of its settings.
    let one = "2-algorithm.population=8-algorithm.mutation=0.1";
    let settings =
        "--set generations=3 --set yardstick.1.games=4 --set algorithm.population=8 --set algorithm.mutation=0.1";
    printed(&folder, &format!("train genetic small.toml {settings} --set seed=2 --out two -q"));
    assert_eq!(files(&out.join(one).join("seed-2")), files(&folder.path().join("two")));
    printed(&folder, &format!("train replicate --resume sweep/{one}"));
    assert_eq!(printed(&folder, "train sweep --resume sweep"), text);
    let json = printed(&folder, "train sweep --resume sweep --json");
    let last: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((json.lines().count(), &last["measures"][0]), (5, &"best fitness".into()));
    // So they can be compared, with standard errors.
    let other = "4-algorithm.population=12-algorithm.mutation=0.1";
    let compared = printed(&folder, &format!("train compare sweep/{one} sweep/{other} --json"));
    let cells: Vec<Value> = compared.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&cells[0]["games"], &cells[0]["pairs"]), (&192.into(), &2.into()));
    let rates = [1, 2].map(|seed| {
        let pair = format!("train compare sweep/{one}/seed-{seed} sweep/{other}/seed-{seed} --json");
        let cell: Value = serde_json::from_str(printed(&folder, &pair).lines().next().unwrap()).unwrap();
        assert!(cell["error"].is_null());
        cell["win_rate"].as_f64().unwrap()
    });
    let close = |value: &Value, expected: f64| (value.as_f64().unwrap() - expected).abs() < 1e-9;
    assert!(close(&cells[0]["win_rate"], f64::midpoint(rates[0], rates[1])), "{compared}");
    assert!(close(&cells[0]["error"], (rates[0] - rates[1]).abs() / 2.0), "{compared}");
    let shown = printed(&folder, &format!("train compare sweep/{one} sweep/{other}"));
    assert_eq!(shown.matches(" ± ").count(), 2, "{shown}");
    printed(&folder, &format!("train compare sweep/{one} two"));
    printed(&folder, &format!("train replicate small.toml {settings} --seeds 1..3 --out three -q"));
    for (arguments, expected) in [
        ("train sweep small.toml --set generations=3 --out other".to_owned(), "--set: 2 to 1000 combinations"),
        ("train sweep small.toml --set generations=3,0 --out other".to_owned(), "generations: 1 to 1000000, not 0"),
        ("train sweep small.toml --set algorithm.x=3,4 --out other".to_owned(), "unknown field `x`"),
        (
            "train sweep small.toml --set generations=3,0 --out other".to_owned(),
            "--set generations=0 for small.toml: generations: ",
        ),
        ("train sweep small.toml --set seed=1,2 --out other".to_owned(), "--set seed: each run has a seed of its own"),
        ("train sweep small.toml --set seed=1 --seeds 1..2 --out other".to_owned(), "--seeds 1..3 gives them"),
        ("train sweep small.toml --set keep=3,4,3 --out other".to_owned(), "--set keep: 3 is there twice"),
        ("train sweep small.toml --set keep=3,4 --set keep=5,6 --out other".to_owned(), "keep: it is given twice"),
        ("train sweep small.toml --out other".to_owned(), "--set"),
        ("train sweep small.toml --set generations=3,,4 --out other".to_owned(), "KEY=VALUE"),
        (
            format!("train replicate --resume {}", "sweep"),
            "sweep holds a sweep of genetic runs, which turncoat train sweep",
        ),
        (format!("train compare sweep/{one} three"), "has 2 runs and three has 3: as many must meet as many"),
    ] {
        let output = run(&folder, &arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {}", said(&output));
        assert!(said(&output).contains(expected), "{arguments}: {}", said(&output));
    }
    assert!(!folder.path().join("other").exists());
}

#[test]
fn an_interrupted_sweep_is_resumed() {
    let folder = folder();
    let whole = printed(&folder, &format!("train sweep small.toml {SHORT} --out whole -q"));
    let arguments = format!("train sweep small.toml {SHORT} --out cut -q");
    let mut child = command(&folder, &arguments).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let names = ["1-algorithm.population=8", "2-algorithm.population=12"];
    while generations(&folder.path().join("cut").join(names[0]).join("seed-1")) == 0 {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    child.wait().unwrap();
    assert_eq!(printed(&folder, "train sweep --resume cut -q"), whole.replace("whole", "cut"));
    for name in [String::new(), names[0].to_owned(), format!("{}/seed-1", names[1])] {
        let [cut, whole] = ["cut", "whole"].map(|folder_name| files(&folder.path().join(folder_name).join(&name)));
        assert_eq!(cut, whole, "{name}");
    }
}
