//! The player that is tuned: where its parameters stand, and what it is with other values.

use std::path::Path;

use turncoat_eval::classic::{Parameters, Schema};
use turncoat_players::{BuildError, PARAMETER_OPTIONS, Roster, Setting, Spec};

use super::error::SettingsError;
use super::settings::{ParameterPlan, TuneSettings};
use super::spsa::Axis;
use crate::genetic::{Contender, Genome, Layout};

/// More parameters than this are a slip.
const MOST_PARAMETERS: usize = 1000;
/// A number between the bounds that is not whole, as a share of the way: no fraction of small numbers.
const BETWEEN: f64 = 0.381_966;

/// A player with the parameters that are tuned.
#[derive(Debug, Clone)]
pub struct Subject {
    spec: Spec,
    weights: Option<Weights>,
    parameters: Vec<Parameter>,
}

/// The parameter file of a player, as the genetic lab addresses it.
#[derive(Debug, Clone)]
struct Weights {
    schema: Schema,
    layout: Layout,
    own: Vec<f64>,
}

/// One tuned parameter.
#[derive(Debug, Clone)]
struct Parameter {
    name: String,
    axis: Axis,
    place: Place,
}

/// Where a parameter stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// In the player's text.
    Option,
    /// Among its weights.
    Weight(usize),
}

impl Subject {
    /// Finds the parameters of a player, and checks that it can be built with any value of each.
    ///
    /// # Errors
    /// If the player is unknown or not built in, a parameter is unknown or makes no sense, or the player refuses a value
    /// within its bounds.
    pub fn new(settings: &TuneSettings) -> Result<Self, SettingsError> {
        let roster = Roster::default();
        let spec = roster.parse(&settings.player)?;
        let fault = || "threads= cannot be repeated: games run in parallel, each with one thread".to_owned();
        if spec.has_option("threads") {
            return Err(SettingsError::Value { key: "player".to_owned(), fault: fault() });
        }
        if let Some(plan) = settings.parameter.iter().find(|plan| plan.name == "threads") {
            return Err(SettingsError::Parameter { name: plan.name.clone(), fault: fault() });
        }
        let setting = Setting { variant: settings.variant, geometry: settings.size, seed: settings.seed };
        spec.build(setting)?;
        let weights = Weights::of(&spec)?;
        let mut subject = Self { spec, weights, parameters: Vec::new() };
        for plan in &settings.parameter {
            let found = subject.find(plan, &roster)?;
            if let Some(twice) = found.iter().find(|new| subject.parameters.iter().any(|old| old.name == new.name)) {
                let fault = "it is listed twice".to_owned();
                return Err(SettingsError::Parameter { name: twice.name.clone(), fault });
            }
            subject.parameters.extend(found);
        }
        if subject.parameters.len() > MOST_PARAMETERS {
            let fault = format!("{} are more than {MOST_PARAMETERS}", subject.parameters.len());
            return Err(SettingsError::Value { key: "parameter".to_owned(), fault });
        }
        subject.check_values(setting)?;
        Ok(subject)
    }

    /// The parameters that a plan names: an option, a weight, or all weights whose names begin with the plan's.
    fn find(&self, plan: &ParameterPlan, roster: &Roster) -> Result<Vec<Parameter>, SettingsError> {
        let kind = roster.kinds().find(|kind| kind.name == self.spec.name());
        let fault = |fault: String| SettingsError::Parameter { name: plan.name.clone(), fault };
        if kind.is_some_and(|kind| kind.has_option(&plan.name)) {
            if self.spec.has_option(&plan.name) {
                return Err(fault("the player's text sets it already: it begins with \"start\"".to_owned()));
            }
            let start = plan.start.ok_or_else(|| fault("an option needs \"start\"".to_owned()))?;
            return Ok(vec![Parameter::new(plan, plan.name.clone(), start, Place::Option)?]);
        }
        let mut found = Vec::new();
        if let Some(weights) = &self.weights {
            for (index, gene) in weights.layout.genes().iter().enumerate() {
                let rest = gene.name.strip_prefix(plan.name.as_str());
                if rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', ','])) {
                    if plan.minimum < gene.bounds[0] || plan.maximum > gene.bounds[1] {
                        return Err(fault(format!("a weight is from {} to {}", gene.bounds[0], gene.bounds[1])));
                    }
                    let start = plan.start.unwrap_or(weights.own[index]);
                    found.push(Parameter::new(plan, gene.name.clone(), start, Place::Weight(index))?);
                }
            }
        }
        if found.is_empty() {
            let options = kind.iter().flat_map(|kind| kind.options).map(|option| option.key);
            let known: Vec<&str> = options.chain(self.weights.iter().flat_map(Weights::groups)).collect();
            return Err(SettingsError::Unknown {
                name: plan.name.clone(),
                player: self.spec.name().to_owned(),
                known: if known.is_empty() { "none".to_owned() } else { known.join(", ") },
            });
        }
        Ok(found)
    }

    /// Builds the player with the ends of each parameter, and with a number between them, while the others are at their
    /// start.
    fn check_values(&self, setting: Setting) -> Result<(), SettingsError> {
        let start: Vec<f64> = self.parameters.iter().map(|parameter| parameter.axis.start).collect();
        for (index, Parameter { name, axis, .. }) in self.parameters.iter().enumerate() {
            let build = |value: f64| {
                let mut values = start.clone();
                values[index] = value;
                self.build(&values, setting)
            };
            let [low, high] = axis.bounds;
            for value in [low, high, axis.start] {
                build(value).map_err(|source| SettingsError::Unplayable { name: name.clone(), value, source })?;
            }
            if !axis.integer && build(low + (high - low) * BETWEEN).is_err() {
                let fault = "the player takes whole numbers alone: it needs integer = true".to_owned();
                return Err(SettingsError::Parameter { name: name.clone(), fault });
            }
        }
        Ok(())
    }

    fn build(&self, values: &[f64], setting: Setting) -> Result<(), BuildError> {
        self.contender(values).spec(&Roster::default())?.build(setting).map(|_| ())
    }

    /// The parameters as the algorithm sees them.
    pub fn axes(&self) -> Vec<Axis> {
        self.parameters.iter().map(|parameter| parameter.axis.clone()).collect()
    }

    /// The names of the parameters.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.parameters.iter().map(|parameter| parameter.name.as_str())
    }

    /// The player with these values.
    pub fn contender(&self, values: &[f64]) -> Contender {
        Contender {
            player: self.text(values, None),
            files: self.spec.files(),
            parameters: self.tuned_weights().map(|weights| self.weights_with(weights, values)),
        }
    }

    /// The player's text with the options that are tuned; `file` takes the place of whatever set its parameters.
    pub fn text(&self, values: &[f64], file: Option<&Path>) -> String {
        let given = self.spec.rest().into_iter().flat_map(|list| list.split(','));
        let is_kept = |item: &&str| {
            let key = item.split('=').next().unwrap_or_default().trim();
            file.is_none() || !PARAMETER_OPTIONS.contains(&key)
        };
        let mut items: Vec<String> = given.filter(is_kept).map(str::to_owned).collect();
        for (parameter, value) in self.parameters.iter().zip(values) {
            if parameter.place == Place::Option {
                items.push(format!("{}={value}", parameter.name));
            }
        }
        items.extend(file.map(|file| format!("weights={}", file.display())));
        let colon = if items.is_empty() { "" } else { ":" };
        format!("{}{colon}{}", self.spec.name(), items.join(","))
    }

    /// A parameter file with these values; `None` if no weight is tuned.
    pub fn file(&self, values: &[f64]) -> Option<String> {
        let weights = self.tuned_weights()?;
        Some(weights.schema.write(&self.weights_with(weights, values)))
    }

    /// The files that the player's text names.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let items = self.spec.rest().into_iter().flat_map(|list| list.split(','));
        let values = items.filter_map(|item| item.split_once('=')).map(|(_, value)| Path::new(value.trim()));
        values.filter(|path| path.is_file())
    }

    fn tuned_weights(&self) -> Option<&Weights> {
        let is_weight = |parameter: &Parameter| matches!(parameter.place, Place::Weight(_));
        self.weights.as_ref().filter(|_| self.parameters.iter().any(is_weight))
    }

    fn weights_with(&self, weights: &Weights, values: &[f64]) -> Parameters {
        let mut numbers = weights.own.clone();
        for (parameter, &value) in self.parameters.iter().zip(values) {
            if let Place::Weight(index) = parameter.place {
                numbers[index] = value;
            }
        }
        weights.layout.parameters(&Genome::Numbers(numbers))
    }
}

impl Weights {
    /// The weights of a player; `None` if it has none.
    fn of(spec: &Spec) -> Result<Option<Self>, SettingsError> {
        let (schema, parameters) = match spec.parameters() {
            Ok(found) => found,
            Err(BuildError::NoParameters { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        let layout = Layout::of_weights(&schema, &parameters)?;
        let own = layout.values(&layout.genome(&parameters)?);
        Ok(Some(Self { schema, layout, own }))
    }

    /// The names of its groups.
    fn groups(&self) -> Vec<&str> {
        let mut names = Vec::new();
        for gene in self.layout.genes() {
            let name = gene.name.split([' ', ',']).next().unwrap_or_default();
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

impl Parameter {
    fn new(plan: &ParameterPlan, name: String, start: f64, place: Place) -> Result<Self, SettingsError> {
        let bounds = [plan.minimum, plan.maximum];
        if !(bounds[0]..=bounds[1]).contains(&start) {
            let fault = format!("start {start} is not within {} to {}", plan.minimum, plan.maximum);
            return Err(SettingsError::Parameter { name, fault });
        }
        Ok(Self { name, axis: Axis { start, bounds, step: plan.step, integer: plan.integer }, place })
    }
}
