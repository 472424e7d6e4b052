//! A checked experiment: everything in it makes sense, and every player it names can be made.

mod check;
mod error;

use std::path::Path;

use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::classic::{Parameters, Schema};
use turncoat_players::{Files, Roster, Setting, Spec};
use turncoat_util::printable;

use super::experiment::{Algorithm, Experiment, Opponents};
use super::games::{Batch, BatchGame, Contender};
use super::genome::{Genome, GenomeError, Layout};
use check::{check_kinds, check_numbers};

pub(super) use check::{check_games, check_plies};
pub use error::LabError;
pub(super) use error::{file_fault, value};

/// More games a generation than this are a slip.
const MOST_GAMES: u64 = 10_000_000;
/// More individuals than this are a slip.
const MOST_INDIVIDUALS: usize = 10_000;

/// A checked experiment.
#[derive(Debug, Clone)]
pub struct Lab {
    /// The experiment.
    pub experiment: Experiment,
    /// Where random numbers come from.
    pub seed: u64,
    /// What parameters the player has.
    pub schema: Schema,
    /// The game.
    pub variant: VariantKind,
    /// The board.
    pub geometry: Geometry,
    /// What the genes are.
    pub layout: Layout,
    /// The opponents outside of the population.
    pub pool: Vec<Contender>,
    /// Whom generations are compared with.
    pub yardsticks: Vec<Contender>,
    /// Genomes that are in the first population.
    pub seeds: Vec<Genome>,
    /// Its players that are not told how far to look ahead, which may take them long.
    pub without_depth: Vec<String>,
    player: Contender,
    seed_players: Vec<Contender>,
}

impl Lab {
    /// Parses an experiment and checks all of it. `seed` holds if the file has none. The roster finds the players and
    /// may hold the files of a run that is resumed.
    ///
    /// # Errors
    /// If a value is unknown or impossible, or a player cannot be built; the error says where.
    pub fn read(text: &str, seed: u64, roster: &Roster) -> Result<Self, LabError> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| file_fault(text, &error))?;
        check_numbers(&experiment)?;
        let seed = experiment.seed.unwrap_or(seed);
        let geometry = Geometry::from_side(experiment.size).map_err(|_| value("size", "sizes are 8, 6 and 4"))?;
        let (spec, schema, layout) = genes(&experiment, roster)?;
        let setting = Setting { variant: schema.variant, geometry, seed };
        check_kinds(&experiment, &layout)?;
        let buildable = |key: &str, player: &str| opponent(key, player, setting, roster);
        spec.build(setting).map_err(LabError::player("player"))?;
        let player = contender(&spec);
        let pool = experiment.fitness.pool.iter().map(|player| buildable("fitness.pool", player));
        let pool = pool.collect::<Result<Vec<_>, _>>()?;
        let yardsticks = experiment.yardstick.iter().map(|plan| buildable("yardstick.player", &plan.player));
        let yardsticks = yardsticks.collect::<Result<Vec<_>, _>>()?;
        let seed_players = experiment.genome.seeds.iter().map(|player| parse("genome.seeds", player, roster));
        let seed_players = seed_players.collect::<Result<Vec<_>, _>>()?;
        let seeds =
            seed_players.iter().map(|player| seed_genome(player, &schema, &layout)).collect::<Result<Vec<_>, _>>()?;
        let playing = [&experiment.player].into_iter().chain(&experiment.fitness.pool);
        let playing = playing.chain(experiment.yardstick.iter().map(|plan| &plan.player));
        let lab = Self {
            without_depth: without_depth(playing, roster),
            seed,
            variant: schema.variant,
            schema,
            geometry,
            layout,
            pool,
            yardsticks,
            seeds,
            player,
            seed_players: seed_players.iter().map(contender).collect(),
            experiment,
        };
        lab.check_size()?;
        Ok(lab)
    }

    /// Another player as an opponent, which must be buildable; `key` says in errors where it was named.
    pub(super) fn opponent(&self, key: &str, player: &str, roster: &Roster) -> Result<Contender, LabError> {
        let setting = Setting { variant: self.variant, geometry: self.geometry, seed: self.seed };
        opponent(key, player, setting, roster)
    }

    /// All files that its players name.
    pub(super) fn files(&self) -> Files {
        let mut files: Files = Vec::new();
        let all = self.pool.iter().chain(&self.yardsticks);
        let all = all.chain(&self.seed_players).chain([&self.player]);
        for file in all.flat_map(|contender| &contender.files) {
            if !files.contains(file) {
                files.push(file.clone());
            }
        }
        files
    }

    /// An individual as a contender.
    pub fn contender(&self, genome: &Genome) -> Contender {
        Contender { parameters: Some(self.layout.parameters(genome)), ..self.player.clone() }
    }

    /// The player with the parameters that it had before the run.
    pub(super) const fn before(&self) -> &Contender {
        &self.player
    }

    /// The match of the player with a parameter file against itself as it was before, which tells what the file is worth:
    /// the arguments of `turncoat`.
    pub fn match_words(&self, file: &Path) -> Vec<String> {
        let before = &self.player.player;
        let (name, options) = before.split_once(':').unwrap_or((before, ""));
        let own = options.split(',').filter(|item| !item.is_empty() && !item.trim_start().starts_with("weights="));
        let options: Vec<String> = own.map(str::to_owned).chain([format!("weights={}", file.display())]).collect();
        let mut words = vec!["match".to_owned(), format!("{name}:{}", options.join(",")), before.clone()];
        words.extend(["--games".to_owned(), self.experiment.champion.games.max(2).to_string()]);
        if self.variant == VariantKind::Reversi {
            words.extend(["--variant", "reversi"].map(str::to_owned));
        }
        if self.geometry != Geometry::EIGHT {
            words.extend(["--size".to_owned(), self.experiment.size.to_string()]);
        }
        words
    }

    /// The parameter file of an individual, after a line that says what it is.
    pub fn parameter_file(&self, genome: &Genome, what: &str) -> String {
        parameter_file(&self.experiment.title, what, &self.schema, &self.layout.parameters(genome))
    }

    /// Games of this experiment.
    pub(super) fn batch(&self, seed: u64, plies: u32, contenders: Vec<Contender>, games: Vec<BatchGame>) -> Batch {
        Batch { variant: self.variant, size: self.geometry, seed, plies, starts: Vec::new(), contenders, games }
    }

    /// Individuals of a generation.
    pub fn population(&self) -> usize {
        match self.experiment.algorithm {
            Algorithm::Binary { population, .. }
            | Algorithm::Mode1 { population, .. }
            | Algorithm::Mode2 { population, .. }
            | Algorithm::Mode3 { population, .. }
            | Algorithm::Real { population, .. } => population,
            Algorithm::CmaEs { population, .. } => population.unwrap_or_else(|| {
                let genes = self.layout.genes().len() as f64;
                5 + (3.0 * libm::log(genes)) as usize
            }),
        }
    }

    fn check_size(&self) -> Result<(), LabError> {
        let population = self.population();
        if !(4..=MOST_INDIVIDUALS).contains(&population) {
            let fault = format!("4 to {MOST_INDIVIDUALS} individuals, not {population}");
            return Err(value("algorithm.population", fault));
        }
        if self.seeds.len() > population {
            return Err(value("genome.seeds", "more than the population has room for"));
        }
        let plan = &self.experiment.fitness;
        let others = match plan.opponents {
            Opponents::Population => population - 1,
            Opponents::Pool => 2 * self.pool.len(),
            Opponents::Both => population - 1 + 2 * self.pool.len(),
        };
        let games = population as u64 * others as u64 * u64::from(plan.openings);
        if games > MOST_GAMES {
            let fault = format!("{games} games a generation are more than {MOST_GAMES}");
            return Err(value("fitness", fault));
        }
        Ok(())
    }
}

/// The player of an experiment, its parameters, and which of them are genes.
pub(super) fn genes(experiment: &Experiment, roster: &Roster) -> Result<(Spec, Schema, Layout), LabError> {
    let spec = parse("player", &experiment.player, roster)?;
    let (schema, base) = spec.parameters().map_err(LabError::player("player"))?;
    let layout = Layout::new(&experiment.genome, &schema, &base)?;
    Ok((spec, schema, layout))
}

/// A parameter file, after a line that says whose it is.
pub(super) fn parameter_file(title: &str, what: &str, schema: &Schema, parameters: &Parameters) -> String {
    let title = title.lines().collect::<Vec<_>>().join(" ");
    // A comment of TOML has no control characters.
    format!("# {}: {what}\n{}", printable(&title), schema.write(parameters))
}

/// Parses a player whose games can be repeated.
fn parse(key: &str, player: &str, roster: &Roster) -> Result<Spec, LabError> {
    let spec = roster.parse(player).map_err(LabError::player(key))?;
    match ["time", "threads"].into_iter().find(|option| spec.has_option(option)) {
        None => Ok(spec),
        Some(option) => Err(value(
            key,
            format!(
                "{player:?}: {option}= cannot be repeated: games of the lab have no clock and one thread, so give a depth"
            ),
        )),
    }
}

/// The players that are not told how far to look ahead, each once.
fn without_depth<'a>(players: impl Iterator<Item = &'a String>, roster: &Roster) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for player in players {
        if !found.contains(player) && roster.parse(player).is_ok_and(|spec| spec.is_without_depth()) {
            found.push(player.clone());
        }
    }
    found
}

/// A player that can be built, as a contender.
fn opponent(key: &str, player: &str, setting: Setting, roster: &Roster) -> Result<Contender, LabError> {
    let spec = parse(key, player, roster)?;
    spec.build(setting).map_err(LabError::player(key))?;
    Ok(contender(&spec))
}

fn contender(spec: &Spec) -> Contender {
    Contender { player: spec.to_string(), files: spec.files(), parameters: None }
}

fn seed_genome(spec: &Spec, schema: &Schema, layout: &Layout) -> Result<Genome, LabError> {
    let (other, parameters) = spec.parameters().map_err(LabError::player("genome.seeds"))?;
    let fault = |source| LabError::Seed { player: spec.to_string(), source };
    if other != *schema {
        return Err(fault(GenomeError::OtherPlayer));
    }
    layout.genome(&parameters).map_err(fault)
}
