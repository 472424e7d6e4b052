//! The course's Python class `AI` over a pipe: what is said to the program that hosts it, what it says, and what
//! the course's usability test thinks of a candidate list.
//!
//! One JSON object a line. Black is -1, white 1, empty 0; boards are rows from the top.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;
use turncoat_board::{Color, Geometry, Position, Square};

use crate::shown;

/// A list longer than this is refused.
pub const LONGEST_LIST: usize = 1000;

/// A command to the program that runs the class.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Make an `AI` for a new game.
    Begin {
        /// Squares a side.
        size: u8,
        /// -1 for black, 1 for white.
        color: i8,
        /// Seconds for a move, as the class is told.
        time_out: f64,
    },
    /// Call `go` with this board.
    Go {
        /// Rows of -1, 0 and 1.
        board: Vec<Vec<i8>>,
    },
    /// Interrupt `go`: its time is up.
    Stop {},
}

impl Order {
    /// The order to make an `AI`.
    pub fn begin(geometry: Geometry, color: Color, time_out: f64) -> Self {
        Self::Begin { size: geometry.side(), color: number(Some(color)), time_out }
    }

    /// The order to choose a move.
    pub fn go(position: Position) -> Self {
        Self::Go { board: board(position) }
    }

    /// As a line, without its end.
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A board in the course's numbers.
pub fn board(position: Position) -> Vec<Vec<i8>> {
    let cells: Vec<i8> = position.geometry().cells().map(|square| number(position.at(square))).collect();
    let side = usize::from(position.geometry().side());
    cells.chunks(side).map(<[i8]>::to_vec).collect()
}

const fn number(color: Option<Color>) -> i8 {
    match color {
        Some(Color::Black) => -1,
        Some(Color::White) => 1,
        None => 0,
    }
}

/// What the host of the class says.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Report {
    /// The file is loaded.
    Ready {
        /// The version of Python.
        python: String,
    },
    /// The `AI` is made.
    Begun {},
    /// The candidate list as it stands.
    List {
        /// Its elements as JSON: `[row, column]` for a tuple of two whole numbers, otherwise an object with what
        /// it is. Of a list longer than [`LONGEST_LIST`], the first so many and the last.
        items: Vec<Value>,
        /// How many it has.
        length: usize,
        /// How far it is.
        state: State,
    },
    /// An element was added at the end of the candidate list.
    Add {
        /// As in a list.
        item: Value,
    },
    /// What was interrupted has come to its end: the next order can be obeyed.
    Stopped {},
    /// Something is missing on this machine.
    Missing {
        /// What, and how to get it.
        text: String,
    },
    /// The program failed.
    Failed {
        /// In loading, in making the `AI`, or in `go`.
        stage: String,
        /// What Python says.
        text: String,
    },
}

/// How far a candidate list is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum State {
    /// `go` is still at work.
    SoFar,
    /// `go` has returned.
    Done,
}

impl Report {
    /// Parses a line.
    ///
    /// ```
    /// use turncoat_protocol::course::{Report, State};
    ///
    /// let report = Report::parse(r#"{"list":{"items":[[2,3]],"length":1,"state":"done"}}"#).unwrap();
    /// assert!(matches!(report, Report::List { state: State::Done, .. }));
    /// ```
    ///
    /// # Errors
    /// If it is no report.
    pub fn parse(line: &str) -> Result<Self, CourseError> {
        serde_json::from_str(line).map_err(|error| CourseError { line: shown(line), fault: error.to_string() })
    }
}

/// A line that is no report.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{line:?}: {fault}")]
pub struct CourseError {
    line: String,
    fault: String,
}

/// An element of a candidate list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Candidate {
    /// A tuple of two whole numbers: row and column.
    Tuple(i64, i64),
    /// Two whole numbers in something else, such as a list.
    Loose(i64, i64, String),
    /// Something else.
    Other(String),
}

impl Candidate {
    /// The element of a report.
    pub fn from_json(item: &Value) -> Self {
        let point = |value: &Value| {
            let numbers = value.as_array().filter(|array| array.len() == 2)?;
            Some((numbers[0].as_i64()?, numbers[1].as_i64()?))
        };
        if let Some((row, column)) = point(item) {
            return Self::Tuple(row, column);
        }
        let kind = item.get("kind").and_then(Value::as_str).unwrap_or("something");
        match item.get("point").and_then(point) {
            Some((row, column)) => Self::Loose(row, column, shown(kind)),
            None => Self::Other(shown(kind)),
        }
    }

    /// The square it names on a board of this size, if any.
    pub fn square(&self, geometry: Geometry) -> Option<Square> {
        let (Self::Tuple(row, column) | Self::Loose(row, column, _)) = self else {
            return None;
        };
        geometry.square_at(u8::try_from(*row).ok()?, u8::try_from(*column).ok()?)
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tuple(row, column) => write!(f, "({row}, {column})"),
            Self::Loose(row, column, kind) => write!(f, "[{row}, {column}] ({kind})"),
            Self::Other(kind) => f.write_str(kind),
        }
    }
}

/// A candidate list. Of one that is longer than [`LONGEST_LIST`] only the first elements and the last are kept.
///
/// ```
/// use turncoat_protocol::course::{Candidate, CandidateList};
///
/// let mut list: CandidateList = (0..5000).map(|_| Candidate::Tuple(2, 3)).collect();
/// list.push(Candidate::Tuple(4, 5));
/// assert_eq!((list.len(), list.items().len()), (5001, 1001));
/// assert_eq!(list.items().last(), Some(&Candidate::Tuple(4, 5)));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CandidateList {
    items: Vec<Candidate>,
    length: usize,
}

impl CandidateList {
    /// The list of a report: its elements, and how many it has.
    pub fn from_json(items: &[Value], length: usize) -> Self {
        let mut list: Self = items.iter().map(Candidate::from_json).collect();
        list.length = length.max(list.length);
        list
    }

    /// Adds an element at the end.
    pub fn push(&mut self, candidate: Candidate) {
        if self.items.len() > LONGEST_LIST {
            self.items.pop();
        }
        self.items.push(candidate);
        self.length = self.length.saturating_add(1);
    }

    /// The elements that were kept; the last is the list's.
    pub fn items(&self) -> &[Candidate] {
        &self.items
    }

    /// How many elements it has.
    pub const fn len(&self) -> usize {
        self.length
    }

    /// Whether it has none.
    pub const fn is_empty(&self) -> bool {
        self.items.is_empty()
    }
}

impl FromIterator<Candidate> for CandidateList {
    fn from_iter<I: IntoIterator<Item = Candidate>>(candidates: I) -> Self {
        let mut list = Self::default();
        candidates.into_iter().for_each(|candidate| list.push(candidate));
        list
    }
}

/// The move of a candidate list: its last element, if that is a legal one.
///
/// # Errors
/// What came instead.
pub fn decision(list: &CandidateList, position: Position) -> Result<Square, String> {
    let Some(last) = list.items.last() else {
        return Err("the list is empty, and there are legal moves".to_owned());
    };
    let square = last.square(position.geometry());
    square
        .filter(|&square| position.legal_moves().contains(square))
        .ok_or_else(|| format!("the last element of the list is {last}, which is not a legal move"))
}

/// What is wrong with a candidate list, by the course's usability test.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Complaint {
    /// It is far too long.
    #[error("the list has {length} elements, and at most {LONGEST_LIST} are allowed")]
    TooLong {
        /// How many.
        length: usize,
    },
    /// An element is no tuple.
    #[error("element {place} is {found}, and tuples of two whole numbers are expected")]
    NoTuple {
        /// Which one, counted from 1.
        place: usize,
        /// What it is.
        found: String,
    },
    /// Legal moves are missing.
    #[error("legal moves are missing: {0}")]
    Missing(String),
    /// It has moves that are not legal.
    #[error("these moves are not legal: {0}")]
    Illegal(String),
    /// The last element is no legal move.
    #[error("{0}")]
    Last(String),
}

/// Puts a candidate list to the test: tuples, as a set the legal moves, the last one legal, empty without a move.
///
/// ```
/// use turncoat_board::{Geometry, Position};
/// use turncoat_protocol::course::{Candidate, judge};
///
/// let start = Position::start(Geometry::EIGHT);
/// let list = [(2, 3), (3, 2), (4, 5), (5, 4), (2, 3)].map(|(row, column)| Candidate::Tuple(row, column));
/// assert!(judge(&list.clone().into_iter().collect(), start).is_empty());
/// let without = list.into_iter().skip(1).take(3).collect();
/// assert_eq!(judge(&without, start)[0].to_string(), "legal moves are missing: (2, 3)");
/// ```
pub fn judge(list: &CandidateList, position: Position) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    if list.len() > LONGEST_LIST {
        complaints.push(Complaint::TooLong { length: list.len() });
    }
    let items = list.items();
    let odd = items.iter().zip(1..).find(|(candidate, _)| !matches!(candidate, Candidate::Tuple(..)));
    if let Some((candidate, place)) = odd {
        complaints.push(Complaint::NoTuple { place, found: candidate.to_string() });
    }
    let geometry = position.geometry();
    let legal = position.legal_moves();
    let named: BTreeSet<usize> =
        items.iter().filter_map(|candidate| Some(candidate.square(geometry)?.index())).collect();
    let missing: Vec<String> = legal
        .into_iter()
        .filter(|square| !named.contains(&square.index()))
        .map(|square| point(square, geometry))
        .collect();
    if !missing.is_empty() {
        complaints.push(Complaint::Missing(missing.join(", ")));
    }
    let is_legal = |candidate: &&Candidate| candidate.square(geometry).is_some_and(|square| legal.contains(square));
    let illegal: BTreeSet<String> =
        items.iter().filter(|candidate| !is_legal(candidate)).map(ToString::to_string).collect();
    if !illegal.is_empty() {
        let some: Vec<String> = illegal.into_iter().take(8).collect();
        complaints.push(Complaint::Illegal(some.join(", ")));
    }
    if !legal.is_empty()
        && let Err(fault) = decision(list, position)
    {
        complaints.push(Complaint::Last(fault));
    }
    complaints
}

/// A square as the course writes it: `(row, column)`.
pub fn point(square: Square, geometry: Geometry) -> String {
    let margin = geometry.margin();
    format!("({}, {})", square.row() - margin, square.column() - margin)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn orders_are_one_object_a_line() {
        let position = Position::start(Geometry::FOUR);
        assert_eq!(
            Order::begin(Geometry::EIGHT, Color::Black, 5.0).write(),
            r#"{"begin":{"size":8,"color":-1,"time_out":5.0}}"#
        );
        assert_eq!(Order::go(position).write(), r#"{"go":{"board":[[0,0,0,0],[0,1,-1,0],[0,-1,1,0],[0,0,0,0]]}}"#);
        assert_eq!(Order::Stop {}.write(), r#"{"stop":{}}"#);
    }

    #[test]
    fn elements_are_told_apart() {
        assert_eq!(Candidate::from_json(&json!([2, 3])), Candidate::Tuple(2, 3));
        let loose = Candidate::from_json(&json!({"kind": "list", "point": [2, 3]}));
        assert_eq!(loose, Candidate::Loose(2, 3, "list".to_owned()));
        assert_eq!(loose.square(Geometry::EIGHT), Geometry::EIGHT.square("d3"));
        let other = Candidate::from_json(&json!({"kind": "None"}));
        assert_eq!(other.square(Geometry::EIGHT), None);
        assert_eq!(Candidate::Tuple(-1, 3).square(Geometry::EIGHT), None);
        assert_eq!(Candidate::Tuple(0, 4).square(Geometry::FOUR), None);
    }

    #[test]
    fn the_test_says_what_was_expected_and_what_came() {
        let start = Position::start(Geometry::EIGHT);
        let said = |list: &[Candidate]| {
            let list = list.iter().cloned().collect();
            judge(&list, start).iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(
            said(&[]),
            ["legal moves are missing: (2, 3), (3, 2), (4, 5), (5, 4)", "the list is empty, and there are legal moves"]
        );
        let mut list: Vec<_> =
            [(2, 3), (3, 2), (4, 5), (5, 4)].map(|(row, column)| Candidate::Tuple(row, column)).to_vec();
        list.push(Candidate::Tuple(0, 0));
        assert_eq!(
            said(&list),
            ["these moves are not legal: (0, 0)", "the last element of the list is (0, 0), which is not a legal move"]
        );
        list.pop();
        list.insert(0, Candidate::Loose(2, 3, "list".to_owned()));
        assert_eq!(said(&list), ["element 1 is [2, 3] (list), and tuples of two whole numbers are expected"]);
        let long = vec![Candidate::Tuple(2, 3); 5000];
        assert!(said(&long)[0].starts_with("the list has 5000 elements"));
    }
}
