//! Single settings of an experiment, as a command line gives them: `algorithm.population=30`.

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

    /// What is no value of TOML is a string, so that words need no quotes.
    fn from_str(text: &str) -> Result<Self, AssignmentError> {
        let (key, value) = text.split_once('=').ok_or(AssignmentError)?;
        let path: Vec<String> = key.split('.').map(|name| name.trim().to_owned()).collect();
        if path.iter().any(String::is_empty) {
            return Err(AssignmentError);
        }
        let value = value.trim();
        Ok(Self { path, value: value.parse().unwrap_or_else(|_| Value::String(value.to_owned())) })
    }
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

    /// The text of an experiment with this setting. A value that stands there is replaced, so that the rest of the text
    /// stays; otherwise the text is written anew.
    pub(super) fn apply(&self, text: &str) -> Result<String, LabError> {
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
