//! What each algorithm makes of a population whose fitness is known.

use turncoat_train::genetic::{ColorTally, Genome, Lab, Population, Rated, algorithm};

use super::{BINARY, lab, real};

/// A population rated by a function instead of games, best first.
fn rated(population: &Population, worth: impl Fn(&Genome) -> f64) -> Vec<Rated> {
    let mut all: Vec<Rated> = population
        .individuals
        .iter()
        .map(|individual| Rated {
            individual: individual.clone(),
            fitness: worth(&individual.genome),
            tally: ColorTally::default(),
        })
        .collect();
    all.sort_by(|a, b| b.fitness.total_cmp(&a.fitness));
    all
}

fn numbers(genome: &Genome) -> &[f64] {
    match genome {
        Genome::Numbers(numbers) => numbers,
        Genome::Bits(_) => panic!("numbers"),
    }
}

fn bits(genome: &Genome) -> &[bool] {
    match genome {
        Genome::Bits(dna) => &dna.0,
        Genome::Numbers(_) => panic!("bits"),
    }
}

/// A generation of an algorithm: those who were rated, and those who follow.
fn generation(lab: &Lab) -> (Vec<Rated>, Population) {
    let first = algorithm::first(lab);
    let rated = rated(&first, |genome| match genome {
        Genome::Bits(dna) => dna.0.iter().filter(|bit| **bit).count() as f64,
        Genome::Numbers(numbers) => numbers.iter().sum(),
    });
    let next = algorithm::next(lab, &first, &rated);
    assert_eq!(next.individuals.len(), first.individuals.len());
    assert_eq!(next, algorithm::next(lab, &first, &rated));
    (rated, next)
}

#[test]
fn binary_keeps_the_better_half_and_mixes_its_bits() {
    let still = BINARY.replace("population = 8", "population = 8\nmutation = 0");
    let (before, after) = generation(&lab(&still));
    for (old, new) in before.iter().zip(&after.individuals[..4]) {
        assert_eq!((old.individual.id, 1), (new.id, new.age));
    }
    for child in &after.individuals[4..] {
        assert_eq!(child.age, 0);
        let parents = |bit: usize| before[..4].iter().map(move |j| bits(&j.individual.genome)[bit]);
        for (place, bit) in bits(&child.genome).iter().enumerate() {
            assert!(parents(place).any(|own| own == *bit));
        }
    }
    let (before, after) = generation(&lab(&still.replace("mutation = 0", "mutation = 1")));
    let turned = &after.individuals[4];
    let all_alike = |bit: usize| {
        let mut own = before[..4].iter().map(|j| bits(&j.individual.genome)[bit]);
        let first = own.next().unwrap();
        own.all(|other| other == first).then_some(first)
    };
    // Where all parents agree, a child whose bits are all turned over differs.
    let differs = |(place, bit): (usize, &bool)| all_alike(place).is_none_or(|parents| parents != *bit);
    assert!(bits(&turned.genome).iter().enumerate().all(differs));
}

#[test]
fn the_modes_are_those_of_seed_001() {
    let (before, after) = generation(&lab(&real("mode-1")));
    assert_eq!(after.individuals[0].id, before[0].individual.id);
    for (place, child) in after.individuals[1..].iter().enumerate() {
        let parent = numbers(&before[place % 5].individual.genome);
        let steps = numbers(&child.genome).iter().zip(parent);
        assert!(steps.map(|(new, old)| new - old).all(|step| (0.0..1.0).contains(&step)));
    }
    let (before, after) = generation(&lab(&real("mode-2")));
    for (place, parent) in before[..3].iter().enumerate() {
        assert_eq!(after.individuals[place].id, parent.individual.id);
        check_pair(parent, &after.individuals[3 + 2 * place..]);
    }
    let (before, after) = generation(&lab(&real("mode-3")));
    assert!(after.individuals.iter().all(|individual| individual.age == 0));
    for (place, parent) in before[..4].iter().enumerate() {
        check_pair(parent, &after.individuals[2 * place..]);
    }
}

/// A plus and a minus child lie on either side of their parent, equally far.
fn check_pair(parent: &Rated, children: &[turncoat_train::genetic::Individual]) {
    let (plus, minus) = (numbers(&children[0].genome), numbers(&children[1].genome));
    for (i, own) in numbers(&parent.individual.genome).iter().enumerate() {
        assert!((f64::midpoint(plus[i], minus[i]) - own).abs() < 1e-12);
        assert!((0.0..1.0).contains(&(plus[i] - own)));
    }
}

/// The best distance to a point that an algorithm reaches.
fn nearest(text: &str, generations: u32) -> f64 {
    let lab = lab(text);
    let distance = |genome: &Genome| {
        let squares = numbers(genome).iter().enumerate();
        squares.map(|(i, x)| (x - 2.0 - i as f64 / 4.0).powi(2)).sum::<f64>()
    };
    let mut population = algorithm::first(&lab);
    for _ in 1..generations {
        let rated = rated(&population, |genome| -distance(genome));
        population = algorithm::next(&lab, &population, &rated);
    }
    let all = population.individuals.iter().map(|i| distance(&i.genome));
    all.fold(f64::MAX, f64::min)
}

#[test]
fn cma_es_finds_a_point_and_so_does_the_real_coded_algorithm() {
    let cma_es = real("cma-es");
    assert!(nearest(&cma_es, 200) < 1e-10);
    for crossover in ["blend", "uniform", "simulated-binary"] {
        let text = real("real").replace(
            "population = 9",
            &format!(
                "population = 40\ncrossover = \"{crossover}\"\nmutations = [{{ kind = \"gaussian\", rate = 0.2, size = 0.02 }}, \
                 {{ kind = \"reset\", rate = 0.01 }}, {{ kind = \"negate\", rate = 0.001 }}, \
                 {{ kind = \"scale\", rate = 0.05, factor = 1.1 }}]"
            ),
        );
        let found = nearest(&text, 300);
        assert!(found < 0.05, "{crossover}: {found}");
    }
}
