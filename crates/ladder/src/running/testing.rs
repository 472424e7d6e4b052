//! The usability test of what has arrived.

use turncoat_api::{CheckReport, ContestantState};
use turncoat_arena::StoreError;
use turncoat_host::Hosting;
use turncoat_host::check::{Case, Subject, Test, Verdict, check};
use turncoat_players::{BuildError, Setting};

use super::state::{Job, State};
use super::{Event, REST, Shared};
use crate::report;

impl Shared<'_> {
    /// Tests what waits, until the ladder ends.
    pub(super) fn test_on(&self) {
        let mut state = self.state();
        while !self.stop.is_raised() {
            let may = state.testing.len() < state.allowed;
            let Some(job) = may.then(|| state.queue.pop_front()).flatten() else {
                state = self.wait(state);
                continue;
            };
            state.testing.push(job.clone());
            drop(state);
            let tested = self.test(&job);
            state = self.state();
            state.testing.retain(|other| other.version.id != job.version.id);
            drop(state);
            if !self.stop.is_raised() {
                // Not again at once what cannot be stored.
                if let Err(error) = self.tested(&job, tested) {
                    self.tell(Event::Trouble { words: error.to_string() });
                    self.state().queue.push_back(job);
                    std::thread::sleep(REST);
                }
            }
            self.changed.notify_all();
            state = self.state();
        }
    }

    fn test(&self, job: &Job) -> Result<(Verdict, Vec<Case>), BuildError> {
        let (options, rules) = (self.options, self.options.test);
        // A meter of its own: memory is measured for each program.
        let hosting = Hosting { meter: turncoat_host::Meter::default(), ..options.hosting.clone() };
        let subject = Subject::parse(&job.version.spec, &hosting)?;
        let setting = Setting { variant: options.plan.variant, geometry: options.plan.size, seed: options.plan.seed };
        let test = Test {
            random: rules.random,
            seed: options.plan.seed,
            limit: rules.limit,
            forbids_os: rules.forbids_os,
            all: false,
            stop: self.stop.clone(),
        };
        let mut cases = Vec::new();
        let verdict = check(&subject, setting, &test, &mut |case| cases.push(case.clone()))?;
        Ok((verdict, cases))
    }

    /// Keeps the result; the version plays if it has passed and is still the one in the folder.
    fn tested(&self, job: &Job, tested: Result<(Verdict, Vec<Case>), BuildError>) -> Result<(), StoreError> {
        let mut state = self.state();
        let (verdict, cases) = match tested {
            Ok(tested) => tested,
            // It cannot be run here, so there is no verdict on it: it is tried again when the ladder is started again.
            Err(error) => {
                let words = without_place(&error.to_string(), &job.version.spec);
                state.set(job.player, ContestantState::Refused, Some(words.clone()))?;
                self.tell(Event::Refused { player: job.title.clone(), words });
                return Ok(());
            }
        };
        let report = report::kept(&verdict, &cases);
        let passed = verdict.is_good();
        state.store.tested(job.version.id, passed, Some(&report))?;
        let is_latest = state.member(job.player).is_some_and(|member| member.latest == Some(job.version.id));
        let number = job.version.number;
        if passed && is_latest {
            state.promote(job.version.clone(), &job.title)?;
        } else if is_latest {
            fail(&mut state, job, &report)?;
        }
        self.tell(Event::Tested { player: job.title.clone(), version: number, passed, report });
        if passed && is_latest {
            self.tell(Event::Enters { player: job.title.clone(), version: number });
        }
        Ok(())
    }
}

/// A version did not pass: the one before it plays on, if there is one.
fn fail(state: &mut State, job: &Job, report: &CheckReport) -> Result<(), StoreError> {
    let before = state.member(job.player).and_then(|member| member.current.clone());
    let words = format!("version {} fails the test: {}", job.version.number, report.words);
    match before {
        Some(before) if before.passed != Some(false) => {
            let words = format!("{words}; version {} plays on", before.number);
            state.set(job.player, ContestantState::Playing, Some(words))
        }
        _ => state.set(job.player, ContestantState::Failed, Some(words)),
    }
}

/// Words about a program without the path of its copy, which means nothing to its author.
fn without_place(words: &str, spec: &str) -> String {
    match spec.rsplit_once(",folder=") {
        Some((_, folder)) => words.replace(&format!("{folder}/"), "").replace(folder, ""),
        None => words.to_owned(),
    }
}
