//! A checked experiment: everything in it makes sense, and every player it names can be made.

use thiserror::Error;
use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::classic::{Parameters, Schema};
use turncoat_players::{BuildError, Setting, Spec, SpecError, build, parameters};

use super::experiment::{Algorithm, Experiment, GenomeKind, Mutation, Opponents};
use super::games::{Batch, Contender, Fixture};
use super::genome::{Genome, GenomeError, Layout};

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

/// Why there is no experiment.
#[derive(Debug, Error)]
pub enum LabError {
    /// It is no TOML, or has a key that nobody knows, or something of another kind.
    #[error("line {line}: {fault}")]
    File {
        /// Where.
        line: usize,
        /// What.
        fault: String,
    },
    /// A value that makes no sense.
    #[error("{key}: {fault}")]
    Value {
        /// Where.
        key: String,
        /// Why.
        fault: String,
    },
    /// A player that cannot be made.
    #[error("{key}: {source}")]
    Player {
        /// Where.
        key: String,
        /// Why.
        source: BuildError,
    },
    /// Genes that make no sense.
    #[error(transparent)]
    Genome(#[from] GenomeError),
    /// A player whose parameters do not fit the genes.
    #[error("genome.seeds: {player}: {source}")]
    Seed {
        /// Which.
        player: String,
        /// Why.
        source: GenomeError,
    },
}

fn value(key: &str, fault: impl Into<String>) -> LabError {
    LabError::Value {
        key: key.to_owned(),
        fault: fault.into(),
    }
}

/// Files that players name, by their paths, as they were read when the run began.
pub(super) type Files = Vec<(String, String)>;

impl Lab {
    /// Reads an experiment and checks all of it. `seed` is taken where the file has none. The files that its
    /// players name are read, unless `files` has them from before.
    ///
    /// # Errors
    /// If anything in it is unknown, impossible, or cannot be made; the error says where.
    pub fn read(
        text: &str,
        seed: u64,
        files: Option<&Vec<(String, String)>>,
    ) -> Result<Self, LabError> {
        let experiment: Experiment =
            toml::from_str(text).map_err(|error| file_fault(text, &error))?;
        check_numbers(&experiment)?;
        let seed = experiment.seed.unwrap_or(seed);
        let reader = Reader { files };
        let player = reader.contender("player", &experiment.player)?;
        let (schema, base) = own_parameters("player", &player)?;
        let geometry = Geometry::of_side(experiment.size)
            .map_err(|_| value("size", "sizes are 8, 6 and 4"))?;
        let setting = Setting {
            variant: schema.variant,
            geometry,
            seed,
        };
        let layout = Layout::new(&experiment.genome, &schema, &base)?;
        check_kinds(&experiment, &layout)?;
        let buildable = |key: &str, player: &str| {
            let contender = reader.contender(key, player)?;
            buildable(key, &contender, setting).map(|()| contender)
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
        let seeds = seed_players
            .iter()
            .map(|player| seed_genome(player, &schema, &layout))
            .collect::<Result<Vec<_>, _>>()?;
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
        Contender {
            parameters: Some(self.layout.parameters(genome)),
            ..self.player.clone()
        }
    }

    /// Games of this experiment.
    pub(super) fn batch(
        &self,
        seed: u64,
        plies: u32,
        contenders: Vec<Contender>,
        games: Vec<Fixture>,
    ) -> Batch {
        Batch {
            variant: self.variant.name().to_owned(),
            size: self.geometry.side(),
            seed,
            plies,
            contenders,
            games,
        }
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
            return Err(value(
                "genome.seeds",
                "more than the population has room for",
            ));
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
}

impl Reader<'_> {
    fn contender(&self, key: &str, player: &str) -> Result<Contender, LabError> {
        let fault = |error: SpecError| LabError::Player {
            key: key.to_owned(),
            source: error.into(),
        };
        let mut spec: Spec = player.parse().map_err(fault)?;
        let mut options = spec.options().map_err(fault)?;
        let path: Option<String> = options.take("weights").map_err(fault)?;
        let known = self.files.into_iter().flatten();
        spec = match known
            .into_iter()
            .find(|(known, _)| path.as_ref() == Some(known))
        {
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
        Ok(Contender {
            player: player.to_owned(),
            files: spec.files().to_vec(),
            parameters: None,
        })
    }
}

fn buildable(key: &str, contender: &Contender, setting: Setting) -> Result<(), LabError> {
    let made = contender.spec().map_err(BuildError::from);
    let made = made.and_then(|spec| build(&spec, setting));
    made.map(|_| ()).map_err(|source| LabError::Player {
        key: key.to_owned(),
        source,
    })
}

fn own_parameters(key: &str, contender: &Contender) -> Result<(Schema, Parameters), LabError> {
    let spec = contender.spec().map_err(BuildError::from);
    let found = spec.and_then(|spec| parameters(&spec));
    found.map_err(|source| LabError::Player {
        key: key.to_owned(),
        source,
    })
}

fn seed_genome(
    contender: &Contender,
    schema: &Schema,
    layout: &Layout,
) -> Result<Genome, LabError> {
    let (other, parameters) = own_parameters("genome.seeds", contender)?;
    let fault = |source| LabError::Seed {
        player: contender.player.clone(),
        source,
    };
    if other.player != schema.player {
        return Err(fault(GenomeError::OtherPlayer));
    }
    layout.genome(&parameters).map_err(fault)
}

/// Numbers that make no sense whatever the player.
fn check_numbers(experiment: &Experiment) -> Result<(), LabError> {
    let at_least_one = [
        ("generations", experiment.generations as usize),
        ("keep", experiment.keep),
        ("fitness.openings", experiment.fitness.openings as usize),
        ("champion.openings", experiment.champion.openings as usize),
    ];
    for (key, number) in at_least_one {
        if !(1..=1_000_000).contains(&number) {
            return Err(value(key, format!("1 to 1000000, not {number}")));
        }
    }
    if experiment.champion.most.is_some_and(|most| most < 2) {
        return Err(value("champion.most", "at least 2 take part"));
    }
    let most = u32::from(experiment.size).pow(2).saturating_sub(8);
    let mut plies = vec![
        ("fitness.plies", experiment.fitness.plies),
        ("champion.plies", experiment.champion.plies),
    ];
    for plan in &experiment.yardstick {
        plies.push(("yardstick.plies", plan.plies));
        if plan.games < 2 || plan.games % 2 == 1 || plan.games > 100_000 {
            let fault = "an even number from 2 to 100000: half with each colour";
            return Err(value("yardstick.games", fault));
        }
        if plan.every == 0 {
            return Err(value("yardstick.every", "at least 1"));
        }
    }
    for (key, plies) in plies {
        if plies > most {
            return Err(value(key, format!("at most {most} random plies")));
        }
    }
    let pool_wanted = experiment.fitness.opponents != Opponents::Population;
    if pool_wanted == experiment.fitness.pool.is_empty() {
        let fault = "opponents = \"pool\" or \"both\" and a pool go together";
        return Err(value("fitness.pool", fault));
    }
    check_algorithm(&experiment.algorithm)
}

fn check_algorithm(algorithm: &Algorithm) -> Result<(), LabError> {
    let chance = |key: &str, rate: f64| {
        if (0.0..=1.0).contains(&rate) {
            Ok(())
        } else {
            Err(value(key, format!("a chance from 0 to 1, not {rate}")))
        }
    };
    match algorithm {
        Algorithm::Binary { mutation, .. } => chance("algorithm.mutation", *mutation),
        Algorithm::Mode1 { step, .. }
        | Algorithm::Mode2 { step, .. }
        | Algorithm::Mode3 { step, .. } => {
            if step[0] < step[1] && step.iter().all(|s| s.abs() <= 1e6) {
                Ok(())
            } else {
                Err(value(
                    "algorithm.step",
                    "two rising numbers within a million",
                ))
            }
        }
        Algorithm::CmaEs { sigma, .. } => {
            if *sigma > 0.0 && *sigma <= 10.0 {
                Ok(())
            } else {
                Err(value("algorithm.sigma", "above 0 and at most 10"))
            }
        }
        Algorithm::Real {
            population,
            elite,
            tournament,
            crossover_rate,
            mutations,
            ..
        } => {
            if elite >= population || *tournament == 0 || tournament > population {
                let fault = "elite is smaller than the population, a tournament 1 to all of it";
                return Err(value("algorithm", fault));
            }
            chance("algorithm.crossover_rate", *crossover_rate)?;
            for mutation in mutations {
                let (rate, size) = match *mutation {
                    Mutation::Gaussian { rate, size } => (rate, size),
                    Mutation::Reset { rate } | Mutation::Negate { rate } => (rate, 1.0),
                    Mutation::Scale { rate, factor } => (rate, factor - 1.0),
                };
                chance("algorithm.mutations.rate", rate)?;
                if !(size > 0.0 && size <= 1000.0) {
                    let fault = "size is above 0 and factor above 1";
                    return Err(value("algorithm.mutations", fault));
                }
            }
            Ok(())
        }
    }
}

/// Bits for the binary algorithm, numbers for the others.
fn check_kinds(experiment: &Experiment, layout: &Layout) -> Result<(), LabError> {
    let binary = matches!(experiment.algorithm, Algorithm::Binary { .. });
    if binary != (layout.kind() == GenomeKind::Binary) {
        let fault = "the algorithm \"binary\" and a binary genome go together";
        return Err(value("genome.kind", fault));
    }
    if let Some(around) = experiment.genome.around {
        if binary || experiment.genome.seeds.is_empty() {
            return Err(value("genome.around", "numbers with seeds lie about them"));
        }
        if !(around > 0.0 && around <= 10.0) {
            return Err(value("genome.around", "above 0 and at most 10"));
        }
    }
    Ok(())
}

/// What is wrong with the file, and in which line.
fn file_fault(text: &str, error: &toml::de::Error) -> LabError {
    let before = error
        .span()
        .and_then(|span| text.get(..span.start))
        .unwrap_or_default();
    LabError::File {
        line: before.matches('\n').count() + 1,
        fault: error.message().chars().take(300).collect(),
    }
}
