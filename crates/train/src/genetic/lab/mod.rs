//! A checked experiment: everything in it makes sense, and every player it names can be made.

mod check;
mod error;

use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::classic::{Parameters, Schema};
use turncoat_players::{BuildError, Setting, Spec, SpecError, build, parameters};

use super::experiment::{Algorithm, Experiment, Opponents};
use super::foreign::{Foreign, NoForeign};
use super::games::{Batch, Contender, BatchGame};
use super::genome::{Genome, GenomeError, Layout};
use check::{check_kinds, check_numbers};
use error::{file_fault, value};

pub use error::LabError;

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
    player: Contender,
    seed_players: Vec<Contender>,
}

/// Files that players name, by their paths, as they were read when the run began.
pub(super) type Files = Vec<(String, String)>;

impl Lab {
    /// Reads an experiment and checks all of it. `seed` is taken where the file has none. The files that its
    /// players name are read, unless `files` has them from before.
    ///
    /// # Errors
    /// If anything in it is unknown, impossible, or cannot be made; the error says where.
    pub fn read(text: &str, seed: u64, files: Option<&Vec<(String, String)>>) -> Result<Self, LabError> {
        Self::read_with(text, seed, files, &NoForeign)
    }

    /// The same with foreign programs in the pool and as yardsticks.
    ///
    /// # Errors
    /// As [`Self::read`], and if a program is another one than in `files`.
    pub fn read_with(
        text: &str,
        seed: u64,
        files: Option<&Vec<(String, String)>>,
        foreign: &dyn Foreign,
    ) -> Result<Self, LabError> {
        let experiment: Experiment = toml::from_str(text).map_err(|error| file_fault(text, &error))?;
        check_numbers(&experiment)?;
        let seed = experiment.seed.unwrap_or(seed);
        let reader = Reader { files, foreign };
        let player = reader.contender("player", &experiment.player)?;
        let (schema, base) = own_parameters("player", &player)?;
        let geometry = Geometry::from_side(experiment.size).map_err(|_| value("size", "sizes are 8, 6 and 4"))?;
        let setting = Setting { variant: schema.variant, geometry, seed };
        let layout = Layout::new(&experiment.genome, &schema, &base)?;
        check_kinds(&experiment, &layout)?;
        let buildable = |key: &str, player: &str| {
            let contender = reader.contender(key, player)?;
            buildable(key, &contender, setting, foreign).map(|()| contender)
        };
        buildable("player", &experiment.player)?;
        let pool = experiment
            .fitness
            .pool
            .iter()
            .map(|player| buildable("fitness.pool", player))
            .collect::<Result<Vec<_>, _>>()?;
        let yardsticks = experiment
            .yardstick
            .iter()
            .map(|plan| buildable("yardstick.player", &plan.player))
            .collect::<Result<Vec<_>, _>>()?;
        let seed_players = experiment
            .genome
            .seeds
            .iter()
            .map(|player| reader.contender("genome.seeds", player))
            .collect::<Result<Vec<_>, _>>()?;
        let seeds =
            seed_players.iter().map(|player| seed_genome(player, &schema, &layout)).collect::<Result<Vec<_>, _>>()?;
        let lab = Self {
            seed,
            schema,
            variant: schema.variant,
            geometry,
            layout,
            pool,
            yardsticks,
            seeds,
            player,
            seed_players,
            experiment,
        };
        lab.check_size()?;
        Ok(lab)
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

    /// Games of this experiment.
    pub(super) fn batch(&self, seed: u64, plies: u32, contenders: Vec<Contender>, games: Vec<BatchGame>) -> Batch {
        Batch { variant: self.variant, size: self.geometry, seed, plies, contenders, games }
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

/// Makes contenders of descriptions.
struct Reader<'a> {
    files: Option<&'a Files>,
    foreign: &'a dyn Foreign,
}

impl Reader<'_> {
    fn contender(&self, key: &str, player: &str) -> Result<Contender, LabError> {
        let fault = |error: SpecError| LabError::Player { key: key.to_owned(), source: error.into() };
        let mut spec: Spec = player.parse().map_err(fault)?;
        if self.foreign.knows(&spec) {
            return self.program(key, player, &spec);
        }
        let mut options = spec.options().map_err(fault)?;
        let path: Option<String> = options.take("weights").map_err(fault)?;
        let known = self.files.into_iter().flatten();
        spec = match known.into_iter().find(|(known, _)| path.as_ref() == Some(known)) {
            Some((path, text)) => spec.with_file(path.clone(), text.clone()),
            None => spec.with_files().map_err(fault)?,
        };
        for option in ["time", "threads"] {
            if options.take::<String>(option).map_err(fault)?.is_some() {
                return Err(value(
                    key,
                    format!(
                        "{player:?}: {option}= cannot be repeated: games of the lab have no clock and one thread, so give a depth"
                    ),
                ));
            }
        }
        Ok(Contender { player: player.to_owned(), files: spec.files().to_vec(), foreign: false, parameters: None })
    }

    /// A foreign program; it must be the one that the run began with.
    fn program(&self, key: &str, player: &str, spec: &Spec) -> Result<Contender, LabError> {
        let fingerprint = (player.to_owned(), self.foreign.fingerprint(spec));
        if self.files.is_some_and(|files| !files.contains(&fingerprint)) {
            let fault = format!("{player:?} is not the program that the run began with");
            return Err(value(key, fault));
        }
        Ok(Contender { player: player.to_owned(), files: vec![fingerprint], foreign: true, parameters: None })
    }
}

fn buildable(key: &str, contender: &Contender, setting: Setting, foreign: &dyn Foreign) -> Result<(), LabError> {
    let made = contender.spec().map_err(BuildError::from);
    let made =
        made.and_then(|spec| if contender.foreign { foreign.make(&spec, setting) } else { build(&spec, setting) });
    made.map(|_| ()).map_err(|source| LabError::Player { key: key.to_owned(), source })
}

fn own_parameters(key: &str, contender: &Contender) -> Result<(Schema, Parameters), LabError> {
    let spec = contender.spec().map_err(BuildError::from);
    let found = spec.and_then(|spec| parameters(&spec));
    found.map_err(|source| LabError::Player { key: key.to_owned(), source })
}

fn seed_genome(contender: &Contender, schema: &Schema, layout: &Layout) -> Result<Genome, LabError> {
    let (other, parameters) = own_parameters("genome.seeds", contender)?;
    let fault = |source| LabError::Seed { player: contender.player.clone(), source };
    if other.player != schema.player {
        return Err(fault(GenomeError::OtherPlayer));
    }
    layout.genome(&parameters).map_err(fault)
}
