//! Levels of certainty.

/// Cuts are proofs.
pub(super) const EXACT: u8 = 8;
