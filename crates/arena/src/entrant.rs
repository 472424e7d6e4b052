//! Who takes part: a name, and how to make the player.

use std::error::Error;
use std::fmt;

use turncoat_players::{BuildError, Player, Setting, Spec, seed};

use crate::plan::purpose;

type Made = Result<Box<dyn Player>, Box<dyn Error + Send + Sync>>;

/// A participant. Every thread makes its own player, and a new one after a fault.
pub struct Entrant {
    name: String,
    make: Box<dyn Fn() -> Made + Send + Sync>,
}

impl Entrant {
    /// An entrant whose player is made by this function. That it fails is a fault of the arena's
    /// surroundings, not of the player: the game is not lost.
    pub fn new(name: impl Into<String>, make: impl Fn() -> Made + Send + Sync + 'static) -> Self {
        Self { name: name.into(), make: Box::new(make) }
    }

    /// The entrant at this index among the players of a run. Its random numbers depend on the master seed of the
    /// setting and on the index, so that namesakes differ; a program is told the index alone.
    ///
    /// # Errors
    /// If the player cannot be built for this setting.
    pub fn from_spec(name: impl Into<String>, spec: &Spec, setting: Setting, index: usize) -> Result<Self, BuildError> {
        let index = index as u64;
        let seed = if spec.is_built_in() { seed::derive(setting.seed, &[purpose::PLAYERS, index]) } else { index };
        let setting = Setting { seed, ..setting };
        // A player that cannot be built is found out now, not in the middle of a run.
        spec.build(setting)?;
        let spec = spec.clone();
        Ok(Self::new(name, move || Ok(spec.build(setting)?)))
    }

    /// The name.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn make(&self) -> Made {
        (self.make)()
    }
}

impl fmt::Debug for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entrant").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use turncoat_board::{Geometry, VariantKind};

    #[test]
    fn parameters_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        fs::write(&path, "gene45".parse::<Spec>().unwrap().export().unwrap()).unwrap();
        let text = format!("gene45:weights={}", path.display());
        let spec: Spec = text.parse().unwrap();
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
        let entrant = Entrant::from_spec("tuned", &spec, setting, 0).unwrap();
        fs::write(&path, "something else").unwrap();
        assert!(entrant.make().is_ok());
        assert!(text.parse::<Spec>().unwrap().build(setting).is_err());
    }
}
