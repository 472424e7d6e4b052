//! Our own player: a search in Python, and weights of patterns, as many of them and as exactly as the size allows.

use std::fmt::Write as _;

use turncoat_board::{Geometry, VariantKind};
use turncoat_eval::patterns::{SHAPES, STAGES, Weights, most_empties};
use turncoat_players::Spec;
use turncoat_players::flagship::{read_weight_file, trained_weights};

use super::pack::{self, Plan};
use super::{ExportFault, Target, head, joined, refused};

const PARTS: [&str; 4] =
    [include_str!("boards.py"), include_str!("patterns.py"), include_str!("endgame.py"), include_str!("midgame.py")];

/// The source with the finest weights that fit.
pub(super) fn source(target: Target, variant: VariantKind, player: &Spec, most: usize) -> Result<String, ExportFault> {
    let weights = weights(variant, player)?;
    let numbers = pack::numbers();
    let written = |plan: Plan| write(target, variant, plan, &plan.pack(&weights, &numbers));
    let coarsest = written(Plan::COARSEST);
    // Known at once, rather than after all the others.
    if coarsest.len() > most {
        return Err(ExportFault::TooSmall { most, least: coarsest.len() });
    }
    Ok(Plan::FINER.into_iter().map(written).find(|text| text.len() <= most).unwrap_or(coarsest))
}

/// The weights that the player evaluates with.
fn weights(variant: VariantKind, player: &Spec) -> Result<Weights, ExportFault> {
    let mut evaluation = "patterns";
    for (key, value) in player.options() {
        match key {
            "eval" => evaluation = value,
            _ => {
                return Err(refused(
                    player,
                    format!("{key}= has no meaning for the search of the file, which is its own"),
                ));
            }
        }
    }
    match evaluation {
        "patterns" => trained_weights(variant, Geometry::EIGHT).ok_or(ExportFault::Damaged),
        name if !name.contains(['/', '.']) => {
            Err(refused(player, format!("the file evaluates with weights of patterns, not with {name}")))
        }
        path => read_weight_file(path, variant, Geometry::EIGHT).map_err(|fault| refused(player, fault)),
    }
}

fn write(target: Target, variant: VariantKind, plan: Plan, packed: &str) -> String {
    let how = "Alpha-beta search with trained weights of patterns; the end of the game is searched out.";
    let what = concat!("Turncoat ", env!("CARGO_PKG_VERSION"));
    let mut text = head(target, variant, what, how, &["base64", "zlib"]);
    text += "# The sets of squares that are read together, as (row, column).\nSHAPES = [\n";
    for shape in SHAPES {
        let squares: Vec<String> = shape.squares.iter().map(|s| format!("({}, {})", s.0, s.1)).collect();
        let _ = writeln!(text, "    [{}],", squares.join(", "));
    }
    let _ = write!(
        text,
        "]\n# The stages of a game, and the discs of one.\nSTAGES = {STAGES}\nSTAGE_DISCS = {}\n\
         # The stages whose weights are held, the unit of a weight in 64ths of a disc, and the weights.\n\
         KNOTS = {:?}\nQUANTUM = {}\nPACKED = \"{packed}\"\n",
        most_empties(0) - most_empties(1),
        plan.knots(),
        plan.quantum(),
    );
    joined(text, &PARTS, target)
}
