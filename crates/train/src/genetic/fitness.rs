//! Which games a generation plays, and what they are worth.

use rand::RngExt;
use rand::seq::SliceRandom;
use turncoat_players::seed;

use super::experiment::{ChampionPlan, Opponents, Schedule, Score, Who, YardstickPlan};
use super::games::{Batch, BatchGame, Contender, Counts};
use super::genome::Genome;
use super::individual::{ColorTally, Individual, Population, Rated};
use super::lab::Lab;
use super::purpose;

/// Numbers of one generation's openings are apart from those of any other's.
const GENERATION: u32 = 32;

/// The games of a generation. Individuals are the first contenders, in their order; then comes the pool.
pub fn games(lab: &Lab, population: &Population) -> Batch {
    let plan = &lab.experiment.fitness;
    let mut contenders: Vec<Contender> =
        population.individuals.iter().map(|individual| lab.contender(&individual.genome)).collect();
    let mut fixtures = BatchGames {
        base: u64::from(population.generation) << GENERATION,
        openings: u64::from(plan.openings),
        common: plan.common_random_numbers,
        pairings: 0,
        games: Vec::new(),
    };
    let count = contenders.len() as u32;
    if plan.opponents != Opponents::Pool {
        match plan.schedule {
            Schedule::BothColours => {
                for one in 0..count {
                    for other in one + 1..count {
                        fixtures.pair(one, other, [Counts::Both; 2]);
                    }
                }
            }
            Schedule::OwnGames => own_games(lab, population.generation, count, &mut fixtures),
        }
    }
    if plan.opponents != Opponents::Population {
        contenders.extend(lab.pool.iter().cloned());
        for one in 0..count {
            for other in count..contenders.len() as u32 {
                fixtures.pair(one, other, [Counts::Black, Counts::White]);
            }
        }
    }
    lab.batch(seed::derive(lab.seed, &[purpose::GAMES]), plan.plies, contenders, fixtures.games)
}

/// gene45's report: every individual plays its own games, with random colours.
fn own_games(lab: &Lab, generation: u32, count: u32, fixtures: &mut BatchGames) {
    for one in 0..count {
        let numbers = [purpose::COLOURS, u64::from(generation), u64::from(one)];
        let mut stream = seed::stream(lab.seed, &numbers);
        for other in (0..count).filter(|&other| other != one) {
            for opening in 0..fixtures.openings {
                let (black, white, counts) =
                    if stream.random_bool(0.5) { (one, other, Counts::Black) } else { (other, one, Counts::White) };
                fixtures.add(black, white, opening, counts);
            }
            fixtures.pairings += 1;
        }
    }
}

/// Games being listed.
struct BatchGames {
    base: u64,
    openings: u64,
    common: bool,
    pairings: u64,
    games: Vec<BatchGame>,
}

impl BatchGames {
    /// A pairing: every opening with both colours. `counts` is for whom the games count in which the first
    /// one is black, and in which it is white.
    fn pair(&mut self, one: u32, other: u32, counts: [Counts; 2]) {
        for opening in 0..self.openings {
            self.add(one, other, opening, counts[0]);
            self.add(other, one, opening, counts[1]);
        }
        self.pairings += 1;
    }

    fn add(&mut self, black: u32, white: u32, opening: u64, counts: Counts) {
        let own = if self.common { 0 } else { self.pairings };
        let opening = self.base + own * self.openings + opening;
        self.games.push(BatchGame { black, white, opening, number: opening, counts });
    }
}

/// Counts the games for the first so many contenders.
pub fn count(batch: &Batch, margins: &[i8], contenders: usize) -> Vec<ColorTally> {
    let mut tallies = vec![ColorTally::default(); contenders];
    for (fixture, &margin) in batch.games.iter().zip(margins) {
        if fixture.counts != Counts::White {
            tallies[fixture.black as usize].add(true, margin);
        }
        if fixture.counts != Counts::Black {
            tallies[fixture.white as usize].add(false, -margin);
        }
    }
    tallies
}

/// What games are worth.
pub fn worth(score: Score, tally: &ColorTally) -> f64 {
    let (wins, losses) = (f64::from(tally.wins()), f64::from(tally.losses));
    match score {
        Score::LeastColour => f64::from(tally.black_wins.min(tally.white_wins)),
        Score::WinsMinusLosses => wins - losses,
        Score::WonOrNot => wins - (f64::from(tally.games()) - wins),
        Score::Points => wins + f64::from(tally.draws) / 2.0,
        Score::Margin => tally.margin as f64,
    }
}

/// Rates a generation by its games: best first, equals in random order.
pub fn rate(lab: &Lab, population: &Population, batch: &Batch, margins: &[i8]) -> Vec<Rated> {
    let tallies = count(batch, margins, population.individuals.len());
    let score = lab.experiment.fitness.score;
    let mut rated: Vec<Rated> = population
        .individuals
        .iter()
        .zip(tallies)
        .map(|(individual, tally)| Rated { individual: individual.clone(), fitness: worth(score, &tally), tally })
        .collect();
    let numbers = [purpose::TIES, u64::from(population.generation)];
    rated.shuffle(&mut seed::stream(lab.seed, &numbers));
    rated.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    rated
}

/// The games of a generation against a yardstick, or none if it is not due. The individual is the first
/// contender.
pub fn yardstick_games(
    lab: &Lab,
    yardstick: (usize, &YardstickPlan, &Contender),
    generation: u32,
    rated: &[Rated],
) -> Option<Batch> {
    let (index, plan, opponent) = yardstick;
    let due = generation == 1 || generation == lab.experiment.generations || generation.is_multiple_of(plan.every);
    let who: &Individual = match plan.who {
        Who::Best => &rated.first()?.individual,
        Who::Any => {
            let numbers = [purpose::WHO, u64::from(generation), index as u64];
            let place = seed::stream(lab.seed, &numbers).random_range(0..rated.len());
            &rated[place].individual
        }
    };
    if !due {
        return None;
    }
    let seed = yardstick_seed(lab.seed, index);
    Some(meeting(lab, &who.genome, opponent, generation, (plan.games, plan.plies), seed))
}

/// Where the openings and chance moves of a yardstick come from, by its place among the yardsticks.
pub(super) fn yardstick_seed(seed: u64, index: usize) -> u64 {
    seed::derive(seed, &[purpose::YARDSTICKS, index as u64])
}

/// So many games of an individual against an opponent after random plies, half with each colour. They count for the
/// individual, which is the first contender.
pub(super) fn meeting(
    lab: &Lab,
    genome: &Genome,
    opponent: &Contender,
    generation: u32,
    (games, plies): (u32, u32),
    seed: u64,
) -> Batch {
    let mut fixtures = BatchGames {
        base: u64::from(generation) << GENERATION,
        openings: u64::from(games / 2),
        common: true,
        pairings: 0,
        games: Vec::new(),
    };
    fixtures.pair(0, 1, [Counts::Black, Counts::White]);
    lab.batch(seed, plies, vec![lab.contender(genome), opponent.clone()], fixtures.games)
}

/// The games of a champion against the player as it was before, or none if the plan says so. They are those of a match
/// that is asked for with nothing but the players and the number of games.
pub(super) fn last_match(lab: &Lab, champion: &Genome) -> Option<Batch> {
    const SEED: u64 = 1;
    let games = lab.experiment.champion.games;
    let plies = u32::from(lab.experiment.size);
    (games > 0).then(|| meeting(lab, champion, lab.before(), 0, (games, plies), SEED))
}

/// The games of everyone against everyone and, if the plan says so, against the pool, with both colours. The
/// pool's players come after the contenders.
pub fn round_robin(lab: &Lab, mut contenders: Vec<Contender>, plan: &ChampionPlan) -> Batch {
    let mut fixtures =
        BatchGames { base: 0, openings: u64::from(plan.openings), common: true, pairings: 0, games: Vec::new() };
    let count = contenders.len() as u32;
    for one in 0..count {
        for other in one + 1..count {
            fixtures.pair(one, other, [Counts::Both; 2]);
        }
    }
    if plan.pool > 0 {
        fixtures.openings = u64::from(plan.pool);
        contenders.extend(lab.pool.iter().cloned());
        for one in 0..count {
            for other in count..contenders.len() as u32 {
                fixtures.pair(one, other, [Counts::Black, Counts::White]);
            }
        }
    }
    let seed = seed::derive(lab.seed, &[purpose::CHAMPION]);
    lab.batch(seed, plan.plies, contenders, fixtures.games)
}
