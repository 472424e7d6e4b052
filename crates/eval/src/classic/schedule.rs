//! Stages of the game by the number of discs.

use turncoat_board::Geometry;

/// Which stage a number of discs belongs to.
///
/// A schedule is given by the last disc count of every stage but the last one, on an 8x8 board; on a small
/// board the counts shrink with the area.
///
/// ```
/// use turncoat_board::Geometry;
/// use turncoat_eval::classic::Schedule;
///
/// let schedule = Schedule::new(&[34], Geometry::EIGHT);
/// assert_eq!((schedule.stage(4), schedule.stage(34), schedule.stage(35)), (0, 0, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Schedule {
    by_discs: [u8; 65],
}

impl Schedule {
    /// The schedule with these last disc counts, in rising order.
    pub fn new(last_discs: &[u32], geometry: Geometry) -> Self {
        let mut by_discs = [0; 65];
        for (discs, stage) in by_discs.iter_mut().enumerate() {
            let full_size = discs as u32 * 64 / u32::from(geometry.area());
            *stage = last_discs.iter().filter(|&&last| full_size > last).count() as u8;
        }
        Self { by_discs }
    }

    /// The stage with this many discs on the board.
    #[inline(always)]
    pub const fn stage(&self, discs: u32) -> usize {
        self.by_discs[if discs > 64 { 64 } else { discs as usize }] as usize
    }
}
