//! Genes as bits and numbers, and the parameters that they stand for.

use proptest::prelude::*;
use turncoat_eval::classic::{Gene45, StageCourse};
use turncoat_train::genetic::{Dna, Genome, Lab};

use super::{BINARY, lab};

#[test]
fn the_genes_of_seed_000_are_its_314_bits() {
    let layout = lab(BINARY).layout;
    assert_eq!(layout.bits(), 314);
    let names: Vec<&str> = layout.genes().iter().map(|gene| gene.name.as_str()).collect();
    assert_eq!(names.len(), 45);
    // R1, R2, A1, A2, Ws, Wf1, Wf2, Wp1, Wp2.
    for (place, name) in [
        (0, "board (0,0), stage 1"),
        (9, "board (3,3), stage 1"),
        (10, "board (0,0), stage 2"),
        (20, "action (0,0), stage 1"),
        (39, "action (3,3), stage 2"),
        (40, "stable"),
        (41, "frontier, stage 1"),
        (42, "frontier, stage 2"),
        (43, "discs, stage 1"),
        (44, "discs, stage 2"),
    ] {
        assert_eq!(names[place], name);
    }
}

#[test]
fn bits_are_read_as_algorithm_19_reads_them() {
    let layout = lab(BINARY).layout;
    // The first gene is 1 + 4 + 32 - 64, the eight bits of Ws are 1 + 128, all else is nothing but zeros.
    let mut bits = vec![false; 314];
    for bit in [0, 2, 5, 280, 287] {
        bits[bit] = true;
    }
    let values = layout.values(&Genome::Bits(Dna(bits)));
    assert_eq!((values[0], values[1]), (-27.0, -64.0));
    assert_eq!((values[40], values[41], values[43]), (129.0, -32.0, -64.0));
}

#[test]
fn the_published_player_needs_seven_bits_for_the_frontier() {
    let published = Gene45::published();
    let error = lab(BINARY).layout.genome(&published).unwrap_err();
    assert_eq!(
        error.to_string(),
        "frontier, stage 1 is -52, which does not fit its 6 bits: they hold whole numbers from -32 to 31"
    );
    let layout = lab(&BINARY.replace("bits = 6", "bits = 7")).layout;
    let genome = layout.genome(&published).unwrap();
    assert_eq!(layout.parameters(&genome), published);
    // It can be in the first population, too.
    let seeded = BINARY
        .replace("bits = 6", "bits = 7")
        .replace("kind = \"binary\"\ngroups", "kind = \"binary\"\nseeds = [\"gene45\"]\ngroups");
    assert_eq!(lab(&seeded).seeds, [genome]);
}

fn smooth(extra: &str) -> Lab {
    lab(&format!(
        r#"
title = "Smooth"
player = "gene45:depth=1,final=0"
generations = 2
[genome]
kind = "real"
knots = [10, 30, 64]
start = [-64, 64]
{extra}
[algorithm]
kind = "cma-es"
[fitness]
score = "points"
[genome.group.stable]
start = [0, 255]
"#
    ))
}

#[test]
fn stages_can_be_many_smooth_and_apart_for_the_colours() {
    let layout = smooth("").layout;
    assert_eq!(layout.genes().len(), 1 + 3 * 22);
    let published = layout.parameters(&layout.genome(&Gene45::published()).unwrap());
    assert_eq!(published.course, StageCourse::Knots(vec![10, 30, 64]));
    assert_eq!(published.stages[1], Gene45::published().stages[0]);
    assert_eq!(published.stages[2], Gene45::published().stages[1]);
    let apart = smooth("colours = \"apart\"").layout;
    assert_eq!(apart.genes().len(), 2 * (1 + 3 * 22));
    let genome = apart.genome(&Gene45::published()).unwrap();
    let Genome::Numbers(mut numbers) = genome else { panic!("numbers") };
    *numbers.last_mut().unwrap() = 7.0;
    let parameters = apart.parameters(&Genome::Numbers(numbers));
    assert_eq!(parameters.stages, published.stages);
    let white = parameters.white.as_ref().unwrap();
    assert_eq!(white.stages[2].last(), Some(&7.0));
    let text = Gene45::SCHEMA.write(&parameters);
    assert_eq!(Gene45::SCHEMA.read(&text), Ok(parameters));
}

#[test]
fn the_features_of_linear_are_genes() {
    let text = BINARY.replace("gene45:depth=1", "linear:features=board+action+stable+frontier+discs,depth=1");
    let linear = lab(&text).layout;
    let gene45 = lab(BINARY).layout;
    assert_eq!(linear.genes().len(), 10 + 10 + 3, "one stage, where gene45 has two");
    let staged = lab(&text.replace("bits = 7\n", "bits = 7\nlast_discs = [34]\n")).layout;
    let names = |layout: &turncoat_train::genetic::Layout| {
        layout.genes().iter().map(|gene| gene.name.replace(", stage 1", "")).collect::<Vec<_>>()
    };
    assert_eq!(names(&linear), {
        let mut own = names(&gene45);
        own.retain(|name| !name.contains("stage 2"));
        own
    });
    assert_eq!(staged.genes().len(), 2 * linear.genes().len());
    let seeded = text.replace("kind = \"binary\"\ngroups", "kind = \"binary\"\nseeds = [\"linear\"]\ngroups");
    let error = Lab::read(&seeded, 1, &turncoat_players::Roster::default()).unwrap_err().to_string();
    assert_eq!(error, "genome.seeds: linear: these are parameters of another player or of other features");
}

proptest! {
    #[test]
    fn any_bits_are_parameters_that_give_the_bits_again(bits in prop::collection::vec(any::<bool>(), 314)) {
        let layout = lab(BINARY).layout;
        let genome = Genome::Bits(Dna(bits));
        let parameters = layout.parameters(&genome);
        prop_assert!(Gene45::SCHEMA.read(&Gene45::SCHEMA.write(&parameters)).is_ok());
        prop_assert_eq!(layout.genome(&parameters), Ok(genome));
    }
}
