//! Training finds what was planted, and an interruption or other threads change nothing.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use turncoat_board::isa::{Backend, Isa, Task};
use turncoat_board::{Board, Geometry, Position, Reversed, Square, VariantKind};
use turncoat_eval::HandMade;
use turncoat_eval::patterns::{Fold, Row, SHAPES, STAGES, Weights, folds, read_weights};
use turncoat_train::games::{read_shard, write_shard};
use turncoat_train::openings::Randomness;
use turncoat_train::patterns::{self, Event, Example, Fitting, Passed, Problem, Settings, TrainingError, fit, unready};
use turncoat_train::run_folder::{FolderError, RunFolder};
use turncoat_train::selfplay::{SearchMemory, Selfplay, SelfplayPlan};
use turncoat_util::SplitMix64;

struct MakeRow(Board);

impl Task for MakeRow {
    type Output = Row;
    #[inline(always)]
    fn run<I: Isa>(self, isa: I) -> Row {
        let moves = isa.legal_moves(self.0, self.0.empties(Geometry::EIGHT));
        Row::new(isa, self.0, Geometry::EIGHT, moves)
    }
}

/// Positions of random games with 20 to 22 empties.
fn positions(count: usize) -> Vec<Board> {
    let mut dice = SplitMix64::new(5);
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = Position::start(Geometry::EIGHT);
        while !position.is_over() && position.empties() >= 20 {
            let moves: Vec<Square> = position.legal_moves().into_iter().collect();
            if moves.is_empty() {
                position = position.pass();
                continue;
            }
            position = position.play(moves[dice.below(moves.len())]).unwrap();
            if (20..=22).contains(&position.empties()) {
                found.push(position.board());
            }
        }
    }
    found
}

#[test]
fn planted_weights_are_found() {
    let fold = folds(Geometry::EIGHT);
    // Weights drawn at random for what has few contents (the counts and the shortest diagonals), so that the
    // positions tell them all; everything else means nothing.
    let speaks = speaking(fold);
    let mut dice = SplitMix64::new(9);
    let planted: Vec<f32> = speaks
        .iter()
        .map(|&speaks| {
            let drawn = dice.unit() as f32 - 0.5;
            if speaks { 4.0 * drawn } else { 0.0 }
        })
        .collect();
    let table = fold.unfold(&planted);
    let examples: Vec<Example> = positions(60_000)
        .into_iter()
        .enumerate()
        .map(|(number, board)| {
            let row = Backend::best().run(MakeRow(board));
            let label = row.slots().iter().map(|&slot| table[slot as usize]).sum();
            Example { board, label, count: 1.0, kept_back: number % 5 == 0 }
        })
        .collect();
    let (problem, unseen) = problems(examples);
    let fitting = Fitting { passes: 60, ridge: 3.0, patience: 60 };
    let mut errors = Vec::new();
    let start = vec![0.0; fold.weights];
    let fitted = fit(&problem, &unseen, fold, &start, fitting, &mut |passed| {
        errors.push(passed);
        true
    });
    assert_eq!(fitted.best, errors[fitted.best.pass]);
    assert_eq!(fitted.passes, errors.len() - 1);
    let (first, last) = (errors[0], errors[errors.len() - 1]);
    assert!(last.error < 0.1 * first.error, "{first:?} {last:?}");
    let back = |passed: Passed| passed.kept_back.unwrap();
    assert!(back(last) < 0.4 * back(first), "{first:?} {last:?}");
    let largest = |which: bool| {
        let those = fitted.weights.iter().zip(&speaks).filter(|(_, s)| **s == which);
        those.fold(0.0f32, |most, (w, _)| most.max(w.abs()))
    };
    assert!(largest(false) < 0.5 * largest(true));
}

#[test]
fn the_pass_that_is_told_is_the_one_whose_weights_are_kept() {
    let fold = folds(Geometry::EIGHT);
    let example = |(number, board): (usize, Board)| Example {
        board,
        // Nothing can be learned: noise that the patterns do not know.
        label: if number % 3 == 0 { 20.0 } else { -10.0 },
        count: 1.0,
        kept_back: number % 2 == 0,
    };
    let examples: Vec<Example> = positions(600).into_iter().enumerate().map(example).collect();
    let (problem, unseen) = problems(examples);
    let fitting = Fitting { passes: 20, ridge: 0.01, patience: 3 };
    let start = vec![0.0; fold.weights];
    let mut errors = Vec::new();
    let fitted = fit(&problem, &unseen, fold, &start, fitting, &mut |passed| {
        errors.push(passed);
        true
    });
    // The last three passes were not better, so they are not told.
    assert_eq!(fitted.best.pass + 3, fitted.passes);
    assert_eq!(fitted.best, errors[fitted.best.pass]);
    let again = fit(&problem, &unseen, fold, &fitted.weights, fitting, &mut |_| false);
    let told = |passed: Passed| passed.kept_back.unwrap();
    assert!((told(again.best) - told(fitted.best)).abs() < 1e-3);
}

/// What is learned from, and what is kept back.
fn problems(examples: Vec<Example>) -> (Problem, Problem) {
    let (back, training): (Vec<_>, Vec<_>) = examples.into_iter().partition(|example| example.kept_back);
    let (mut problem, mut unseen) = (Problem::new(Geometry::EIGHT), Problem::new(Geometry::EIGHT));
    problem.add(&training, 1.0);
    unseen.add(&back, 1.0);
    (problem, unseen)
}

/// By weight: whether it is one of the counts or of a shape of up to six squares.
fn speaking(fold: &Fold) -> Vec<bool> {
    let mut speaks = vec![false; fold.weights];
    let mut slots = fold.weight.iter();
    for shape in &SHAPES {
        for &weight in slots.by_ref().take(shape.contents()) {
            speaks[weight as usize] = shape.squares.len() <= 6;
        }
    }
    for &weight in slots {
        speaks[weight as usize] = true;
    }
    speaks
}

fn write_games(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    let plan = SelfplayPlan {
        variant: VariantKind::Reversed,
        size: Geometry::EIGHT,
        evaluation: "hand".to_owned(),
        games: 60,
        seed: 1,
        depth: 1,
        selectivity: None,
        solve: 6,
        enumerate_every: 0,
        enumerated_plies: 0,
        random: vec![Randomness { plies: [2, 20], share: 1.0, lead: None }],
        shard: 20,
    };
    let (hand, memory) = (HandMade::new(VariantKind::Reversed, Geometry::EIGHT), SearchMemory::new().unwrap());
    let selfplay = Selfplay::new(&plan, Reversed, &hand).unwrap();
    for shard in 0..plan.shards() {
        let games: Vec<_> = plan.games_of(shard).map(|number| selfplay.play(number, &memory)).collect();
        let path = folder.join(format!("{shard:06}.games"));
        fs::write(path, write_shard(VariantKind::Reversed, Geometry::EIGHT, &games)).unwrap();
    }
}

fn settings(games: &Path) -> Settings {
    Settings {
        variant: VariantKind::Reversed,
        size: Geometry::EIGHT,
        games: vec![games.to_owned()],
        start: None,
        passes: 3,
        ridge: 20.0,
        trust: 0.8,
        keep_back: 5,
        patience: 2,
    }
}

fn train(
    settings: &Settings,
    folder: &Path,
    report: &(dyn Fn(Event) -> bool + Sync),
) -> Result<Weights, TrainingError> {
    patterns::train(settings, &RunFolder::create_or_open(folder)?, report)
}

fn in_pool(threads: usize, settings: &Settings, folder: &Path) -> Weights {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| train(settings, folder, &|_| true)).unwrap()
}

#[test]
fn an_interrupted_training_ends_like_a_whole_one() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    write_games(&games);
    let settings = settings(&games);
    let whole = in_pool(1, &settings, &folder.path().join("whole"));
    let parts = folder.path().join("parts");
    let seen = AtomicUsize::new(0);
    // Stopped a few times at different moments, then left alone, with other threads.
    for stop in [1, 5, 9] {
        seen.store(0, Ordering::Relaxed);
        let result = train(&settings, &parts, &|_| seen.fetch_add(1, Ordering::Relaxed) < stop);
        assert!(matches!(result, Err(TrainingError::Stopped)), "{result:?}");
    }
    let found = AtomicUsize::new(0);
    let resumed = train(&settings, &parts, &|event| {
        found.fetch_add(usize::from(matches!(event, Event::Found(_))), Ordering::Relaxed);
        true
    });
    assert_eq!(resumed.unwrap(), whole);
    assert_eq!(in_pool(3, &settings, &folder.path().join("three")), whole);
    // What an interrupted stage logged is forgotten; the log has each pass once.
    let log = |name: &str| fs::read_to_string(folder.path().join(name).join("log.jsonl")).unwrap();
    assert!(!log("whole").is_empty());
    assert_eq!(log("parts"), log("whole"));
    let file = fs::read(parts.join("patterns.weights")).unwrap();
    assert_eq!(read_weights(&file).unwrap(), whole);
}

/// Trains the first stage only; the run can be continued.
fn begin(settings: &Settings, folder: &Path) {
    let result = train(settings, folder, &|event| !matches!(event, Event::Passed(stage, _) if stage < STAGES - 1));
    assert!(matches!(result, Err(TrainingError::Stopped)), "{result:?}");
}

fn is_changed<T>(result: &Result<T, TrainingError>) -> bool {
    matches!(result, Err(TrainingError::Folder(FolderError::Changed { .. })))
}

#[test]
fn other_settings_and_games_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (games, run) = (folder.path().join("games"), folder.path().join("run"));
    write_games(&games);
    let settings = settings(&games);
    begin(&settings, &run);
    let other = Settings { ridge: 21.0, ..settings.clone() };
    assert!(is_changed(&train(&other, &run, &|_| true)));
    let last = games.join("000002.games");
    let kept = fs::read(&last).unwrap();
    fs::copy(games.join("000001.games"), &last).unwrap();
    assert!(is_changed(&train(&settings, &run, &|_| true)));
    fs::write(&last, kept).unwrap();
    // Games in another place are the same games.
    let moved = folder.path().join("moved");
    fs::rename(&games, &moved).unwrap();
    let moved = Settings { games: vec![moved], ..settings };
    begin(&moved, &run);
    // A folder of an earlier version has no digest; from then on it has one.
    fs::remove_file(run.join("settings.digest")).unwrap();
    begin(&moved, &run);
    let other = Settings { passes: 9, ..moved };
    assert!(is_changed(&train(&other, &run, &|_| true)));
}

#[test]
fn damaged_positions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let (games, run) = (folder.path().join("games"), folder.path().join("run"));
    write_games(&games);
    let settings = settings(&games);
    begin(&settings, &run);
    let (bin, list) = (run.join("positions/03.bin"), run.join("positions.json"));
    let good = fs::read(&bin).unwrap();
    let mut flipped = good.clone();
    flipped[16] ^= 1;
    for bad in [&flipped[..], &good[..good.len() - 19], &[]] {
        fs::write(&bin, bad).unwrap();
        let error = train(&settings, &run, &|_| true).unwrap_err().to_string();
        let (bin, list) = (bin.display().to_string(), list.display().to_string());
        assert!(error.contains(&bin) && error.contains(&list), "{error}");
    }
    // An earlier version's list has no marks.
    let kept = fs::read_to_string(&list).unwrap();
    fs::write(&list, "{\"games\":60,\"positions\":2000}").unwrap();
    begin(&settings, &run);
    fs::write(&list, kept).unwrap();
    assert!(train(&settings, &run, &|_| true).is_err());
    // As the error says.
    fs::remove_file(&list).unwrap();
    begin(&settings, &run);
}

#[test]
fn one_works_in_a_folder_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let (games, run) = (folder.path().join("games"), folder.path().join("run"));
    write_games(&games);
    let settings = settings(&games);
    let result = train(&settings, &run, &|_| {
        let second = train(&settings, &run, &|_| true);
        assert!(matches!(second, Err(TrainingError::Folder(FolderError::Busy(_)))));
        false
    });
    assert!(matches!(result, Err(TrainingError::Stopped)), "{result:?}");
    begin(&settings, &run);
}

#[test]
fn nothing_is_learned_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    write_games(&games);
    let run = |settings: &Settings, name: &str| {
        train(settings, &folder.path().join(name), &|event| !matches!(event, Event::Passed(..)))
    };
    let all_kept_back = Settings { keep_back: 1, ..settings(&games) };
    let refused = run(&all_kept_back, "a");
    assert!(matches!(refused, Err(TrainingError::Nothing)), "{refused:?}");
    let none_kept_back = Settings { keep_back: 0, ..settings(&games) };
    let begun = run(&none_kept_back, "b");
    assert!(matches!(begun, Err(TrainingError::Stopped)), "{begun:?}");
    // All plies random, and no games at all.
    for path in fs::read_dir(&games).unwrap().map(|file| file.unwrap().path()) {
        let mut records = read_shard(&fs::read(&path).unwrap(), VariantKind::Reversed, Geometry::EIGHT).unwrap();
        for game in &mut records {
            game.random = 60;
        }
        fs::write(path, write_shard(VariantKind::Reversed, Geometry::EIGHT, &records)).unwrap();
    }
    let refused = run(&settings(&games), "c");
    assert!(matches!(refused, Err(TrainingError::Nothing)), "{refused:?}");
    for path in fs::read_dir(&games).unwrap().map(|file| file.unwrap().path()) {
        fs::write(path, write_shard(VariantKind::Reversed, Geometry::EIGHT, &[])).unwrap();
    }
    let refused = run(&settings(&games), "d");
    assert!(matches!(refused, Err(TrainingError::Nothing)), "{refused:?}");
}

#[test]
fn bad_games_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games");
    fs::create_dir_all(&games).unwrap();
    let run = |name: &str| train(&settings(&games), &folder.path().join(name), &|_| true);
    assert!(matches!(run("a"), Err(TrainingError::NoGames(_))));
    write_games(&games);
    assert_eq!(unready(&settings(&games)), None);
    let bad = games.join("000001.games");
    let mut bytes = fs::read(&bad).unwrap();
    bytes.truncate(100);
    fs::write(&bad, bytes).unwrap();
    let error = run("b").unwrap_err().to_string();
    assert!(error.contains("000001.games") && error.contains("damaged"), "{error}");
    // The same is told before anything is begun, though the first file is good.
    assert_eq!(unready(&settings(&games)), Some(error));
}
