//! `gene45` (Li 2021): iterative deepening from three plies, and a complete search of the last ten.

use std::time::Duration;

use turncoat_board::VariantKind;
use turncoat_eval::classic::Gene45;

use super::deepening::{Deepening, FINAL};
use super::{ByColor, DEPTH, OwnLimits, TIME, WEIGHTS, take_parameters};
use crate::registry::{ALL_SIDES, Setting};
use crate::{Kind, Options, SpecError};

pub(super) const KIND: Kind = Kind {
    name: "gene45",
    about: "board, action, stability, frontier and discs, evolved as binary genes",
    variants: &[VariantKind::Reversed],
    sides: ALL_SIDES,
    options: &[DEPTH, TIME, FINAL, WEIGHTS],
    make: |options, setting| Ok(Box::new(from_options(options, setting)?)),
    parameters: Some(|options| {
        let parameters = take_parameters(options, &Gene45::SCHEMA, Gene45::published())?;
        Ok((Gene45::SCHEMA, parameters))
    }),
};

/// The report's own limit: 0.2 s less than the course's five.
const OWN_TIME: Duration = Duration::from_millis(4800);

fn from_options(options: &mut Options, setting: Setting) -> Result<Deepening<Gene45>, SpecError> {
    let parameters = take_parameters(options, &Gene45::SCHEMA, Gene45::published())?;
    let own = OwnLimits::from_options(options, Some(OWN_TIME))?;
    let evaluation = ByColor::make(&parameters, options, |own: &_| Gene45::new(own, setting.geometry))?;
    Deepening::from_options(options, evaluation, setting.variant, own)
}
