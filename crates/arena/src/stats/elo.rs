//! The difference in Elo between two players, from pairs of games.
//!
//! Two games from one opening with the colours swapped are not independent: a lopsided opening makes one
//! win each. So the unit is the pair, which scores 0, ½, 1, 1½ or 2 (pentanomial statistics, as fishtest
//! and fastchess count them), and the error follows from the spread of the pairs.
//!
//! The error of the score is carried over to Elo by the slope of the curve there. The interval is then symmetric in Elo,
//! has no infinite end, and excludes 0 just when the likelihood of superiority is beyond 97.5 %. To carry over the
//! ends of the score's interval instead, as fastchess does, comes to the same near 50 %, but a few lopsided pairs
//! would get an upper end far off and a likelihood that is too sure.

use std::f64::consts::LN_10;

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
    /// The 95 % confidence interval; none for too few pairs. Its upper end is infinite when every game was won, its lower
    /// one when every game was lost.
    pub bounds: Option<(f64, f64)>,
    /// The likelihood that the first player is the stronger one; none for too few pairs.
    pub superiority: Option<f64>,
}

impl Elo {
    /// Half the width of the confidence interval, which may be infinite.
    pub fn error(&self) -> Option<f64> {
        self.bounds.map(|(lower, upper)| (upper - lower) / 2.0)
    }
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
    /// assert!((elo.difference - 55.58).abs() < 0.01 && (elo.error().unwrap() - 27.65).abs() < 0.1);
    /// ```
    pub fn elo(&self) -> Option<Elo> {
        let (mean, variance) = self.moments()?;
        let pairs = self.pairs() as f64;
        let deviation = (variance / pairs).sqrt();
        let difference = elo_of_score(mean);
        let (bounds, superiority) = if deviation > 0.0 {
            let slope = 400.0 / LN_10 / (mean * (1.0 - mean));
            let error = slope * deviation;
            let width = QUANTILE_95 * error;
            let bounds = (difference - width, difference + width);
            (bounds, normal_cdf(difference / error))
        } else {
            // Pairs that are all alike have no spread to go by. With 97.5 % certainty another kind of pair has at most this
            // share (the exact binomial bound for none of so many), and may be the worst or the best there is.
            let other = 1.0 - 0.025f64.powf(1.0 / pairs);
            let least = mean * (1.0 - other);
            let bounds = (elo_of_score(least), elo_of_score(least + other));
            (bounds, alike_superiority(mean, pairs))
        };
        let known = self.pairs() >= FEWEST_PAIRS;
        Some(Elo { difference, bounds: known.then_some(bounds), superiority: known.then_some(superiority) })
    }
}

/// The likelihood of superiority after pairs with this score alone: that a pair is rather won than lost, before which any
/// chance was as likely.
fn alike_superiority(score: f64, pairs: f64) -> f64 {
    let doubt = 0.5f64.powf(pairs + 1.0);
    if score > 0.5 {
        1.0 - doubt
    } else if score < 0.5 {
        doubt
    } else {
        0.5
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elo_agrees_with_the_published_tests_of_fastchess() {
        for (pairs, difference, error, superiority) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 1.0),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, 0.0505),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, 0.0),
        ] {
            let elo = Pentanomial(pairs).elo().unwrap();
            assert!((elo.difference - difference).abs() < 0.01, "{elo:?}");
            // Its intervals are those of the score, which are a little wider away from 50 %.
            assert!((elo.error().unwrap() - error).abs() < 0.1, "{elo:?}");
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
    fn pairs_that_are_all_alike_have_bounds() {
        assert_eq!(Pentanomial::default().elo(), None);
        // 100 games won of 100: 0.025 is 0.9289 to the power of 50.
        let won = Pentanomial([0, 0, 0, 0, 50]).elo().unwrap();
        let (lower, upper) = won.bounds.unwrap();
        assert!((lower - elo_of_score(0.928_9)).abs() < 0.1, "{lower}");
        assert!(won.difference.is_infinite() && upper.is_infinite());
        assert!(won.superiority.unwrap() > 0.999_999);
        let lost = Pentanomial([50, 0, 0, 0, 0]).elo().unwrap();
        assert!((lost.bounds.unwrap().1 + lower).abs() < 1e-6);
        assert!(lost.superiority.unwrap() < 1e-6);
        // One game each, ten times over.
        let even = Pentanomial([0, 0, 10, 0, 0]).elo().unwrap();
        let (lower, upper) = even.bounds.unwrap();
        assert!((lower + upper).abs() < 1e-6 && (100.0..120.0).contains(&upper));
        assert_eq!((even.difference, even.superiority), (0.0, Some(0.5)));
    }

    #[test]
    fn few_lopsided_pairs_are_not_too_sure() {
        // Pairs won and lost alone, and the chance that a pair is rather won than lost by the exact binomial posterior.
        for (pairs, exact) in
            [([0, 0, 3, 0, 7], 0.996), ([1, 0, 0, 0, 4], 0.891), ([1, 0, 0, 0, 9], 0.994), ([2, 0, 0, 0, 8], 0.967)]
        {
            let elo = Pentanomial(pairs).elo().unwrap();
            let (lower, upper) = elo.bounds.unwrap();
            let superiority = elo.superiority.unwrap();
            assert!((superiority - exact).abs() < 0.02, "{elo:?}");
            assert_eq!(lower > 0.0, superiority > 0.975, "{elo:?}");
            assert!(upper.is_finite() && upper < elo.difference + 400.0, "{elo:?}");
        }
    }

    #[test]
    fn few_pairs_have_no_bounds() {
        for pairs in [[1, 0, 0, 0, 3], [0, 0, 0, 0, 4]] {
            let few = Pentanomial(pairs).elo().unwrap();
            assert_eq!((few.bounds, few.superiority), (None, None));
        }
        assert!(Pentanomial([1, 0, 0, 0, 4]).elo().unwrap().bounds.is_some());
    }

    #[test]
    fn colours_swapped_mirror_the_result() {
        let counts = [3, 8, 20, 9, 5];
        let mut mirrored = counts;
        mirrored.reverse();
        let (a, b) = (Pentanomial(counts).elo().unwrap(), Pentanomial(mirrored).elo().unwrap());
        assert!((a.difference + b.difference).abs() < 1e-9);
        assert!((a.error().unwrap() - b.error().unwrap()).abs() < 1e-9);
        assert!((a.superiority.unwrap() + b.superiority.unwrap() - 1.0).abs() < 1e-6);
    }
}
