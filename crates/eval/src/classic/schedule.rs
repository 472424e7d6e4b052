//! Stages of the game by the number of discs.

use turncoat_board::Geometry;

use super::{ColorWeights, Parameters, StageCourse};

/// Which stage a number of discs belongs to.
///
/// A schedule is given by the last disc count of every stage but the last one, on an 8x8 board; on a small
/// board the counts shrink with the area.
///
/// ```
/// use turncoat_board::Geometry;
/// use turncoat_eval::classic::StageSchedule;
///
/// let schedule = StageSchedule::new(&[34], Geometry::EIGHT);
/// assert_eq!((schedule.stage(4), schedule.stage(34), schedule.stage(35)), (0, 0, 1));
/// ```
#[derive(Debug, Clone)]
pub struct StageSchedule {
    by_discs: [u8; 65],
}

impl StageSchedule {
    /// The schedule with these last disc counts, in rising order.
    pub fn new(last_discs: &[u32], geometry: Geometry) -> Self {
        let mut by_discs = [0; 65];
        for (discs, stage) in by_discs.iter_mut().enumerate() {
            let full_size = discs as u32 * 64 / u32::from(geometry.area());
            *stage = last_discs.iter().filter(|&&last| full_size > last).count() as u8;
        }
        Self { by_discs }
    }

    /// The schedule of parameters, and their stages as a search wants them: interpolated weights are worked
    /// out beforehand, a stage for each number of discs.
    pub(super) fn lay_out(parameters: &Parameters, geometry: Geometry) -> (Self, Vec<Vec<f64>>) {
        let knots = match &parameters.course {
            StageCourse::LastDiscs(last) => {
                return (Self::new(last, geometry), parameters.stages.clone());
            }
            StageCourse::Knots(knots) => knots,
        };
        let mut by_discs = [0; 65];
        let mut stages = Vec::new();
        for (discs, stage) in by_discs.iter_mut().enumerate() {
            *stage = discs as u8;
            let full_size = discs as f64 * 64.0 / f64::from(geometry.area());
            stages.push(interpolated(knots, &parameters.stages, full_size));
        }
        (Self { by_discs }, stages)
    }

    /// The stage with this many discs on the board.
    #[inline(always)]
    pub const fn stage(&self, discs: u32) -> usize {
        self.by_discs[if discs > 64 { 64 } else { discs as usize }] as usize
    }
}

impl StageCourse {
    /// The middle of each stage, in discs.
    fn centres(&self) -> Vec<f64> {
        match self {
            Self::Knots(knots) => knots.iter().map(|&knot| f64::from(knot)).collect(),
            Self::LastDiscs(last) => {
                let firsts = std::iter::once(4).chain(last.iter().map(|&last| last + 1));
                let lasts = last.iter().copied().chain([64]);
                let middle = |(first, last)| f64::from(first + last) / 2.0;
                firsts.zip(lasts).map(middle).collect()
            }
        }
    }

    /// The weights with this many discs on a full board.
    fn at(&self, stages: &[Vec<f64>], discs: f64) -> Vec<f64> {
        match self {
            Self::Knots(knots) => interpolated(knots, stages, discs),
            Self::LastDiscs(last) => {
                let stage = last.iter().filter(|&&last| discs > f64::from(last)).count();
                stages[stage].clone()
            }
        }
    }
}

impl Parameters {
    /// Parameters with other stages: each gets the weights that held in its middle.
    #[must_use]
    pub fn restaged(&self, course: StageCourse) -> Self {
        let restage = |stages: &[Vec<f64>]| {
            let weights = |discs: f64| self.course.at(stages, discs);
            course.centres().into_iter().map(weights).collect()
        };
        if course == self.course {
            return self.clone();
        }
        Self {
            shared: self.shared.clone(),
            stages: restage(&self.stages),
            white: self
                .white
                .as_ref()
                .map(|white| ColorWeights { shared: white.shared.clone(), stages: restage(&white.stages) }),
            course,
        }
    }
}

/// The weights with this many discs: those of the nearest knot outside of all knots, a mixture between two.
fn interpolated(knots: &[u32], stages: &[Vec<f64>], discs: f64) -> Vec<f64> {
    let after = knots.iter().filter(|&&knot| f64::from(knot) <= discs).count();
    let (first, last) = (0, stages.len() - 1);
    if after == 0 || after > last {
        return stages[if after == 0 { first } else { last }].clone();
    }
    let (low, high) = (f64::from(knots[after - 1]), f64::from(knots[after]));
    let share = (discs - low) / (high - low);
    let mix = |(from, to): (&f64, &f64)| from + (to - from) * share;
    stages[after - 1].iter().zip(&stages[after]).map(mix).collect()
}
