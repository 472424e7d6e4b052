//! The parts of an evaluation.

/// One feature of an evaluation: its value times its weight is its share of the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Term {
    /// What it measures.
    pub name: String,
    /// What of it is on the board, where a number does not say it: the squares of a pattern, or the numbers of moves by
    /// which a weight was chosen.
    pub detail: Option<String>,
    /// How much of it there is.
    pub value: f64,
    /// What one of it is worth.
    pub weight: f64,
}

impl Term {
    /// A feature with this name.
    pub fn new(name: impl Into<String>, value: impl Into<f64>, weight: f64) -> Self {
        Self { name: name.into(), detail: None, value: value.into(), weight }
    }

    /// A weight that was chosen by what is on the board.
    pub fn chosen(name: impl Into<String>, detail: impl Into<String>, weight: f64) -> Self {
        Self { name: name.into(), detail: Some(detail.into()), value: 1.0, weight }
    }

    /// Its share of the whole.
    pub fn product(&self) -> f64 {
        // Adding zero turns a negative zero into a plain one.
        self.value * self.weight + 0.0
    }
}
