//! `train probcut`, `measure`, `selfplay`, `patterns` and `tune`, as a person or a script meets them.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_turncoat");
/// The least that can be fitted to.
const FIT: &str = "train probcut --eval hand --games 40 --deepest 5";
/// Settings of self-play for a moment.
const SELFPLAY: &str = "variant = \"reversi\"\nevaluation = \"hand\"\ngames = 4\nseed = 1\ndepth = 1\nsolve = 4\n\
                        random = [{ plies = [8, 8], share = 1.0 }]\n";
/// Settings of a tuning for a moment.
const TUNE: &str = "variant = \"reversed\"\nsize = 4\nplayer = \"gene45:depth=1\"\nopenings = \"random:4\"\n\
                    iterations = 1000\nseed = 1\n\n[[parameter]]\nname = \"stable\"\nminimum = 0\nmaximum = 255\nstep = 16\n";

fn run(folder: &TempDir, arguments: &str) -> Output {
    Command::new(PROGRAM)
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn printed(folder: &TempDir, arguments: &str) -> String {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", said(&output));
    String::from_utf8(output.stdout).unwrap()
}

fn refusal(folder: &TempDir, arguments: &str) -> String {
    let output = run(folder, arguments);
    let said = said(&output);
    assert_eq!(output.status.code(), Some(2), "{arguments}: {said}");
    said
}

#[test]
fn an_error_model_is_the_same_on_any_number_of_threads_and_written_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.probcut.toml");
    let line = printed(&folder, &format!("{FIT} --threads 2 --json --out mine.probcut.toml"));
    let object: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(object["evaluation"], "hand");
    assert_eq!(object["coefficients"].as_array().unwrap().len(), 5);
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(printed(&folder, &format!("{FIT} --threads 1 -q")), text);

    let kept = refusal(&folder, &format!("{FIT} --out mine.probcut.toml"));
    assert!(kept.contains("--force"), "{kept}");
    assert!(refusal(&folder, &format!("{FIT} --out . --force")).contains("is a folder"));
    refusal(&folder, "train probcut --eval hand --games 0");
    // Told before the first of very many games.
    let nowhere = "train probcut --eval hand --games 1000000 --out no/where.toml";
    let output = run(&folder, nowhere);
    assert_eq!(output.status.code(), Some(1));
    assert!(said(&output).contains("no/where.toml"));
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
}

#[test]
#[cfg(unix)]
fn an_interrupted_fit_says_so_and_writes_nothing() {
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let mut child = Command::new(PROGRAM)
        .args("train probcut --eval hand --games 1000000 --deepest 14 --out mine.toml".split(' '))
        .current_dir(folder.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let id = child.id();
    let caught = format!("/proc/{id}/status");
    // Signals are watched for once a handler for INT, the second of them, is there.
    let watched = || {
        let status = fs::read_to_string(&caught).ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("SigCgt:"))?;
        let mask = u64::from_str_radix(line.trim(), 16).ok()?;
        Some(mask >> 1 & 1 == 1)
    };
    while watched() == Some(false) {
        std::thread::yield_now();
    }
    if watched().is_none() {
        std::thread::sleep(std::time::Duration::from_secs(2));
    }
    let killed = Command::new("kill").args(["-INT", &id.to_string()]).status();
    assert!(killed.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut said = String::new();
    child.stderr.unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("stopped; nothing was written"), "{said}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn errors_of_a_single_position_have_no_share() {
    let folder = tempfile::tempdir().unwrap();
    let one = "train measure --eval hand --games 1 --plies 1 --empties 6";
    let table = printed(&folder, one);
    let row: Vec<&str> = table.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row[..3], ["6", "1", "0.00"], "{table}");
    assert_eq!(row[5], "–", "{table}");
    refusal(&folder, "train measure --games 0");
}

#[test]
fn an_evaluation_is_measured_on_the_positions_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/samples/problems.obf")).unwrap();
    fs::write(folder.path().join("a.obf"), &text).unwrap();
    for eval in ["patterns", "hand", "gene45"] {
        let lines = printed(&folder, &format!("train measure --eval {eval} --positions a.obf --json"));
        let objects: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(objects.len(), 2, "{lines}");
        assert_eq!((&objects[0]["empties"], &objects[0]["positions"]), (&10.into(), &3.into()));
        // The scores are 16, 8 and 2.
        let deviation = objects[0]["deviation"].as_f64().unwrap();
        assert!((deviation - (296.0f64 / 9.0).sqrt()).abs() < 1e-9, "{deviation}");
        assert_eq!((&objects[1]["summary"], &objects[1]["evaluation"]), (&true.into(), &eval.into()));
        assert_eq!(objects[0]["mean_absolute_error"], objects[1]["mean_absolute_error"]);
    }
    let table = printed(&folder, "train measure --positions a.obf");
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.lines().last().unwrap().contains("all          3       5.73"), "{table}");
}

#[test]
fn files_that_cannot_be_measured_on_are_refused_with_line_and_fault() {
    let folder = tempfile::tempdir().unwrap();
    let start = "---------------------------OX------XO--------------------------- X;";
    let third = |line: &str| format!("% a comment\n{start} D3:+0;\n{line}\n");
    let small = "--------------OX----XO-------------- X; C2:+0;";
    let tiny = "-----OX--XO----- X; A2:+0;";
    for (text, options, expected) in [
        (third(start), "", "bad.obf: line 3: the exact score is missing"),
        (third(&format!("{start} A1:+2;")), "", "bad.obf: line 3, character 69: \"A1:+2\": this move is illegal"),
        (third(&start.replace("OX", "OQ")), "", "bad.obf: line 3, character 29: 'Q' on e4 is not a cell"),
        (third(&format!("{}- X; PA:+62;", "X".repeat(63))), "", "bad.obf: line 3: the game is over"),
        (third(small), "", "bad.obf: line 3, "),
        (third(""), "--size 6 --eval hand", "bad.obf: line 2, "),
        (tiny.to_owned(), "--size 4", "this program has no weights of patterns for 4x4"),
        (third(""), "--variant reversi --eval gene45", "gene45 evaluates Reversed Reversi alone"),
        (third(""), "--games 3", "cannot be used with"),
        (third(""), "--seed 3", "--seed has no effect on train measure"),
        ("% nothing\n".to_owned(), "", "bad.obf: no positions"),
    ] {
        fs::write(folder.path().join("bad.obf"), &text).unwrap();
        let said = refusal(&folder, &format!("train measure --positions bad.obf {options}"));
        assert!(said.contains(expected), "{text} {options}: {said}");
    }
    fs::write(folder.path().join("bad.obf"), b"%\n\xff\n").unwrap();
    assert!(refusal(&folder, "train measure --positions bad.obf").contains("bad.obf: line 2: this is not text"));
    assert_eq!(run(&folder, "train measure --positions none.obf").status.code(), Some(1));
}

#[test]
fn a_test_set_is_the_same_on_any_number_of_threads_and_measured_on() {
    let folder = tempfile::tempdir().unwrap();
    let small = "train testset --variant reversi --games 3 --level 4 --empties 5,7";
    let line = printed(&folder, &format!("{small} --threads 2 --out two.obf --json"));
    let object: Value = serde_json::from_str(&line).unwrap();
    assert_eq!(object["games"], 3);
    printed(&folder, &format!("{small} --threads 1 --out one.obf"));
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("one.obf"), read("two.obf"));
    // The scores are exact.
    printed(&folder, "solve --file one.obf --variant reversi --threads 1");

    let whole = read("one.obf");
    fs::write(folder.path().join("one.obf"), &whole[..whole.len() - 50]).unwrap();
    printed(&folder, "train testset --resume one.obf --threads 1");
    assert_eq!(read("one.obf"), whole);

    let table = printed(&folder, "train measure --eval hand --variant reversi --positions one.obf");
    let count = object["positions"].to_string();
    assert_eq!(table.lines().last().unwrap().split_whitespace().nth(1), Some(count.as_str()), "{table}");
    let other = refusal(&folder, "train measure --eval hand --positions one.obf");
    assert!(other.contains("these are positions of Reversi: --variant reversi measures on them"), "{other}");
    for (arguments, expected) in [
        (format!("{small} --out one.obf"), "one.obf exists already: --resume one.obf continues it"),
        ("train testset --games 3 --empties 40 --out new.obf".to_owned(), "empties: 1 to 26"),
        ("train testset --level 21 --out new.obf".to_owned(), "21"),
        ("train testset --games 3".to_owned(), "--out"),
        ("train testset --resume one.obf --games 4".to_owned(), "cannot be used with"),
        ("train testset --resume one.obf --seed 4".to_owned(), "the file of the run decides it"),
        ("train testset --out new.obf --size 6".to_owned(), "it is for 8x8 alone"),
    ] {
        let said = refusal(&folder, &arguments);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
}

#[test]
fn options_that_the_settings_decide_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), SELFPLAY).unwrap();
    for option in [
        "--variant reversed",
        "--variant reversi",
        "--depth 3",
        "--seed 1",
        "--seed 7",
        "--size 6",
        "--size 8",
        "--time 1s",
        "--hash 4",
    ] {
        let name = option.split(' ').next().unwrap();
        for arguments in [
            format!("train selfplay a.toml --out games {option}"),
            format!("{option} train selfplay --resume games"),
            format!("train {option} patterns a.toml --out weights"),
            format!("train tune a.toml --out tuned {option}"),
        ] {
            let said = refusal(&folder, &arguments);
            assert!(said.contains(name), "{arguments}: {said}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    printed(&folder, "train selfplay a.toml --out games --threads 1 -q");
    for arguments in [
        "train measure --depth 3",
        "train probcut --eval hand --depth 3",
        "train openings --time 1s",
        "train compare games games --variant reversi",
    ] {
        let said = refusal(&folder, arguments);
        assert!(said.contains("has no effect on train"), "{arguments}: {said}");
    }
}

#[test]
fn self_play_that_is_killed_while_it_begins_begins_again_or_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), SELFPLAY).unwrap();
    for kill in 0..30 {
        let out = folder.path().join(format!("run-{kill}"));
        let run = format!("train selfplay a.toml --out run-{kill} --threads 1 -q");
        let mut command = Command::new(PROGRAM);
        command.args(run.split(' ')).current_dir(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        while !out.exists() && child.try_wait().unwrap().is_none() {
            std::hint::spin_loop();
        }
        // Each time a little later.
        let began = Instant::now();
        while began.elapsed() < Duration::from_micros(kill * 40) {
            std::hint::spin_loop();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let has_begun = out.join("settings.toml").exists();
        let again = if has_begun { "--resume" } else { "a.toml --out" };
        printed(&folder, &format!("train selfplay {again} run-{kill} --threads 1 -q"));
        let mut names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["000000.games", "settings.digest", "settings.toml"], "{kill}");
    }
}

#[test]
fn a_folder_of_another_kind_of_run_is_named() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.toml"), SELFPLAY).unwrap();
    printed(&folder, "train selfplay a.toml --out games --threads 1 -q");
    fs::write(folder.path().join("t.toml"), TUNE).unwrap();
    fs::write(folder.path().join("p.toml"), "variant = \"reversi\"\ngames = [\"games\"]\n").unwrap();
    for arguments in [
        "train patterns --resume games",
        "train genetic --resume games",
        "train compare games games",
        "train patterns p.toml --out games",
        "train tune --resume games",
        "train tune t.toml --out games",
    ] {
        let said = refusal(&folder, arguments);
        let expected = "games holds a self-play run, which turncoat train selfplay --resume games continues";
        assert!(said.contains(expected), "{arguments}: {said}");
    }
    printed(&folder, "train tune t.toml --out tuned --threads 1 -q");
    for arguments in ["train genetic --resume tuned", "train selfplay a.toml --out tuned"] {
        let said = refusal(&folder, arguments);
        let expected = "tuned holds a tuning, which turncoat train tune --resume tuned continues";
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[test]
fn settings_that_are_not_text_are_refused_with_their_place() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad.toml"), b"# a\n\xff\n").unwrap();
    for command in ["selfplay", "patterns", "genetic", "tune"] {
        let said = refusal(&folder, &format!("train {command} bad.toml --out run"));
        assert_eq!(said, "error: bad.toml: byte 5: this is not text\n");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_tuned_player_is_shown_with_the_match_that_tests_it() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.toml"), TUNE).unwrap();
    let text = printed(&folder, "train tune t.toml --out tuned --threads 1");
    let test = text.lines().find_map(|line| line.strip_prefix("test it: turncoat ")).unwrap();
    let expected = "match gene45:depth=1,weights=tuned/tuned.toml gene45:depth=1 --sprt elo0=0,elo1=10 --size 4 \
                    --openings random:4";
    assert_eq!(test, expected);
    let result = printed(&folder, &format!("{test} --games 20"));
    assert!(result.contains("gene45:depth=1,weights=tuned/tuned.toml"), "{result}");
    // A complete run says it again; in JSON after its log.
    assert_eq!(printed(&folder, "train tune --resume tuned"), text);
    let json = printed(&folder, "train tune t.toml --out again --json -q");
    assert_eq!(json.lines().count(), 201);
    let last: Value = serde_json::from_str(json.lines().last().unwrap()).unwrap();
    assert_eq!((&last["summary"], &last["iterations"]), (&Value::Bool(true), &Value::from(1000)));
    assert_eq!(last["player"], "gene45:depth=1,weights=again/tuned.toml");
    assert!(refusal(&folder, "train tune t.toml --out tuned").contains("which --resume tuned continues"));
}

#[test]
fn a_tuning_that_is_killed_again_and_again_ends_with_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t.toml"), TUNE).unwrap();
    printed(&folder, "train tune t.toml --out whole -q");
    let log = |run: &str| fs::read_to_string(folder.path().join(run).join("log.jsonl")).unwrap_or_default();
    for kill in 0..8 {
        let before = log("killed").len();
        let arguments = if kill == 0 { "t.toml --out killed" } else { "--resume killed" };
        let mut command = Command::new(PROGRAM);
        command.args(["train", "tune", "-q"]).args(arguments.split(' ')).current_dir(folder.path());
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while log("killed").len() <= before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    printed(&folder, "train tune --resume killed -q");
    for name in ["log.jsonl", "checkpoint.json", "tuned.jsonl", "tuned.toml", "parameters.svg", "settings.digest"] {
        let read = |run: &str| fs::read(folder.path().join(run).join(name)).unwrap();
        assert_eq!(read("killed"), read("whole"), "{name}");
    }
}

#[test]
fn a_training_loop_says_what_its_rounds_came_to_and_is_found_finished() {
    let folder = tempfile::tempdir().unwrap();
    let begun = "train loop --games 64 --rounds 1 --quick --out loop";
    let text = printed(&folder, begun);
    assert!(text.contains("round 1: 64 games at depth 1, "), "{text}");
    assert!(text.contains("against gene45 ") && text.contains("loop/report.html"), "{text}");
    let page = fs::read_to_string(folder.path().join("loop/report.html")).unwrap();
    assert!(page.contains("<svg") && page.ends_with("</html>\n"));
    let summary: Value = serde_json::from_str(&printed(&folder, "train loop --resume loop --json")).unwrap();
    assert_eq!((&summary["rounds"], &summary["report"]), (&1.into(), &"loop/report.html".into()));
    let shown = printed(&folder, "train show loop");
    assert!(
        shown.contains(": finished\n1 of 1 rounds, ") && shown.contains("\nround  against hand  against gene45"),
        "{shown}"
    );
    assert!(printed(&folder, "train report loop").contains("loop/report.html"));
    assert!(refusal(&folder, begun).contains("--resume loop"));
    assert!(refusal(&folder, "train selfplay --resume loop").contains("train loop --resume loop"));
    assert!(refusal(&folder, "train loop --resume loop --seed 3").contains("the file of the run decides it"));
    assert!(refusal(&folder, "train loop --minutes -1 --out b").contains("minutes: above 0"));
    assert!(refusal(&folder, "train loop --games 9 --rounds 0 --out b").contains("rounds: 1 to 1000"));
    assert!(refusal(&folder, "train loop --out b").contains("--minutes"));
    assert!(!folder.path().join("b").exists());
}

#[test]
fn a_report_is_reproduced_and_found_finished() {
    let folder = tempfile::tempdir().unwrap();
    let text = printed(&folder, "reproduce shifting-weights --quick");
    assert!(text.contains("1.3: greedy form and search: "), "{text}");
    assert!(text.ends_with("page: runs/reproduce-shifting-weights/report.html\n"), "{text}");
    let again = printed(&folder, "reproduce --resume runs/reproduce-shifting-weights --json");
    let summary: Value = serde_json::from_str(&again).unwrap();
    assert_eq!((&summary["summary"], &summary["parts"]), (&true.into(), &3.into()));
    assert!(refusal(&folder, "reproduce gene46").contains("there is no report of \"gene46\": there are gene45, "));
    assert!(refusal(&folder, "reproduce shifting-weights").contains("--resume runs/reproduce-shifting-weights"));
    assert!(refusal(&folder, "reproduce gene45 --depth 3").contains("--depth has no effect on reproduce"));
    assert!(refusal(&folder, "reproduce").contains("REPORT"));
    assert!(refusal(&folder, "train loop --resume runs/reproduce-shifting-weights").contains("turncoat reproduce"));
}
