//! The sequential probability ratio test: stop as soon as the games say enough.
//!
//! Wald's test in its generalised form for pairs of games (M. Van den Bergh, "A practical introduction to
//! the GSPRT", 2020; logistic Elo): the likelihood of the observed pairs is maximised under either
//! hypothesis about the mean, and the logarithm of the ratio is held against Wald's bounds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use thiserror::Error;
pub use turncoat_api::Decision;

use super::elo::{Pentanomial, expected_score};

/// A share of a pair for each outcome that has not been seen, so that the likelihood stays finite.
const UNSEEN: f64 = 1e-3;

/// The two hypotheses and the errors allowed.
///
/// ```
/// use turncoat_arena::stats::sprt::Sprt;
///
/// let sprt: Sprt = "elo0=0,elo1=10".parse().unwrap();
/// assert_eq!((sprt.alpha, sprt.beta), (0.05, 0.05));
/// assert_eq!(sprt.to_string(), "elo0=0,elo1=10,alpha=0.05,beta=0.05");
/// let error = "elo0=10,elo1=0".parse::<Sprt>().unwrap_err();
/// assert_eq!(error.to_string(), "elo0 must be below elo1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0: the first player is this much stronger.
    pub elo0: f64,
    /// H1: the first player is this much stronger.
    pub elo1: f64,
    /// The chance to accept H1 where H0 is true.
    pub alpha: f64,
    /// The chance to accept H0 where H1 is true.
    pub beta: f64,
}

impl Sprt {
    /// A test with these hypotheses and errors.
    ///
    /// # Errors
    /// If they make no test.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, SprtError> {
        if !(elo0.abs() <= 1000.0 && elo1.abs() <= 1000.0) {
            return Err(SprtError::EloOutOfRange);
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order);
        }
        for (key, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(SprtError::ErrorOutOfRange { key });
            }
        }
        Ok(Self { elo0, elo1, alpha, beta })
    }

    /// The bounds of the log-likelihood ratio: below the first H0 is accepted, above the second H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 to H0 after these pairs.
    pub fn llr(&self, results: &Pentanomial) -> f64 {
        if results.pairs() == 0 {
            return 0.0;
        }
        let counts = results.0.map(|n| if n == 0 { UNSEEN } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / total);
        let under = |elo| most_likely(shares, expected_score(elo));
        let (p0, p1) = (under(self.elo0), under(self.elo1));
        let ratio = (0..5).map(|i| shares[i] * (p1[i] / p0[i]).ln());
        total * ratio.sum::<f64>()
    }

    /// The decision after these pairs, if there is one.
    pub fn decide(&self, results: &Pentanomial) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        match self.llr(results) {
            llr if llr >= upper => Some(Decision::H1),
            llr if llr <= lower => Some(Decision::H0),
            _ => None,
        }
    }
}

/// The distribution over pair scores with this mean under which the observed shares are most likely:
/// `p / (1 + x (a - mean))`, with the multiplier `x` found by bisection.
fn most_likely(shares: [f64; 5], mean: f64) -> [f64; 5] {
    let deviation = |i: usize| i as f64 / 4.0 - mean;
    // The slope falls over the interval on which all five probabilities are positive.
    let slope = |x: f64| -> f64 { (0..5).map(|i| shares[i] * deviation(i) / (1.0 + x * deviation(i))).sum() };
    let (mut low, mut high) = (-1.0 / deviation(4), -1.0 / deviation(0));
    // Halving the interval a hundred times leaves nothing that a double could tell apart.
    for _ in 0..100 {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let x = f64::midpoint(low, high);
    std::array::from_fn(|i| shares[i] / (1.0 + x * deviation(i)))
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Reads `elo0=0,elo1=10`, with `alpha` and `beta` if they are not to be 0.05.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let mut values: [(&str, Option<f64>); 4] = ["elo0", "elo1", "alpha", "beta"].map(|k| (k, None));
        for pair in text.split(',') {
            let short = || pair.chars().take(40).collect();
            let (key, value) = pair.split_once('=').ok_or_else(|| SprtError::NoPair { found: short() })?;
            let slot = values
                .iter_mut()
                .find(|(known, _)| *known == key.trim())
                .ok_or_else(|| SprtError::Unknown { found: short() })?;
            let number = value.trim().parse::<f64>().ok().filter(|v| v.is_finite());
            let number = number.ok_or_else(|| SprtError::NoNumber { found: short() })?;
            if slot.1.replace(number).is_some() {
                return Err(SprtError::Twice { key: slot.0 });
            }
        }
        let [elo0, elo1, alpha, beta] = values;
        let needed = |(key, value): (&'static str, Option<f64>)| value.ok_or(SprtError::Missing { key });
        Self::new(needed(elo0)?, needed(elo1)?, alpha.1.unwrap_or(0.05), beta.1.unwrap_or(0.05))
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta}")
    }
}

/// What is wrong with the description of a test.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum SprtError {
    /// A part is not `key=value`.
    #[error("{found:?}: write elo0=0,elo1=10, and alpha=0.05,beta=0.05 if you like")]
    NoPair {
        /// What stands there.
        found: String,
    },
    /// The key is unknown.
    #[error("{found:?}: the test has elo0, elo1, alpha and beta")]
    Unknown {
        /// What stands there.
        found: String,
    },
    /// The value is not a number.
    #[error("{found:?}: the value is not a number")]
    NoNumber {
        /// What stands there.
        found: String,
    },
    /// A key comes twice.
    #[error("{key} is given twice")]
    Twice {
        /// The key.
        key: &'static str,
    },
    /// A key is missing.
    #[error("{key} is missing: write elo0=0,elo1=10")]
    Missing {
        /// The key.
        key: &'static str,
    },
    /// The hypotheses are in the wrong order.
    #[error("elo0 must be below elo1")]
    Order,
    /// A hypothesis is absurd.
    #[error("elo0 and elo1 are between -1000 and 1000")]
    EloOutOfRange,
    /// A chance of error is absurd.
    #[error("{key} is between 0 and 0.5")]
    ErrorOutOfRange {
        /// Which one.
        key: &'static str,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn llr(pairs: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        let sprt = Sprt::new(elo0, elo1, 0.05, 0.05).unwrap();
        sprt.llr(&Pentanomial(pairs))
    }

    #[test]
    fn llr_agrees_with_the_published_tests_of_fastchess() {
        let first = llr([223, 9863, 20279 + 1000, 10037, 246], 0.5, 2.5);
        assert!((first + 3.07).abs() < 0.01, "{first}");
        let second = llr([871, 26175, 55003 + 980, 26678, 821], 0.0, 2.0);
        assert!((second + 4.98).abs() < 0.01, "{second}");
    }

    #[test]
    fn llr_agrees_with_an_independent_computation() {
        // By a separate program that maximises the likelihood through its dual.
        for (pairs, expected) in
            [([10, 20, 40, 30, 15], 0.734_044_890_870_792), ([0, 0, 0, 0, 104], 2.950_344_550_755_079)]
        {
            let found = llr(pairs, 0.0, 10.0);
            assert!((found - expected).abs() < 1e-6, "{pairs:?}: {found}");
        }
    }

    #[test]
    fn for_few_hundredths_of_elo_it_is_the_normal_approximation() {
        // LLR ≈ N (s1 - s0) (2 s - s0 - s1) / (2 variance) for close hypotheses.
        let pairs = [100, 200, 420, 230, 110];
        let n: f64 = pairs.iter().sum::<u64>() as f64;
        let mean = (0..5).map(|i| i as f64 / 4.0 * pairs[i] as f64).sum::<f64>() / n;
        let (s0, s1) = (expected_score(6.0), expected_score(6.1));
        let middle = f64::midpoint(s0, s1);
        // The variance about the tested mean, as the likelihood sees it.
        let variance = (0..5).map(|i| (i as f64 / 4.0 - middle).powi(2) * pairs[i] as f64).sum::<f64>() / n;
        let normal = n * (s1 - s0) * (mean - middle) / variance;
        assert!((llr(pairs, 6.0, 6.1) - normal).abs() < 1e-3);
    }

    #[test]
    fn the_test_stops_at_walds_bounds() {
        let sprt: Sprt = "elo0=0,elo1=10".parse().unwrap();
        let (lower, upper) = sprt.bounds();
        assert!((upper - 2.944_438_979).abs() < 1e-9 && (lower + upper).abs() < 1e-12);
        assert_eq!(sprt.decide(&Pentanomial::default()), None);
        assert_eq!(sprt.decide(&Pentanomial([5, 10, 20, 10, 5])), None);
        assert_eq!(sprt.decide(&Pentanomial([0, 10, 50, 90, 40])), Some(Decision::H1));
        assert_eq!(sprt.decide(&Pentanomial([40, 90, 50, 10, 0])), Some(Decision::H0));
        let strict: Sprt = "elo0=0, elo1=10, alpha=0.01, beta=0.1".parse().unwrap();
        let (lower, upper) = strict.bounds();
        assert!((lower - (0.1f64 / 0.99).ln()).abs() < 1e-12);
        assert!((upper - 90f64.ln()).abs() < 1e-12);
    }

    /// How often H1 is accepted in a thousand tests of pairs with these shares.
    fn accepted(sprt: &Sprt, shares: [f64; 5], seed: u64) -> u32 {
        use rand::RngExt;
        let mut stream = turncoat_players::seed::stream(seed, &[]);
        let mut decide = || {
            let mut pairs = Pentanomial::default();
            loop {
                let mut rest: f64 = stream.random();
                let drawn = shares.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                pairs.add(drawn.unwrap_or(4) as u32);
                if let Some(decision) = sprt.decide(&pairs) {
                    return decision;
                }
            }
        };
        (0..1000).map(|_| u32::from(decide() == Decision::H1)).sum()
    }

    #[test]
    fn errors_are_as_rare_as_was_asked() {
        let sprt: Sprt = "elo0=0,elo1=50".parse().unwrap();
        // An even distribution, and the same shifted to the score of 50 Elo.
        let even = [0.15, 0.05, 0.6, 0.05, 0.15];
        let stronger = most_likely(even, expected_score(50.0));
        let wrongly = accepted(&sprt, even, 1);
        assert!(wrongly < 70, "H1 accepted {wrongly} times of 1000 where H0 is true");
        let rightly = accepted(&sprt, stronger, 2);
        assert!(rightly > 930, "H1 accepted {rightly} times of 1000 where it is true");
    }

    #[test]
    fn bad_descriptions_are_refused_with_the_reason() {
        for (text, expected) in [
            ("", "\"\": write elo0=0,elo1=10, and alpha=0.05,beta=0.05 if you like"),
            ("elo0=0", "elo1 is missing: write elo0=0,elo1=10"),
            ("elo0=0,elo1=ten", "\"elo1=ten\": the value is not a number"),
            ("elo0=0,elo1=inf", "\"elo1=inf\": the value is not a number"),
            ("elo0=0,elo0=1", "elo0 is given twice"),
            ("elo2=0", "\"elo2=0\": the test has elo0, elo1, alpha and beta"),
            ("elo0=5,elo1=5", "elo0 must be below elo1"),
            ("elo0=0,elo1=5000", "elo0 and elo1 are between -1000 and 1000"),
            ("elo0=0,elo1=5,alpha=0", "alpha is between 0 and 0.5"),
            ("elo0=0,elo1=5,beta=0.5", "beta is between 0 and 0.5"),
        ] {
            assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), expected);
        }
    }
}
