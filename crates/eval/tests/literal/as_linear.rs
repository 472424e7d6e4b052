//! The published evaluations of the reports written as files of `linear`, from their formulas.

use std::fmt::Write as _;

use turncoat_eval::classic::{
    Gene45, NineWeights, Parameters, ShiftingWeights, SixStage, StageCourse, TopSix, TopSixSet,
};

/// A file with these lines before the stages, and for each stage those of its weights.
fn file(parameters: &Parameters, variant: &str, shared: &str, stage: impl Fn(&[f64]) -> String) -> String {
    let StageCourse::LastDiscs(last) = &parameters.course else { panic!("published stages are steps") };
    let mut text = format!("player = \"linear\"\nvariant = \"{variant}\"\nlast_discs = {last:?}\n{shared}\n");
    for weights in &parameters.stages {
        write!(text, "[[stage]]\n{}\n", stage(weights)).unwrap();
    }
    text
}

fn times(factor: f64, weights: &[f64]) -> Vec<f64> {
    weights.iter().map(|weight| factor * weight).collect()
}

pub fn gene45() -> String {
    let own = Gene45::published();
    file(&own, "reversed", &format!("stable = {}", -own.shared[0]), |w| {
        format!(
            "board = {:?}\naction = {:?}\nfrontier_pairs = {}\nown_discs = {}\nopposing_discs = {}",
            times(-1.0, &w[..10]),
            &w[10..20],
            w[20],
            w[21],
            -w[21]
        )
    })
}

pub fn nine_weights() -> String {
    let own = NineWeights::published();
    file(&own, "reversed", &format!("board = {:?}", times(own.shared[0], &own.shared[1..])), |w| {
        format!("moves = {}\nfrontier = {}\nstable = {}\ndiscs = {}", w[0], -w[1], -w[2], -w[3])
    })
}

pub fn top_six() -> String {
    let own = TopSix::published(TopSixSet::Dynamic);
    file(&own, "reversed", "", |w| {
        format!(
            "board = {:?}\nstable = {}\nmoves = {}\nkill = {}\ncorners = {}\nconquered_corners = {}\ndiscs = {}",
            times(w[0], &own.shared),
            -w[1],
            w[2],
            -w[3],
            -w[4],
            w[5],
            -w[6]
        )
    })
}

pub fn six_stage() -> String {
    let own = SixStage::published();
    file(&own, "reversi", "", |w| {
        format!(
            "board = {:?}\nmoves = {}\ntied = {}\nown_clamped = {}\nopposing_clamped = {}",
            times(w[0], &own.shared),
            w[1],
            5.0 * w[2],
            w[2],
            -w[2]
        )
    })
}

pub fn shifting_weights() -> String {
    let own = ShiftingWeights::published();
    let (table, shifts) = (&own.shared[1..], &own.stages[0]);
    // Of each kind of square near a held corner the class: what it becomes, less what it was.
    let [c, x, fourth, fifth] = [(0, 1), (1, 4), (2, 3), (3, 3)].map(|(kind, class)| shifts[kind] - table[class]);
    format!(
        "player = \"linear\"\nvariant = \"reversed\"\nboard = {table:?}\n\
         held_c = {c}\nheld_x = {x}\nheld_fourth = {fourth}\nheld_fifth = {fifth}\n"
    )
}
