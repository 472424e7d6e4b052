//! Runs that are made up, and go on when they are told to.

use std::sync::{Arc, Mutex};

use turncoat_api::{
    ApiFault, FitnessPoint, GenePoint, GeneView, RunDetails, RunKindView, RunState, RunView, Runs, YardstickView,
};

/// One run that goes on, one that is finished, and one that is damaged.
#[derive(Debug, Clone, Default)]
pub(crate) struct FakeRuns(Arc<Mutex<u32>>);

/// What the damaged run says.
pub(crate) const FAULT: &str = "old/log.jsonl is damaged: line 3: expected value";

impl FakeRuns {
    /// Has the first run go on until so many generations are done.
    pub(crate) fn reach(&self, generation: u32) {
        *self.0.lock().unwrap() = generation;
    }

    fn all(&self) -> Vec<RunDetails> {
        let done = *self.0.lock().unwrap();
        let state = if done < 60 { RunState::Running } else { RunState::Finished };
        vec![
            details("sweep/seed 1", state, done),
            details("first", RunState::Finished, 60),
            details("old", RunState::Damaged, 0),
        ]
    }
}

fn details(name: &str, state: RunState, done: u32) -> RunDetails {
    let generations = 1..=done;
    let at = |generation: u32| f64::from(generation) / (10.0 + f64::from(generation));
    let gene = |index: u32| GeneView {
        name: format!("board ({index},1)"),
        points: generations
            .clone()
            .map(|g| GenePoint {
                generation: g,
                best: at(g) * f64::from(index) - 3.0,
                mean: at(g) * f64::from(index) - 3.5,
                deviation: 2.0 - at(g),
            })
            .collect(),
    };
    let fitness = |g| FitnessPoint { generation: g, best: 40.0 * at(g), mean: 25.0 * at(g), worst: -10.0 };
    let is_read = state != RunState::Damaged;
    RunDetails {
        run: RunView {
            name: name.to_owned(),
            kind: RunKindView::Genetic,
            state,
            title: if is_read { "Binary genes".to_owned() } else { String::new() },
            generation: done,
            generations: 60,
            best: (done > 0).then(|| 40.0 * at(done)),
            mean: (done > 0).then(|| 25.0 * at(done)),
            seconds: f64::from(done) * 1.5,
            has_report: is_read,
            changed: 1_000 + u64::from(done),
            fault: (!is_read).then(|| FAULT.to_owned()),
        },
        player: "gene45:depth=1".to_owned(),
        variant: "reversed".to_owned(),
        fitness: generations.clone().map(fitness).collect(),
        genes: if done > 0 { (0..12).map(gene).collect() } else { Vec::new() },
        yardsticks: vec![YardstickView {
            player: "random".to_owned(),
            points: generations.map(|g| (g, at(g))).collect(),
        }],
        elo: Vec::new(),
        parameters: (done > 0).then(|| format!("# Binary genes: the best of generation {done}\nstages = []\n")),
    }
}

impl Runs for FakeRuns {
    fn list(&self) -> Result<Vec<RunView>, ApiFault> {
        Ok(self.all().into_iter().map(|details| details.run).collect())
    }

    fn one(&self, name: &str) -> Result<RunDetails, ApiFault> {
        let found = self.all().into_iter().find(|details| details.run.name == name);
        found.ok_or_else(|| ApiFault::no_run(name))
    }

    fn report(&self, name: &str) -> Result<String, ApiFault> {
        let run = self.one(name)?.run;
        if run.has_report {
            Ok(format!("<!doctype html><title>{name}</title>"))
        } else {
            Err(ApiFault::no_report(name))
        }
    }
}
