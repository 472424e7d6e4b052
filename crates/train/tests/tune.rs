//! Tuning: the same on any number of threads and after any interruption; what makes no sense is refused.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rayon::ThreadPoolBuilder;
use tempfile::TempDir;
use turncoat_board::{Geometry, VariantKind};
use turncoat_players::{Setting, Spec};
use turncoat_train::genetic::games::Threads;
use turncoat_train::run_folder::FolderError;
use turncoat_train::tune::{TuneError, TuneRun, TuneSettings, TuneStep, Tuner};

/// Weights and an option of a classic, on a board for a moment.
const CLASSIC: &str = r#"
variant = "reversed"
size = 4
player = "gene45:depth=1"
openings = "random:4"
iterations = 603
pairs = 2
batch = 2
seed = 7

[[parameter]]
name = "frontier"
minimum = -64
maximum = 63
step = 8

[[parameter]]
name = "stable"
start = 20.5
minimum = 0
maximum = 255
step = 16

[[parameter]]
name = "final"
start = 2
minimum = 0
maximum = 4
step = 1
integer = true
"#;

/// Options of the project's own player, which plays with a limit of nodes.
const OWN: &str = r#"
variant = "reversi"
size = 6
player = "turncoat:nodes=60,hash=1,eval=hand"
iterations = 8
batch = 4
seed = 1

[[parameter]]
name = "selectivity"
start = 1
minimum = 0
maximum = 5
step = 1
integer = true

[[parameter]]
name = "solve"
start = 4
minimum = 0
maximum = 8
step = 2
integer = true
"#;

fn folder(text: &str) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("tune.toml"), text).unwrap();
    folder
}

fn create(folder: &TempDir) -> TuneRun {
    TuneRun::create(&folder.path().join("tune.toml"), &folder.path().join("run")).unwrap()
}

fn finish(run: &mut TuneRun) {
    while run.step(&mut Threads::default()).unwrap() != TuneStep::Complete {}
}

/// All files of a run.
fn files(folder: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    entries
        // It is there only while a run works in the folder.
        .filter(|entry| entry.file_name() != "lock")
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read_to_string(entry.path()).unwrap()))
        .collect()
}

/// Stops a run, which then has a checkpoint.
fn stop(run: &mut TuneRun) {
    let mut threads = Threads::default();
    threads.stop.raise();
    assert_eq!(run.step(&mut threads).unwrap(), TuneStep::Interrupted);
}

fn uninterrupted(text: &str, threads: usize) -> BTreeMap<String, String> {
    let folder = folder(text);
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| finish(&mut create(&folder)));
    files(&folder.path().join("run"))
}

#[test]
fn threads_and_interruptions_change_nothing() {
    for text in [CLASSIC, OWN] {
        let expected = uninterrupted(text, 1);
        assert_eq!(uninterrupted(text, 3), expected);
        let folder = folder(text);
        let out = folder.path().join("run");
        drop(create(&folder));
        for steps in 1.. {
            let mut run = TuneRun::resume(&out).unwrap();
            // Stopped or killed after ever more batches, with traces of a line that was not finished.
            for _ in 0..steps {
                assert_ne!(run.step(&mut Threads::default()).unwrap(), TuneStep::Interrupted);
            }
            if run.done() == run.tuner().settings().iterations {
                finish(&mut run);
                break;
            }
            if steps % 2 == 0 {
                stop(&mut run);
            }
            drop(run);
            let log = fs::read_to_string(out.join("log.jsonl")).unwrap() + "{\"iteration\":99,";
            fs::write(out.join("log.jsonl"), log).unwrap();
        }
        assert_eq!(files(&out), expected);
        // A complete run stays as it is.
        finish(&mut TuneRun::resume(&out).unwrap());
        assert_eq!(files(&out), expected);
    }
}

#[test]
fn the_tuned_player_is_there_to_play() {
    let folder = folder(CLASSIC);
    let mut run = create(&folder);
    let [_, before] = run.players();
    assert_eq!(before, "gene45:depth=1,final=2");
    finish(&mut run);
    let names: Vec<&str> = run.tuner().subject().names().collect();
    assert_eq!(names, ["frontier, stage 1", "frontier, stage 2", "stable", "final"]);
    // The published weights, where no start is given.
    assert_eq!(run.tuner().spsa().start()[..3], [-52.0, -27.0, 20.5]);
    let file = folder.path().join("run/tuned.toml");
    let [tuned, _] = run.players();
    let settled = run.settled();
    assert_eq!(tuned, format!("gene45:depth=1,final={},weights={}", settled[3], file.display()));
    let spec: Spec = tuned.parse().unwrap();
    let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
    spec.build(setting).unwrap();
    let (_, parameters) = spec.parameters().unwrap();
    assert_eq!(parameters.shared, [settled[2]]);
    let files = files(&folder.path().join("run"));
    assert_eq!(files["log.jsonl"].lines().count(), 200);
    assert_eq!(files["tuned.jsonl"].lines().count(), 4);
    assert!(files["parameters.svg"].contains("stable: 20.5 → "));
}

#[test]
fn a_file_of_weights_is_tuned_further_and_may_not_change() {
    let folder = folder("");
    let weights = folder.path().join("mine.toml");
    let published = "gene45".parse::<Spec>().unwrap().export().unwrap();
    fs::write(&weights, published.replace("stable = 202", "stable = 102")).unwrap();
    let player = format!("gene45:weights={},depth=1", weights.display());
    let text = CLASSIC.replace("start = 20.5\n", "").replace("gene45:depth=1", &player);
    fs::write(folder.path().join("tune.toml"), text).unwrap();
    let mut run = create(&folder);
    assert_eq!(run.tuner().spsa().start()[2..3], [102.0]);
    run.step(&mut Threads::default()).unwrap();
    let [tuned, _] = run.players();
    assert!(!tuned.contains("mine.toml") && tuned.contains("tuned.toml"), "{tuned}");
    drop(run);
    fs::write(&weights, published).unwrap();
    let error = TuneRun::resume(&folder.path().join("run")).unwrap_err();
    assert!(matches!(error, TuneError::Folder(FolderError::Changed { .. })), "{error}");
}

#[test]
fn the_file_takes_the_place_of_what_set_the_parameters() {
    for (player, expected) in [
        ("linear:features=frontier+stable,depth=1,game=reversed", "linear:depth=1,final=2,weights="),
        ("linear:depth=1,features=frontier+stable+moves", "linear:depth=1,final=2,weights="),
    ] {
        let folder = folder(&CLASSIC.replace("gene45:depth=1", player));
        let mut run = create(&folder);
        finish(&mut run);
        let [tuned, _] = run.players();
        let settled = format!("final={}", run.settled().last().unwrap());
        assert!(tuned.starts_with(&expected.replace("final=2", &settled)), "{tuned}");
        tuned.parse::<Spec>().unwrap().parameters().unwrap();
    }
}

#[test]
fn whatever_is_damaged_is_refused_and_left_alone() {
    let folder = folder(CLASSIC);
    let out = folder.path().join("run");
    let mut run = create(&folder);
    for _ in 0..5 {
        run.step(&mut Threads::default()).unwrap();
    }
    stop(&mut run);
    drop(run);
    let whole = files(&out);
    for (name, text, expected) in [
        ("checkpoint.json", whole["checkpoint.json"].replace("\"done\":", "\"done\":1"), "its checksum does not fit"),
        ("checkpoint.json", "{}".to_owned(), "its first line"),
        ("log.jsonl", whole["log.jsonl"][1..].to_owned(), "it is not what the checkpoint"),
        ("settings.toml", whole["settings.toml"].replace("pairs = 2", "pairs = 3"), "these are not the settings"),
        ("settings.digest", String::new(), "these are not the settings"),
    ] {
        assert_ne!(text, whole[name]);
        fs::write(out.join(name), &text).unwrap();
        let damaged = files(&out);
        let error = TuneRun::resume(&out).unwrap_err();
        assert!(!error.is_misuse());
        assert!(error.to_string().contains(expected), "{name}: {error}");
        assert_eq!(files(&out), damaged, "{name}");
        fs::write(out.join(name), &whole[name]).unwrap();
    }
    fs::remove_file(out.join("settings.digest")).unwrap();
    assert!(TuneRun::resume(&out).unwrap_err().to_string().contains("digest of its settings is missing"));
}

#[test]
fn what_makes_no_sense_is_refused_with_its_place() {
    let own_known = "it has level, nodes, depth";
    for (base, from, to, expected) in [
        (
            CLASSIC,
            "name = \"stable\"",
            "name = \"stabel\"",
            "parameter \"stabel\": gene45 has no such option or weight: it has depth, time, final, weights, stable, board, action, frontier, discs",
        ),
        (OWN, "name = \"solve\"", "name = \"stable\"", own_known),
        (CLASSIC, "start = 20.5", "start = 300", "parameter \"stable\": start 300 is not within 0 to 255"),
        (
            CLASSIC,
            "minimum = -64\nmaximum = 63",
            "minimum = -5\nmaximum = 5",
            "parameter \"frontier, stage 1\": start -52 is not within -5 to 5",
        ),
        (CLASSIC, "start = 2\n", "", "parameter \"final\": an option needs \"start\""),
        (CLASSIC, "gene45:depth=1", "gene45:depth=1,final=3", "parameter \"final\": the player's text sets it already"),
        (CLASSIC, "gene45:depth=1", "gene46", "player: no player is called \"gene46\""),
        (CLASSIC, "gene45:depth=1", "gene45:depth=0", "player: \"gene45:depth=0\": depth is 1 to 60 plies"),
        (OWN, "hash=1", "hash=1,threads=2", "player: threads= cannot be repeated"),
        (OWN, "name = \"solve\"", "name = \"threads\"", "parameter \"threads\": threads= cannot be repeated"),
        (
            CLASSIC,
            "step = 1\ninteger",
            "step = 0.2\ninteger",
            "parameter \"final\": the step of an integer is at least 0.5, not 0.2",
        ),
        (CLASSIC, "variant = \"reversed\"", "variant = \"reversi\"", "player: gene45 does not play Reversi"),
        (CLASSIC, "maximum = 255", "maximum = 2000000", "a weight is from -1000000 to 1000000"),
        (CLASSIC, "name = \"stable\"", "name = \"frontier\"", "parameter \"frontier, stage 1\": it is listed twice"),
        (
            CLASSIC,
            "minimum = 0\nmaximum = 4",
            "minimum = -1\nmaximum = 4",
            "parameter \"final\" at -1: \"gene45:depth=1,final=-1\": \"-1\" does not fit final=EMPTIES",
        ),
        (
            OWN,
            "maximum = 5",
            "maximum = 9",
            "parameter \"selectivity\" at 9: \"turncoat:nodes=60,hash=1,eval=hand,selectivity=9,solve=4\": selectivity is 0 (boldest) to 5 (none)",
        ),
        (
            CLASSIC,
            "integer = true\n",
            "",
            "parameter \"final\": the player takes whole numbers alone: it needs integer = true",
        ),
        (
            CLASSIC,
            "maximum = 4",
            "maximum = 4.5",
            "parameter \"final\": the bounds of an integer are whole, not 0 and 4.5",
        ),
        (CLASSIC, "maximum = 63", "maximum = -64", "parameter \"frontier\": minimum -64 is not below maximum -64"),
        (
            CLASSIC,
            "step = 16",
            "step = 0",
            "parameter \"stable\": step is at most maximum - minimum and at least a millionth of it, not 0",
        ),
        (CLASSIC, "step = 16", "step = nan", "parameter \"stable\": step is at most"),
        (CLASSIC, "iterations = 603", "iterations = 0", "iterations: 1 to 1000000000"),
        (CLASSIC, "pairs = 2", "pairs = 0", "pairs: pairs and batch are at least 1"),
        (CLASSIC, "seed = 7", "seed = 7\ngains = { alpha = 2 }", "gains: alpha and gamma are from 0 to 1"),
        (CLASSIC, "random:4", "random:many", "openings: random:many: the number of plies is not a whole number"),
        (CLASSIC, "size = 4", "size = 5", "size"),
        (CLASSIC, "seed = 7", "seed = 7\nsteps = 3", "unknown field `steps`"),
    ] {
        assert!(base.contains(from), "{from}");
        let folder = folder(&base.replacen(from, to, 1));
        let out = folder.path().join("run");
        let error = TuneRun::create(&folder.path().join("tune.toml"), &out).unwrap_err();
        assert!(error.is_misuse());
        assert!(error.to_string().contains(expected), "{from} → {to}:\n{error}");
        assert!(!out.exists());
    }
    let none = folder(CLASSIC.split("[[parameter]]").next().unwrap());
    let error = TuneRun::create(&none.path().join("tune.toml"), &none.path().join("run")).unwrap_err();
    assert!(error.to_string().contains("there is nothing to tune"), "{error}");
}

#[test]
fn every_iteration_compares_two_players_from_both_sides() {
    let settings = |text: &str| toml::from_str::<TuneSettings>(text).unwrap();
    let tuner = Tuner::new(settings(CLASSIC)).unwrap();
    let batch = tuner.games(2, &tuner.spsa().start());
    assert_eq!((batch.contenders.len(), batch.games.len(), batch.starts.len()), (4, 8, 4));
    let sides: Vec<(u32, u32, u64)> = batch.games.iter().map(|game| (game.black, game.white, game.opening)).collect();
    let expected = [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1), (2, 3, 2), (3, 2, 2), (2, 3, 3), (3, 2, 3)];
    assert_eq!(sides, expected);
    // The third and the fourth iteration have the fifth to the eighth opening.
    let numbers: Vec<u64> = batch.games.iter().map(|game| game.number).collect();
    assert_eq!(numbers, [4, 4, 5, 5, 6, 6, 7, 7]);
    assert_ne!(batch.contenders[0], batch.contenders[1]);
    assert_ne!(batch.contenders[0], batch.contenders[2]);
    // The last batch is as short as it must be.
    assert_eq!(tuner.games(602, &tuner.spsa().start()).games.len(), 4);
    // A list of openings, and a limit of time.
    let timed = CLASSIC.replace("depth=1", "time=1ms").replace("size = 4", "size = 8").replace("random:4", "balanced");
    assert!(Tuner::new(settings(&timed)).is_ok());
}

#[test]
fn the_settings_of_the_project_make_sense() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../experiments/tuning");
    for entry in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()) {
        let text = fs::read_to_string(entry.path()).unwrap();
        let settings: TuneSettings = toml::from_str(&text).unwrap();
        Tuner::new(settings).unwrap_or_else(|error| panic!("{}: {error}", entry.path().display()));
    }
}
