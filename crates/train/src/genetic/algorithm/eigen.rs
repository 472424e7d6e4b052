//! Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's rotations: slow for large matrices, but
//! short, exact, and the same on every machine.

/// A square matrix, row by row.
pub(super) type Matrix = Vec<Vec<f64>>;

/// The matrix with ones on its diagonal.
pub(super) fn identity(size: usize) -> Matrix {
    let mut matrix = vec![vec![0.0; size]; size];
    for (i, row) in matrix.iter_mut().enumerate() {
        row[i] = 1.0;
    }
    matrix
}

/// Eigenvalues and, as rows, the eigenvectors that belong to them.
#[allow(clippy::needless_range_loop)] // Rows and columns read best by their indices.
pub(super) fn symmetric(matrix: &Matrix) -> (Vec<f64>, Matrix) {
    const MOST_SWEEPS: usize = 60;
    let size = matrix.len();
    let (mut a, mut vectors) = (matrix.clone(), identity(size));
    let total: f64 = a.iter().flatten().map(|x| x * x).sum();
    for _ in 0..MOST_SWEEPS {
        let off: f64 = (0..size).flat_map(|i| a[i][..i].iter()).map(|x| x * x).sum();
        if off <= 1e-24 * total {
            break;
        }
        for p in 0..size {
            for q in p + 1..size {
                if a[p][q] == 0.0 {
                    continue;
                }
                let theta = (a[q][q] - a[p][p]) / (2.0 * a[p][q]);
                let tangent = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
                rotate(&mut a, &mut vectors, (p, q), (cosine, tangent * cosine));
            }
        }
    }
    ((0..size).map(|i| a[i][i]).collect(), vectors)
}

/// Turns the plane of two axes so that their common entry vanishes.
fn rotate(matrix: &mut Matrix, vectors: &mut Matrix, (first, second): (usize, usize), (cosine, sine): (f64, f64)) {
    let turned = |x: f64, y: f64| (cosine * x - sine * y, sine * x + cosine * y);
    for row in matrix.iter_mut() {
        (row[first], row[second]) = turned(row[first], row[second]);
    }
    for matrix in [matrix, vectors] {
        let (upper, lower) = matrix.split_at_mut(second);
        for (x, y) in upper[first].iter_mut().zip(&mut lower[0]) {
            (*x, *y) = turned(*x, *y);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[allow(clippy::needless_range_loop)]
    fn the_parts_make_the_matrix_again() {
        let size = 12;
        let mut matrix = identity(size);
        for i in 0..size {
            for j in 0..=i {
                let x = ((i * 7 + j * 13) % 11) as f64 / 3.0;
                matrix[i][j] = x;
                matrix[j][i] = x;
            }
        }
        let (values, vectors) = symmetric(&matrix);
        for i in 0..size {
            for j in 0..size {
                let sum: f64 = (0..size).map(|k| values[k] * vectors[k][i] * vectors[k][j]).sum();
                assert!((sum - matrix[i][j]).abs() < 1e-9);
                let dot: f64 = (0..size).map(|k| vectors[i][k] * vectors[j][k]).sum();
                assert!((dot - f64::from(u8::from(i == j))).abs() < 1e-12);
            }
        }
    }
}
