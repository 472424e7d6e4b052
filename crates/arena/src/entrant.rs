//! Who takes part: a name, and how to make the player.

use std::error::Error;
use std::fmt;

use turncoat_players::{BuildError, Player, Setting, Spec, build, seed};

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

    /// A built-in player. Its random numbers depend on the master seed of the setting and on its index
    /// among the players of the run, so that namesakes differ.
    ///
    /// # Errors
    /// If there is no such player, or it does not play this game.
    pub fn built_in(name: impl Into<String>, spec: &Spec, setting: Setting, index: usize) -> Result<Self, BuildError> {
        let setting = Setting { seed: seed::derive(setting.seed, &[purpose::PLAYERS, index as u64]), ..setting };
        // Everyone of this name plays with the same parameters, whatever becomes of their file.
        let spec = spec.with_files()?;
        // A description that cannot be built is found out now, not in the middle of a run.
        build(&spec, setting)?;
        Ok(Self::new(name, move || Ok(build(&spec, setting)?)))
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
    use turncoat_players::export;

    #[test]
    fn parameters_are_read_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("weights.toml");
        fs::write(&path, export(&"gene45".parse().unwrap()).unwrap()).unwrap();
        let spec: Spec = format!("gene45:weights={}", path.display()).parse().unwrap();
        let setting = Setting { variant: VariantKind::Reversed, geometry: Geometry::EIGHT, seed: 1 };
        let entrant = Entrant::built_in("tuned", &spec, setting, 0).unwrap();
        fs::write(&path, "something else").unwrap();
        assert!(entrant.make().is_ok());
        assert!(Entrant::built_in("tuned", &spec, setting, 0).is_err());
    }
}
