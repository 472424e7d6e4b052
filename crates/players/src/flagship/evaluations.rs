//! The evaluations that `turncoat` can think with, by name, and the error models fitted to them.

use std::fs;
use std::sync::{Arc, OnceLock};

use turncoat_board::{Geometry, Reversed, Variant, VariantKind, VariantTask};
use turncoat_eval::classic::Gene45;
use turncoat_eval::patterns::{Patterns, Weights, read_weights};
use turncoat_eval::{Calibrated, Estimator, checksum};
use turncoat_search::pvs::{Coefficients, Fit, Hand};

/// gene45's values in discs, one number for all stages: what makes its spread that of the results.
const GENE45_DISCS: f64 = 0.012;

/// The error models, as `turncoat train probcut` writes them.
const FITS: [&str; 5] = [
    include_str!("../../../../weights/probcut-patterns-reversed.toml"),
    include_str!("../../../../weights/probcut-patterns-reversi.toml"),
    include_str!("../../../../weights/probcut-gene45-reversed.toml"),
    include_str!("../../../../weights/probcut-hand-reversed.toml"),
    include_str!("../../../../weights/probcut-hand-reversi.toml"),
];

/// The names of the evaluations.
pub const EVALUATIONS: &str =
    "patterns, gene45, hand, or a file of weights (its name has a dot or a slash)";

/// A computation that is generic over the evaluation.
pub trait EstimatorTask {
    /// What it computes.
    type Output;
    /// Computes it with this evaluation.
    fn run<V: Variant, E: Estimator + 'static>(self, variant: V, estimator: E) -> Self::Output;
}

/// The evaluation that is used when none is named.
pub fn usual_evaluation(variant: VariantKind, geometry: Geometry) -> &'static str {
    if geometry == Geometry::EIGHT && trained(variant).is_some() {
        "patterns"
    } else {
        "hand"
    }
}

/// Runs a computation with the evaluation of this name.
///
/// # Errors
/// If there is none of this name for this game.
pub fn with_evaluation<T: EstimatorTask>(
    name: &str,
    variant: VariantKind,
    geometry: Geometry,
    task: T,
) -> Result<T::Output, String> {
    match (name, variant) {
        ("hand", _) => Ok(variant.run(WithHand { geometry, task })),
        ("gene45", VariantKind::Reversed) => {
            let gene45 =
                Gene45::new(&Gene45::published(), geometry).ok_or("the parameters do not fit")?;
            let checksum = checksum(Gene45::SCHEMA.write(&Gene45::published()).bytes());
            let estimator = Calibrated::new(gene45, geometry, &[GENE45_DISCS; 65], checksum);
            Ok(task.run(Reversed, estimator))
        }
        ("patterns", _) => {
            if geometry != Geometry::EIGHT {
                return Err("patterns judge the full board alone".to_owned());
            }
            let patterns = trained(variant).ok_or("the weights of this program are damaged")?;
            Ok(variant.run(WithPatterns { patterns, task }))
        }
        ("gene45", VariantKind::Reversi) => Err("gene45 judges Reversed Reversi alone".to_owned()),
        (path, _) if path.contains(['/', '.']) => {
            let patterns = load_patterns(path, variant)?;
            if geometry != Geometry::EIGHT {
                return Err("patterns judge the full board alone".to_owned());
            }
            Ok(variant.run(WithPatterns { patterns, task }))
        }
        (other, _) => Err(format!(
            "no evaluation is called {other:?}: it is {EVALUATIONS}"
        )),
    }
}

/// How files of pattern weights are named.
const WEIGHTS: &str = ".weights";

/// The trained weights of a game, as they come with the program.
pub fn trained_weights(variant: VariantKind) -> Option<Weights> {
    let file: &[u8] = match variant {
        VariantKind::Reversed => {
            include_bytes!("../../../../weights/patterns-reversed.weights")
        }
        VariantKind::Reversi => include_bytes!("../../../../weights/patterns-reversi.weights"),
    };
    read_weights(file).ok()
}

/// The trained patterns of a game: unpacked when they are first asked for, and once.
pub fn trained(variant: VariantKind) -> Option<Arc<Patterns>> {
    static REVERSED: OnceLock<Option<Arc<Patterns>>> = OnceLock::new();
    static REVERSI: OnceLock<Option<Arc<Patterns>>> = OnceLock::new();
    let once = match variant {
        VariantKind::Reversed => &REVERSED,
        VariantKind::Reversi => &REVERSI,
    };
    let unpack = || Some(Arc::new(Patterns::new(&trained_weights(variant)?)));
    once.get_or_init(unpack).clone()
}

/// The patterns of a file.
fn load_patterns(path: &str, variant: VariantKind) -> Result<Arc<Patterns>, String> {
    let file = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let weights = read_weights(&file).map_err(|fault| format!("{path}: {fault}"))?;
    if weights.variant != variant {
        return Err(format!("{path}: the weights are for {}", weights.variant));
    }
    Ok(Arc::new(Patterns::new(&weights)))
}

struct WithPatterns<T> {
    patterns: Arc<Patterns>,
    task: T,
}

impl<T: EstimatorTask> VariantTask for WithPatterns<T> {
    type Output = T::Output;
    fn run<V: Variant>(self, variant: V) -> T::Output {
        self.task.run(variant, self.patterns)
    }
}

struct WithHand<T> {
    geometry: Geometry,
    task: T,
}

impl<T: EstimatorTask> VariantTask for WithHand<T> {
    type Output = T::Output;
    fn run<V: Variant>(self, variant: V) -> T::Output {
        self.task.run(variant, Hand::<V>::new(self.geometry))
    }
}

/// An error model as a file.
pub fn write_fit(
    name: &str,
    variant: VariantKind,
    checksum: u64,
    coefficients: &Coefficients,
) -> String {
    format!(
        "# How far values of deep and shallow searches differ; made by: turncoat train probcut\n\
         evaluation = \"{name}\"\nvariant = \"{variant}\"\nchecksum = \"{checksum:016x}\"\n\
         coefficients = {coefficients:?}\n"
    )
}

/// The error model that was fitted to this estimator, if there is one and the board is full size: one of those
/// that come with the program, or `FILE.probcut.toml` beside `FILE.weights`.
pub fn fit_for<E: Estimator>(
    name: &str,
    variant: VariantKind,
    geometry: Geometry,
    estimator: &E,
) -> Option<Fit> {
    let beside = name
        .strip_suffix(WEIGHTS)
        .and_then(|name| fs::read_to_string(format!("{name}.probcut.toml")).ok());
    FITS.into_iter()
        .chain(beside.as_deref())
        .filter_map(read_fit)
        .find(|fit| fit.check(variant, geometry, estimator.checksum()).is_ok())
}

fn read_fit(text: &str) -> Option<Fit> {
    let value = |key: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(key)?.strip_prefix(" = "))?;
        Some(line.trim_matches(['"', '[', ']']).to_owned())
    };
    let variant: VariantKind = value("variant")?.parse().ok()?;
    let checksum = u64::from_str_radix(&value("checksum")?, 16).ok()?;
    let numbers: Vec<f64> = value("coefficients")?
        .split(',')
        .map_while(|n| n.trim().parse().ok())
        .collect();
    Some(Fit::new(variant, checksum, &numbers.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct HasFit(VariantKind, Geometry);

    impl EstimatorTask for HasFit {
        type Output = bool;
        fn run<V: Variant, E: Estimator + 'static>(self, _: V, estimator: E) -> bool {
            fit_for("", self.0, self.1, &estimator).is_some()
        }
    }

    #[test]
    fn every_evaluation_has_its_fit_on_the_full_board_alone() {
        for (name, variant) in [
            ("patterns", VariantKind::Reversed),
            ("patterns", VariantKind::Reversi),
            ("gene45", VariantKind::Reversed),
            ("hand", VariantKind::Reversed),
            ("hand", VariantKind::Reversi),
        ] {
            for geometry in Geometry::ALL {
                if name == "patterns" && geometry != Geometry::EIGHT {
                    continue;
                }
                let found =
                    with_evaluation(name, variant, geometry, HasFit(variant, geometry)).unwrap();
                assert_eq!(
                    found,
                    geometry == Geometry::EIGHT,
                    "{name} {variant} {geometry}"
                );
            }
        }
    }
}
