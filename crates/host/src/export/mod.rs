//! Our player as one Python file: for the course's platform, and for Botzone.
//!
//! The file holds the search and the weights of a classic evaluation; it needs nothing but Python, and numpy where the
//! course's boards are arrays of it.

use std::fmt::Write as _;

use turncoat_board::VariantKind;
use turncoat_eval::classic::{Course, Gene45, SixStage};

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The course's class.
    Course,
    /// A program for Botzone.
    Botzone,
}

const ENGINE: &str = include_str!("engine.py");
const COURSE: &str = include_str!("course.py");
const BOTZONE: &str = include_str!("botzone.py");

/// The weights of a stage, each for the mover's less the other's.
struct Stage {
    /// It lasts while there are at most this many discs.
    last_discs: u32,
    /// Discs by the class of their square.
    board: Vec<f64>,
    /// Legal moves by the class of their square.
    action: Vec<f64>,
    /// Pairs of a disc and an empty neighbour.
    frontier: f64,
    discs: f64,
    stable: f64,
}

/// The source of our player of this game.
///
/// ```
/// use turncoat_board::VariantKind;
/// use turncoat_host::export::{Target, source};
///
/// assert!(source(Target::Course, VariantKind::Reversed).contains("class AI(object):"));
/// ```
pub fn source(target: Target, variant: VariantKind) -> String {
    let (imports, end) = match target {
        Target::Course => ("import time\n\nimport numpy as np\n", COURSE),
        Target::Botzone => ("import json\nimport sys\nimport time\n", BOTZONE),
    };
    let (name, sign) = match variant {
        VariantKind::Reversed => ("gene45", -1),
        VariantKind::Reversi => ("six-stage", 1),
    };
    let mut text = format!(
        "\"\"\"Turncoat {}, a player of {}, in one file.\n\n\
         Alpha-beta search with the weights of {name}; the end of the game is searched out.\n\
         Written by: turncoat export. MIT OR Apache-2.0.\n\"\"\"\n\n{imports}\n\
         # Whether more discs win (1) or fewer (-1).\nSIGN = {sign}\n\
         # Up to how many discs; weights of discs and of moves by class of square; frontier, discs, stable discs.\n\
         STAGES = [\n",
        env!("CARGO_PKG_VERSION"),
        variant.title(),
    );
    for stage in stages(variant) {
        let _ = writeln!(
            text,
            "    ({}, {}, {}, {}, {}, {}),",
            stage.last_discs,
            list(&stage.board),
            list(&stage.action),
            stage.frontier,
            stage.discs,
            stage.stable
        );
    }
    text + "]\n" + ENGINE.trim_end() + "\n\n" + end
}

fn list(weights: &[f64]) -> String {
    let weights: Vec<String> = weights.iter().map(ToString::to_string).collect();
    format!("[{}]", weights.join(", "))
}

fn stages(variant: VariantKind) -> Vec<Stage> {
    let parameters = match variant {
        VariantKind::Reversed => Gene45::published(),
        VariantKind::Reversi => SixStage::published(),
    };
    // Those that are published have whole stages; of others each would hold up to its knot.
    let (Course::LastDiscs(ends) | Course::Knots(ends)) = &parameters.course;
    let ends = ends.iter().copied().chain([64]);
    let shared = &parameters.shared;
    ends.zip(&parameters.stages)
        .map(|(last_discs, own)| match variant {
            // Its rewards are for opposing discs and opposing stable discs.
            VariantKind::Reversed => Stage {
                last_discs,
                board: own[..10].iter().map(|weight| -weight).collect(),
                action: own[10..20].to_vec(),
                frontier: own[20],
                discs: own[21],
                stable: -shared[0],
            },
            // What it counts along the path of its search is left out.
            VariantKind::Reversi => Stage {
                last_discs,
                board: shared.iter().map(|weight| weight * own[0]).collect(),
                action: vec![own[1]; 10],
                frontier: 0.0,
                discs: 0.0,
                stable: own[2],
            },
        })
        .collect()
}
