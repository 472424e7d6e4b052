//! Runs that are looked at, end early or are prolonged.

use std::fs;
use std::path::Path;

use turncoat_players::Roster;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::run::{GeneticError, Run, Snapshot, Stage, Step, write_report};
use turncoat_train::genetic::tensorboard::write_events;
use turncoat_train::genetic::{Assignment, End};

use super::runs::{create, experiments, files, finish, folder, uninterrupted};
use super::{BINARY, real};

#[test]
fn a_run_is_read_while_it_is_worked_on() {
    let odd = BINARY.replace("\"Binary\"", r#""A title\nof \u0007 two lines""#);
    assert_ne!(odd, BINARY);
    for text in [odd, real("cma-es")] {
        let folder = folder(&text);
        let out = folder.path().join("run");
        let read = || Snapshot::read(&out, &Roster::default()).unwrap();
        let mut run = create(&folder);
        assert_eq!((read().stage(), read().log().len()), (Stage::Generation(1), 0));
        run.step(&mut Threads::default()).unwrap();
        let before = files(&out);
        let seen = read();
        assert_eq!(seen.worker().unwrap().0, std::process::id());
        assert_eq!((seen.stage(), seen.log()), (Stage::Generation(2), &*run.log().unwrap()));
        assert_eq!(seen.seconds().len(), 1);
        // Anyone who is logged can play.
        let all = seen.individuals(1).unwrap();
        for (rank, rated) in (1..).zip(&all) {
            let file = seen.lab().parameter_file(&seen.individual(1, rank).unwrap().individual.genome, "one");
            let parameters = seen.lab().layout.parameters(&rated.individual.genome);
            assert_eq!(seen.lab().schema.read(&file).unwrap(), parameters);
        }
        let error = seen.individual(1, all.len() + 1).unwrap_err();
        assert!(matches!(error, GeneticError::NoRank { generation: 1, .. }), "{error}");
        assert!(matches!(seen.individuals(2), Err(GeneticError::NoGeneration { generation: 2, done: 1 })));
        assert_eq!(files(&out), before);
        finish(&mut run);
        assert_eq!(read().stage(), Stage::Finished);
        drop(run);
        assert!(read().worker().is_none());
        assert_eq!(read().seconds().len(), 4);
    }
}

#[test]
fn a_report_can_be_had_at_any_time() {
    for text in [BINARY.to_owned(), real("cma-es")] {
        let folder = folder(&text);
        let out = folder.path().join("run");
        let report = || write_report(&out, &Roster::default(), &mut Threads::default());
        let mut run = create(&folder);
        assert!(matches!(report(), Err(GeneticError::NoGeneration { done: 0, .. })));
        for _ in 0..2 {
            run.step(&mut Threads::default()).unwrap();
        }
        let (seen, found) = report().unwrap().unwrap();
        assert_eq!(seen.log().len(), 2);
        let written = files(&out);
        let champion = str::from_utf8(&written["champion.toml"]).unwrap();
        assert!(champion.lines().next().unwrap().ends_with(", after 2 generations"), "{champion}");
        let parameters = seen.lab().layout.parameters(&found.standings[0].genome);
        assert_eq!(seen.lab().schema.read(champion).unwrap(), parameters);
        assert!(str::from_utf8(&written["report.html"]).unwrap().contains("The run is not finished."));
        // It is gone in the end.
        finish(&mut run);
        let expected = uninterrupted(&text, 2);
        assert_eq!(files(&out), expected);
        fs::remove_file(out.join("champion.toml")).unwrap();
        fs::write(out.join("report.html"), "lost").unwrap();
        report().unwrap().unwrap();
        assert_eq!(files(&out), expected);
    }
}

#[test]
fn the_log_is_a_table_too() {
    let text = BINARY.to_owned() + "\n[[yardstick]]\nplayer = \"greedy\"\ngames = 2\nevery = 3\n";
    let folder = folder(&text);
    let mut run = create(&folder);
    finish(&mut run);
    let table = fs::read_to_string(folder.path().join("run/log.csv")).unwrap();
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][7..], ["sigma", "yardstick_1", "yardstick_2"]);
    assert_eq!(rows.len(), 5);
    for (row, record) in rows[1..].iter().zip(run.log().unwrap()) {
        let begin = format!("{},{},{},{}", record.generation, record.games, record.best, record.mean);
        assert_eq!(row[..4].join(","), begin);
        assert_eq!((row.len(), row[7], row[9].is_empty()), (10, "", record.generation == 2));
    }
    // So is every gene.
    let genes = fs::read_to_string(folder.path().join("run/genes.csv")).unwrap();
    let count = run.lab().layout.genes().len();
    let lines: Vec<&str> = genes.lines().skip(1).collect();
    assert_eq!(lines.len(), 4 * count);
    for (lines, record) in lines.chunks(count).zip(run.log().unwrap()) {
        let best = |line: &&str| line.rsplit(',').nth(2).unwrap().parse::<f64>().unwrap().abs();
        let size = lines.iter().map(best).sum::<f64>() / count as f64;
        assert!((size - record.size).abs() < 1e-9, "{lines:?}");
    }
    // Whatever happens to the tables, the run has them again.
    drop(run);
    fs::remove_file(folder.path().join("run/seconds.csv")).unwrap();
    fs::write(folder.path().join("run/log.csv"), "lost").unwrap();
    drop(Run::resume(&folder.path().join("run"), &Roster::default()).unwrap());
    assert_eq!(fs::read_to_string(folder.path().join("run/log.csv")).unwrap(), table);
}

/// The records of an event file, without their checksums.
fn records(mut file: &[u8]) -> Vec<&[u8]> {
    let mut records = Vec::new();
    while let Some((length, rest)) = file.split_first_chunk() {
        let end = 4 + u64::from_le_bytes(*length) as usize;
        records.push(&rest[4..end]);
        file = &rest[end + 4..];
    }
    records
}

#[test]
fn the_log_is_an_event_file_too() {
    let folder = folder(BINARY);
    let mut run = create(&folder);
    finish(&mut run);
    let out = folder.path().join("run");
    let seen = Snapshot::read(&out, &Roster::default()).unwrap();
    let before = files(&out);
    // Into a folder of its own, twice.
    for _ in 0..2 {
        let path = write_events(&seen, &folder.path().join("a/b")).unwrap();
        let file = fs::read(path).unwrap();
        let records = records(&file);
        assert_eq!(records.len(), 5);
        assert!(records[0].ends_with(b"brain.Event:2"));
        for (event, record) in records[1..].iter().zip(run.log().unwrap()) {
            assert_eq!(event[9..11], [2 << 3, record.generation as u8]);
            let parameter = seen.individual(record.generation, 1).unwrap().individual.genome;
            let parameter = seen.lab().layout.values(&parameter)[0];
            let name = format!("parameters/{}", seen.lab().layout.genes()[0].name);
            let won = "won/1 one by chance against random, 6 games";
            let rate = record.yardsticks[0].win_rate();
            for (tag, value) in [("fitness/mean", record.mean), (won, rate), (&name, parameter)] {
                let field =
                    [&[1 << 3 | 2, tag.len() as u8], tag.as_bytes(), &[2 << 3 | 5], &(value as f32).to_le_bytes()];
                let field = field.concat();
                assert!(event.windows(field.len()).any(|part| part == field), "{tag}: {value}");
            }
        }
    }
    assert_eq!(files(&out), before);
    fs::write(folder.path().join("file"), "").unwrap();
    assert!(write_events(&seen, &folder.path().join("file")).unwrap_err().to_string().contains("file: "));
}

#[test]
fn the_champion_meets_the_player_as_it_was() {
    let text = BINARY.to_owned() + "\n[champion]\ngames = 20\n";
    let folder = folder(&text);
    let out = folder.path().join("run");
    let mut run = create(&folder);
    assert_eq!(run.last_match().unwrap(), None);
    finish(&mut run);
    let played = run.last_match().unwrap().unwrap();
    assert_eq!((played.tally.games(), played.pairs.iter().sum::<u64>()), (20, 10));
    let points: u64 = (0..).zip(played.pairs).map(|(points, pairs)| points * pairs).sum();
    assert!((played.points() - points as f64 / 40.0).abs() < 1e-9, "{played:?}");
    let page = fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains(&played.summary()), "{}", played.summary());
    assert!(
        page.contains("turncoat match gene45:depth=1,final=0,weights=champion.toml gene45:depth=1,final=0 --games 20")
    );
    drop(run);
    // A run of an earlier version has no match yet; its report has.
    fs::remove_file(out.join("match.json")).unwrap();
    let report = || write_report(&out, &Roster::default(), &mut Threads::default());
    assert_eq!(report().unwrap().unwrap().1.last_match, Some(played));
    assert_eq!(fs::read_to_string(out.join("report.html")).unwrap(), page);
    fs::write(out.join("match.json"), "{}").unwrap();
    assert!(report().unwrap_err().to_string().contains("match.json is damaged"));
    // None if none is wanted.
    let none = uninterrupted(&text.replace("games = 20", "games = 0"), 1);
    assert!(!none.contains_key("match.json") && none.contains_key("champion.toml"));
}

#[test]
fn a_run_ends_early_when_it_is_told_to() {
    let text = real("mode-2").replace("generations = 4", "generations = 40\nKEY");
    let whole = text.replace("KEY", "");
    let log = |text: &str, end: End| {
        let folder = folder(text);
        let mut run = create(&folder);
        finish(&mut run);
        assert_eq!(run.end(), Some(end));
        run.log().unwrap()
    };
    let all = log(&whole, End::Generations);
    let best: Vec<f64> = all.iter().map(|record| record.best).collect();
    // The same generations, and then an end.
    let patient = log(&text.replace("KEY", "patience = 3"), End::Patience);
    assert_eq!(patient, all[..patient.len()]);
    let highest = best[..patient.len()].iter().copied().fold(f64::MIN, f64::max);
    assert!(best[..patient.len() - 3].contains(&highest), "{best:?}");
    assert!(best[patient.len() - 3..patient.len()].iter().all(|&best| best <= highest));
    let target = best[1..].iter().copied().fold(best[0], f64::max);
    let aimed = log(&text.replace("KEY", &format!("target = {target:?}")), End::Target);
    assert_eq!(aimed, all[..aimed.len()]);
    assert_eq!(best.iter().position(|&best| best >= target), Some(aimed.len() - 1));
    // Interruptions change nothing about it.
    let folder = folder(&text.replace("KEY", "patience = 3"));
    let out = folder.path().join("run");
    drop(create(&folder));
    let resumed = || Run::resume(&out, &Roster::default()).unwrap().step(&mut Threads::default()).unwrap();
    while !matches!(resumed(), Step::Complete(_)) {}
    assert_eq!(files(&out), uninterrupted(&text.replace("KEY", "patience = 3"), 2));
}

/// Resumes a run with another number of generations.
fn prolonged(out: &Path, generations: u32) -> Result<Run, GeneticError> {
    Run::prolong(out, &[Assignment::new("generations", generations)], &Roster::default())
}

#[test]
fn a_prolonged_run_is_one_that_was_planned_so() {
    for text in experiments() {
        // A yardstick that the last generation meets, whichever it is.
        let text = text + "\n[[yardstick]]\nplayer = \"greedy\"\ngames = 2\nevery = 5\n";
        let planned = |generations| text.replace("generations = 4", &format!("generations = {generations}"));
        let expected = uninterrupted(&planned(7), 2);
        // Finished, and stopped after a generation.
        for steps in [5, 1] {
            let folder = folder(&text);
            let out = folder.path().join("run");
            let mut run = create(&folder);
            for _ in 0..steps {
                run.step(&mut Threads::default()).unwrap();
            }
            drop(run);
            drop(prolonged(&out, 6).unwrap());
            // Killed before the experiment was written.
            fs::write(out.join("experiment.toml"), &text).unwrap();
            assert_eq!(Snapshot::read(&out, &Roster::default()).unwrap().lab().experiment.generations, 6);
            finish(&mut prolonged(&out, 7).unwrap());
            assert_eq!(files(&out), expected, "after {steps} steps");
            // Nothing is to be done.
            finish(&mut prolonged(&out, 7).unwrap());
            assert_eq!(files(&out), expected);
        }
    }
}

#[test]
fn a_run_can_only_end_where_it_could_have_ended() {
    let folder = folder(&real("mode-2"));
    let out = folder.path().join("run");
    let mut run = create(&folder);
    for _ in 0..2 {
        run.step(&mut Threads::default()).unwrap();
    }
    drop(run);
    let before = files(&out);
    let refused = |assignment: &str| {
        let assignment = [assignment.parse().unwrap()];
        let error = Run::prolong(&out, &assignment, &Roster::default()).err().unwrap();
        assert!(error.is_misuse(), "{error}");
        assert_eq!(files(&out), before);
        error.to_string()
    };
    assert_eq!(refused("generations=1"), "2 generations are done: with this, the run would have ended after 1");
    // Who follows them is bred already.
    assert!(refused("generations=2").ends_with("ended after 2"));
    assert!(refused("target=-1000").ends_with("ended after 1, at its target"));
    assert!(refused("keep=9").starts_with("keep stays as it is: "));
    assert!(refused("generations=many").starts_with("--set generations=many for "));
    finish(&mut prolonged(&out, 3).unwrap());
    assert_eq!(files(&out), uninterrupted(&real("mode-2").replace("generations = 4", "generations = 3"), 1));
}
