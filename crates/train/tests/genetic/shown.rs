//! Runs as a page shows them: what it says agrees with the files, nothing outside the folder is read, and damage is told.

use std::fs;
use std::path::{Path, PathBuf};

use turncoat_api::{Code, RunKindView, RunState, Runs};
use turncoat_board::VariantKind;
use turncoat_players::Roster;
use turncoat_train::genetic::RunsFolder;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::run::Snapshot;
use turncoat_train::reproduce::{Reproduction, Scale};
use turncoat_train::rounds::{LoopRun, LoopSettings};

use super::runs::{create, experiments, finish, folder};

fn fixture() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/genetic")
}

/// Puts a copy of a run of three generations at a path.
fn copy_run(to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(fixture()).unwrap().map(Result::unwrap) {
        fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
    }
}

/// Whether a number is this one in five digits.
fn is_close(short: f64, exact: f64) -> bool {
    (short - exact).abs() <= 1e-4 * exact.abs()
}

#[test]
fn a_run_is_shown_as_it_is() {
    for text in experiments() {
        let folder = folder(&text);
        let shown = RunsFolder::open(folder.path()).unwrap();
        assert!(shown.list().unwrap().is_empty());
        let mut run = create(&folder);
        let first = shown.one("run").unwrap();
        assert_eq!((first.run.state, first.run.generation, first.run.best), (RunState::Running, 0, None));
        for _ in 0..3 {
            run.step(&mut Threads::default()).unwrap();
        }
        let details = shown.one("run").unwrap();
        assert_eq!(shown.list().unwrap()[0], details.run);
        let snapshot = Snapshot::read(&folder.path().join("run"), &Roster::default()).unwrap();
        let (log, lab) = (snapshot.log(), snapshot.lab());
        assert_eq!((details.run.generation, details.run.generations), (3, lab.experiment.generations));
        assert_eq!((details.run.best, details.run.mean), (Some(log[2].best), Some(log[2].mean)));
        assert_eq!((&details.run.title, &details.player), (&lab.experiment.title, &lab.experiment.player));
        assert!(details.run.seconds > 0.0 && details.variant == lab.variant.name());
        for (point, record) in details.fitness.iter().zip(log) {
            assert_eq!(point.generation, record.generation);
            for (short, exact) in [(point.best, record.best), (point.mean, record.mean), (point.worst, record.worst)] {
                assert!(is_close(short, exact), "{short} {exact}");
            }
        }
        let best = snapshot.individual(3, 1).unwrap().individual.genome;
        assert_eq!(details.genes.len(), lab.layout.genes().len());
        for ((view, gene), value) in details.genes.iter().zip(lab.layout.genes()).zip(lab.layout.values(&best)) {
            assert_eq!((&view.name, view.points.len()), (&gene.name, 3));
            assert!(is_close(view.points[2].best, value), "{view:?} {value}");
        }
        let file = lab.parameter_file(&best, "the best of generation 3");
        assert_eq!(details.parameters, Some(file));
        assert_eq!(details.yardsticks.len(), lab.experiment.yardstick.len());
        drop(run);
        assert_eq!(shown.one("run").unwrap().run.state, RunState::Stopped);
    }
}

#[test]
fn a_finished_run_shows_its_champion() {
    let folder = folder(&experiments()[0]);
    let shown = RunsFolder::open(folder.path()).unwrap();
    let mut run = create(&folder);
    finish(&mut run);
    let details = shown.one("run").unwrap();
    assert_eq!((details.run.state, details.run.fault), (RunState::Finished, None));
    let champion = fs::read_to_string(folder.path().join("run/champion.toml")).unwrap();
    assert_eq!(details.parameters, Some(champion));
    // A folder that is a run itself has that one.
    let own = RunsFolder::open(&folder.path().join("run")).unwrap();
    assert_eq!(own.list().unwrap()[0].name, "run");
    assert!(own.one("run").is_ok() && own.one("other").is_err());
}

#[test]
fn loops_and_reports_are_listed_with_their_pages() {
    let root = tempfile::tempdir().unwrap();
    let (in_loop, in_report) = (root.path().join("loop"), root.path().join("again"));
    let shown = RunsFolder::open(root.path()).unwrap();
    let loop_run = LoopRun::create(LoopSettings::games(VariantKind::Reversed, 1, 9, 3), &in_loop).unwrap();
    let report = Reproduction::create("gene45", Scale::Quick, 1, &in_report).unwrap();
    let all = shown.list().unwrap();
    let listed: Vec<_> = all.iter().map(|run| (run.name.as_str(), run.kind, run.state, run.generation)).collect();
    let running = RunState::Running;
    assert_eq!(listed, [("again", RunKindView::Report, running, 0), ("loop", RunKindView::Loop, running, 0)]);
    assert_eq!((all[0].generations as usize, all[1].generations), (report.done().1, 3));
    assert!(shown.one("loop").unwrap().elo.is_empty() && shown.one("again").unwrap().fitness.is_empty());
    drop((loop_run, report));
    assert!(shown.list().unwrap().iter().all(|run| run.state == RunState::Stopped && !run.has_report));
    assert_eq!(shown.report("loop").unwrap_err().code, Code::NoRun);
    fs::write(in_loop.join("report.html"), "<p>").unwrap();
    assert!(shown.one("loop").unwrap().run.has_report);
    assert_eq!(shown.report("loop").unwrap(), "<p>");
    assert!(shown.report("loop/report.html").is_err() && shown.report("../loop").is_err());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(in_loop.join("report.html"), in_report.join("report.html")).unwrap();
        assert!(shown.report("again").is_err(), "links are not followed");
        assert_eq!(shown.one("again").unwrap().run.state, RunState::Damaged);
    }
}

#[test]
fn many_runs_lie_in_folders() {
    let root = tempfile::tempdir().unwrap();
    for number in 0..150 {
        copy_run(&root.path().join(format!("run-{number}")));
        copy_run(&root.path().join(format!("sweep/point-{}/seed-{number}", number % 3)));
    }
    fs::create_dir_all(root.path().join("a/b/c/d")).unwrap();
    copy_run(&root.path().join("a/b/c/d/too-deep"));
    fs::write(root.path().join("a/settings.toml"), "").unwrap();
    let shown = RunsFolder::open(root.path()).unwrap();
    let all = shown.list().unwrap();
    assert_eq!(all.len(), 300);
    assert!(all.iter().all(|run| run.state == RunState::Stopped && run.generation == 3));
    assert_eq!(shown.list().unwrap(), all);
    assert_eq!(shown.one("sweep/point-2/seed-5").unwrap().fitness.len(), 3);
    fs::remove_dir_all(root.path().join("sweep")).unwrap();
    assert_eq!(shown.list().unwrap().len(), 150);
}

#[test]
fn damage_is_told_by_the_name_of_the_file() {
    let root = tempfile::tempdir().unwrap();
    let shown = RunsFolder::open(root.path()).unwrap();
    let run = root.path().join("run");
    for name in ["checkpoint.json", "experiment.toml", "log.jsonl", "individuals.jsonl"] {
        copy_run(&run);
        let whole = fs::read(run.join(name)).unwrap();
        assert_eq!(shown.one("run").unwrap().run.fault, None);
        fs::write(run.join(name), &whole[..whole.len() / 2]).unwrap();
        let details = shown.one("run").unwrap();
        let fault = details.run.fault.unwrap();
        assert_eq!((details.run.state, details.fitness.len()), (RunState::Damaged, 0), "{fault}");
        assert!(fault.starts_with(&format!("run/{name} is damaged")), "{fault}");
        // Of the individuals a list knows nothing.
        assert_eq!(shown.list().unwrap()[0].state == RunState::Damaged, name != "individuals.jsonl");
    }
}

#[test]
fn no_name_leads_out_of_the_folder() {
    let root = tempfile::tempdir().unwrap();
    copy_run(&root.path().join("outside"));
    copy_run(&root.path().join("runs/inside"));
    let shown = RunsFolder::open(&root.path().join("runs")).unwrap();
    assert!(shown.one("inside").is_ok());
    let absolute = root.path().join("outside").display().to_string();
    for name in
        ["", ".", "..", "../outside", "inside/../../outside", "inside/", "/inside", "./inside", "inside\0", &absolute]
    {
        assert_eq!(shown.one(name).unwrap_err().code, Code::NoRun, "{name:?}");
    }
    let sealed = Roster::default().sealed().parse("gene45:weights=Cargo.toml").unwrap();
    assert!(sealed.parameters().unwrap_err().to_string().contains("files are not read here"));
}

#[cfg(unix)]
#[test]
fn links_are_not_followed() {
    use std::os::unix::fs::symlink;

    let root = tempfile::tempdir().unwrap();
    copy_run(&root.path().join("outside"));
    let runs = root.path().join("runs");
    copy_run(&runs.join("inside"));
    symlink(root.path().join("outside"), runs.join("link")).unwrap();
    let shown = RunsFolder::open(&runs).unwrap();
    assert_eq!(shown.list().unwrap().len(), 1);
    assert_eq!(shown.one("link").unwrap_err().code, Code::NoRun);
    for name in ["checkpoint.json", "experiment.toml", "log.jsonl", "individuals.jsonl", "champion.toml", "lock"] {
        copy_run(&runs.join("inside"));
        let _ = fs::remove_file(runs.join("inside").join(name));
        symlink(root.path().join("outside").join(name), runs.join("inside").join(name)).unwrap();
        let details = shown.one("inside").unwrap();
        assert_eq!(details.run.state, RunState::Damaged, "{name}");
        assert_eq!(shown.list().unwrap()[0].state, RunState::Damaged, "{name}");
        fs::remove_file(runs.join("inside").join(name)).unwrap();
    }
}
