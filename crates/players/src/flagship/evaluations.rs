//! The evaluations of `turncoat` by name.

use std::sync::{Arc, OnceLock};

use turncoat_board::{Geometry, Reversed, Variant, VariantKind, VariantTask};
use turncoat_eval::classic::Gene45;
use turncoat_eval::network::{Network, read_network};
use turncoat_eval::patterns::{Patterns, Weights, read_weights};
use turncoat_eval::{Calibrated, Evaluation, HandMade};
use turncoat_util::{fnv1a, read_file};
#[cfg(not(target_family = "wasm"))]
use turncoat_weights::{PATTERNS_REVERSED, PATTERNS_REVERSED_6X6, PATTERNS_REVERSI, PATTERNS_REVERSI_6X6};

/// gene45's values in discs, one number for all stages: what makes its spread that of the results.
const GENE45_DISCS: f64 = 0.012;

/// The names of the evaluations.
pub const EVALUATIONS: &str =
    "patterns, gene45, hand, or a file of weights or of a network, FILE.net (its name has a dot or a slash)";
/// How files of networks are named.
pub(super) const NETWORK: &str = ".net";

/// A computation that is generic over the evaluation.
pub trait EvaluationTask {
    /// What it computes.
    type Output;
    /// Computes it with this evaluation.
    fn run<V: Variant, E: Evaluation + 'static>(self, variant: V, evaluation: E) -> Self::Output;
}

/// The evaluation that is used when none is named.
pub fn usual_evaluation(variant: VariantKind, geometry: Geometry) -> &'static str {
    if trained(variant, geometry).is_some() { "patterns" } else { "hand" }
}

/// Runs a computation with the evaluation of this name.
///
/// # Errors
/// If there is none of this name for this game.
pub fn with_evaluation<T: EvaluationTask>(
    name: &str,
    variant: VariantKind,
    geometry: Geometry,
    task: T,
) -> Result<T::Output, String> {
    match (name, variant) {
        ("hand", _) => Ok(variant.run(With { evaluation: HandMade::new(variant, geometry), task })),
        ("gene45", VariantKind::Reversed) => {
            let gene45 = Gene45::new(&Gene45::published(), geometry).ok_or("the parameters do not fit")?;
            let checksum = fnv1a(Gene45::SCHEMA.write(&Gene45::published()).bytes());
            let evaluation = Calibrated::new(gene45, geometry, &[GENE45_DISCS; 65], checksum);
            Ok(task.run(Reversed, evaluation))
        }
        ("patterns", _) => {
            let none = || format!("this program has no weights of patterns for {geometry}");
            let patterns = trained(variant, geometry).ok_or_else(none)?;
            Ok(variant.run(With { evaluation: patterns, task }))
        }
        ("gene45", VariantKind::Reversi) => Err("gene45 evaluates Reversed Reversi alone".to_owned()),
        (path, _) if path.ends_with(NETWORK) => {
            let network = load_network(path, variant)?;
            if geometry != Geometry::EIGHT {
                return Err("networks evaluate the full board alone".to_owned());
            }
            Ok(variant.run(With { evaluation: network, task }))
        }
        (path, _) if path.contains(['/', '.']) => {
            let patterns = Arc::new(Patterns::new(&read_weight_file(path, variant, geometry)?));
            Ok(variant.run(With { evaluation: patterns, task }))
        }
        (other, _) => Err(format!("no evaluation is called {other:?}: it is {EVALUATIONS}")),
    }
}

/// The most bytes of a file of weights or of a network: many times those that come with the program.
pub(crate) const MOST_WEIGHTS: u64 = 64 << 20;

/// The trained weights of a game and size, as they come with the program. On WebAssembly they do not: [`install_weights`].
#[cfg(target_family = "wasm")]
pub fn trained_weights(_variant: VariantKind, _geometry: Geometry) -> Option<Weights> {
    None
}

/// The trained weights of a game and size, as they come with the program.
#[cfg(not(target_family = "wasm"))]
pub fn trained_weights(variant: VariantKind, geometry: Geometry) -> Option<Weights> {
    read_weights(trained_file(variant, geometry)?).ok()
}

/// The file of the trained weights of a game and size, as it comes with the program.
#[cfg(not(target_family = "wasm"))]
pub fn trained_file(variant: VariantKind, geometry: Geometry) -> Option<&'static [u8]> {
    let file: &[u8] = match (variant, geometry) {
        (VariantKind::Reversed, Geometry::EIGHT) => PATTERNS_REVERSED,
        (VariantKind::Reversi, Geometry::EIGHT) => PATTERNS_REVERSI,
        (VariantKind::Reversed, Geometry::SIX) => PATTERNS_REVERSED_6X6,
        (VariantKind::Reversi, Geometry::SIX) => PATTERNS_REVERSI_6X6,
        _ => return None,
    };
    Some(file)
}

/// The trained patterns of a game and size, if there are any; unpacked at their first use.
pub fn trained(variant: VariantKind, geometry: Geometry) -> Option<Arc<Patterns>> {
    let place = unpacked(variant, geometry);
    if let Some(patterns) = place.get() {
        return Some(Arc::clone(patterns));
    }
    let weights = trained_weights(variant, geometry)?;
    Some(Arc::clone(place.get_or_init(|| Arc::new(Patterns::new(&weights)))))
}

/// Takes the trained weights of a game from their file, for a program that comes without them; the first ones stay.
///
/// # Errors
/// If it is no such file, it is damaged, or of the other game.
pub fn install_weights(variant: VariantKind, file: &[u8]) -> Result<(), String> {
    let weights = read_weights(file).map_err(|fault| fault.to_string())?;
    if weights.variant != variant {
        return Err(format!("the weights are for {}", weights.variant));
    }
    unpacked(variant, weights.geometry).get_or_init(|| Arc::new(Patterns::new(&weights)));
    Ok(())
}

/// Where the unpacked patterns of a game and size are kept.
fn unpacked(variant: VariantKind, geometry: Geometry) -> &'static OnceLock<Arc<Patterns>> {
    static UNPACKED: [[OnceLock<Arc<Patterns>>; 5]; 2] = [const { [const { OnceLock::new() }; 5] }; 2];
    &UNPACKED[usize::from(variant == VariantKind::Reversi)][usize::from(geometry.side() / 2)]
}

/// The weights of patterns in a file.
///
/// # Errors
/// If the file cannot be read, or has no weights for this game and size.
pub fn read_weight_file(path: &str, variant: VariantKind, geometry: Geometry) -> Result<Weights, String> {
    let file = read_file(path, MOST_WEIGHTS).map_err(|error| format!("{path}: {error}"))?;
    let weights = read_weights(&file).map_err(|fault| format!("{path}: {fault}"))?;
    if weights.variant != variant {
        return Err(format!("{path}: the weights are for {}", weights.variant));
    }
    if weights.geometry != geometry {
        return Err(format!("{path}: the weights are for {}, not for {geometry}", weights.geometry));
    }
    Ok(weights)
}

/// The network of a file.
fn load_network(path: &str, variant: VariantKind) -> Result<Arc<Network>, String> {
    let file = read_file(path, MOST_WEIGHTS).map_err(|error| format!("{path}: {error}"))?;
    let network = read_network(&file).map_err(|fault| format!("{path}: {fault}"))?;
    if network.variant != variant {
        return Err(format!("{path}: the network is for {}", network.variant));
    }
    Ok(Arc::new(Network::new(&network)))
}

struct With<E, T> {
    evaluation: E,
    task: T,
}

impl<E: Evaluation + 'static, T: EvaluationTask> VariantTask for With<E, T> {
    type Output = T::Output;
    fn run<V: Variant>(self, variant: V) -> T::Output {
        self.task.run(variant, self.evaluation)
    }
}

#[cfg(test)]
mod tests {
    use turncoat_eval::network::{Design, NetworkWeights, write_network};
    use turncoat_eval::patterns::write_weights;

    use super::*;

    #[test]
    fn a_file_without_end_is_no_file_of_weights() {
        let folder = std::env::temp_dir();
        let path = folder.join(format!("turncoat-long-{}.weights", std::process::id()));
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(MOST_WEIGHTS + 1).unwrap();
        let fault = read_weight_file(path.to_str().unwrap(), VariantKind::Reversi, Geometry::EIGHT);
        std::fs::remove_file(&path).unwrap();
        assert!(fault.unwrap_err().contains("more than"));
    }

    struct Checksum;

    impl EvaluationTask for Checksum {
        type Output = u64;
        fn run<V: Variant, E: Evaluation + 'static>(self, _: V, evaluation: E) -> u64 {
            evaluation.checksum()
        }
    }

    #[test]
    fn a_network_is_loaded_for_its_game_and_the_full_board() {
        let design = Design { parts: 1 << 12 | 1 << 14, units: 16, hidden: vec![16], stages: 2 };
        let weights = NetworkWeights::random(VariantKind::Reversed, design, 1).unwrap();
        let path = std::env::temp_dir().join(format!("turncoat-some-{}.net", std::process::id()));
        let path = path.to_str().unwrap();
        let load = |variant, geometry| with_evaluation(path, variant, geometry, Checksum);
        assert!(load(VariantKind::Reversed, Geometry::EIGHT).unwrap_err().contains(path));
        std::fs::write(path, write_network(&weights)).unwrap();
        assert_eq!(load(VariantKind::Reversed, Geometry::EIGHT), Ok(weights.checksum()));
        assert!(load(VariantKind::Reversi, Geometry::EIGHT).unwrap_err().contains("the network is for"));
        assert!(load(VariantKind::Reversed, Geometry::SIX).unwrap_err().contains("full board"));
        std::fs::write(path, write_weights(&Weights::blank(VariantKind::Reversed, Geometry::SIX))).unwrap();
        assert!(load(VariantKind::Reversed, Geometry::EIGHT).unwrap_err().contains("not a file of a network"));
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn weights_are_loaded_for_their_size() {
        let path = std::env::temp_dir().join(format!("turncoat-small-{}.weights", std::process::id()));
        let path = path.to_str().unwrap();
        let weights = Weights::blank(VariantKind::Reversi, Geometry::SIX);
        std::fs::write(path, write_weights(&weights)).unwrap();
        let load = |geometry| with_evaluation(path, VariantKind::Reversi, geometry, Checksum);
        assert_eq!(load(Geometry::SIX), Ok(weights.checksum()));
        assert!(load(Geometry::EIGHT).unwrap_err().contains("for 6x6, not for 8x8"));
        std::fs::remove_file(path).unwrap();
        assert!(with_evaluation("patterns", VariantKind::Reversi, Geometry::FOUR, Checksum).is_err());
    }

    #[test]
    fn weights_of_another_game_or_damaged_ones_are_not_installed() {
        let file = PATTERNS_REVERSI;
        assert_eq!(install_weights(VariantKind::Reversi, file), Ok(()));
        assert!(install_weights(VariantKind::Reversed, file).unwrap_err().contains("reversi"));
        assert!(install_weights(VariantKind::Reversi, &file[..1000]).is_err());
    }
}
