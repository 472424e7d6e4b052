//! Generations that play after the fact, and individuals that were not saved.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use turncoat_players::Roster;
use turncoat_train::genetic::games::Threads;
use turncoat_train::genetic::rate::{Rate, RatePlan, RateStep, Rating, Representative};
use turncoat_train::genetic::run::{GeneticError, Snapshot};

use super::runs::{create, experiments, files, finish, folder};
use super::{BINARY, real};

fn read(folder: &Path) -> Snapshot {
    Snapshot::read(folder, &Roster::default()).unwrap()
}

fn plan(who: Representative) -> RatePlan {
    RatePlan { against: "random".to_owned(), games: 6, plies: 0, seed: 7, who }
}

fn open<'a>(run: &'a Snapshot, plan: &RatePlan, generations: &[u32]) -> Result<Rating<'a>, GeneticError> {
    let generations = generations.iter().copied().collect();
    Rating::open(run, plan.clone(), &generations, &plan.usual_name(), &Roster::default())
}

fn rates(rating: &mut Rating<'_>) -> Vec<Rate> {
    while rating.step(&mut Threads::default()).unwrap() != RateStep::Complete {}
    rating.rates().cloned().collect()
}

#[test]
fn whoever_was_not_saved_is_bred_again() {
    for text in experiments() {
        // As few as may be, but for the algorithm in which everyone may have children.
        let keep = if text.contains("kind = \"real\"\npopulation") { 9 } else { 5 };
        let text =
            text.replace("keep = 3\n", "").replace("generations = 4", &format!("generations = 4\nkeep = {keep}"));
        let folder = folder(&text);
        let mut run = create(&folder);
        let mut populations = Vec::new();
        for _ in 0..4 {
            populations.push(run.population().clone());
            run.step(&mut Threads::default()).unwrap();
        }
        let seen = read(&folder.path().join("run"));
        assert_eq!(seen.populations(&(1..=4).collect()).unwrap(), populations, "{text}");
        assert_eq!(seen.populations(&BTreeSet::from([3])).unwrap(), populations[2..3]);
        let error = seen.populations(&BTreeSet::from([2, 5])).unwrap_err();
        assert!(matches!(error, GeneticError::NoGeneration { generation: 5, done: 4 }), "{error}");
    }
    let folder = folder(BINARY);
    finish(&mut create(&folder));
    let seen = read(&folder.path().join("run"));
    assert_eq!(seen.populations(&BTreeSet::from([1])).unwrap().len(), 1);
    let error = seen.populations(&BTreeSet::from([2])).unwrap_err();
    assert!(matches!(error, GeneticError::TooFewKept { kept: 3, needed: 4 }), "{error}");
}

#[test]
fn a_rating_is_a_yardstick_after_the_fact() {
    let folder = folder(&BINARY.replace("who = \"any\"", "who = \"best\"").replace("keep = 3", "keep = 4"));
    let out = folder.path().join("run");
    let mut run = create(&folder);
    finish(&mut run);
    let before = files(&out);
    let seen = read(&out);
    let best = rates(&mut open(&seen, &plan(Representative::Rank(1)), &[]).unwrap());
    let log = run.log().unwrap();
    assert_eq!(best.len(), 4);
    for (rate, record) in best.iter().zip(&log) {
        assert_eq!((rate.generation, rate.tally, rate.rank), (record.generation, record.yardsticks[0].tally, Some(1)));
    }
    // Chance chooses from those that are asked for.
    let saved = rates(&mut open(&seen, &plan(Representative::Saved), &[2, 4]).unwrap());
    for rate in &saved {
        let individual = seen.individual(rate.generation, rate.rank.unwrap()).unwrap().individual;
        assert_eq!(individual.id, rate.individual);
    }
    assert_eq!(saved.iter().map(|rate| rate.generation).collect::<Vec<_>>(), [2, 4]);
    let all = rates(&mut open(&seen, &plan(Representative::All), &[]).unwrap());
    for (rate, population) in all.iter().zip(seen.populations(&(1..=4).collect()).unwrap()) {
        assert!(population.individuals.iter().any(|individual| individual.id == rate.individual));
    }
    // The run has not noticed.
    fs::rename(out.join("rates"), folder.path().join("rates")).unwrap();
    assert_eq!(files(&out), before);
}

#[test]
fn a_rating_goes_on_where_it_was() {
    let folder = folder(&real("mode-2"));
    let out = folder.path().join("run");
    finish(&mut create(&folder));
    let seen = read(&out);
    let plan = plan(Representative::Rank(2));
    rates(&mut open(&seen, &plan, &[]).unwrap());
    let at = out.join("rates").join(plan.usual_name());
    let expected = files(&at);
    assert_eq!(expected.keys().collect::<Vec<_>>(), ["rate.json", "rates.csv", "rates.svg"]);
    fs::rename(&at, folder.path().join("whole")).unwrap();
    // Some generations first, then a stop, then the others.
    rates(&mut open(&seen, &plan, &[3]).unwrap());
    let mut rating = open(&seen, &plan, &[]).unwrap();
    assert!(matches!(rating.step(&mut Threads::default()).unwrap(), RateStep::Rated(Rate { generation: 1, .. })));
    let mut stopped = Threads::default();
    stopped.stop.raise();
    assert_eq!(rating.step(&mut stopped).unwrap(), RateStep::Interrupted);
    drop(rating);
    let mut rating = open(&seen, &plan, &[]).unwrap();
    assert_eq!((rating.rates().count(), rating.planned()), (2, 4));
    rates(&mut rating);
    drop(rating);
    assert_eq!(files(&at), expected);
    // What does not fit is refused and left alone.
    let other = RatePlan { games: 8, ..plan.clone() };
    let error = Rating::open(&seen, other, &BTreeSet::new(), &plan.usual_name(), &Roster::default()).unwrap_err();
    assert!(error.is_misuse() && error.to_string().contains("rate.json says that these are other games"), "{error}");
    let table = fs::read_to_string(at.join("rates.csv")).unwrap();
    let line = table.lines().nth(1).unwrap();
    let fields: Vec<&str> = line.split(',').collect();
    for (field, to, expected) in
        [(3, "many", "line 2: it was not written so"), (1, "999", "line 2: it is not of these games")]
    {
        let mut fields = fields.clone();
        fields[field] = to;
        fs::write(at.join("rates.csv"), table.replacen(line, &fields.join(","), 1)).unwrap();
        let error = open(&seen, &plan, &[]).unwrap_err();
        assert!(error.to_string().contains(expected), "{error}");
    }
    for (changed, expected) in [
        (RatePlan { games: 7, ..plan.clone() }, "--games: an even number"),
        (RatePlan { plies: 57, ..plan.clone() }, "--plies: at most 56"),
        (RatePlan { against: "nobody".to_owned(), ..plan.clone() }, "--against: "),
        (RatePlan { against: "gene45:time=1s".to_owned(), ..plan.clone() }, "--against: "),
        (RatePlan { who: Representative::Rank(31), ..plan.clone() }, "there is no rank 31"),
    ] {
        let error = open(&seen, &changed, &[]).unwrap_err();
        assert!(error.is_misuse() && error.to_string().contains(expected), "{error}");
    }
    assert!(!out.join("rates/nobody-rank-2").exists());
    assert!(open(&seen, &plan, &[0]).unwrap_err().to_string().contains("there is no generation 0"));
}
