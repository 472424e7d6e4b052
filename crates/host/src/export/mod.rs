//! Our player as one Python file: for the course's platform, and for Botzone.
//!
//! The file holds the search and the trained weights of patterns, as many of them and as exactly as its size allows;
//! it needs nothing but Python and numpy.

mod pack;

use std::fmt::Write as _;

use thiserror::Error;
use turncoat_board::VariantKind;
use turncoat_eval::patterns::{SHAPES, STAGES, most_empties};
use turncoat_players::flagship::trained_weights;

pub use pack::Plan;

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The course's class.
    Course,
    /// A program for Botzone.
    Botzone,
}

impl Target {
    /// How large the file may be by default. Neither platform states a limit; these load quickly and can be
    /// pasted into a form.
    pub const fn usual_bytes(self) -> usize {
        match self {
            Self::Course => 3_000_000,
            Self::Botzone => 400_000,
        }
    }
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum ExportFault {
    /// Even the coarsest weights do not fit.
    #[error("the player does not fit {most} bytes: the least is {least}")]
    TooSmall {
        /// What was allowed.
        most: usize,
        /// The size of the smallest file.
        least: usize,
    },
    /// This program was built with weights that cannot be read.
    #[error("the weights of this program are damaged")]
    Damaged,
}

const PARTS: [&str; 4] =
    [include_str!("boards.py"), include_str!("patterns.py"), include_str!("endgame.py"), include_str!("midgame.py")];
const COURSE: &str = include_str!("course.py");
const BOTZONE: &str = include_str!("botzone.py");

/// The source of our player of this game, of at most so many bytes: with the finest weights that fit.
///
/// # Errors
/// If nothing fits.
///
/// ```
/// use turncoat_board::VariantKind;
/// use turncoat_host::export::{Target, source};
///
/// let file = source(Target::Botzone, VariantKind::Reversed, 400_000).unwrap();
/// assert!(file.contains("import numpy as np") && file.len() <= 400_000);
/// ```
pub fn source(target: Target, variant: VariantKind, most: usize) -> Result<String, ExportFault> {
    let weights = trained_weights(variant).ok_or(ExportFault::Damaged)?;
    let numbers = pack::numbers();
    let written = |plan: Plan| write(target, variant, plan, &plan.pack(&weights, &numbers));
    let coarsest = written(Plan::COARSEST);
    // Known at once, rather than after all the others.
    if coarsest.len() > most {
        return Err(ExportFault::TooSmall { most, least: coarsest.len() });
    }
    Ok(Plan::FINER.into_iter().map(written).find(|text| text.len() <= most).unwrap_or(coarsest))
}

fn write(target: Target, variant: VariantKind, plan: Plan, packed: &str) -> String {
    let (imports, end) = match target {
        Target::Course => ("import base64\nimport time\nimport zlib\n", COURSE),
        Target::Botzone => (
            "import time\n\n# Before what takes long to load.\nLOADED = time.time()\n\n\
             import base64\nimport json\nimport os\nimport sys\nimport zlib\n",
            BOTZONE,
        ),
    };
    let sign = match variant {
        VariantKind::Reversed => -1,
        VariantKind::Reversi => 1,
    };
    let mut text = format!(
        "\"\"\"Turncoat {}, a player of {}, in one file.\n\n\
         Alpha-beta search with trained weights of patterns; the end of the game is searched out.\n\
         Written by: turncoat export. MIT OR Apache-2.0.\n\"\"\"\n\n{imports}\nimport numpy as np\n\n\
         # Whether more discs win (1) or fewer (-1).\nSIGN = {sign}\n\
         # The sets of squares that are read together, as (row, column).\nSHAPES = [\n",
        env!("CARGO_PKG_VERSION"),
        variant.title(),
    );
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
    for part in PARTS {
        text += part.trim_end();
        text += "\n\n";
    }
    text + end
}
