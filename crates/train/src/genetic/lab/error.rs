//! Why an experiment is refused.

use thiserror::Error;
use turncoat_players::BuildError;

use crate::genetic::genome::GenomeError;
use crate::run_folder::settings::toml_fault;

/// Why an experiment is refused.
#[derive(Debug, Error)]
pub enum LabError {
    /// It is not TOML, has an unknown key, or a value of the wrong type.
    #[error("line {line}: {fault}")]
    File {
        /// Where.
        line: usize,
        /// What.
        fault: String,
    },
    /// A value that makes no sense.
    #[error("{key}: {fault}")]
    Value {
        /// Where.
        key: String,
        /// Why.
        fault: String,
    },
    /// A player that cannot be built.
    #[error("{key}: {source}")]
    Player {
        /// Where.
        key: String,
        /// Why.
        source: BuildError,
    },
    /// Genes that make no sense.
    #[error(transparent)]
    Genome(#[from] GenomeError),
    /// A player whose parameters do not fit the genes.
    #[error("genome.seeds: {player}: {source}")]
    Seed {
        /// Which.
        player: String,
        /// Why.
        source: GenomeError,
    },
}

impl LabError {
    /// The fault, without a line of a text that nobody has seen.
    pub(in crate::genetic) fn without_line(&self) -> String {
        match self {
            Self::File { fault, .. } => fault.clone(),
            error => error.to_string(),
        }
    }

    /// A player that cannot be built, and where.
    pub(super) fn player(key: &str) -> impl FnOnce(BuildError) -> Self {
        let key = key.to_owned();
        |source| Self::Player { key, source }
    }
}

/// A value that makes no sense, and where.
pub(in crate::genetic) fn value(key: &str, fault: impl Into<String>) -> LabError {
    LabError::Value { key: key.to_owned(), fault: fault.into() }
}

/// What is wrong with the file, and in which line.
pub(in crate::genetic) fn file_fault(text: &str, error: &toml::de::Error) -> LabError {
    let (line, fault) = toml_fault(text, error);
    LabError::File { line, fault }
}
