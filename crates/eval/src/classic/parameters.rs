//! Parameters of a classic evaluation as data: written to a file, edited, read again, evolved.
//!
//! A [`Schema`] says what an evaluation has: groups of numbers that all stages share and groups that every
//! stage has of its own. A file is TOML:
//!
//! ```toml
//! player = "nine-weights"
//! variant = "reversed"
//! last_discs = [33]       # the last disc count of every stage but the last
//! board_weight = 2.22
//! # …
//! [[stage]]
//! mobility = 2.51
//! # …
//! ```

use std::fmt::Write as _;

use thiserror::Error;
use toml::{Table, Value};
use turncoat_board::VariantKind;

use super::features::CLASSES;

/// Weights beyond this would cost sums their exactness, and make no sense.
const LARGEST: f64 = 1e6;
/// As many stages as the players with stages may have.
pub(super) const MOST_STAGES: usize = 32;
/// What stands in a message is cut to this many characters.
const SHOWN: usize = 60;

fn cut(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

/// A group of numbers of one name.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Its name in files.
    pub name: &'static str,
    /// How many numbers it has; one is written alone, more as a list.
    pub count: usize,
    /// What they mean, in a few words for whoever edits a file.
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
    fn holds(self, number: f64) -> bool {
        match self {
            Self::Weight => number.abs() <= LARGEST,
            Self::Plies => (1.0..=60.0).contains(&number) && number.fract() == 0.0,
        }
    }

    const fn words(self) -> &'static str {
        match self {
            Self::Weight => "a number from -1000000 to 1000000",
            Self::Plies => "a whole number from 1 to 60",
        }
    }
}

impl Group {
    /// A group of weights.
    pub const fn weights(name: &'static str, count: usize, about: &'static str) -> Self {
        Self {
            name,
            count,
            about,
            range: Range::Weight,
        }
    }

    /// A table of weights by classes of symmetric squares.
    pub const fn table(name: &'static str, about: &'static str) -> Self {
        Self::weights(name, CLASSES, about)
    }
}

/// What parameters an evaluation has.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// The player they belong to.
    pub player: &'static str,
    /// The game it plays.
    pub variant: VariantKind,
    /// Groups that all stages share.
    pub shared: &'static [Group],
    /// Groups that every stage has of its own.
    pub staged: &'static [Group],
    /// How many stages there may be.
    pub most_stages: usize,
}

/// Numbers that fit a schema, in its order.
#[derive(Debug, Clone, PartialEq)]
pub struct Parameters {
    /// The last disc count of every stage but the last, in rising order.
    pub last_discs: Vec<u32>,
    /// The shared groups, one after the other.
    pub shared: Vec<f64>,
    /// For each stage its groups, one after the other.
    pub stages: Vec<Vec<f64>>,
}

fn total(groups: &[Group]) -> usize {
    groups.iter().map(|group| group.count).sum()
}

impl Schema {
    /// Writes parameters as a file.
    pub fn write(&self, parameters: &Parameters) -> String {
        let mut text = format!(
            "player = \"{}\"\nvariant = \"{}\"\n",
            self.player, self.variant
        );
        // Writing to a string cannot fail.
        if self.most_stages > 1 {
            text.push_str("# The last number of discs of every stage but the last one.\n");
        }
        let _ = writeln!(text, "last_discs = {:?}", parameters.last_discs);
        write_groups(&mut text, self.shared, &parameters.shared);
        for stage in &parameters.stages {
            text.push_str("\n[[stage]]\n");
            write_groups(&mut text, self.staged, stage);
        }
        text
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is no TOML, belongs to another player or game, or something in it is missing, unknown, of
    /// another count or out of range.
    pub fn read(&self, text: &str) -> Result<Parameters, FileError> {
        let mut table: Table = toml::from_str(text).map_err(|error| toml_fault(text, &error))?;
        let mut word = |key: &str| match table.remove(key) {
            Some(Value::String(word)) => Ok(word),
            _ => Err(FileError::Missing {
                place: "the file".to_owned(),
                key: key.to_owned(),
            }),
        };
        let (player, variant) = (word("player")?, word("variant")?);
        if player != self.player {
            return Err(FileError::OtherPlayer {
                found: cut(&player),
                expected: self.player,
            });
        }
        if variant != self.variant.name() {
            return Err(FileError::OtherVariant {
                found: cut(&variant),
                expected: self.variant.name(),
            });
        }
        let last_discs = read_last_discs(table.remove("last_discs"))?;
        let stages = match table.remove("stage") {
            Some(Value::Array(stages)) => stages,
            None => Vec::new(),
            Some(_) => {
                return Err(FileError::Missing {
                    place: "the file".to_owned(),
                    key: "[[stage]]".to_owned(),
                });
            }
        };
        if stages.len() != last_discs.len() + 1 || stages.len() > self.most_stages {
            return Err(FileError::StageCount {
                found: stages.len(),
                thresholds: last_discs.len(),
                most: self.most_stages,
            });
        }
        let shared = read_groups(table, self.shared, "the file")?;
        let read_stage = |(index, stage)| match stage {
            Value::Table(stage) => read_groups(stage, self.staged, &format!("stage {}", index + 1)),
            _ => Err(FileError::Missing {
                place: format!("stage {}", index + 1),
                key: "a table".to_owned(),
            }),
        };
        let stages = stages
            .into_iter()
            .enumerate()
            .map(read_stage)
            .collect::<Result<_, _>>()?;
        Ok(Parameters {
            last_discs,
            shared,
            stages,
        })
    }

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
        collect(self.shared, &parameters.shared, "");
        for (index, stage) in parameters.stages.iter().enumerate() {
            collect(self.staged, stage, &format!(", stage {}", index + 1));
        }
        tables
    }

    /// Whether parameters have the right counts.
    pub fn fits(&self, parameters: &Parameters) -> bool {
        parameters.shared.len() == total(self.shared)
            && parameters.stages.len() == parameters.last_discs.len() + 1
            && parameters.stages.len() <= self.most_stages
            && parameters
                .stages
                .iter()
                .all(|stage| stage.len() == total(self.staged))
    }
}

fn write_groups(text: &mut String, groups: &[Group], numbers: &[f64]) {
    let mut rest = numbers;
    for group in groups {
        let (own, after) = rest.split_at(group.count);
        rest = after;
        let list: Vec<String> = own.iter().map(|number| format_number(*number)).collect();
        if !group.about.is_empty() {
            let _ = writeln!(text, "# {}", group.about);
        }
        let _ = match group.count {
            1 => writeln!(text, "{} = {}", group.name, list[0]),
            _ => writeln!(text, "{} = [{}]", group.name, list.join(", ")),
        };
    }
}

/// What is wrong with a file that is no TOML, and in which line.
fn toml_fault(text: &str, error: &toml::de::Error) -> FileError {
    let before = error
        .span()
        .and_then(|span| text.get(..span.start))
        .unwrap_or_default();
    FileError::Toml {
        line: before.matches('\n').count() + 1,
        fault: error.message().chars().take(200).collect(),
    }
}

/// The shortest text that reads back as the same number.
fn format_number(number: f64) -> String {
    if number.fract() == 0.0 {
        format!("{number:.0}")
    } else {
        format!("{number}")
    }
}

fn read_groups(mut table: Table, groups: &[Group], place: &str) -> Result<Vec<f64>, FileError> {
    let mut numbers = Vec::new();
    for group in groups {
        let missing = || FileError::Missing {
            place: place.to_owned(),
            key: group.name.to_owned(),
        };
        let value = table.remove(group.name).ok_or_else(missing)?;
        let list = match value {
            Value::Array(list) => list,
            single => vec![single],
        };
        if list.len() != group.count {
            let (found, expected) = (list.len(), group.count);
            return Err(FileError::Count {
                place: place.to_owned(),
                key: group.name,
                found,
                expected,
            });
        }
        for value in list {
            numbers.push(read_number(&value, group, place)?);
        }
    }
    match table.keys().next() {
        None => Ok(numbers),
        Some(key) => Err(FileError::Unknown {
            place: place.to_owned(),
            key: cut(key),
        }),
    }
}

fn read_number(value: &Value, group: &Group, place: &str) -> Result<f64, FileError> {
    let number = match value {
        Value::Integer(integer) => *integer as f64,
        Value::Float(float) => *float,
        _ => f64::NAN,
    };
    if group.range.holds(number) {
        return Ok(number);
    }
    Err(FileError::Range {
        place: place.to_owned(),
        key: group.name,
        found: cut(&value.to_string()),
        expected: group.range.words(),
    })
}

fn read_last_discs(value: Option<Value>) -> Result<Vec<u32>, FileError> {
    let list = match value {
        None => return Ok(Vec::new()),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(FileError::LastDiscs),
    };
    let mut counts: Vec<u32> = Vec::new();
    for value in list {
        let count = value
            .as_integer()
            .filter(|count| (4..64).contains(count))
            .ok_or(FileError::LastDiscs)?;
        let count = count as u32;
        if counts.last().is_some_and(|&before| before >= count) {
            return Err(FileError::LastDiscs);
        }
        counts.push(count);
    }
    Ok(counts)
}

/// Why a file of parameters does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// It is no TOML.
    #[error("line {line}: not TOML: {fault}")]
    Toml {
        /// Where reading stopped.
        line: usize,
        /// Why.
        fault: String,
    },
    /// It belongs to another player.
    #[error("these are parameters of {found:?}, not of {expected:?}")]
    OtherPlayer {
        /// Whose they are.
        found: String,
        /// Whose they should be.
        expected: &'static str,
    },
    /// It belongs to another game.
    #[error("these are parameters for {found:?}, not for {expected:?}")]
    OtherVariant {
        /// The game of the file.
        found: String,
        /// The game of the player.
        expected: &'static str,
    },
    /// Something is missing or of another kind.
    #[error("{place} has no {key:?}")]
    Missing {
        /// Where.
        place: String,
        /// What.
        key: String,
    },
    /// Something does not belong there.
    #[error("{place} has {key:?}, which this player does not know")]
    Unknown {
        /// Where.
        place: String,
        /// What.
        key: String,
    },
    /// A list is too short or too long.
    #[error("{place}: {key:?} has {found} numbers instead of {expected}")]
    Count {
        /// Where.
        place: String,
        /// Which.
        key: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number is too large or none at all.
    #[error("{place}: {key:?} holds {found}, which is not {expected}")]
    Range {
        /// Where.
        place: String,
        /// Which.
        key: &'static str,
        /// What stands there.
        found: String,
        /// What may stand there.
        expected: &'static str,
    },
    /// Thresholds and stages do not match.
    #[error(
        "there are {found} stages for {thresholds} thresholds in \"last_discs\": one more is needed, 32 at most"
    )]
    StageCount {
        /// Stages in the file.
        found: usize,
        /// Thresholds in the file.
        thresholds: usize,
        /// How many stages the player may have.
        most: usize,
    },
    /// Thresholds make no sense.
    #[error("\"last_discs\" is a list of rising whole numbers from 4 to 63")]
    LastDiscs,
}
