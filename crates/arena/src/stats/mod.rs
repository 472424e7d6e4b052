//! What the results say: Elo with its error, the sequential test, ratings. Written out by hand, after the
//! literature named in each file.

pub mod elo;
pub mod ratings;
pub mod sprt;

/// The two-sided 95 % quantile of the normal distribution.
pub(crate) const QUANTILE_95: f64 = 1.959_963_984_540_054;

/// The normal distribution function, by its series about 0 (Marsaglia, "Evaluating the normal
/// distribution", 2004): `½ + φ(x) (x + x³/3 + x⁵/(3·5) + …)`.
pub(crate) fn normal_cdf(x: f64) -> f64 {
    if x.abs() > 8.0 {
        // The tail beyond is less than 1e-15.
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let (mut sum, mut term, mut odd) = (x, x, 1.0);
    while term.abs() > 1e-17 * sum.abs() {
        odd += 2.0;
        term *= x * x / odd;
        sum += term;
    }
    let density = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt();
    (0.5 + density * sum).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_distribution_has_its_table_values() {
        for (x, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-1.0, 0.158_655_253_931_457),
            (QUANTILE_95, 0.975),
            (-3.0, 0.001_349_898_031_630),
            (7.9, 1.0),
            (9.0, 1.0),
            (-9.0, 0.0),
        ] {
            assert!((normal_cdf(x) - expected).abs() < 1e-13, "{x}");
        }
    }
}
