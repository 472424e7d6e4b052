//! Single settings of an experiment, as a command line gives them: `algorithm.population=30`.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::lab::{LabError, file_fault, value};

/// A setting and its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// Its names from the outside in, as in `genome.group.stable.bits`. Places in a list count from 1.
    path: Vec<String>,
    value: Value,
}

/// A text that assigns nothing.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("settings are given as KEY=VALUE, as in algorithm.population=30")]
pub struct AssignmentError;

impl FromStr for Assignment {
    type Err = AssignmentError;

    fn from_str(text: &str) -> Result<Self, AssignmentError> {
        let (path, value) = split(text)?;
        Ok(Self { path, value: read_value(value) })
    }
}

impl fmt::Display for Assignment {
    /// What [`FromStr`] reads again.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.key(), self.value)
    }
}

/// A setting with the values that it takes in turn, as in `algorithm.mutation=0.01,0.02`. Values that have a comma
/// stand in quotes or brackets.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices(pub Vec<Assignment>);

impl FromStr for Choices {
    type Err = AssignmentError;

    fn from_str(text: &str) -> Result<Self, AssignmentError> {
        let (path, values) = split(text)?;
        let values = match format!("[{values}]").parse() {
            Ok(Value::Array(values)) => values,
            _ => values.split(',').map(|value| read_value(value.trim())).collect(),
        };
        let is_gap = |value: &Value| value.as_str().is_some_and(str::is_empty);
        if values.is_empty() || values.iter().any(is_gap) {
            return Err(AssignmentError);
        }
        Ok(Self(values.into_iter().map(|value| Assignment { path: path.clone(), value }).collect()))
    }
}

/// The names of a setting, and its value or values.
fn split(text: &str) -> Result<(Vec<String>, &str), AssignmentError> {
    let (key, value) = text.split_once('=').ok_or(AssignmentError)?;
    let path: Vec<String> = key.split('.').map(|name| name.trim().to_owned()).collect();
    if path.iter().any(String::is_empty) { Err(AssignmentError) } else { Ok((path, value.trim())) }
}

/// What is no value of TOML is a string, so that words need no quotes.
fn read_value(text: &str) -> Value {
    text.parse().unwrap_or_else(|_| Value::String(text.to_owned()))
}

impl Assignment {
    /// A setting that stands outside of all tables.
    pub fn new(key: &str, value: impl Into<Value>) -> Self {
        Self { path: vec![key.to_owned()], value: value.into() }
    }

    /// What is set.
    pub(super) fn key(&self) -> String {
        self.path.join(".")
    }

    /// Its value in words: a string without quotes.
    pub(super) fn value(&self) -> String {
        self.value.as_str().map_or_else(|| self.value.to_string(), str::to_owned)
    }

    /// Some settings as they are written after `--set`.
    pub(super) fn words(settings: &[Self]) -> String {
        let words: Vec<String> = settings.iter().map(|own| format!("{}={}", own.key(), own.value())).collect();
        words.join(" --set ")
    }

    /// The text of an experiment with this setting. A value that stands there is replaced, so that the rest of the text
    /// stays; otherwise the text is written anew.
    pub(crate) fn apply(&self, text: &str) -> Result<String, LabError> {
        if let Some(range) = self.find(text) {
            let mut text = text.to_owned();
            text.replace_range(range, &self.value.to_string());
            return Ok(text);
        }
        let table: Table = toml::from_str(text).map_err(|error| file_fault(text, &error))?;
        let mut root = Value::Table(table);
        let mut place = &mut root;
        for name in &self.path {
            place = descend(place, name)
                .ok_or_else(|| value(&self.key(), format!("the experiment has no place for {name:?}")))?;
        }
        *place = self.value.clone();
        toml::to_string(&root).map_err(|error| value(&self.key(), error.to_string()))
    }

    /// Where the value stands in a text; `None` also for tables, which may stand in several places.
    fn find(&self, text: &str) -> Option<Range<usize>> {
        let root = DeTable::parse(text).ok()?;
        let (first, rest) = self.path.split_first()?;
        let mut value = named(root.get_ref(), first)?;
        for name in rest {
            value = match value.get_ref() {
                DeValue::Table(table) => named(table, name)?,
                DeValue::Array(items) => items.get(place_in_list(name)?)?,
                _ => return None,
            };
        }
        match value.get_ref() {
            DeValue::Table(_) => None,
            DeValue::Array(items) if items.iter().any(|item| item.get_ref().is_table()) => None,
            _ => Some(value.span()),
        }
    }
}

fn named<'a, 'i>(table: &'a DeTable<'i>, name: &str) -> Option<&'a Spanned<DeValue<'i>>> {
    table.iter().find(|(key, _)| key.get_ref() == name).map(|(_, value)| value)
}

fn place_in_list(name: &str) -> Option<usize> {
    name.parse::<usize>().ok()?.checked_sub(1)
}

/// What has this name in a value, made if need be.
fn descend<'a>(value: &'a mut Value, name: &str) -> Option<&'a mut Value> {
    match value {
        Value::Table(table) => Some(table.entry(name).or_insert_with(|| Value::Table(Table::new()))),
        Value::Array(items) => items.get_mut(place_in_list(name)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "generations = 4 # few\ntitle = 'x'\n[algorithm]\nkind = \"real\"\npopulation = 9\n\n\
                        [[yardstick]]\nplayer = \"random\"\ngames = 6 # pairs\n";

    fn applied(assignment: &str) -> String {
        assignment.parse::<Assignment>().unwrap().apply(TEXT).unwrap()
    }

    #[test]
    fn a_value_is_replaced_in_its_place() {
        for (assignment, from, to) in [
            ("generations=12", "generations = 4 #", "generations = 12 #"),
            ("title=A = b", "'x'", "\"A = b\""),
            ("algorithm.population = 30", "population = 9", "population = 30"),
            ("algorithm.kind=mode-2", "\"real\"", "\"mode-2\""),
            ("yardstick.1.games=10", "games = 6 #", "games = 10 #"),
        ] {
            assert_eq!(applied(assignment), TEXT.replace(from, to), "{assignment}");
        }
    }

    #[test]
    fn a_setting_may_have_several_values() {
        for (text, expected) in [
            ("a.b=0.01,0.02", vec!["a.b=0.01", "a.b=0.02"]),
            ("kind=mode-1, mode-2", vec!["kind=\"mode-1\"", "kind=\"mode-2\""]),
            ("step=[0, 1],[0, 2]", vec!["step=[0, 1]", "step=[0, 2]"]),
            ("player=\"a:x=1,y=2\",\"b\"", vec!["player=\"a:x=1,y=2\"", "player=\"b\""]),
            ("generations=7", vec!["generations=7"]),
        ] {
            let Choices(choices) = text.parse().unwrap();
            assert_eq!(choices.iter().map(Assignment::to_string).collect::<Vec<_>>(), expected);
            assert!(choices.iter().all(|choice| choice.to_string().parse().as_ref() == Ok(choice)));
        }
        for text in ["a=", "a=1,,2", "=1,2", "a"] {
            assert_eq!(text.parse::<Choices>(), Err(AssignmentError), "{text}");
        }
    }

    #[test]
    fn whatever_is_new_is_added() {
        let table = |text: &str| -> Table { text.parse().unwrap() };
        let added = table(&applied("algorithm.step=[0, 2]"));
        assert_eq!(added["algorithm"]["step"], Value::Array(vec![Value::Integer(0), Value::Integer(2)]));
        assert_eq!(added["generations"], Value::Integer(4));
        assert_eq!(table(&applied("champion.most=40"))["champion"]["most"], Value::Integer(40));
        let none = table(&applied("yardstick=[]"));
        assert_eq!(none["yardstick"], Value::Array(Vec::new()));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for text in ["generations", "=3", "a..b=3", ".=1"] {
            assert_eq!(text.parse::<Assignment>(), Err(AssignmentError), "{text}");
        }
        for text in ["yardstick.2.games=4", "yardstick.0.games=4", "title.more=1"] {
            let error = text.parse::<Assignment>().unwrap().apply(TEXT).unwrap_err();
            assert!(error.to_string().contains("the experiment has no place for"), "{error}");
        }
    }
}
