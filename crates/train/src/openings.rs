//! Where training games begin: every position some plies from the start, or random play for a while.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use turncoat_board::{Geometry, Position, Square};
use turncoat_util::SplitMix64;

/// Random play at the start of a share of the games.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Randomness {
    /// At least and at most so many plies.
    pub plies: [u32; 2],
    /// How many of the games, beside the others' numbers.
    pub share: f64,
    /// Drawn again where a side is ahead by more discs than this, as the players see it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lead: Option<u32>,
}

/// One way to every position that is this many plies from the start, one for those that are one by symmetry.
pub fn enumerated(geometry: Geometry, plies: u32) -> Vec<Vec<Square>> {
    let mut ways = vec![(Position::start(geometry), Vec::new())];
    for _ in 0..plies {
        let mut seen = HashSet::new();
        let mut next = Vec::new();
        for (position, way) in ways {
            for square in position.legal_moves() {
                let Some(after) = position.play(square) else {
                    continue;
                };
                // Ways that end in a pass are rare so early, and are met in random play.
                if !after.legal_moves().is_empty() && seen.insert(after.board().canonical().0) {
                    let mut way = way.clone();
                    way.push(square);
                    next.push((after, way));
                }
            }
        }
        ways = next;
    }
    ways.into_iter().map(|(_, way)| way).collect()
}

/// How many random plies a game begins with, and the most discs by which they may leave a side ahead.
pub fn random_plies(kinds: &[Randomness], dice: &mut SplitMix64) -> (u32, Option<u32>) {
    let sum: f64 = kinds.iter().map(|kind| kind.share).sum();
    let mut at = dice.unit() * sum;
    let (mut plies, mut lead) = (0, None);
    for kind in kinds {
        let [least, most] = kind.plies;
        plies = least + dice.below((most.saturating_sub(least) + 1) as usize) as u32;
        lead = kind.lead;
        at -= kind.share;
        if at < 0.0 {
            break;
        }
    }
    (plies, lead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn early_positions_are_as_many_as_counted_elsewhere() {
        // Positions after each ply up to symmetry, colours told apart.
        let counts: Vec<usize> = (0..5).map(|plies| enumerated(Geometry::EIGHT, plies).len()).collect();
        assert_eq!(counts, [1, 1, 3, 14, 60]);
    }

    #[test]
    fn random_plies_stay_in_their_ranges() {
        let kinds = [
            Randomness { plies: [3, 5], share: 1.0, lead: Some(4) },
            Randomness { plies: [20, 20], share: 1.0, lead: None },
        ];
        let mut dice = SplitMix64::new(1);
        let drawn: Vec<_> = (0..1000).map(|_| random_plies(&kinds, &mut dice)).collect();
        assert!(drawn.iter().all(|&(n, lead)| (3..=5).contains(&n) && lead == Some(4) || n == 20 && lead.is_none()));
        let late = drawn.iter().filter(|(n, _)| *n == 20).count();
        assert!((400..600).contains(&late), "{late}");
    }
}
