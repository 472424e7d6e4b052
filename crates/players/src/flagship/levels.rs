//! Levels of play, 1 to 20, in one table: how far a level looks, and how it errs.
//!
//! The weak levels look a few plies ahead and err like people ([`Mistakes`]), less and less. From level 10 on
//! nobody errs on purpose, and each level enters about two or three times as many positions as the one below; from level 16
//! on with safer cuts, since bold ones gain nothing more near the end of the game.
//! When the search or its evaluation has changed, run `cargo xtask bench levels` and copy the ratings that it prints.

use turncoat_board::VariantKind;
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

/// The strength of a level on 8x8, as `cargo xtask bench levels` measured it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LevelRating {
    /// Elo above `random`.
    pub elo: i32,
    /// Half the width of the 95 % interval.
    pub error: i32,
}

/// The rating of a level in a game; none if there is no such level.
pub fn level_rating(level: u8, variant: VariantKind) -> Option<LevelRating> {
    let [reversed, reversi] = RATINGS.get(usize::from(level).checked_sub(1)?)?;
    let &(elo, error) = match variant {
        VariantKind::Reversed => reversed,
        VariantKind::Reversi => reversi,
    };
    Some(LevelRating { elo, error })
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

/// Elo and its error in Reversed Reversi and in Reversi, by level. docs/search.md has the date and the games. Two neighbours that
/// came out the other way round, within their errors, have their mean.
#[rustfmt::skip] // A table.
const RATINGS: [[(i32, i32); 2]; 20] = [
    [(94, 18), (192, 20)],
    [(163, 22), (364, 25)],
    [(295, 25), (566, 30)],
    [(445, 29), (811, 35)],
    [(642, 32), (1030, 39)],
    [(733, 34), (1178, 40)],
    [(926, 37), (1323, 42)],
    [(1080, 40), (1507, 45)],
    [(1492, 49), (1701, 48)],
    [(1725, 54), (1949, 53)],
    [(1908, 59), (2130, 58)],
    [(2076, 65), (2307, 65)],
    [(2208, 73), (2495, 75)],
    [(2335, 82), (2604, 84)],
    [(2448, 96), (2710, 96)],
    [(2464, 108), (2710, 108)],
    [(2527, 128), (2819, 129)],
    [(2562, 155), (2868, 157)],
    [(2656, 187), (2868, 186)],
    [(2669, 213), (3040, 223)],
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
    fn no_level_is_rated_below_the_one_before() {
        for variant in VariantKind::BOTH {
            assert_eq!(level_rating(0, variant), None);
            assert_eq!(level_rating(21, variant), None);
            for level in 1..RATINGS.len() as u8 {
                let [low, high] = [level, level + 1].map(|level| level_rating(level, variant).unwrap());
                assert!(high.elo >= low.elo, "{variant} {level}");
                assert!(low.elo > 0 && low.error > 0, "{variant} {level}");
            }
        }
    }

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
