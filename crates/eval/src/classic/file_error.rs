//! What can be wrong with a file of parameters.

use thiserror::Error;

/// Why a file of parameters does not fit.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum FileError {
    /// It is not TOML.
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
    /// No feature has this name.
    #[error("{place} has {key:?}, which is no feature: there are {known}")]
    NoFeature {
        /// Where.
        place: String,
        /// The name.
        key: String,
        /// The features that there are.
        known: String,
    },
    /// A feature is weighed twice.
    #[error("{key:?} is weighed twice: it stands either before all stages or in each of them")]
    Twice {
        /// The feature.
        key: &'static str,
    },
    /// Nothing is weighed.
    #[error("the file weighs no feature: there are {known}")]
    NoFeatures {
        /// The features that there are.
        known: String,
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
    #[error("there are {found} stages for {thresholds} thresholds in \"last_discs\": one more is needed, 32 at most")]
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
    /// Knots make no sense.
    #[error("\"knots\" is a list of rising whole numbers from 4 to 64, and stands without \"last_discs\"")]
    Knots,
    /// Knots and stages do not match.
    #[error("there are {found} stages for {knots} \"knots\": each has one, {most} at most")]
    KnotCount {
        /// Stages in the file.
        found: usize,
        /// Knots in the file.
        knots: usize,
        /// How many stages the player may have.
        most: usize,
    },
}
