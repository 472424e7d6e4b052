//! `linear`: any features of the catalogue, each times its weight.
//!
//! Which features there are is what its parameter file names: before all stages those that are weighed alike
//! throughout, in each `[[stage]]` those whose weights change.

use std::borrow::Cow;

use toml::{Table, Value};
use turncoat_board::isa::{Isa, Portable};
use turncoat_board::{Bitboard, Geometry, VariantKind};

use super::features::{
    CLASS_LABELS, CLASSES, FEATURES, Feature, class_masks, feature, frontier_pairs, held_corners, lead, near_corners,
};
use super::file::{cut, read_table};
use super::parameters::MOST_STAGES;
use super::{FileError, Group, Parameters, Schema, StageSchedule};
use crate::{ClassicEvaluation, RootView, Term};

const PLAYER: &str = "linear";
/// What stands in a file beside the names of features.
const OTHER_KEYS: [&str; 6] = ["player", "variant", "last_discs", "knots", "stage", "white"];

/// The evaluation of `linear`.
#[derive(Debug, Clone)]
pub struct Linear {
    geometry: Geometry,
    schedule: StageSchedule,
    /// Those that all stages share, then those of the stages.
    features: Vec<Feature>,
    /// The name of every weight.
    names: Vec<String>,
    /// The weights of each stage, in the order of the features.
    stages: Vec<Vec<f64>>,
    classes: [Bitboard; CLASSES],
    near_corners: [[Bitboard; 4]; 16],
}

impl Linear {
    /// The evaluation with these parameters, if they fit the schema.
    pub fn new(schema: &Schema, parameters: &Parameters, geometry: Geometry) -> Option<Self> {
        if !schema.fits(parameters) {
            return None;
        }
        let groups = || schema.shared.iter().chain(schema.staged.iter());
        let (schedule, stages) = StageSchedule::lay_out(parameters, geometry);
        Some(Self {
            geometry,
            schedule,
            features: groups().map(|group| feature(group.name).map(|(feature, _)| feature)).collect::<Option<_>>()?,
            names: groups().flat_map(weight_names).collect(),
            stages: stages.into_iter().map(|stage| [&parameters.shared[..], &stage].concat()).collect(),
            classes: class_masks(geometry),
            near_corners: near_corners(geometry),
        })
    }

    /// Reads a file, whose keys say which features are weighed.
    ///
    /// # Errors
    /// If a name is that of no feature, none is there, one is weighed twice, or as [`Schema::read`].
    pub fn read(text: &str) -> Result<(Schema, Parameters), FileError> {
        let mut table = read_table(text)?;
        // What is no game at all is refused when the file is read.
        let variant = table.get("variant").and_then(Value::as_str).and_then(|name| name.parse().ok());
        let first = match table.get("stage") {
            Some(Value::Array(stages)) => stages.first().and_then(Value::as_table).cloned().unwrap_or_default(),
            _ => Table::new(),
        };
        table.retain(|key, _| !OTHER_KEYS.contains(&key));
        let names = |table: &Table| table.keys().cloned().collect::<Vec<_>>();
        let shared = groups(&names(&table), "the file")?;
        let staged = groups(&names(&first), "stage 1")?;
        if let Some(group) = shared.iter().find(|group| staged.contains(group)) {
            return Err(FileError::Twice { key: group.name });
        }
        let schema = schema(variant.unwrap_or(VariantKind::Reversed), shared, staged);
        let parameters = schema.read(text)?;
        if schema.shared.is_empty() && schema.staged.is_empty() {
            return Err(FileError::NoFeatures { known: known() });
        }
        Ok((schema, parameters))
    }

    /// Features by their names, in one stage in which all weights are zero: for the lab to begin with.
    ///
    /// # Errors
    /// If a name is that of no feature.
    pub fn blank(variant: VariantKind, names: &[String]) -> Result<(Schema, Parameters), FileError> {
        let schema = schema(variant, Vec::new(), groups(names, "the list")?);
        let weights = schema.staged.iter().map(|group| group.count).sum();
        Ok((schema, Parameters::stepped(Vec::new(), Vec::new(), vec![vec![0.0; weights]])))
    }

    /// The weights that come with the program: those of an evolved gene45, and of six-stage in Reversi.
    ///
    /// # Errors
    /// If the program was built with a file that does not fit.
    pub fn published(variant: VariantKind) -> Result<(Schema, Parameters), FileError> {
        Self::read(match variant {
            VariantKind::Reversed => turncoat_weights::LINEAR_REVERSED,
            VariantKind::Reversi => turncoat_weights::LINEAR_REVERSI,
        })
    }

    /// Calls `add` with every feature's number and weight, in order.
    #[inline(always)]
    fn weigh<I: Isa>(&self, isa: I, view: &RootView, mut add: impl FnMut(f64, f64)) {
        let stage = &self.stages[self.schedule.stage(view.board.discs().count())];
        let mut weights = stage.iter();
        let mut weigh = |number: i32| {
            if let Some(&weight) = weights.next() {
                add(f64::from(number), weight);
            }
        };
        let (own, opposing) = (view.own(), view.opposing());
        for &feature in &self.features {
            match feature {
                Feature::Lead(count) => {
                    let [own, opposing] = count.both(isa, view, self.geometry);
                    weigh(own as i32 - opposing as i32);
                }
                Feature::Own(count) => weigh(count.both(isa, view, self.geometry)[0] as i32),
                Feature::Opposing(count) => weigh(count.both(isa, view, self.geometry)[1] as i32),
                Feature::Board => self.classes.iter().for_each(|&class| weigh(lead(own & class, opposing & class))),
                Feature::Action => {
                    let (own, opposing) = (view.own_moves, view.opposing_moves);
                    self.classes.iter().for_each(|&class| weigh(lead(own & class, opposing & class)));
                }
                Feature::FrontierPairs => weigh(frontier_pairs(own, opposing, view.board.empties(self.geometry))),
                Feature::Held(kind) => {
                    let near = self.near_corners[held_corners(own, self.geometry)][kind];
                    weigh(lead(own & near, opposing & near));
                }
            }
        }
    }
}

impl ClassicEvaluation for Linear {
    #[inline(always)]
    fn value<I: Isa>(&self, isa: I, view: &RootView) -> f64 {
        let mut value = 0.0;
        self.weigh(isa, view, |number, weight| value += weight * number);
        value
    }

    fn terms(&self, view: &RootView) -> Vec<Term> {
        let mut weighed = Vec::new();
        self.weigh(Portable, view, |number, weight| weighed.push((number, weight)));
        self.names.iter().zip(weighed).map(|(name, (number, weight))| Term::new(name, number, weight)).collect()
    }
}

fn schema(variant: VariantKind, shared: Vec<Group>, staged: Vec<Group>) -> Schema {
    Schema { player: PLAYER, variant, shared: Cow::Owned(shared), staged: Cow::Owned(staged), most_stages: MOST_STAGES }
}

/// The groups of features, in the order of the catalogue whatever theirs is, so that equal sets have equal genes.
fn groups(names: &[String], place: &str) -> Result<Vec<Group>, FileError> {
    if let Some(key) = names.iter().find(|name| feature(name).is_none()) {
        return Err(FileError::NoFeature { place: place.to_owned(), key: cut(key), known: known() });
    }
    let all = FEATURES.iter().map(|(_, group)| *group);
    Ok(all.filter(|group| names.iter().any(|name| name == group.name)).collect())
}

fn known() -> String {
    FEATURES.iter().map(|(_, group)| group.name).collect::<Vec<_>>().join(", ")
}

/// The names of a group's weights.
fn weight_names(group: &Group) -> Vec<String> {
    match group.count {
        1 => vec![group.name.to_owned()],
        _ => CLASS_LABELS.iter().map(|class| format!("{} {class}", group.name)).collect(),
    }
}
