//! Normal random numbers, the same on every machine.

use rand::RngExt;
use turncoat_players::seed::Stream;

/// One normal number (Box and Muller 1958). The functions are the ones of a library that computes them itself:
/// those of the system differ in the last bit between machines.
pub(super) fn normal(stream: &mut Stream) -> f64 {
    // From (0, 1]: there is no logarithm of nothing.
    let radius = 1.0 - stream.random::<f64>();
    let angle = std::f64::consts::TAU * stream.random::<f64>();
    (-2.0 * libm::log(radius)).sqrt() * libm::cos(angle)
}

#[cfg(test)]
mod tests {
    use super::*;
    use turncoat_players::seed::stream;

    #[test]
    fn it_is_normal() {
        let mut stream = stream(1, &[]);
        let all: Vec<f64> = (0..100_000).map(|_| normal(&mut stream)).collect();
        let mean = all.iter().sum::<f64>() / 1e5;
        let variance = all.iter().map(|x| x * x).sum::<f64>() / 1e5;
        let within = all.iter().filter(|x| x.abs() < 1.0).count() as f64 / 1e5;
        assert!(mean.abs() < 0.02 && (variance - 1.0).abs() < 0.02);
        assert!((within - 0.6827).abs() < 0.01);
    }
}
