//! The difference in Elo between two players, from pairs of games.
//!
//! Two games from one opening with the colours swapped are not independent: a lopsided opening makes one
//! win each. So the unit is the pair, which scores 0, ½, 1, 1½ or 2 (pentanomial statistics, as fishtest
//! and fastchess count them), and the error follows from the spread of the pairs.

use super::{QUANTILE_95, normal_cdf};

/// The expected score of a player who is this much Elo stronger (logistic model).
///
/// ```
/// use turncoat_arena::stats::elo::expected_score;
///
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(190.85) - 0.75).abs() < 1e-5);
/// ```
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The difference in Elo that this score stands for; infinite for 0 and 1.
///
/// ```
/// use turncoat_arena::stats::elo::elo_of_score;
///
/// assert!((elo_of_score(0.75) - 190.85).abs() < 0.005);
/// ```
pub fn elo_of_score(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        400.0 * (score / (1.0 - score)).log10()
    }
}

/// How many pairs scored 0, ½, 1, 1½ and 2 for the first player.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pentanomial(pub [u64; 5]);

/// A difference in Elo with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    /// The difference; infinite when every game was won, or every game lost.
    pub difference: f64,
    /// Half the width of the 95 % confidence interval; infinite where the difference is. None where the
    /// pairs tell nothing about their spread: they are too few, or all alike.
    pub error: Option<f64>,
    /// The likelihood that the first player is the stronger one; none where there is no error.
    pub superiority: Option<f64>,
}

/// Fewer pairs tell nothing about their spread.
const FEWEST_PAIRS: u64 = 5;

impl Pentanomial {
    /// Adds a pair in which the first player won so many half points, at most 4.
    pub fn add(&mut self, half_points: u32) {
        self.0[half_points.min(4) as usize] += 1;
    }

    /// The number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The share of points a game, and the variance of that of a pair.
    fn moments(&self) -> Option<(f64, f64)> {
        let pairs = self.pairs();
        if pairs == 0 {
            return None;
        }
        // Whole numbers first, so that the mean is the same on every machine.
        let half_points: u64 = (0..).zip(self.0).map(|(points, n)| points * n).sum();
        let mean = half_points as f64 / (4 * pairs) as f64;
        let spread = (0..5).zip(self.0).map(|(points, n)| {
            let deviation = f64::from(points) / 4.0 - mean;
            n as f64 * deviation * deviation
        });
        Some((mean, spread.sum::<f64>() / pairs as f64))
    }

    /// The difference in Elo with its error; `None` before the first pair.
    ///
    /// ```
    /// use turncoat_arena::stats::elo::Pentanomial;
    ///
    /// let elo = Pentanomial([34, 54, 63, 64, 75]).elo().unwrap();
    /// assert!((elo.difference - 55.58).abs() < 0.01 && (elo.error.unwrap() - 27.65).abs() < 0.01);
    /// ```
    pub fn elo(&self) -> Option<Elo> {
        let (mean, variance) = self.moments()?;
        let deviation = (variance / self.pairs() as f64).sqrt();
        let bound = |sign: f64| elo_of_score(mean + sign * QUANTILE_95 * deviation);
        let error = (bound(1.0) - bound(-1.0)) / 2.0;
        let known = self.pairs() >= FEWEST_PAIRS && deviation > 0.0;
        Some(Elo {
            difference: elo_of_score(mean),
            error: known.then_some(if error.is_nan() { f64::INFINITY } else { error }),
            superiority: known.then(|| normal_cdf((mean - 0.5) / deviation)),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    fn elo_agrees_with_the_published_tests_of_fastchess() {
        for (pairs, difference, error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 1.0),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, 0.0505),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, 0.0),
        ] {
            let elo = Pentanomial(pairs).elo().unwrap();
            assert!((elo.difference - difference).abs() < 0.01, "{elo:?}");
            assert!((elo.error.unwrap() - error).abs() < 0.01, "{elo:?}");
            let found = elo.superiority.unwrap();
            assert!((found - superiority).abs() < 1e-4, "{elo:?}");
        }
    }

    #[test]
    fn scores_have_the_elo_of_the_tables() {
        for (score, elo) in [(0.5, 0.0), (0.75, 190.85), (0.64, 99.95), (0.91, 401.92)] {
            assert!((elo_of_score(score) - elo).abs() < 0.01, "{score}");
            assert!((expected_score(elo) - score).abs() < 1e-4, "{score}");
            assert!((elo_of_score(1.0 - score) + elo).abs() < 0.01, "{score}");
        }
    }

    #[test]
    fn extremes_stay_well_defined() {
        assert_eq!(Pentanomial::default().elo(), None);
        for (pairs, difference) in [
            ([0, 0, 0, 0, 7], f64::INFINITY),
            ([0, 0, 7, 0, 0], 0.0),
            ([7, 0, 0, 0, 0], f64::NEG_INFINITY),
        ] {
            let elo = Pentanomial(pairs).elo().unwrap();
            assert_eq!(elo.difference.total_cmp(&difference), Ordering::Equal);
            assert_eq!((elo.error, elo.superiority), (None, None), "all alike");
        }
        let few = Pentanomial([1, 0, 0, 0, 3]).elo().unwrap();
        assert_eq!((few.error, few.superiority), (None, None));
        assert!(Pentanomial([1, 0, 0, 0, 4]).elo().unwrap().error.is_some());
    }

    #[test]
    fn colours_swapped_mirror_the_result() {
        let counts = [3, 8, 20, 9, 5];
        let mut mirrored = counts;
        mirrored.reverse();
        let (a, b) = (
            Pentanomial(counts).elo().unwrap(),
            Pentanomial(mirrored).elo().unwrap(),
        );
        assert!((a.difference + b.difference).abs() < 1e-9);
        assert!((a.error.unwrap() - b.error.unwrap()).abs() < 1e-9);
        assert!((a.superiority.unwrap() + b.superiority.unwrap() - 1.0).abs() < 1e-6);
    }
}
