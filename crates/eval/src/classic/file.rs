//! Parameters of a classic evaluation as a TOML file:
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
//!
//! In place of `last_discs` there may be `knots`, disc counts at which the stages hold exactly; between two
//! of them the weights are interpolated. A table `[white]` with groups and stages of its own gives white
//! other weights than black.

use std::fmt::Write as _;

use toml::{Table, Value};

use super::FileError;
use super::parameters::{ColorWeights, Group, Parameters, Schema, StageCourse};

/// What stands in a message is cut to this many characters.
const SHOWN: usize = 60;

pub(super) fn cut(text: &str) -> String {
    text.chars().take(SHOWN).collect()
}

impl Schema {
    /// Writes parameters as a file.
    pub fn write(&self, parameters: &Parameters) -> String {
        let mut text = format!("player = \"{}\"\nvariant = \"{}\"\n", self.player, self.variant);
        // Writing to a string cannot fail.
        match &parameters.course {
            StageCourse::LastDiscs(_) if self.most_stages > 1 => {
                text.push_str("# The last number of discs of every stage but the last one.\n");
            }
            StageCourse::LastDiscs(_) => {}
            StageCourse::Knots(_) => {
                text.push_str("# The number of discs at which each stage holds; weights between are interpolated.\n");
            }
        }
        let _ = match &parameters.course {
            StageCourse::LastDiscs(last) => writeln!(text, "last_discs = {last:?}"),
            StageCourse::Knots(knots) => writeln!(text, "knots = {knots:?}"),
        };
        write_groups(&mut text, &self.shared, &parameters.shared);
        self.write_stages(&mut text, &parameters.stages, "stage");
        if let Some(white) = &parameters.white {
            text.push_str("\n# What white plays with; the above is black's.\n[white]\n");
            write_groups(&mut text, &self.shared, &white.shared);
            self.write_stages(&mut text, &white.stages, "white.stage");
        }
        text
    }

    fn write_stages(&self, text: &mut String, stages: &[Vec<f64>], name: &str) {
        for stage in stages.iter().filter(|_| !self.staged.is_empty()) {
            let _ = writeln!(text, "\n[[{name}]]");
            write_groups(text, &self.staged, stage);
        }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not TOML, belongs to another player or game, or something in it is missing, unknown, of
    /// another count or out of range.
    pub fn read(&self, text: &str) -> Result<Parameters, FileError> {
        let mut table = read_table(text)?;
        let mut word = |key: &str| match table.remove(key) {
            Some(Value::String(word)) => Ok(word),
            _ => Err(FileError::Missing { place: "the file".to_owned(), key: key.to_owned() }),
        };
        let (player, variant) = (word("player")?, word("variant")?);
        if player != self.player {
            return Err(FileError::OtherPlayer { found: cut(&player), expected: self.player });
        }
        if variant != self.variant.name() {
            return Err(FileError::OtherVariant { found: cut(&variant), expected: self.variant.name() });
        }
        let course = read_course(&mut table)?;
        let white = match table.remove("white") {
            None => None,
            Some(Value::Table(white)) => Some(self.read_weights(white, &course, "[white]")?),
            Some(_) => return Err(missing("the file", "[white]")),
        };
        let ColorWeights { shared, stages } = self.read_weights(table, &course, "the file")?;
        Ok(Parameters { course, shared, stages, white })
    }

    /// The groups and stages of one colour.
    fn read_weights(&self, mut table: Table, course: &StageCourse, place: &str) -> Result<ColorWeights, FileError> {
        let stages = match table.remove("stage") {
            Some(Value::Array(stages)) => stages,
            // Stages without weights need not be written.
            None if self.staged.is_empty() => vec![Value::Table(Table::new()); course.stages()],
            None => Vec::new(),
            Some(_) => return Err(missing(place, "[[stage]]")),
        };
        if stages.len() != course.stages() || stages.len() > self.most_stages {
            let (found, most) = (stages.len(), self.most_stages);
            return Err(match course {
                StageCourse::LastDiscs(last) => FileError::StageCount { found, thresholds: last.len(), most },
                StageCourse::Knots(knots) => FileError::KnotCount { found, knots: knots.len(), most },
            });
        }
        let of_white = if place == "[white]" { "white, " } else { "" };
        let shared = read_groups(table, &self.shared, place)?;
        let read_stage = |(index, stage)| {
            let place = format!("{of_white}stage {}", index + 1);
            match stage {
                Value::Table(stage) => read_groups(stage, &self.staged, &place),
                _ => Err(missing(&place, "a table")),
            }
        };
        let stages = stages.into_iter().enumerate().map(read_stage).collect::<Result<_, _>>()?;
        Ok(ColorWeights { shared, stages })
    }
}

fn missing(place: &str, key: &str) -> FileError {
    FileError::Missing { place: place.to_owned(), key: key.to_owned() }
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

/// A file as TOML, or what is wrong with it and in which line.
pub(super) fn read_table(text: &str) -> Result<Table, FileError> {
    toml::from_str(text).map_err(|error: toml::de::Error| {
        let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
        FileError::Toml { line: before.matches('\n').count() + 1, fault: error.message().chars().take(200).collect() }
    })
}

/// The shortest text that reads back as the same number.
fn format_number(number: f64) -> String {
    if number.fract() == 0.0 { format!("{number:.0}") } else { format!("{number}") }
}

fn read_groups(mut table: Table, groups: &[Group], place: &str) -> Result<Vec<f64>, FileError> {
    let mut numbers = Vec::new();
    for group in groups {
        let missing = || FileError::Missing { place: place.to_owned(), key: group.name.to_owned() };
        let value = table.remove(group.name).ok_or_else(missing)?;
        let list = match value {
            Value::Array(list) => list,
            single => vec![single],
        };
        if list.len() != group.count {
            let (found, expected) = (list.len(), group.count);
            return Err(FileError::Count { place: place.to_owned(), key: group.name, found, expected });
        }
        for value in list {
            numbers.push(read_number(&value, group, place)?);
        }
    }
    match table.keys().next() {
        None => Ok(numbers),
        Some(key) => Err(FileError::Unknown { place: place.to_owned(), key: cut(key) }),
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

fn read_course(table: &mut Table) -> Result<StageCourse, FileError> {
    let (last_discs, knots) = (table.remove("last_discs"), table.remove("knots"));
    match (last_discs, knots) {
        (last_discs, None) => {
            let list = last_discs.unwrap_or(Value::Array(Vec::new()));
            let counts = read_counts(&list, 63).ok_or(FileError::LastDiscs)?;
            Ok(StageCourse::LastDiscs(counts))
        }
        (None, Some(list)) => {
            let counts = read_counts(&list, 64).filter(|counts| !counts.is_empty());
            Ok(StageCourse::Knots(counts.ok_or(FileError::Knots)?))
        }
        (Some(_), Some(_)) => Err(FileError::Knots),
    }
}

/// Rising disc counts from 4 to the most.
fn read_counts(list: &Value, most: i64) -> Option<Vec<u32>> {
    let mut counts: Vec<u32> = Vec::new();
    for value in list.as_array()? {
        let count = value.as_integer().filter(|count| (4..=most).contains(count))?;
        let count = count as u32;
        if counts.last().is_some_and(|&before| before >= count) {
            return None;
        }
        counts.push(count);
    }
    Some(counts)
}
