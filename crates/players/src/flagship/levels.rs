//! Levels of play, 1 to 20, in one table: how far a level looks, and how it errs.
//!
//! The weak levels look a few plies ahead and err like people ([`Mistakes`]), less and less. From level 10 on
//! nobody errs on purpose, and each level enters about two or three times as many positions as the one below; from level 16
//! on with safer cuts, since bold ones gain nothing more near the end of the game.
//! Run `cargo xtask bench levels`, which lets neighbours play each other, when the search or its evaluation has changed.

use turncoat_search::pvs::Selectivity;

use super::mistakes::Mistakes;

/// What a level of play is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Skill {
    /// Plies looked ahead.
    pub(super) depth: Option<u32>,
    /// Positions entered.
    pub(super) nodes: Option<u64>,
    /// Perfect play from this many empties on; as many as the positions allow if not given.
    pub(super) solve: Option<u32>,
    pub(super) selectivity: Selectivity,
    pub(super) mistakes: Mistakes,
}

/// The skill of a level.
pub(super) fn skill(level: u8) -> Option<Skill> {
    LEVELS.get(usize::from(level).checked_sub(1)?).copied()
}

#[rustfmt::skip] // A table.
const LEVELS: [Skill; 20] = [
    // plies, empties solved, discs misjudged, chance to overlook a quiet move, dazzled by what is flipped
    weak(1, 0, 26.0, 0.95, 1.00),
    weak(1, 0, 11.0, 0.80, 0.80),
    weak(1, 0, 6.0, 0.65, 0.60),
    weak(2, 2, 5.0, 0.50, 0.45),
    weak(2, 2, 3.0, 0.35, 0.30),
    weak(3, 4, 3.0, 0.30, 0.25),
    weak(3, 4, 2.0, 0.20, 0.15),
    weak(4, 6, 1.9, 0.15, 0.12),
    weak(4, 8, 0.7, 0.05, 0.05),
    // positions entered, boldness of cuts by probability
    strong(3_000, 1),
    strong(8_000, 1),
    strong(22_000, 1),
    strong(50_000, 1),
    strong(110_000, 1),
    strong(220_000, 1),
    strong(400_000, 2),
    strong(750_000, 2),
    strong(1_300_000, 2),
    strong(2_300_000, 2),
    strong(4_000_000, 2),
];

const fn weak(depth: u32, solve: u32, misjudges: f64, overlooks: f64, dazzled: f64) -> Skill {
    Skill {
        depth: Some(depth),
        nodes: None,
        solve: Some(solve),
        selectivity: Selectivity::FULL_WIDTH,
        mistakes: Mistakes { misjudges, overlooks, dazzled },
    }
}

const fn strong(nodes: u64, selectivity: usize) -> Skill {
    Skill {
        depth: None,
        nodes: Some(nodes),
        solve: None,
        selectivity: Selectivity::ALL[selectivity],
        mistakes: Mistakes::NONE,
    }
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
            let (weak, strong) = (low.mistakes, high.mistakes);
            assert!(
                weak.misjudges >= strong.misjudges
                    && weak.overlooks >= strong.overlooks
                    && weak.dazzled >= strong.dazzled,
                "{level}"
            );
            assert!(low.solve.unwrap_or(60) <= high.solve.unwrap_or(60), "{level}");
            assert!(low.depth.unwrap_or(60) <= high.depth.unwrap_or(60), "{level}");
            assert!(low.nodes.unwrap_or(0) <= high.nodes.unwrap_or(u64::MAX), "{level}");
        }
    }
}
