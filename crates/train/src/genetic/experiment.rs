//! Experiment files: what is evolved, how, and against whom. `docs/genetic.md` explains every key.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// An experiment as it stands in its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it is called.
    pub title: String,
    /// Whose parameters evolve: a player as it is written everywhere, with its depth.
    pub player: String,
    /// Where random numbers come from.
    pub seed: Option<u64>,
    /// Squares a side.
    #[serde(default = "eight")]
    pub size: u8,
    /// Generations.
    pub generations: u32,
    /// It ends earlier after so many generations without a better best.
    pub patience: Option<u32>,
    /// It ends earlier when the best fitness is at least this.
    pub target: Option<f64>,
    /// The best so many of every generation are saved.
    #[serde(default = "thirty")]
    pub keep: usize,
    /// What the genes are.
    pub genome: GenomePlan,
    /// How generations follow each other.
    pub algorithm: Algorithm,
    /// What is good.
    pub fitness: FitnessPlan,
    /// Whom each generation is compared with, for the learning curve alone.
    #[serde(default)]
    pub yardstick: Vec<YardstickPlan>,
    /// How the champion is chosen at the end.
    #[serde(default)]
    pub champion: ChampionPlan,
}

/// Why a run ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// The target is reached.
    Target,
    /// All generations are done.
    Generations,
    /// There was no better best for too long.
    Patience,
}

impl Experiment {
    /// Why a run whose generations had these best fitnesses ends, if it does.
    pub fn end(&self, best: &[f64]) -> Option<End> {
        let highest = best.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let found = best.iter().position(|&best| best >= highest)?;
        if self.target.is_some_and(|target| highest >= target) {
            Some(End::Target)
        } else if best.len() >= self.generations as usize {
            Some(End::Generations)
        } else {
            self.patience.is_some_and(|patience| best.len() - found > patience as usize).then_some(End::Patience)
        }
    }
}

const fn eight() -> u8 {
    8
}

const fn thirty() -> usize {
    30
}

const fn one() -> u32 {
    1
}

const fn thousand() -> u32 {
    1000
}

const fn yes() -> bool {
    true
}

/// `[genome]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenomePlan {
    /// Bits or numbers.
    pub kind: GenomeKind,
    /// Stages by their last disc counts; those of the player if neither this nor `knots` is given.
    pub last_discs: Option<Vec<u32>>,
    /// Smooth stages by the disc counts at which they hold.
    pub knots: Option<Vec<u32>>,
    /// Whether black and white share their weights.
    #[serde(default)]
    pub colours: Colours,
    /// The groups of parameters that evolve, in the order of their genes; all weights if not given.
    pub groups: Option<Vec<String>>,
    /// Players whose parameters are in the first population.
    #[serde(default)]
    pub seeds: Vec<String>,
    /// Numbers of the first population lie about those of the seeds, this share of `start` away.
    pub around: Option<f64>,
    /// Bits of a gene, where its group says nothing else.
    pub bits: Option<u32>,
    /// Whether half of the range is below zero, where a group says nothing else.
    pub signed: Option<bool>,
    /// Where a number begins, where its group says nothing else.
    pub start: Option<[f64; 2]>,
    /// What a number never leaves, where its group says nothing else.
    pub bounds: Option<[f64; 2]>,
    /// Whether numbers are whole, where their group says nothing else.
    pub whole: Option<bool>,
    /// What holds for single groups.
    #[serde(default)]
    pub group: BTreeMap<String, GenePlan>,
}

impl GenomePlan {
    /// All weights of a player as numbers, without bounds of their own.
    pub(super) const fn of_weights(colours: Colours) -> Self {
        Self {
            kind: GenomeKind::Real,
            last_discs: None,
            knots: None,
            colours,
            groups: None,
            seeds: Vec::new(),
            around: None,
            bits: None,
            signed: None,
            start: Some([-1.0, 1.0]),
            bounds: None,
            whole: None,
            group: BTreeMap::new(),
        }
    }
}

/// `[genome.group.NAME]`: what the genes of a group are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GenePlan {
    /// Bits of a gene.
    pub bits: Option<u32>,
    /// Whether half of the range is below zero.
    pub signed: Option<bool>,
    /// Where a number begins.
    pub start: Option<[f64; 2]>,
    /// What a number never leaves.
    pub bounds: Option<[f64; 2]>,
    /// Whether numbers are whole.
    pub whole: Option<bool>,
    /// The stages whose weights evolve, counted from 1; the others stay as the player has them.
    pub stages: Option<Vec<usize>>,
}

/// How genes are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GenomeKind {
    /// As bits.
    Binary,
    /// As numbers.
    Real,
}

/// Whether the colours share their weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Colours {
    /// One set for both.
    #[default]
    Together,
    /// A set each.
    Apart,
}

/// `[algorithm]`: how a generation follows another.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Algorithm {
    /// gene45's report: the better half survives and breeds by uniform crossover and bit mutation.
    Binary {
        /// Individuals.
        population: usize,
        /// Chance of a bit to be turned over.
        #[serde(default = "Algorithm::usual_mutation")]
        mutation: f64,
    },
    /// nine-weights' report: the best individual, and mutations of the better half.
    #[serde(rename = "mode-1")]
    Mode1 {
        /// Individuals.
        population: usize,
        /// What is added to a number, uniformly from here.
        #[serde(default = "Algorithm::usual_step")]
        step: [f64; 2],
    },
    /// nine-weights' report: the best third, each with a child that adds a random step and one that subtracts it.
    #[serde(rename = "mode-2")]
    Mode2 {
        /// Individuals.
        population: usize,
        /// What is added and taken away.
        #[serde(default = "Algorithm::usual_step")]
        step: [f64; 2],
    },
    /// nine-weights' report: no survivors; the plus and minus children of the better half.
    #[serde(rename = "mode-3")]
    Mode3 {
        /// Individuals.
        population: usize,
        /// What is added and taken away.
        #[serde(default = "Algorithm::usual_step")]
        step: [f64; 2],
    },
    /// Real-coded: tournaments, crossover, several mutations.
    Real {
        /// Individuals.
        population: usize,
        /// The best so many stay.
        #[serde(default = "Algorithm::usual_elite")]
        elite: usize,
        /// A parent is the best of so many.
        #[serde(default = "Algorithm::usual_tournament")]
        tournament: usize,
        /// How parents are mixed.
        #[serde(default)]
        crossover: Crossover,
        /// Chance of a child to have two parents.
        #[serde(default = "Algorithm::usual_rate")]
        crossover_rate: f64,
        /// What may happen to each number of a child.
        #[serde(default = "Algorithm::usual_mutations")]
        mutations: Vec<Mutation>,
    },
    /// Covariance matrix adaptation.
    CmaEs {
        /// Samples a generation, the mean itself among them; 5 + 3 ln n if not given.
        population: Option<usize>,
        /// The first step, as a share of `start`.
        #[serde(default = "Algorithm::usual_sigma")]
        sigma: f64,
    },
}

impl Algorithm {
    const fn usual_mutation() -> f64 {
        0.01
    }
    const fn usual_step() -> [f64; 2] {
        [0.0, 1.0]
    }
    const fn usual_elite() -> usize {
        2
    }
    const fn usual_tournament() -> usize {
        3
    }
    const fn usual_rate() -> f64 {
        0.9
    }
    const fn usual_sigma() -> f64 {
        0.3
    }
    fn usual_mutations() -> Vec<Mutation> {
        vec![Mutation::Gaussian { rate: 0.1, size: 0.1 }]
    }
}

/// How two parents make a child.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Crossover {
    /// Each number from either parent (uniform).
    Uniform,
    /// Each number from the interval between the parents, widened by half of it (BLX-½, Eshelman and
    /// Schaffer 1993).
    #[default]
    Blend,
    /// Near one of the parents, as far away as the bits of binary genes would bring it (Deb and Agrawal
    /// 1995, distribution index 10).
    SimulatedBinary,
}

/// What may happen to a number.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Mutation {
    /// Something normal is added, `size` times the width of `start` large.
    Gaussian {
        /// Chance of a number.
        rate: f64,
        /// Standard deviation, as a share of `start`.
        size: f64,
    },
    /// It is drawn anew from `start`.
    Reset {
        /// Chance of a number.
        rate: f64,
    },
    /// Its sign is turned over.
    Negate {
        /// Chance of a number.
        rate: f64,
    },
    /// It is multiplied or divided by up to a factor.
    Scale {
        /// Chance of a number.
        rate: f64,
        /// The largest factor.
        factor: f64,
    },
}

/// `[fitness]`: which games count, and for how much.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FitnessPlan {
    /// Whom an individual meets.
    #[serde(default)]
    pub opponents: Opponents,
    /// How the population meets.
    #[serde(default)]
    pub schedule: Schedule,
    /// What its games are worth.
    pub score: Score,
    /// Random plies before the players take over.
    #[serde(default)]
    pub plies: u32,
    /// Openings a pairing.
    #[serde(default = "one")]
    pub openings: u32,
    /// Whether all individuals meet the same openings, and the same chance moves of opponents.
    #[serde(default = "yes")]
    pub common_random_numbers: bool,
    /// The opponents outside of the population, as they are written everywhere.
    #[serde(default)]
    pub pool: Vec<String>,
}

/// Whom an individual meets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opponents {
    /// The others.
    #[default]
    Population,
    /// The pool.
    Pool,
    /// Everybody.
    Both,
}

/// How the population meets.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Every pair from every opening with both colours; both count.
    #[default]
    BothColours,
    /// gene45's report: every individual plays its own game against each other one, with a random colour; it counts
    /// for it alone.
    OwnGames,
}

/// What games are worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Score {
    /// gene45's report: the smaller of the wins as black and the wins as white.
    LeastColour,
    /// nine-weights' report: wins less losses.
    WinsMinusLosses,
    /// top-six's report: +1 for a win, -1 for anything else.
    WonOrNot,
    /// One for a win, half for a draw.
    Points,
    /// Discs ahead.
    Margin,
}

/// `[[yardstick]]`
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct YardstickPlan {
    /// Whom it is compared with.
    pub player: String,
    /// Games, half with each colour.
    pub games: u32,
    /// Who is compared.
    #[serde(default)]
    pub who: Who,
    /// Random plies before the players take over.
    #[serde(default)]
    pub plies: u32,
    /// Only every so many generations.
    #[serde(default = "one")]
    pub every: u32,
}

/// Who stands for a generation.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Who {
    /// The best.
    #[default]
    Best,
    /// A random individual (Fig. 4 of gene45's report).
    Any,
}

/// `[champion]`: the round robin of the best of every generation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChampionPlan {
    /// Random plies before the players take over.
    #[serde(default)]
    pub plies: u32,
    /// Openings a pairing.
    #[serde(default = "one")]
    pub openings: u32,
    /// Openings that everyone has against each player of the pool besides; their games count like the others.
    #[serde(default)]
    pub pool: u32,
    /// At most so many take part, from generations evenly apart; all if not given.
    pub most: Option<usize>,
    /// Games of the champion against the player as it was before; 0 for none.
    #[serde(default = "thousand")]
    pub games: u32,
}

impl Default for ChampionPlan {
    fn default() -> Self {
        Self { plies: 0, pool: 0, openings: 1, most: None, games: thousand() }
    }
}
