//! What can be wrong with genes.

use thiserror::Error;

/// What is wrong with genes.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum GenomeError {
    /// A value does not fit its bits.
    #[error("{gene} is {value}, which does not fit its {bits} bits: they hold whole numbers from {low} to {high}")]
    DoesNotFit {
        /// Which.
        gene: String,
        /// What.
        value: f64,
        /// The bits.
        bits: u32,
        /// The least that fits.
        low: f64,
        /// The most that fits.
        high: f64,
    },
    /// A string of bits holds something else.
    #[error("a string of bits holds {found:?}")]
    NoBit {
        /// What.
        found: char,
    },
    /// A group that the player does not have, or that does not evolve.
    #[error("genome: no group {name:?} evolves: {player} has {known}")]
    UnknownGroup {
        /// The group.
        name: String,
        /// The player.
        player: &'static str,
        /// Those that there are.
        known: String,
    },
    /// A group that is named twice.
    #[error("genome.groups: {name:?} is listed twice")]
    Twice {
        /// The group.
        name: String,
    },
    /// A stage that there is not.
    #[error("genome.group.{name}.stages: there is no stage {stage}: they are 1 to {count}")]
    UnknownStage {
        /// The group.
        name: String,
        /// The stage.
        stage: usize,
        /// How many there are.
        count: usize,
    },
    /// More stages than the player may have.
    #[error("genome: {found} stages are more than the {most} that the player may have")]
    TooManyStages {
        /// How many.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Stages that make no sense.
    #[error(
        "genome: either \"last_discs\" (rising, 4 to 63) or \"knots\" (rising, 4 to 64, at least one) says when stages hold"
    )]
    Stages,
    /// Nothing evolves.
    #[error("genome: nothing evolves")]
    NoGenes,
    /// Bits that make no sense.
    #[error("genome: {name} has 1 to 20 bits")]
    Bits {
        /// The gene.
        name: String,
    },
    /// A number without a beginning.
    #[error("genome: {name} has no \"start\", the range in which it begins")]
    NoStart {
        /// The gene.
        name: String,
    },
    /// A range that makes no sense.
    #[error("genome: {name}: \"start\" and \"bounds\" rise, lie within a million, and the one within the other")]
    Range {
        /// The gene.
        name: String,
    },
    /// Parameters of another player, or of other features.
    #[error("these are parameters of another player or of other features")]
    OtherPlayer,
}
