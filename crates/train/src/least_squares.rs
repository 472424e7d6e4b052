//! Ordinary least squares of a few unknowns, by the normal equations.

/// Collects equations `terms · unknowns = value` and solves for the unknowns.
///
/// ```
/// use turncoat_train::least_squares::LeastSquares;
///
/// let mut fit = LeastSquares::<2>::default();
/// for x in 0..10 {
///     fit.add([1.0, f64::from(x)], 3.0 + 2.0 * f64::from(x), 1.0);
/// }
/// let [constant, slope] = fit.solve().unwrap();
/// assert!((constant - 3.0).abs() < 1e-9 && (slope - 2.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone)]
pub struct LeastSquares<const N: usize> {
    matrix: [[f64; N]; N],
    right: [f64; N],
}

impl<const N: usize> Default for LeastSquares<N> {
    fn default() -> Self {
        Self { matrix: [[0.0; N]; N], right: [0.0; N] }
    }
}

impl<const N: usize> LeastSquares<N> {
    /// Adds an equation that counts this much.
    pub fn add(&mut self, terms: [f64; N], value: f64, weight: f64) {
        for row in 0..N {
            for column in 0..N {
                self.matrix[row][column] += weight * terms[row] * terms[column];
            }
            self.right[row] += weight * terms[row] * value;
        }
    }

    /// The unknowns with the least squared error; `None` if the equations do not determine them.
    #[allow(clippy::needless_range_loop)] // Rows and columns read best by their indices.
    pub fn solve(&self) -> Option<[f64; N]> {
        let (mut matrix, mut right) = (self.matrix, self.right);
        for pivot in 0..N {
            let best = (pivot..N).max_by(|&a, &b| matrix[a][pivot].abs().total_cmp(&matrix[b][pivot].abs()))?;
            matrix.swap(pivot, best);
            right.swap(pivot, best);
            if matrix[pivot][pivot].abs() < 1e-12 {
                return None;
            }
            for row in pivot + 1..N {
                let factor = matrix[row][pivot] / matrix[pivot][pivot];
                for column in pivot..N {
                    matrix[row][column] -= factor * matrix[pivot][column];
                }
                right[row] -= factor * right[pivot];
            }
        }
        let mut unknowns = [0.0; N];
        for row in (0..N).rev() {
            let known: f64 = (row + 1..N).map(|column| matrix[row][column] * unknowns[column]).sum();
            unknowns[row] = (right[row] - known) / matrix[row][row];
        }
        Some(unknowns)
    }
}
