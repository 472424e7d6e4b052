//! How players are written: `name` or `name:key=value,…`.

use std::fmt;
use std::io;
use std::str::FromStr;

use thiserror::Error;
use turncoat_eval::classic::Parameters;
use turncoat_util::{read_file, without_bom};

/// A player as it was asked for.
///
/// ```
/// use turncoat_players::Spec;
///
/// let spec: Spec = "greedy".parse().unwrap();
/// assert_eq!((spec.name(), spec.rest()), ("greedy", None));
/// let error = ":depth=3".parse::<Spec>().unwrap_err();
/// assert_eq!(error.to_string(), "\":depth=3\": the name of the player is missing");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Spec {
    text: String,
    name_length: usize,
    /// Files that it names, by their path, once they have been read.
    files: Vec<(String, String)>,
}

impl Spec {
    /// The part before the first colon.
    pub fn name(&self) -> &str {
        &self.text[..self.name_length]
    }

    /// The part after the first colon, if there is one.
    pub fn rest(&self) -> Option<&str> {
        self.text.get(self.name_length + 1..)
    }

    /// The same with one more option, unless it has it already.
    ///
    /// ```
    /// use turncoat_players::Spec;
    ///
    /// let spec: Spec = "turncoat:level=3".parse().unwrap();
    /// assert_eq!(spec.or_option("hash", 8).unwrap().to_string(), "turncoat:level=3,hash=8");
    /// assert_eq!(spec.or_option("level", 8).unwrap(), spec);
    /// ```
    ///
    /// # Errors
    /// If the rest is no list of `key=value`.
    pub fn or_option(&self, key: &str, value: impl fmt::Display) -> Result<Self, SpecError> {
        let mut more = self.clone();
        if self.options()?.take::<String>(key)?.is_none() {
            let joint = if self.rest().is_some() { ',' } else { ':' };
            more.text = format!("{}{joint}{key}={value}", self.text);
        }
        Ok(more)
    }

    /// The options of a built-in player.
    ///
    /// # Errors
    /// If the rest is no list of `key=value`, or a key comes twice.
    pub fn options(&self) -> Result<Options, SpecError> {
        let mut options: Vec<(String, String)> = Vec::new();
        let fault = |fault: String| SpecError { spec: self.text.clone(), fault };
        for pair in self.rest().into_iter().flat_map(|rest| rest.split(',')) {
            let (key, value) =
                pair.split_once('=').ok_or_else(|| fault(format!("{pair:?} is no option: write key=value")))?;
            let (key, value) = (key.trim().to_owned(), value.trim().to_owned());
            if options.iter().any(|(known, _)| *known == key) {
                return Err(fault(format!("option {key:?} is given twice")));
            }
            options.push((key, value));
        }
        Ok(Options { spec: self.text.clone(), given: options, files: self.files.clone(), parameters: None })
    }

    /// The files that were read for it, by their paths.
    pub fn files(&self) -> &[(String, String)] {
        &self.files
    }

    /// The same with a file that was read before, and need not be there any more.
    #[must_use]
    pub fn with_file(mut self, path: String, text: String) -> Self {
        self.files.push((path, text));
        self
    }

    /// The same with the file of its parameters read now, if it names one: whatever is built of it from now
    /// on is the same, also when the file is changed meanwhile.
    ///
    /// # Errors
    /// If the file cannot be read, or the options are none.
    pub fn with_files(&self) -> Result<Self, SpecError> {
        let mut options = self.options()?;
        let mut read = self.clone();
        if let Some(path) = options.take::<String>("weights")? {
            let text = options.file("weights", &path)?;
            read.files.push((path, text));
        }
        Ok(read)
    }
}

impl FromStr for Spec {
    type Err = SpecError;
    fn from_str(text: &str) -> Result<Self, SpecError> {
        let fault = |fault: &str| SpecError { spec: text.chars().take(80).collect(), fault: fault.to_owned() };
        if text.len() > 4096 {
            return Err(fault("a player is described in at most 4096 bytes"));
        }
        let text = text.trim();
        let name_length = text.find(':').unwrap_or(text.len());
        if name_length == 0 {
            return Err(fault("the name of the player is missing"));
        }
        Ok(Self { text: text.to_owned(), name_length, files: Vec::new() })
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The options of a player, taken one by one while it is built; what is left over is unknown.
#[derive(Debug, Clone)]
pub struct Options {
    spec: String,
    given: Vec<(String, String)>,
    files: Vec<(String, String)>,
    /// Parameters that take the place of those of a file or the published ones.
    parameters: Option<Parameters>,
}

/// The largest file of parameters that is read.
const LARGEST_FILE: u64 = 1 << 20;

impl Options {
    /// Takes an option out, read as `T`.
    ///
    /// # Errors
    /// If it is there but cannot be read.
    pub fn take<T>(&mut self, key: &str) -> Result<Option<T>, SpecError>
    where
        T: FromStr<Err: fmt::Display>,
    {
        let Some(index) = self.given.iter().position(|(known, _)| known == key) else {
            return Ok(None);
        };
        let (_, value) = self.given.remove(index);
        let read = value.parse().map_err(|error| self.fault(format!("{key}={value}: {error}")))?;
        Ok(Some(read))
    }

    /// The same with these parameters in place of a file's or the published ones.
    #[must_use]
    pub(crate) fn with_parameters(mut self, parameters: &Parameters) -> Self {
        self.parameters = Some(parameters.clone());
        self
    }

    /// The parameters that were given in memory, if there are any.
    pub(crate) fn given_parameters(&self) -> Option<Parameters> {
        self.parameters.clone()
    }

    /// The contents of a file that an option names, as they were read before or are now.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn file(&self, key: &str, path: &str) -> Result<String, SpecError> {
        if let Some((_, text)) = self.files.iter().find(|(known, _)| known == path) {
            return Ok(text.clone());
        }
        let fault = |reason: String| self.fault(format!("{key}={path}: {reason}"));
        let bytes = read_file(path, LARGEST_FILE).map_err(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => fault("a file of parameters has at most 1 MiB".to_owned()),
            _ => fault(error.to_string()),
        })?;
        String::from_utf8(bytes).map(without_bom).map_err(|_| fault("it is not text".to_owned()))
    }

    /// Refuses two options that exclude each other.
    ///
    /// # Errors
    /// If both are given.
    pub fn refuse_both(&self, one: &str, other: &str) -> Result<(), SpecError> {
        let given = |key: &str| self.given.iter().any(|(known, _)| known == key);
        if given(one) && given(other) {
            return Err(self.fault(format!("{one} and {other} exclude each other")));
        }
        Ok(())
    }

    /// A fault of these options.
    pub fn fault(&self, fault: String) -> SpecError {
        SpecError { spec: self.spec.clone(), fault }
    }

    /// Ends the taking: nothing may be left.
    ///
    /// # Errors
    /// If an option was not taken; `known` are named as help.
    pub fn finish(self, known: &[&str]) -> Result<(), SpecError> {
        let Some((key, _)) = self.given.first() else {
            return Ok(());
        };
        let known = if known.is_empty() { "it has none".to_owned() } else { format!("it has {}", known.join(", ")) };
        Err(self.fault(format!("no option is called {key:?}: {known}")))
    }
}

/// What is wrong with the description of a player.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{spec:?}: {fault}")]
pub struct SpecError {
    /// The description.
    pub spec: String,
    /// The fault.
    pub fault: String,
}
