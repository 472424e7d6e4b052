//! Places that clients share fairly. When all are taken, a newcomer gets one from the address that has the most, so that
//! no address can keep the others out, however much it opens.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use crate::peer::Peer;

/// Whoever has a place.
pub(crate) trait Occupant {
    /// Whose it is.
    fn peer(&self) -> Peer;
    /// When it last did anything.
    fn last_active(&self) -> Instant;
    /// Ends it: its place has been given to another.
    fn evict(&self);
}

/// A number of places.
#[derive(Debug)]
pub(crate) struct Places<T> {
    most: usize,
    /// How long an occupant must have been idle to lose its place to an address that has as many.
    patience: Duration,
    taken: Mutex<Vec<Arc<T>>>,
}

impl<T: Occupant> Places<T> {
    /// So many places, all free.
    pub(crate) fn new(most: usize, patience: Duration) -> Arc<Self> {
        Arc::new(Self { most, patience, taken: Mutex::default() })
    }

    /// A place for a newcomer, if need be that of another; `None` if all are taken and nobody has to leave.
    pub(crate) fn take(self: &Arc<Self>, newcomer: Arc<T>) -> Option<Place<T>> {
        let mut taken = self.taken();
        if taken.len() >= self.most {
            let (victim, most) = victim(&taken)?;
            let own = taken.iter().filter(|occupant| occupant.peer() == newcomer.peer()).count();
            // With a difference of one, two addresses would take the last place from each other for ever.
            if most <= own + 1 && taken[victim].last_active().elapsed() < self.patience {
                return None;
            }
            taken.swap_remove(victim).evict();
        }
        taken.push(Arc::clone(&newcomer));
        drop(taken);
        Some(Place { places: Arc::clone(self), occupant: newcomer })
    }

    /// Evicts the one who would have to leave for a newcomer.
    pub(crate) fn make_room(&self) {
        let mut taken = self.taken();
        if let Some((victim, _)) = victim(&taken) {
            taken.swap_remove(victim).evict();
        }
    }

    fn taken(&self) -> MutexGuard<'_, Vec<Arc<T>>> {
        // Nothing panics while the lock is held.
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Who leaves if somebody must, and how many places its address has: of the addresses with the most places, the occupant
/// that has been idle longest.
fn victim<T: Occupant>(taken: &[Arc<T>]) -> Option<(usize, usize)> {
    let mut counts = HashMap::<Peer, usize>::new();
    for occupant in taken {
        *counts.entry(occupant.peer()).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    let candidates = taken.iter().enumerate().filter(|(_, occupant)| counts.get(&occupant.peer()) == Some(&most));
    candidates.min_by_key(|(_, occupant)| occupant.last_active()).map(|(index, _)| (index, most))
}

/// A place that is taken until this is dropped.
#[derive(Debug)]
pub(crate) struct Place<T: Occupant> {
    places: Arc<Places<T>>,
    occupant: Arc<T>,
}

impl<T: Occupant> Drop for Place<T> {
    fn drop(&mut self) {
        self.places.taken().retain(|other| !Arc::ptr_eq(other, &self.occupant));
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;

    #[derive(Debug)]
    struct Guest(Peer, Instant, AtomicBool);

    impl Occupant for Guest {
        fn peer(&self) -> Peer {
            self.0
        }

        fn last_active(&self) -> Instant {
            self.1
        }

        fn evict(&self) {
            self.2.store(true, Ordering::Relaxed);
        }
    }

    fn guest(last: u8) -> Arc<Guest> {
        let address = IpAddr::from([127, 0, 0, last]);
        Arc::new(Guest(Peer::from(address), Instant::now(), AtomicBool::new(false)))
    }

    #[test]
    fn the_address_with_the_most_places_makes_room() {
        let places = Places::new(4, Duration::MAX);
        let crowd: Vec<_> = (0..4).map(|_| guest(1)).collect();
        let held: Vec<_> = crowd.iter().map(|one| places.take(Arc::clone(one)).unwrap()).collect();
        assert!(places.take(guest(1)).is_none());
        let _second = places.take(guest(2)).unwrap();
        let _third = places.take(guest(2)).unwrap();
        let evicted: Vec<_> = crowd.iter().map(|one| one.2.load(Ordering::Relaxed)).collect();
        assert_eq!(evicted, [true, true, false, false]);
        // Two for each: neither takes any more from the other, but a third address does.
        assert!(places.take(guest(2)).is_none());
        assert!(places.take(guest(1)).is_none());
        assert!(places.take(guest(3)).is_some());
        drop(held);
        assert!(places.taken().iter().all(|one| one.0 != crowd[0].0));
    }

    #[test]
    fn who_has_been_idle_for_long_makes_room_for_anybody() {
        let places = Places::new(1, Duration::ZERO);
        let first = guest(1);
        let _place = places.take(Arc::clone(&first)).unwrap();
        let second = guest(1);
        let _place = places.take(Arc::clone(&second)).unwrap();
        places.make_room();
        assert!(places.taken().is_empty() && second.2.load(Ordering::Relaxed));
        assert!(first.2.load(Ordering::Relaxed));
    }
}
