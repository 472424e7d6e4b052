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
        // The variance of a strength less the mean of all.
        let rows = solve_with(&fit.factor, &vec![1.0; self.players]);
        let all: f64 = rows.iter().sum();
        let rating = |((strength, variance), row): ((&f64, f64), f64)| {
            let variance = variance - 2.0 * row / n + all / (n * n);
            Rating { elo: ELO * (strength - mean), error: ELO * QUANTILE_95 * variance.max(0.0).sqrt() }
        };
        fit.strengths.iter().zip(fit.variances()).zip(rows).map(rating).collect()
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
        let (variances, column) = (fit.variances(), fit.covariances(zero));
        (0..self.players)
            .map(|i| {
                // Nothing is known better than that a player is its own equal; rounding would leave a trace.
                let variance = if i == zero { 0.0 } else { variances[i] + variances[zero] - 2.0 * column[i] };
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
            let step = solve_with(&factorise(curvature, n), &gradient);
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
            // The next step would be about the square of this one.
            if step.iter().all(|s| s.abs() < 1e-9) {
                break;
            }
        }
        let (_, curvature) = self.derivatives(&strengths, prior);
        Fit { strengths, factor: factorise(curvature, n) }
    }

    fn likelihood(&self, strengths: &[f64], prior: f64) -> f64 {
        let mut sum = 0.0;
        for i in 0..self.players {
            sum += prior / 2.0 * (log_win(strengths[i]) + log_win(-strengths[i]));
            // Most pairs of a large field have never met.
            for j in (0..self.players).filter(|&j| self.points(i, j) > 0.0) {
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
                let games = self.games(i, j);
                if games == 0.0 {
                    continue;
                }
                let chance = win(strengths[i] - strengths[j]);
                gradient[i] += self.points(i, j) - games * chance;
                let weight = games * chance * (1.0 - chance);
                curvature[i * n + i] += weight;
                curvature[i * n + j] -= weight;
            }
        }
        (gradient, curvature)
    }
}

/// The maximum of the likelihood, and the curvature there as a factor, whose inverse is the covariance of the strengths.
struct Fit {
    strengths: Vec<f64>,
    factor: Vec<f64>,
}

impl Fit {
    /// The variances of all strengths.
    fn variances(&self) -> Vec<f64> {
        diagonal_of_inverse(&self.factor, self.strengths.len())
    }

    /// The covariances of all strengths with that of one player.
    fn covariances(&self, with: usize) -> Vec<f64> {
        let mut unit = vec![0.0; self.strengths.len()];
        unit[with] = 1.0;
        solve_with(&self.factor, &unit)
    }
}

fn win(difference: f64) -> f64 {
    1.0 / (1.0 + (-difference).exp())
}

/// The logarithm of [`win`], also far out where that is 0.
fn log_win(difference: f64) -> f64 {
    if difference > 0.0 { -(-difference).exp().ln_1p() } else { difference - difference.exp().ln_1p() }
}

/// Cholesky's decomposition of a positive definite matrix: its upper triangle. All inner loops run along rows: a table of
/// hundreds of players is computed after every game.
fn factorise(mut matrix: Vec<f64>, n: usize) -> Vec<f64> {
    for k in 0..n {
        let (done, rest) = matrix.split_at_mut((k + 1) * n);
        let pivot = &mut done[k * n..];
        // Rounding alone could make this zero.
        pivot[k] = pivot[k].max(1e-300).sqrt();
        let root = pivot[k];
        pivot[k + 1..].iter_mut().for_each(|x| *x /= root);
        for (i, row) in (k + 1..n).zip(rest.chunks_exact_mut(n)) {
            if pivot[i] != 0.0 {
                subtract(&mut row[i..], pivot[i], &pivot[i..]);
            }
        }
    }
    matrix
}

/// Subtracts a multiple of a row.
fn subtract(from: &mut [f64], factor: f64, row: &[f64]) {
    for (x, value) in from.iter_mut().zip(row) {
        *x -= factor * value;
    }
}

/// Solves a system of equations whose matrix was factorised.
fn solve_with(factor: &[f64], right: &[f64]) -> Vec<f64> {
    let n = right.len();
    let mut x = right.to_vec();
    for i in 0..n {
        let row = &factor[i * n..(i + 1) * n];
        x[i] /= row[i];
        let value = x[i];
        subtract(&mut x[i + 1..], value, &row[i + 1..]);
    }
    for i in (0..n).rev() {
        let row = &factor[i * n..(i + 1) * n];
        let known: f64 = row[i + 1..].iter().zip(&x[i + 1..]).map(|(a, b)| a * b).sum();
        x[i] = (x[i] - known) / row[i];
    }
    x
}

/// The diagonal of the inverse of a matrix that was factorised: sums of squares over the rows of the inverse factor.
fn diagonal_of_inverse(factor: &[f64], n: usize) -> Vec<f64> {
    let square = |i: usize| {
        let mut row = vec![0.0; n];
        row[i] = 1.0;
        let mut sum = 0.0;
        for k in i..n {
            let value = row[k] / factor[k * n + k];
            sum += value * value;
            subtract(&mut row[k + 1..], value, &factor[k * n + k + 1..(k + 1) * n]);
        }
        sum
    };
    (0..n).map(square).collect()
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
            let (variances, column) = (fit.variances(), fit.covariances(0));
            let variance = variances[journal] + variances[0] - 2.0 * column[journal];
            assert!((variance.sqrt() - error).abs() < 2e-5, "{}", variance.sqrt());
        }
    }

    #[test]
    fn a_factor_solves_its_matrix_and_knows_its_inverse() {
        // A chain with a long link: most of it is zero, and the decomposition fills it.
        let n = 7;
        let mut matrix = vec![0.0; n * n];
        for (i, j, weight) in
            [(0, 1, 2.0), (1, 2, 5.0), (2, 3, 1.0), (3, 4, 0.5), (4, 5, 3.0), (0, 6, 4.0), (2, 5, 0.1)]
        {
            for (a, b) in [(i, j), (j, i)] {
                matrix[a * n + b] -= weight;
                matrix[a * n + a] += weight;
            }
        }
        (0..n).for_each(|i| matrix[i * n + i] += 0.25);
        let factor = factorise(matrix.clone(), n);
        let diagonal = diagonal_of_inverse(&factor, n);
        for i in 0..n {
            let mut unit = vec![0.0; n];
            unit[i] = 1.0;
            let x = solve_with(&factor, &unit);
            for j in 0..n {
                let product: f64 = (0..n).map(|k| matrix[j * n + k] * x[k]).sum();
                assert!((product - unit[j]).abs() < 1e-12, "{i} {j}: {product}");
            }
            assert!((diagonal[i] - x[i]).abs() < 1e-12, "{i}: {} {}", diagonal[i], x[i]);
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
