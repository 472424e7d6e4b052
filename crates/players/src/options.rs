//! The options of a built-in player: what stands after its name, as `key=value,…`.

use std::fmt;
use std::io;
use std::str::FromStr;

use thiserror::Error;
use turncoat_eval::classic::Parameters;
use turncoat_util::{read_file, without_bom};

use crate::OptionHelp;

/// The option that names a file of parameters.
pub(crate) const FILE_OPTION: &str = "weights";
/// The options that say which parameters a player has: a file of all parameters takes their place.
pub const PARAMETER_OPTIONS: [&str; 5] = [FILE_OPTION, "set", "mobility", "features", "game"];
/// The largest file of parameters that is read.
const LARGEST_FILE: u64 = 1 << 20;

/// Files by their paths, as they were read.
pub type Files = Vec<(String, String)>;

/// The options of a player, taken one by one while it is built.
#[derive(Debug, Clone)]
pub struct Options {
    spec: String,
    /// What the player's options are.
    help: &'static [OptionHelp],
    given: Vec<Given>,
    /// Parameters that replace those of a file or the published ones.
    parameters: Option<Parameters>,
}

#[derive(Debug, Clone)]
struct Given {
    key: String,
    value: String,
    /// The contents of the file that the value names, or why it cannot be read.
    contents: Option<Result<String, String>>,
}

impl Options {
    /// Parses `list`, the part of `spec` after its colon, as options of a player that has those of `help`.
    ///
    /// # Errors
    /// If an item is not `key=value`, or a key is repeated.
    pub(crate) fn parse(spec: &str, list: Option<&str>, help: &'static [OptionHelp]) -> Result<Self, SpecError> {
        let mut options = Self { spec: spec.to_owned(), help, given: Vec::new(), parameters: None };
        for item in list.into_iter().flat_map(|list| list.split(',')) {
            let (key, value) = item
                .split_once('=')
                .ok_or_else(|| options.fault(format!("{item:?} is not an option: write key=value")))?;
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            if options.has(&key) {
                return Err(options.fault(format!("option {key:?} is given twice")));
            }
            options.given.push(Given { key, value, contents: None });
        }
        Ok(options)
    }

    /// The keys in the order in which they were given.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &str> {
        self.given.iter().map(|given| given.key.as_str())
    }

    /// The keys and values in the order in which they were given.
    pub(crate) fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.given.iter().map(|given| (given.key.as_str(), given.value.as_str()))
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.keys().any(|known| known == key)
    }

    /// Adds an option.
    pub(crate) fn set(&mut self, key: &str, value: impl fmt::Display) {
        self.given.push(Given { key: key.to_owned(), value: value.to_string(), contents: None });
    }

    /// Replaces the parameters of a file or the published ones.
    pub(crate) fn set_parameters(&mut self, parameters: &Parameters) {
        self.parameters = Some(parameters.clone());
    }

    /// The parameters that were given in memory.
    pub(crate) fn parameters(&self) -> Option<&Parameters> {
        self.parameters.as_ref()
    }

    /// Reads the file of parameters that an option names, unless `known` has it or there are no others. One that cannot be
    /// read is an error when it is [taken](Self::take_file).
    pub(crate) fn read_file(&mut self, known: &[(String, String)], is_sealed: bool) {
        if let Some(given) = self.given.iter_mut().find(|given| given.key == FILE_OPTION) {
            let known = known.iter().find(|(known, _)| *known == given.value);
            given.contents = Some(match known {
                Some((_, contents)) => Ok(contents.clone()),
                None if is_sealed => Err("files are not read here".to_owned()),
                None => read(&given.value),
            });
        }
    }

    /// The files that have been read, by their paths.
    pub(crate) fn files(&self) -> Files {
        let file = |given: &Given| Some((given.value.clone(), given.contents.clone()?.ok()?));
        self.given.iter().filter_map(file).collect()
    }

    /// Takes an option out and parses it.
    ///
    /// # Errors
    /// If its value does not parse.
    pub fn take<T>(&mut self, key: &str) -> Result<Option<T>, SpecError>
    where
        T: FromStr,
    {
        let Some(Given { value, .. }) = self.remove(key) else {
            return Ok(None);
        };
        value.parse().map(Some).map_err(|_| self.misfit(key, &value))
    }

    /// Refuses options without a value.
    ///
    /// # Errors
    /// If there is one.
    pub(crate) fn check_values(&self) -> Result<(), SpecError> {
        let empty = self.given.iter().find(|given| given.value.is_empty());
        empty.map_or(Ok(()), |given| Err(self.misfit(&given.key, "")))
    }

    /// A value that an option does not take.
    fn misfit(&self, key: &str, value: &str) -> SpecError {
        let help = self.help.iter().find(|help| help.key == key);
        let takes = help.map_or_else(String::new, |help| format!("={}: {}", help.value, help.about));
        self.fault(format!("{value:?} does not fit {key}{takes}"))
    }

    /// Takes out the option that names a file of parameters: its path and contents.
    ///
    /// # Errors
    /// If the file could not be read.
    pub(crate) fn take_file(&mut self) -> Result<Option<(String, String)>, SpecError> {
        let Some(Given { value: path, contents: Some(contents), .. }) = self.remove(FILE_OPTION) else {
            return Ok(None);
        };
        let contents = contents.map_err(|reason| self.fault(format!("{FILE_OPTION}={path}: {reason}")))?;
        Ok(Some((path, contents)))
    }

    fn remove(&mut self, key: &str) -> Option<Given> {
        let index = self.keys().position(|known| known == key)?;
        Some(self.given.remove(index))
    }

    /// Refuses two options that exclude each other.
    ///
    /// # Errors
    /// If both are given.
    pub fn refuse_both(&self, one: &str, other: &str) -> Result<(), SpecError> {
        if self.has(one) && self.has(other) {
            return Err(self.fault(format!("{one} and {other} exclude each other")));
        }
        Ok(())
    }

    /// An error about these options.
    pub fn fault(&self, fault: String) -> SpecError {
        SpecError { spec: self.spec.clone(), fault }
    }
}

/// The text of a file of parameters.
pub(crate) fn read(path: &str) -> Result<String, String> {
    let bytes = read_file(path, LARGEST_FILE).map_err(|error| match error.kind() {
        io::ErrorKind::FileTooLarge => "a file of parameters has at most 1 MiB".to_owned(),
        _ => error.to_string(),
    })?;
    String::from_utf8(bytes).map(without_bom).map_err(|_| "it is not text".to_owned())
}

/// A player's text that does not parse.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{spec:?}: {fault}")]
pub struct SpecError {
    /// The text.
    pub spec: String,
    /// What is wrong with it.
    pub fault: String,
}
