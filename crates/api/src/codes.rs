//! Codes of faults, with values, so that a page can word them itself.

use serde::Serialize;
use serde_json::{Map, Value};
use turncoat_board::{IllegalMove, IllegalMoveFault, ParsePositionError, ParsePositionFault, SetupError, VariantKind};
use turncoat_players::{BuildError, Fault, SpecError};
use turncoat_record::chess_log::ChessLogError;
use turncoat_record::diagram::DiagramError;
use turncoat_record::file::TextError;
use turncoat_record::ggf::{GgfError, GgfFault};
use turncoat_record::input::InputError;
use turncoat_record::obf::{FieldFault, ObfError};
use turncoat_record::transcript::TranscriptError;

use crate::analysis::AnalysisError;
use crate::game::GameTextError;

/// What can be wrong with a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the pages' phrases for the codes explain them")]
pub enum Code {
    // The request.
    NotJson,
    NotObject,
    BadField,
    NoHost,
    WrongHost,
    WrongOrigin,
    NoToken,
    WrongToken,
    WrongType,
    WrongMethod,
    NoUpgrade,
    NoAddress,
    BodyLate,
    BodyBroken,
    BodyTooLong,
    TooManyRequests,
    TooManySockets,
    Busy,
    ServerFailed,
    // Games that are kept.
    GameNumber,
    NoGame,
    GameChanged,
    NameTooLong,
    // Runs of the lab.
    NoLab,
    NoRun,
    // Contests between programs.
    NoArena,
    NoContestant,
    NoContestGame,
    NoMatches,
    BadMatch,
    MatchRunning,
    // Players and their searches.
    UnknownPlayer,
    PlayerText,
    PlayerOption,
    PlayerVariant,
    PlayerSize,
    PlayerFailed,
    SearchFailed,
    CannotAnalyse,
    CannotExplain,
    NothingToChoose,
    NothingToAnalyse,
    // Games and positions.
    UnknownVariant,
    UnknownSize,
    NoText,
    UnknownForm,
    ManyGames,
    FewCells,
    ManyCells,
    NoCell,
    NoSide,
    BadSide,
    Trailing,
    NoDiscs,
    TwoDiscs,
    OffBoard,
    RowWidth,
    BoardSize,
    RowNumber,
    NoRow,
    TwoSides,
    ScoreForm,
    ScoreMove,
    ScoreIllegal,
    ScoreNumber,
    ScoreRange,
    ScoreTwice,
    GgfGame,
    GgfProperty,
    GgfBracket,
    GgfOtherGame,
    GgfType,
    GgfSize,
    GgfMove,
    GgfTurn,
    LogTooLong,
    LogForm,
    LogSize,
    LogBoard,
    LogMove,
    NoMove,
    GameOver,
    MayNotPass,
    MustPass,
    Occupied,
    FlipsNothing,
}

/// The values of a code.
pub type Params = Map<String, Value>;

/// An error that has a code.
pub trait Coded {
    /// The code, and the values that belong to it.
    fn coded(&self) -> (Code, Params);
}

/// A code with its values.
macro_rules! coded {
    ($code:ident $(, $key:literal: $value:expr)* $(,)?) => {{
        #[allow(unused_mut, reason = "some codes have no values")]
        let mut params = Params::new();
        $(params.insert($key.to_owned(), Value::from($value));)*
        (Code::$code, params)
    }};
}

/// The same with the place of the fault.
fn placed((code, mut params): (Code, Params), key: &str, value: impl Into<Value>) -> (Code, Params) {
    params.insert(key.to_owned(), value.into());
    (code, params)
}

impl Coded for GameTextError {
    fn coded(&self) -> (Code, Params) {
        match self {
            Self::Variant(unknown) => coded!(UnknownVariant, "name": unknown.0.as_str()),
            Self::Size(unknown) => coded!(UnknownSize, "squares": unknown.0),
            Self::Input(error) => error.coded(),
            Self::Moves(error) => placed(error.coded(), "format", "transcript"),
        }
    }
}

impl Coded for InputError {
    fn coded(&self) -> (Code, Params) {
        let (inner, format): (&dyn Coded, _) = match self {
            Self::Empty => return coded!(NoText),
            Self::Unknown { found } => return coded!(UnknownForm, "found": found.as_str()),
            Self::Many { count } => return coded!(ManyGames, "count": *count),
            Self::Diagram(error) => (error, "diagram"),
            Self::Game(TextError::Ggf(error)) => (error, "ggf"),
            Self::Game(TextError::ChessLog(error)) => (error, "log"),
            Self::Position(error) => (error, "position"),
            Self::Obf(error) => (error, "obf"),
            Self::Transcript(error) => (error, "transcript"),
        };
        placed(inner.coded(), "format", format)
    }
}

impl Coded for ParsePositionError {
    fn coded(&self) -> (Code, Params) {
        let coded = match &self.fault {
            ParsePositionFault::Invalid(error) => return error.coded(),
            ParsePositionFault::TooShort { cells, expected } => {
                coded!(FewCells, "cells": *cells, "expected": *expected)
            }
            ParsePositionFault::TooLong { expected } => coded!(ManyCells, "expected": *expected),
            ParsePositionFault::BadCell { found, square } => {
                coded!(NoCell, "found": found.to_string(), "square": square.as_str())
            }
            ParsePositionFault::NoSide => coded!(NoSide),
            ParsePositionFault::BadSide { found } => coded!(BadSide, "found": found.to_string()),
            ParsePositionFault::Trailing { found } => coded!(Trailing, "found": found.to_string()),
        };
        placed(coded, "character", self.place + 1)
    }
}

impl Coded for SetupError {
    fn coded(&self) -> (Code, Params) {
        match self {
            Self::NoDiscs => coded!(NoDiscs),
            Self::TwoDiscs { square } => coded!(TwoDiscs, "square": square.as_str()),
            Self::OffBoard { square_of_word, .. } => {
                coded!(OffBoard, "square": square_of_word.as_str())
            }
        }
    }
}

impl Coded for DiagramError {
    fn coded(&self) -> (Code, Params) {
        match self {
            Self::BadCell { line, found } => {
                coded!(NoCell, "line": *line, "found": found.to_string())
            }
            Self::Width { line, cells, expected } => {
                coded!(RowWidth, "line": *line, "cells": *cells, "expected": *expected)
            }
            Self::Rows { rows, width } => coded!(BoardSize, "rows": *rows, "width": *width),
            Self::RowNumber { line, found, expected } => {
                coded!(RowNumber, "line": *line, "found": *found, "expected": *expected)
            }
            Self::NoRow { line, found } => coded!(NoRow, "line": *line, "found": found.as_str()),
            Self::TwoSides { line } => coded!(TwoSides, "line": *line),
            Self::Setup(error) => error.coded(),
        }
    }
}

impl Coded for ObfError {
    fn coded(&self) -> (Code, Params) {
        let (place, field, fault) = match self {
            Self::Position(error) => return error.coded(),
            Self::Field { place, field, fault } => (*place, field.as_str(), fault),
        };
        let coded = match fault {
            FieldFault::NoColon => coded!(ScoreForm),
            FieldFault::NoMove => coded!(ScoreMove),
            FieldFault::Illegal => coded!(ScoreIllegal),
            FieldFault::NoScore => coded!(ScoreNumber),
            FieldFault::ScoreOutOfRange { area } => coded!(ScoreRange, "squares": *area),
            FieldFault::Twice => coded!(ScoreTwice),
        };
        placed(placed(coded, "field", field), "character", place)
    }
}

impl Coded for GgfError {
    fn coded(&self) -> (Code, Params) {
        let coded = match &self.fault {
            GgfFault::NoGame => coded!(GgfGame),
            GgfFault::NoProperty => coded!(GgfProperty),
            GgfFault::NoBracket => coded!(GgfBracket),
            GgfFault::OtherGame => coded!(GgfOtherGame),
            GgfFault::BadType => coded!(GgfType),
            GgfFault::BadSize => coded!(GgfSize),
            GgfFault::Board(error) => error.coded(),
            GgfFault::NoMove => coded!(GgfMove),
            GgfFault::OtherSide { color } => coded!(GgfTurn, "side": color.to_string()),
            GgfFault::Illegal(error) => error.coded(),
        };
        placed(coded, "character", self.place)
    }
}

impl Coded for ChessLogError {
    fn coded(&self) -> (Code, Params) {
        match self {
            Self::TooLong => coded!(LogTooLong),
            Self::NotBoards { line, column } => coded!(LogForm, "line": *line, "column": *column),
            Self::Size { side } => coded!(LogSize, "rows": *side),
            Self::NotABoard { number } => coded!(LogBoard, "board": *number),
            Self::DoesNotFollow { number } => coded!(LogMove, "board": *number),
        }
    }
}

impl Coded for TranscriptError {
    fn coded(&self) -> (Code, Params) {
        let (coded, place, number) = match self {
            Self::NoMove { place, number, found, geometry } => {
                let coded = coded!(NoMove, "found": found.as_str(), "size": geometry.side());
                (coded, *place, *number)
            }
            Self::Illegal { place, number, source } => (source.coded(), *place, *number),
        };
        placed(placed(coded, "character", place), "move", number)
    }
}

impl Coded for IllegalMove {
    fn coded(&self) -> (Code, Params) {
        let (played, side) = (self.label.as_str(), self.side.to_string());
        match self.fault {
            IllegalMoveFault::GameOver => coded!(GameOver, "played": played),
            IllegalMoveFault::MovesExist => coded!(MayNotPass, "side": side),
            IllegalMoveFault::MustPass => coded!(MustPass, "played": played, "side": side),
            IllegalMoveFault::Occupied(color) => {
                coded!(Occupied, "played": played, "color": color.to_string())
            }
            IllegalMoveFault::FlipsNothing => coded!(FlipsNothing, "played": played, "side": side),
        }
    }
}

impl Coded for SpecError {
    fn coded(&self) -> (Code, Params) {
        coded!(PlayerText, "player": self.spec.as_str())
    }
}

impl Coded for BuildError {
    fn coded(&self) -> (Code, Params) {
        match self {
            Self::Forbidden { key } => coded!(PlayerOption, "option": key.as_str()),
            Self::Spec(error) => error.coded(),
            Self::Unknown { name } => coded!(UnknownPlayer, "player": name.as_str()),
            Self::Variant { name, variant } => {
                let kind = VariantKind::BOTH.into_iter().find(|kind| kind.title() == *variant);
                coded!(PlayerVariant, "player": *name, "variant": kind.map(VariantKind::name))
            }
            Self::Size { name, geometry } => coded!(PlayerSize, "player": *name, "size": geometry.side()),
            other => coded!(PlayerText, "player": other.to_string()),
        }
    }
}

impl Coded for AnalysisError {
    fn coded(&self) -> (Code, Params) {
        match self {
            Self::CannotAnalyse => coded!(CannotAnalyse),
            Self::NothingToAnalyse => coded!(NothingToAnalyse),
        }
    }
}

impl Coded for Fault {
    fn coded(&self) -> (Code, Params) {
        coded!(PlayerFailed)
    }
}
