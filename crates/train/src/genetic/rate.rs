//! Yardsticks after the fact: one individual of each generation of a run against any player.
//!
//! A rating is a folder below that of its run. `rate.json` says which games it is of, `rates.csv` has a line for each
//! generation and is all that a rating continues from, `rates.svg` is the curve. The run itself is only read, so a
//! process may work on it meanwhile.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rand::RngExt;
use serde::Serialize;
use serde_json::json;
use turncoat_players::{Roster, seed};
use turncoat_util::digest;

use super::games::{Contender, Evaluate};
use super::lab::{check_games, check_plies};
use super::run::{GeneticError, Snapshot};
use super::{ColorTally, Individual, fitness, purpose};
use crate::chart::{Chart, Curve};
use crate::run_folder::{FolderError, RunFolder};

/// The folder of a run that has its ratings.
const RATINGS: &str = "rates";
const PLAN: &str = "rate.json";
const TABLE: &str = "rates.csv";
const CURVE: &str = "rates.svg";
const HEAD: &str = "generation,individual,rank,black_wins,white_wins,draws,losses,margin,won\n";

/// Who stands for a generation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub enum Representative {
    /// The one of this rank, the best being 1.
    Rank(usize),
    /// One by chance of those that were saved, as in gene45's report.
    Saved,
    /// One by chance of all.
    All,
}

impl From<Representative> for String {
    fn from(who: Representative) -> Self {
        match who {
            Representative::Rank(1) => "best".to_owned(),
            Representative::Rank(rank) => format!("rank-{rank}"),
            Representative::Saved => "saved".to_owned(),
            Representative::All => "all".to_owned(),
        }
    }
}

/// Which games a rating is of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RatePlan {
    /// The opponent.
    pub against: String,
    /// Games of each generation, half with each colour.
    pub games: u32,
    /// Random plies before the players take over.
    pub plies: u32,
    /// Where random numbers come from.
    pub seed: u64,
    /// Who plays.
    pub who: Representative,
}

/// What a generation came to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rate {
    /// Which.
    pub generation: u32,
    /// Who stood for it.
    pub individual: u64,
    /// The rank of that one, if it was saved.
    pub rank: Option<usize>,
    /// Its games.
    #[serde(flatten)]
    pub tally: ColorTally,
}

/// How far a rating has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RateStep {
    /// A generation more has played.
    Rated(Rate),
    /// All have, and the curve is drawn.
    Complete,
    /// The flag was raised.
    Interrupted,
}

/// A rating under way.
#[derive(Debug)]
pub struct Rating<'a> {
    folder: RunFolder,
    run: &'a Snapshot,
    plan: RatePlan,
    opponent: Contender,
    /// Who stands for the generations that are asked for, and their ranks.
    players: BTreeMap<u32, (Individual, Option<usize>)>,
    /// The generations that have played, whether or not they are asked for.
    rates: BTreeMap<u32, Rate>,
}

impl RatePlan {
    /// What the folder of such games is called if nobody gives it a name.
    pub fn usual_name(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '.' { c } else { '-' };
        let player: String = self.against.chars().map(plain).take(60).collect();
        format!("{}-{}", player.trim_matches(['-', '.']), String::from(self.who))
    }

    /// Whether this may be the name of a rating: it stays within its folder.
    pub fn is_name(text: &str) -> bool {
        let is_plain = |c: char| c.is_alphanumeric() || "-_.+=".contains(c);
        text.starts_with(char::is_alphanumeric) && text.chars().all(is_plain)
    }

    /// What the curve shows.
    fn title(&self) -> String {
        let who = match self.who {
            Representative::Rank(1) => "the best".to_owned(),
            Representative::Rank(rank) => format!("rank {rank}"),
            Representative::Saved => "one by chance of the saved".to_owned(),
            Representative::All => "one by chance of all".to_owned(),
        };
        format!("{who} against {}, {} games", self.against, self.games)
    }
}

impl Rate {
    /// The share of games won.
    pub fn win_rate(&self) -> f64 {
        self.tally.win_rate()
    }

    /// A line of the table.
    fn line(&self) -> String {
        let ColorTally { black_wins, white_wins, losses, draws, margin } = self.tally;
        let rank = self.rank.map_or_else(String::new, |rank| rank.to_string());
        let (generation, individual, won) = (self.generation, self.individual, self.win_rate());
        format!("{generation},{individual},{rank},{black_wins},{white_wins},{draws},{losses},{margin},{won}\n")
    }

    /// The generation of a line that [`Self::line`] wrote.
    fn read(line: &str) -> Option<Self> {
        let fields: Vec<&str> = line.trim_end().split(',').collect();
        let count = |place: usize| fields.get(place)?.parse::<u32>().ok();
        let read = Self {
            generation: count(0)?,
            individual: fields.get(1)?.parse().ok()?,
            rank: fields.get(2)?.parse().ok(),
            tally: ColorTally {
                black_wins: count(3)?,
                white_wins: count(4)?,
                draws: count(5)?,
                losses: count(6)?,
                margin: fields.get(7)?.parse().ok()?,
            },
        };
        (read.line() == line).then_some(read)
    }
}

impl<'a> Rating<'a> {
    /// Begins or continues a rating of some generations; of all if none are named.
    ///
    /// # Errors
    /// If there are no such generations or individuals, the opponent cannot be built, or the rating of that name is of
    /// other games or damaged.
    pub fn open(
        run: &'a Snapshot,
        plan: RatePlan,
        generations: &BTreeSet<u32>,
        name: &str,
        roster: &Roster,
    ) -> Result<Self, GeneticError> {
        let lab = run.lab();
        let opponent = check_games("--games", plan.games)
            .and_then(|()| check_plies("--plies", plan.plies, lab.experiment.size))
            .and_then(|()| lab.opponent("--against", &plan.against, roster))
            .map_err(GeneticError::Request)?;
        let all: BTreeSet<u32> = (1..=run.log().len().max(1) as u32).collect();
        let players = players(run, &plan, if generations.is_empty() { &all } else { generations })?;
        let path = run.folder().join(RATINGS).join(name);
        let folder = RunFolder::create_or_open(&path)?;
        // The same path may hold another file by now.
        let files = (!opponent.files.is_empty()).then(|| digest(format!("{:?}", opponent.files)));
        let text = format!("{:#}\n", json!({"plan": plan, "files": files}));
        let mut rating = Self { folder, run, plan, opponent, players, rates: BTreeMap::new() };
        let plan_file = rating.folder.file(PLAN);
        if !plan_file.exists() {
            rating.folder.replace(PLAN, text)?;
        } else if rating.folder.read(PLAN)? != text {
            return Err(GeneticError::OtherGames { path: plan_file });
        }
        rating.read()?;
        Ok(rating)
    }

    /// Reads what has been played.
    fn read(&mut self) -> Result<(), GeneticError> {
        let path = self.folder.file(TABLE);
        if !path.exists() {
            return Ok(());
        }
        let text = self.folder.read(TABLE)?;
        for (number, line) in (1..).zip(text.split_inclusive('\n')).skip(1) {
            let damaged = |fault: &str| FolderError::damaged(&path, format!("line {number}: {fault}"));
            let rate = Rate::read(line).ok_or_else(|| damaged("it was not written so"))?;
            let player = self.players.get(&rate.generation);
            if player.is_some_and(|(player, _)| player.id != rate.individual) || rate.tally.games() != self.plan.games {
                return Err(damaged("it is not of these games").into());
            }
            self.rates.insert(rate.generation, rate);
        }
        Ok(())
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// The table as a file.
    pub fn table(&self) -> PathBuf {
        self.folder.file(TABLE)
    }

    /// The curve as a file.
    pub fn curve(&self) -> PathBuf {
        self.folder.file(CURVE)
    }

    /// How many generations are asked for.
    pub fn planned(&self) -> usize {
        self.players.len()
    }

    /// Those of them that have played.
    pub fn rates(&self) -> impl Iterator<Item = &Rate> {
        self.players.keys().filter_map(|generation| self.rates.get(generation))
    }

    /// Has a generation more played, or draws the curve after the last one.
    ///
    /// # Errors
    /// If a player fails or something cannot be written; what has been played stays.
    pub fn step(&mut self, games: &mut dyn Evaluate) -> Result<RateStep, GeneticError> {
        let next = self.players.iter().find(|(generation, _)| !self.rates.contains_key(generation));
        let Some((&generation, (player, rank))) = next else {
            self.draw()?;
            return Ok(RateStep::Complete);
        };
        let RatePlan { games: count, plies, seed, .. } = self.plan;
        // The games that a first yardstick would have been.
        let seed = fitness::yardstick_seed(seed, 0);
        let batch = fitness::meeting(self.run.lab(), &player.genome, &self.opponent, generation, (count, plies), seed);
        let played = games.evaluate_all(&batch).map_err(|source| GeneticError::Play { generation, source })?;
        let Some(margins) = played else {
            return Ok(RateStep::Interrupted);
        };
        let tally = fitness::count(&batch, &margins, 2)[0];
        let rate = Rate { generation, individual: player.id, rank: *rank, tally };
        self.rates.insert(generation, rate.clone());
        let lines: String = self.rates.values().map(Rate::line).collect();
        self.folder.replace(TABLE, format!("{HEAD}{lines}"))?;
        Ok(RateStep::Rated(rate))
    }

    fn draw(&self) -> Result<(), FolderError> {
        let points = self.rates.values().map(|rate| (f64::from(rate.generation), rate.win_rate()));
        let chart = Chart {
            title: "Games won by generation".to_owned(),
            across: "generation".to_owned(),
            percent: true,
            curves: vec![Curve::averaged(&self.plan.title(), points.collect())],
        };
        self.folder.replace(CURVE, chart.draw())
    }
}

/// Who stands for some generations, and their ranks.
fn players(
    run: &Snapshot,
    plan: &RatePlan,
    generations: &BTreeSet<u32>,
) -> Result<BTreeMap<u32, (Individual, Option<usize>)>, GeneticError> {
    let records = run.records()?;
    let saved = |generation: u32| {
        let record = (generation as usize).checked_sub(1).and_then(|place| records.get(place));
        record.ok_or(GeneticError::NoGeneration { generation, done: records.len() as u32 })
    };
    let by_chance = |generation: u32, count: usize| {
        seed::stream(plan.seed, &[purpose::RATES, u64::from(generation)]).random_range(0..count.max(1))
    };
    let mut players = BTreeMap::new();
    if plan.who == Representative::All {
        for population in run.populations(generations)? {
            let generation = population.generation;
            let place = by_chance(generation, population.individuals.len());
            let player = population.individuals[place].clone();
            let rank = saved(generation)?.individuals.iter().position(|rated| rated.individual.id == player.id);
            players.insert(generation, (player, rank.map(|place| place + 1)));
        }
        return Ok(players);
    }
    for &generation in generations {
        let individuals = &saved(generation)?.individuals;
        let rank = match plan.who {
            Representative::Rank(rank) => rank,
            _ => 1 + by_chance(generation, individuals.len().min(run.lab().experiment.keep)),
        };
        let player = rank.checked_sub(1).and_then(|place| individuals.get(place));
        let player = player.ok_or(GeneticError::NoRank { generation, rank, kept: individuals.len() })?;
        players.insert(generation, (player.individual.clone(), Some(rank)));
    }
    Ok(players)
}
