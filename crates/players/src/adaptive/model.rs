//! The model of the opponent: a fit for each number of plies that it may look ahead.
//!
//! Every move is predicted before it is learnt. So the predictions say which fit is the best, and how far it can be
//! trusted in which part of the game.

use turncoat_board::{Geometry, Position, Square, VariantKind};
use turncoat_search::{Limits, Watch};

use super::fit::{Fit, Reply};

/// How far the opponent may look ahead.
const DEPTHS: [u32; 4] = [1, 2, 3, 4];
/// The moves that are learnt again after each game; older ones have had their say.
const REMEMBERED: usize = 1500;
/// After this many moves, and each time that they have doubled, principal variations are worked out anew.
const FIRST_REFRESH: usize = 64;
/// The parts of a game, by empty squares, and the number of moves over which trust is gained or lost.
const PARTS: usize = 5;
const PART: u32 = 11;
const RECENT: u32 = 40;

/// What an opponent has shown of its play, and what it may play next.
///
/// ```
/// use turncoat_board::{Geometry, Position, VariantKind};
/// use turncoat_players::Limits;
/// use turncoat_players::adaptive::OpponentModel;
///
/// let mut model = OpponentModel::new(VariantKind::Reversed, Geometry::EIGHT);
/// let position = Position::start(Geometry::EIGHT);
/// let first = position.legal_moves().into_iter().next().unwrap();
/// model.learn(position, first);
/// let replies = model.predict(position, &Limits::default());
/// assert!(replies.len() == 4 && model.trust(60) > 0.0);
/// ```
pub struct OpponentModel {
    fits: Vec<Fit>,
    trust: Vec<[Trust; PARTS]>,
    /// Where the opponent chose, and what.
    seen: Vec<(Position, Square)>,
    learnt: usize,
    refresh: usize,
}

/// The mean chance of the moves that were made.
#[derive(Debug, Clone, Copy, Default)]
struct Trust {
    chance: f64,
    moves: u32,
}

impl Trust {
    /// Begins with nothing: the first moves count little.
    fn add(&mut self, chance: f64) {
        self.moves = (self.moves + 1).min(RECENT);
        self.chance += (chance - self.chance) / f64::from(self.moves + 4);
    }
}

fn part(empties: u32) -> usize {
    (empties / PART).min(PARTS as u32 - 1) as usize
}

impl OpponentModel {
    /// The model of an opponent that nothing is known of.
    pub fn new(variant: VariantKind, geometry: Geometry) -> Self {
        let fits: Vec<Fit> = DEPTHS.iter().filter_map(|&depth| Fit::new(depth, variant, geometry)).collect();
        let trust = vec![<[Trust; PARTS]>::default(); fits.len()];
        Self { fits, trust, seen: Vec::new(), learnt: 0, refresh: FIRST_REFRESH }
    }

    /// The fit that has predicted best, and the trust in it.
    fn best(&self) -> Option<(&Fit, &[Trust; PARTS])> {
        self.fits.iter().zip(&self.trust).max_by(|(a, _), (b, _)| a.likelihood.total_cmp(&b.likelihood))
    }

    /// The mean chance that it has given to the moves that were made with about so many empties, recent ones weighing
    /// more; 0 before any.
    pub fn trust(&self, empties: u32) -> f64 {
        self.best().map_or(0.0, |(_, trust)| trust[part(empties)].chance)
    }

    /// The moves that the opponent may make, with their chances: all of them, unless the search is stopped.
    pub fn predict(&self, position: Position, limits: &Limits) -> Vec<Reply> {
        self.predict_within(position, &mut Watch::start(limits))
    }

    pub(super) fn predict_within(&self, position: Position, watch: &mut Watch) -> Vec<Reply> {
        self.best().map_or_else(Vec::new, |(fit, _)| fit.predict(position, watch))
    }

    /// Learns a move of the opponent; one that it had to make tells nothing.
    pub fn learn(&mut self, position: Position, square: Square) {
        if position.legal_moves().count() < 2 || !position.legal_moves().contains(square) {
            return;
        }
        for (fit, trust) in self.fits.iter_mut().zip(&mut self.trust) {
            if let Some(chance) = fit.learn(position, square) {
                trust[part(position.empties())].add(chance);
            }
        }
        self.seen.push((position, square));
        self.learnt += 1;
    }

    /// Fits again to all that is remembered, between two games.
    pub fn settle(&mut self) {
        let old = self.seen.len().saturating_sub(REMEMBERED);
        self.seen.drain(..old);
        let is_due = self.learnt >= self.refresh;
        for fit in &mut self.fits {
            fit.forget(old);
            if is_due {
                fit.refresh(&self.seen);
            }
            fit.settle();
        }
        if is_due {
            self.refresh = 2 * self.learnt;
        }
    }
}
