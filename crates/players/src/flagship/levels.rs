//! Levels of play, 1 to 20: how far a level looks, and how it errs.
//!
//! A weak level does what a beginner does: it looks a move or two ahead and misjudges what it sees by a few
//! discs. It does not throw dice: a move that loses much more than it can misjudge is never played, and in
//! the same position of the same game it has the same opinion. From level 10 on it makes no mistakes on
//! purpose, and each level looks at about twice as many positions as the one below.

use turncoat_search::pvs::Level as Selectivity;

/// What a level of play is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Skill {
    /// Plies looked ahead.
    pub(super) depth: Option<u32>,
    /// Positions entered.
    pub(super) nodes: Option<u64>,
    /// The standard deviation of its misjudgement in discs.
    pub(super) misjudges: f64,
    /// Perfect play from this many empties on.
    pub(super) solve: u32,
    pub(super) selectivity: Selectivity,
}

/// The first level without mistakes on purpose.
const FIRST_STRONG: u8 = 10;
/// Positions that the first strong level looks at.
const FIRST_NODES: u64 = 4_000;

/// The skill of a level.
pub(super) fn skill(level: u8) -> Option<Skill> {
    let weak = |depth, misjudges, solve| Skill {
        depth: Some(depth),
        nodes: None,
        misjudges,
        solve,
        selectivity: Selectivity::FULL,
    };
    Some(match level {
        1 => weak(1, 9.0, 0),
        2 => weak(1, 6.5, 0),
        3 => weak(1, 4.5, 0),
        4 => weak(2, 4.0, 2),
        5 => weak(2, 3.0, 4),
        6 => weak(3, 2.5, 4),
        7 => weak(3, 1.8, 6),
        8 => weak(4, 1.3, 6),
        9 => weak(4, 0.7, 8),
        10..=20 => {
            let above = u32::from(level - FIRST_STRONG);
            Skill {
                depth: None,
                nodes: Some(FIRST_NODES << above),
                misjudges: 0.0,
                solve: 10 + above,
                selectivity: if above < 5 {
                    Selectivity::ALL[1]
                } else {
                    Selectivity::ALL[2]
                },
            }
        }
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise() {
        assert_eq!(skill(0), None);
        assert_eq!(skill(21), None);
        for level in 1..20 {
            let (low, high) = (skill(level).unwrap(), skill(level + 1).unwrap());
            assert!(
                low.misjudges >= high.misjudges && low.solve <= high.solve,
                "{level}"
            );
            assert!(
                low.depth.unwrap_or(60) <= high.depth.unwrap_or(60),
                "{level}"
            );
            assert!(
                low.nodes.unwrap_or(0) <= high.nodes.unwrap_or(u64::MAX),
                "{level}"
            );
        }
    }
}
