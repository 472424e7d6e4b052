//! Parameters of a classic evaluation as data, which files hold and the genetic lab evolves.
//!
//! A [`Schema`] says what an evaluation has: groups of numbers that all stages share and groups that every
//! stage has of its own.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use turncoat_board::{Color, VariantKind};

use super::features::CLASSES;

/// Weights beyond this would cost sums their exactness, and make no sense.
const LARGEST: f64 = 1e6;
/// As many stages as the players with stages may have.
pub(super) const MOST_STAGES: usize = 32;
/// A group of numbers of one name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Its name in files.
    pub name: &'static str,
    /// How many numbers it has; one is written alone, more as a list.
    pub count: usize,
    /// What they mean, in a few words for the editor of a file.
    pub about: &'static str,
    /// What they may be.
    pub range: Range,
}

/// What the numbers of a group may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// Any weight from -1000000 to 1000000.
    Weight,
    /// Whole plies from 1 to 60.
    Plies,
}

impl Range {
    pub(super) fn holds(self, number: f64) -> bool {
        match self {
            Self::Weight => number.abs() <= LARGEST,
            Self::Plies => (1.0..=60.0).contains(&number) && number.fract() == 0.0,
        }
    }

    pub(super) const fn words(self) -> &'static str {
        match self {
            Self::Weight => "a number from -1000000 to 1000000",
            Self::Plies => "a whole number from 1 to 60",
        }
    }
}

impl Group {
    /// A group of weights.
    pub const fn weights(name: &'static str, count: usize, about: &'static str) -> Self {
        Self { name, count, about, range: Range::Weight }
    }

    /// A table of weights by classes of symmetric squares.
    pub const fn table(name: &'static str, about: &'static str) -> Self {
        Self::weights(name, CLASSES, about)
    }
}

/// What parameters an evaluation has.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// The player they belong to.
    pub player: &'static str,
    /// The game it plays.
    pub variant: VariantKind,
    /// Groups that all stages share.
    pub shared: Cow<'static, [Group]>,
    /// Groups that every stage has of its own.
    pub staged: Cow<'static, [Group]>,
    /// How many stages there may be.
    pub most_stages: usize,
}

/// Numbers that fit a schema, in its order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Parameters {
    /// When the stages hold.
    pub course: StageCourse,
    /// The shared groups, one after the other.
    pub shared: Vec<f64>,
    /// For each stage its groups, one after the other.
    pub stages: Vec<Vec<f64>>,
    /// What white plays with, if it differs from black.
    pub white: Option<ColorWeights>,
}

/// When the stages of parameters hold, by the number of discs on an 8x8 board.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageCourse {
    /// Each up to a last disc count, in rising order; the last stage has none.
    LastDiscs(Vec<u32>),
    /// Each at one disc count, in rising order; between two of them weights are interpolated.
    Knots(Vec<u32>),
}

impl StageCourse {
    /// How many stages there are.
    pub fn stages(&self) -> usize {
        match self {
            Self::LastDiscs(last) => last.len() + 1,
            Self::Knots(knots) => knots.len(),
        }
    }
}

/// Weights of one colour: the shared groups and those of each stage.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ColorWeights {
    /// The shared groups, one after the other.
    pub shared: Vec<f64>,
    /// For each stage its groups, one after the other.
    pub stages: Vec<Vec<f64>>,
}

impl Parameters {
    /// Parameters in steps, the same for both colours.
    pub const fn stepped(last_discs: Vec<u32>, shared: Vec<f64>, stages: Vec<Vec<f64>>) -> Self {
        Self { course: StageCourse::LastDiscs(last_discs), shared, stages, white: None }
    }

    /// What a colour plays with, as parameters that are the same for both.
    #[must_use]
    pub fn for_color(&self, color: Color) -> Self {
        let mut own = self.clone();
        if let (Color::White, Some(white)) = (color, own.white.take()) {
            own.shared = white.shared;
            own.stages = white.stages;
        }
        own
    }
}

fn total(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.count).sum()
}

impl Schema {
    /// The board tables among the parameters: each with its name and its weights by class.
    pub fn tables(&self, parameters: &Parameters) -> Vec<(String, [f64; CLASSES])> {
        let mut tables = Vec::new();
        let mut collect = |groups: &[Group], numbers: &[f64], stage: &str| {
            let mut from = 0;
            for group in groups {
                if let Ok(weights) = numbers[from..from + group.count].try_into() {
                    tables.push((format!("{}{stage}", group.name), weights));
                }
                from += group.count;
            }
        };
        let colours = match parameters.white {
            None => vec![(Color::Black, "")],
            Some(_) => vec![(Color::Black, ", black"), (Color::White, ", white")],
        };
        for (color, suffix) in colours {
            let own = parameters.for_color(color);
            collect(&self.shared, &own.shared, suffix);
            for (index, stage) in own.stages.iter().enumerate() {
                let place = match &own.course {
                    StageCourse::LastDiscs(_) => format!(", stage {}{suffix}", index + 1),
                    StageCourse::Knots(knots) => format!(", {} discs{suffix}", knots[index]),
                };
                collect(&self.staged, stage, &place);
            }
        }
        tables
    }

    /// Whether parameters have the right counts.
    pub fn fits(&self, parameters: &Parameters) -> bool {
        let fit = |shared: &[f64], stages: &[Vec<f64>]| {
            shared.len() == total(&self.shared)
                && stages.len() == parameters.course.stages()
                && stages.iter().all(|stage| stage.len() == total(&self.staged))
        };
        (1..=self.most_stages).contains(&parameters.course.stages())
            && fit(&parameters.shared, &parameters.stages)
            && parameters.white.as_ref().is_none_or(|white| fit(&white.shared, &white.stages))
    }
}
