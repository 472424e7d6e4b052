//! Ratings of many players from who beat whom: the model of Bradley and Terry (1952).
//!
//! A draw counts as half a win for either side. The likelihood is maximised by Newton's method; the errors
//! come from the curvature at the maximum. Ratings are in Elo; their mean is 0, or one player is.

use super::QUANTILE_95;

/// Elo of a difference of one in natural log-strength.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;

/// The games that each player is given, half won and half lost, against an opponent of strength 0: so a
/// player who has won everything keeps a finite rating, and strangers have a common scale.
pub const PRIOR_GAMES: f64 = 1.0;

/// The same where one player is 0: next to none, since it would draw the ends of a long scale together.
const HARDLY_ANY_GAMES: f64 = 1e-3;

/// Points and games of every player against every other.
#[derive(Debug, Clone, PartialEq)]
pub struct Pairwise {
    players: usize,
    /// Points of the row's player against the column's.
    points: Vec<f64>,
}

/// A rating in Elo with its error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// The rating, relative to the mean of all players or to one of them.
    pub elo: f64,
    /// Half the width of the 95 % confidence interval.
    pub error: f64,
}

impl Pairwise {
    /// No games yet.
    pub fn new(players: usize) -> Self {
        Self { players, points: vec![0.0; players * players] }
    }

    /// Adds points that one player made against another.
    pub fn add(&mut self, player: usize, opponent: usize, points: f64) {
        self.points[player * self.players + opponent] += points;
    }

    fn points(&self, player: usize, opponent: usize) -> f64 {
        self.points[player * self.players + opponent]
    }

    fn games(&self, player: usize, opponent: usize) -> f64 {
        self.points(player, opponent) + self.points(opponent, player)
    }

    /// The ratings of all players.
    ///
    /// ```
    /// use turncoat_arena::stats::ratings::Pairwise;
    ///
    /// let mut results = Pairwise::new(2);
    /// results.add(0, 1, 300.0);
    /// results.add(1, 0, 100.0);
    /// let ratings = results.ratings();
    /// // 75 % are 191 Elo, less a little for the prior.
    /// assert!((ratings[0].elo - ratings[1].elo - 190.85).abs() < 1.0);
    /// ```
    pub fn ratings(&self) -> Vec<Rating> {
        let fit = self.fit(PRIOR_GAMES);
        let n = self.players as f64;
        let mean = fit.strengths.iter().sum::<f64>() / n;
        (0..self.players)
            .map(|i| {
                // The variance of a strength less the mean of all.
                let row: f64 = (0..self.players).map(|j| fit.covariance(i, j)).sum();
                let all: f64 = fit.covariance.iter().sum();
                let variance = fit.covariance(i, i) - 2.0 * row / n + all / (n * n);
                Rating { elo: ELO * (fit.strengths[i] - mean), error: ELO * QUANTILE_95 * variance.max(0.0).sqrt() }
            })
            .collect()
    }

    /// The ratings of all players above this one, whose own is 0. Each should be connected to it by games that were neither
    /// all won nor all lost; the error of one that is not is large.
    ///
    /// ```
    /// use turncoat_arena::stats::ratings::Pairwise;
    ///
    /// let mut results = Pairwise::new(3);
    /// for (player, opponent) in [(1, 0), (2, 1)] {
    ///     results.add(player, opponent, 300.0);
    ///     results.add(opponent, player, 100.0);
    /// }
    /// // 75 % are 191 Elo.
    /// let elo = results.ratings_above(0).iter().map(|rating| rating.elo.round()).collect::<Vec<_>>();
    /// assert_eq!(elo, [0.0, 191.0, 382.0]);
    /// ```
    pub fn ratings_above(&self, zero: usize) -> Vec<Rating> {
        let fit = self.fit(HARDLY_ANY_GAMES);
        (0..self.players)
            .map(|i| {
                let variance = fit.covariance(i, i) + fit.covariance(zero, zero) - 2.0 * fit.covariance(i, zero);
                let elo = ELO * (fit.strengths[i] - fit.strengths[zero]);
                Rating { elo, error: ELO * QUANTILE_95 * variance.max(0.0).sqrt() }
            })
            .collect()
    }

    /// Newton's method with halved steps where a whole one would overshoot. The prior makes the likelihood
    /// strictly concave, so there is one maximum and it is reached.
    fn fit(&self, prior: f64) -> Fit {
        let n = self.players;
        let mut strengths = vec![0.0; n];
        let mut likelihood = self.likelihood(&strengths, prior);
        for _ in 0..100 {
            let (gradient, curvature) = self.derivatives(&strengths, prior);
            let step = solve(&curvature, &gradient);
            let mut scale = 1.0;
            let mut moved;
            loop {
                moved = strengths.clone();
                for (strength, s) in moved.iter_mut().zip(&step) {
                    *strength += scale * s;
                }
                let better = self.likelihood(&moved, prior);
                if better >= likelihood || scale < 1e-6 {
                    likelihood = better;
                    break;
                }
                scale /= 2.0;
            }
            strengths = moved;
            if step.iter().all(|s| s.abs() < 1e-12) {
                break;
            }
        }
        let (_, curvature) = self.derivatives(&strengths, prior);
        let covariance = invert(&curvature, n);
        Fit { strengths, covariance }
    }

    fn likelihood(&self, strengths: &[f64], prior: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.players {
            sum += prior / 2.0 * (log_win(strengths[i]) + log_win(-strengths[i]));
            for j in 0..self.players {
                sum += self.points(i, j) * log_win(strengths[i] - strengths[j]);
            }
        }
        sum
    }

    /// The gradient of the log-likelihood and the negative of its second derivatives.
    fn derivatives(&self, strengths: &[f64], prior: f64) -> (Vec<f64>, Vec<f64>) {
        let n = self.players;
        let (mut gradient, mut curvature) = (vec![0.0; n], vec![0.0; n * n]);
        for i in 0..n {
            let even = win(strengths[i]);
            gradient[i] += prior * (0.5 - even);
            curvature[i * n + i] += prior * even * (1.0 - even);
            for j in (0..n).filter(|&j| j != i) {
                let chance = win(strengths[i] - strengths[j]);
                let games = self.games(i, j);
                gradient[i] += self.points(i, j) - games * chance;
                let weight = games * chance * (1.0 - chance);
                curvature[i * n + i] += weight;
                curvature[i * n + j] -= weight;
            }
        }
        (gradient, curvature)
    }
}

/// The maximum of the likelihood and the covariance of the strengths there.
struct Fit {
    strengths: Vec<f64>,
    covariance: Vec<f64>,
}

impl Fit {
    fn covariance(&self, i: usize, j: usize) -> f64 {
        self.covariance[i * self.strengths.len() + j]
    }
}

fn win(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`win`], also far out where that is 0.
fn log_win(difference: f64) -> f64 {
    if difference > 0.0 { -(-difference).exp().ln_1p() } else { difference - difference.exp().ln_1p() }
}

/// The lower triangle of Cholesky's decomposition of a positive definite matrix.
fn cholesky(matrix: &[f64], n: usize) -> Vec<f64> {
    let mut lower = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i * n + k] * lower[j * n + k]).sum();
            let rest = matrix[i * n + j] - known;
            lower[i * n + j] = if i == j {
                // Rounding alone could make this zero.
                rest.max(1e-300).sqrt()
            } else {
                rest / lower[j * n + j]
            };
        }
    }
    lower
}

fn solve_with(lower: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in 0..n {
        let known: f64 = (0..i).map(|k| lower[i * n + k] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i * n + i];
    }
    for i in (0..n).rev() {
        let known: f64 = (i + 1..n).map(|k| lower[k * n + i] * x[k]).sum();
        x[i] = (x[i] - known) / lower[i * n + i];
    }
    x
}

fn solve(matrix: &[f64], right: &[f64]) -> Vec<f64> {
    solve_with(&cholesky(matrix, right.len()), right)
}

fn invert(matrix: &[f64], n: usize) -> Vec<f64> {
    let lower = cholesky(matrix, n);
    let mut inverse = vec![0.0; n * n];
    for column in 0..n {
        let mut unit = vec![0.0; n];
        unit[column] = 1.0;
        for (row, value) in solve_with(&lower, &unit).into_iter().enumerate() {
            inverse[row * n + column] = value;
        }
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Citations between four journals of statistics (Stigler 1994), the example of Agresti and of R's
    /// `BradleyTerry2`: rows are cited ("won against") columns.
    fn citations() -> Pairwise {
        let table = [
            [0.0, 730.0, 498.0, 221.0],
            [33.0, 0.0, 68.0, 17.0],
            [320.0, 813.0, 0.0, 142.0],
            [284.0, 276.0, 325.0, 0.0],
        ];
        let mut results = Pairwise::new(4);
        for (i, row) in table.iter().enumerate() {
            for (j, &points) in row.iter().enumerate() {
                results.add(i, j, points);
            }
        }
        results
    }

    #[test]
    fn strengths_and_errors_are_those_of_the_textbook() {
        // As good as no prior, as in the textbook.
        let fit = citations().fit(1e-7);
        // Against Biometrika: Comm. Statist., JASA, JRSS-B.
        for (journal, estimate, error) in [(1, -2.949_07, 0.102_55), (2, -0.479_57, 0.060_59), (3, 0.268_95, 0.070_83)]
        {
            let difference = fit.strengths[journal] - fit.strengths[0];
            assert!((difference - estimate).abs() < 1e-5, "{difference}");
            let variance = fit.covariance(journal, journal) + fit.covariance(0, 0) - 2.0 * fit.covariance(journal, 0);
            assert!((variance.sqrt() - error).abs() < 2e-5, "{}", variance.sqrt());
        }
    }

    #[test]
    fn two_players_have_the_elo_of_their_score() {
        let mut results = Pairwise::new(2);
        results.add(0, 1, 75.0);
        results.add(1, 0, 25.0);
        let fit = results.fit(1e-9);
        let difference = ELO * (fit.strengths[0] - fit.strengths[1]);
        assert!((difference - 190.85).abs() < 0.01, "{difference}");
        let ratings = results.ratings();
        assert!((ratings[0].elo + ratings[1].elo).abs() < 1e-9);
        assert!((ratings[0].error - ratings[1].error).abs() < 1e-9);
    }

    #[test]
    fn who_wins_everything_stays_finite_and_on_top() {
        let mut results = Pairwise::new(4);
        results.add(0, 1, 10_000.0);
        results.add(0, 2, 10_000.0);
        results.add(1, 2, 5.0);
        results.add(2, 1, 5.0);
        // The fourth has not played: it stands at 0 of the prior, with a wide error.
        let ratings = results.ratings();
        assert!(ratings.iter().all(|r| r.elo.is_finite() && r.error.is_finite()));
        assert!(ratings[0].elo > ratings[3].elo && ratings[3].elo > ratings[1].elo);
        assert!((ratings[1].elo - ratings[2].elo).abs() < 1e-6);
        assert!(ratings.iter().map(|r| r.elo).sum::<f64>().abs() < 1e-6);
        assert_eq!(Pairwise::new(0).ratings(), []);
    }

    #[test]
    fn the_errors_of_a_chain_add_up_as_squares() {
        let mut results = Pairwise::new(4);
        for player in 1..3 {
            results.add(player, player - 1, 64.0);
            results.add(player - 1, player, 36.0);
        }
        let ratings = results.ratings_above(0);
        assert_eq!(ratings[0], Rating { elo: 0.0, error: 0.0 });
        // The curvature of 100 games is 100 p (1 - p).
        let link = ELO * QUANTILE_95 / (100.0_f64 * 0.64 * 0.36).sqrt();
        assert!((ratings[1].error - link).abs() < 0.1, "{}", ratings[1].error);
        assert!((ratings[2].error - link * 2.0_f64.sqrt()).abs() < 0.1, "{}", ratings[2].error);
        // Whoever has not played may be anything.
        assert!(ratings[3].error > 5000.0, "{}", ratings[3].error);
    }

    #[test]
    fn the_order_of_the_players_does_not_matter() {
        let results = citations();
        let mut reversed = Pairwise::new(4);
        for i in 0..4 {
            for j in 0..4 {
                reversed.add(3 - i, 3 - j, results.points(i, j));
            }
        }
        let (a, b) = (results.ratings(), reversed.ratings());
        for i in 0..4 {
            assert!((a[i].elo - b[3 - i].elo).abs() < 1e-8);
            assert!((a[i].error - b[3 - i].error).abs() < 1e-8);
        }
    }
}
