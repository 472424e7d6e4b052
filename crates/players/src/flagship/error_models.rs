//! The error models of ProbCut: those that come with the program, and those beside files of weights and networks.

use std::io;

use serde::Deserialize;
use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::Evaluation;
use turncoat_search::pvs::{Coefficients, EndCoefficients, ErrorModel};
use turncoat_util::read_file;
use turncoat_weights::ERROR_MODELS;

use super::evaluations::NETWORK;

/// How files of pattern weights are named, and error models beside them and beside networks.
const WEIGHTS: &str = ".weights";
const PROBCUT: &str = ".probcut.toml";
/// The most bytes of an error model.
const MOST_PROBCUT: u64 = 64 << 10;

/// An error model as a file.
pub fn write_error_model(
    name: &str,
    variant: VariantKind,
    geometry: Geometry,
    checksum: u64,
    coefficients: &Coefficients,
    end: Option<&EndCoefficients>,
) -> String {
    let end = end.map_or(String::new(), |end| format!("end = {end:?}\n"));
    let size = if geometry == Geometry::EIGHT { String::new() } else { format!("size = {}\n", geometry.side()) };
    format!(
        "# How far values of deep and shallow searches differ; made by: turncoat train probcut\n\
         evaluation = \"{name}\"\nvariant = \"{variant}\"\n{size}checksum = \"{checksum:016x}\"\n\
         coefficients = {coefficients:?}\n{end}"
    )
}

/// The error model that was fitted to this evaluation on this board, if there is one:
/// `FILE.probcut.toml` beside `FILE.weights` or `FILE.net`, or one of those that come with the program.
///
/// # Errors
/// If the file beside the evaluation's cannot be used with it.
pub fn error_model_for<E: Evaluation>(
    name: &str,
    variant: VariantKind,
    geometry: Geometry,
    evaluation: &E,
) -> Result<Option<ErrorModel>, String> {
    let checksum = evaluation.checksum();
    if let Some(stem) = name.strip_suffix(WEIGHTS).or(name.strip_suffix(NETWORK)) {
        let path = format!("{stem}{PROBCUT}");
        let named = |fault: String| format!("{path}: {fault}");
        match read_file(&path, MOST_PROBCUT) {
            Ok(text) => {
                let model = read_error_model(&text).map_err(named)?;
                model.check(variant, geometry, checksum).map_err(|fault| named(fault.to_string()))?;
                return Ok(Some(model));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(named(error.to_string())),
        }
    }
    Ok(ERROR_MODELS
        .into_iter()
        .filter_map(|text| read_error_model(text.as_bytes()).ok())
        .find(|model| model.check(variant, geometry, checksum).is_ok()))
}

/// An error model as [`write_error_model`] writes it.
#[derive(Deserialize)]
struct ErrorModelFile {
    variant: String,
    /// The full board unless told.
    size: Option<Geometry>,
    checksum: String,
    coefficients: Vec<f64>,
    end: Option<Vec<f64>>,
}

/// The error model of a file.
fn read_error_model(text: &[u8]) -> Result<ErrorModel, String> {
    let file: ErrorModelFile = toml::from_slice(text).map_err(|fault| fault.to_string().trim_end().to_owned())?;
    let variant: VariantKind = file.variant.parse().map_err(|fault| format!("variant: {fault}"))?;
    let checksum = u64::from_str_radix(&file.checksum, 16).map_err(|fault| format!("checksum: {fault}"))?;
    let coefficients: Coefficients =
        file.coefficients.try_into().map_err(|_| "coefficients: five numbers in brackets are wanted")?;
    let end = file.end.map(|end| end.try_into().map_err(|_| "end: four numbers in brackets are wanted"));
    let end: Option<EndCoefficients> = end.transpose()?;
    let geometry = file.size.unwrap_or(Geometry::EIGHT);
    ErrorModel::new(variant, geometry, checksum, &coefficients, end.as_ref()).map_err(|fault| fault.to_string())
}

#[cfg(test)]
mod tests {
    use turncoat_board::Variant;

    use super::*;
    use crate::flagship::{EvaluationTask, with_evaluation};

    struct HasErrorModel(VariantKind, Geometry);

    impl EvaluationTask for HasErrorModel {
        type Output = bool;
        fn run<V: Variant, E: Evaluation + 'static>(self, _: V, evaluation: E) -> bool {
            matches!(error_model_for("", self.0, self.1, &evaluation), Ok(Some(_)))
        }
    }

    #[test]
    fn every_evaluation_has_its_error_model_on_the_board_it_was_fitted_on() {
        for (name, variant) in [
            ("patterns", VariantKind::Reversed),
            ("patterns", VariantKind::Reversi),
            ("gene45", VariantKind::Reversed),
            ("hand", VariantKind::Reversed),
            ("hand", VariantKind::Reversi),
        ] {
            for geometry in Geometry::ALL {
                let patterns = name == "patterns";
                let found = with_evaluation(name, variant, geometry, HasErrorModel(variant, geometry));
                assert_eq!(found.is_err(), patterns && geometry == Geometry::FOUR, "{name} {geometry}");
                let expected = geometry == Geometry::EIGHT || patterns && geometry == Geometry::SIX;
                assert_eq!(found.unwrap_or(false), expected, "{name} {variant} {geometry}");
            }
        }
    }

    const GOOD: &str =
        "variant = \"reversi\"\nchecksum = \"77ace4ebecc5b175\"\ncoefficients = [2.0, 0.1, -0.2, -0.04, 0.0005]\n";

    #[test]
    fn a_file_of_nonsense_is_refused_with_its_fault() {
        assert!(read_error_model(GOOD.as_bytes()).is_ok());
        for (from, to, fault) in [
            ("variant = ", "variety = ", "variant"),
            ("\"reversi\"", "\"chess\"", "variant"),
            ("\"reversi\"", "reversi", "quoted"),
            ("77ace", "sumac", "checksum"),
            ("2.0,", "", "five numbers"),
            ("0.0005", "0.0005, x", "coefficients"),
            ("2.0", "nan", "finite"),
            ("checksum", "size = 7\nchecksum", "sizes are 8, 6 and 4"),
            ("2.0", "-inf", "finite"),
            ("2.0", "-60.0", "no spread"),
            ("2.0", "1e300", "no spread"),
        ] {
            let said = read_error_model(GOOD.replace(from, to).as_bytes()).unwrap_err();
            assert!(said.contains(fault), "{from} -> {to}: {said}");
        }
        assert!(read_error_model(b"\xff").is_err());
    }

    #[test]
    fn the_file_beside_the_weights_is_used_or_refused_by_name() {
        struct Find(String);
        impl EvaluationTask for Find {
            type Output = Result<Option<ErrorModel>, String>;
            fn run<V: Variant, E: Evaluation + 'static>(self, _: V, evaluation: E) -> Self::Output {
                error_model_for(&self.0, V::KIND, Geometry::EIGHT, &evaluation)
            }
        }
        let folder = std::env::temp_dir().join(format!("turncoat-fits-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let beside = folder.join("mine.probcut.toml");
        let name = folder.join("mine.weights").display().to_string();
        let find = |variant| with_evaluation("patterns", variant, Geometry::EIGHT, Find(name.clone())).unwrap();
        let network = folder.join("mine.net").display().to_string();
        // None beside: that of the program, since the weights are its own.
        assert!(find(VariantKind::Reversi).unwrap().is_some());
        std::fs::write(&beside, GOOD).unwrap();
        let own = read_error_model(GOOD.as_bytes()).unwrap();
        assert_eq!(find(VariantKind::Reversi), Ok(Some(own)));
        let beside_network = with_evaluation("patterns", VariantKind::Reversi, Geometry::EIGHT, Find(network));
        assert!(beside_network.unwrap().unwrap().is_some());
        let foreign = find(VariantKind::Reversed).unwrap_err();
        assert!(foreign.contains("mine.probcut.toml: the error model is for"));
        std::fs::write(&beside, GOOD.replace("77ace", "00000")).unwrap();
        let other = find(VariantKind::Reversi).unwrap_err();
        assert!(other.contains("was fitted to weights"), "{other}");
        std::fs::remove_file(&beside).unwrap();
        std::fs::create_dir(&beside).unwrap();
        assert!(find(VariantKind::Reversi).is_err());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
