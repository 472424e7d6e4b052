//! Searches for requests: bounded in number, sharing the cores, stopped when their client is gone.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::oneshot;
use turncoat_api::{ApiFault, Code};
use turncoat_players::{Limits, StopFlag};

use crate::peer::Peer;
use crate::places::{Occupant, Places};
use crate::scheduler::Scheduler;

/// How far searches stand back behind everything else, of at most 19.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

/// The threads on which searches run.
#[derive(Debug, Clone)]
pub(crate) struct SearchPool {
    scheduler: Arc<Scheduler>,
    /// Cores, which a search may use if no others want them.
    workers: usize,
    /// How many searches may be under way.
    places: Arc<Places<Order>>,
}

/// A search that was asked for.
#[derive(Debug)]
struct Order {
    peer: Peer,
    began: Instant,
    stop: StopFlag,
    is_evicted: AtomicBool,
}

impl Occupant for Order {
    fn peer(&self) -> Peer {
        self.peer
    }

    fn last_active(&self) -> Instant {
        self.began
    }

    fn evict(&self) {
        self.is_evicted.store(true, Ordering::Relaxed);
        self.stop.raise();
    }
}

/// Lets requests, and the browser on the same machine, go before this thread and those that it starts.
fn step_back() {
    // Elsewhere priorities are of whole processes.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, NICE);
}

fn busy() -> ApiFault {
    ApiFault::new(Code::Busy, "too many searches are going on; try again in a moment")
}

impl SearchPool {
    /// A pool in which `workers` searches run at a time and `places` are under way.
    pub(crate) fn new(workers: usize, places: usize) -> Self {
        Self { scheduler: Scheduler::new(workers), workers, places: Places::new(places, Duration::MAX) }
    }

    /// The threads that one search may use.
    pub(crate) fn threads(&self) -> usize {
        self.workers
    }

    /// Starts a search on a thread of its own, with limits that share the cores with the other searches.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        peer: Peer,
        time: Duration,
        search: impl FnOnce(&Limits) -> Result<T, ApiFault> + Send + 'static,
    ) -> Result<Search<T>, ApiFault> {
        let order =
            Order { peer, began: Instant::now(), stop: StopFlag::default(), is_evicted: AtomicBool::new(false) };
        let order = Arc::new(order);
        let place = self.places.take(Arc::clone(&order)).ok_or_else(busy)?;
        let (scheduler, stop, threads) = (Arc::clone(&self.scheduler), order.stop.clone(), Some(self.workers));
        let (tell, found) = oneshot::channel();
        let run = move || {
            let told = {
                let _place = place;
                step_back();
                let permit = scheduler.enter(peer);
                // Without a time, a search would not read the clock, which is what lets other searches run.
                let limits = Limits { time: Some(time), threads, stop, clock: permit.clock(), ..Limits::default() };
                search(&limits)
            };
            // Whoever waits for the end may want the place at once.
            let _ = tell.send(told);
        };
        thread::Builder::new().name("search".to_owned()).spawn(run).map_err(|_| busy())?;
        Ok(Search { order, found })
    }
}

/// A search under way. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Search<T> {
    order: Arc<Order>,
    found: oneshot::Receiver<Result<T, ApiFault>>,
}

impl<T> Search<T> {
    /// Waits for the result.
    pub(crate) async fn finish(&mut self) -> Result<T, ApiFault> {
        let finished = (&mut self.found).await;
        if self.order.is_evicted.load(Ordering::Relaxed) {
            return Err(busy());
        }
        finished.unwrap_or_else(|_| Err(ApiFault::new(Code::SearchFailed, "the search broke off")))
    }

    /// Stops the search and waits until its place is free.
    pub(crate) async fn stop(mut self) {
        self.order.stop.raise();
        let _ = self.finish().await;
    }
}

impl<T> Drop for Search<T> {
    fn drop(&mut self) {
        self.order.stop.raise();
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};
    use std::thread;

    use super::*;

    const PEER: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

    /// A search reads its request and builds its player, which may unpack weights.
    #[test]
    fn searches_do_their_work_apart_from_the_threads_that_serve_requests() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let pool = SearchPool::new(1, 1);
        let worker = runtime.block_on(async {
            let mut search = pool.spawn(PEER.into(), Duration::from_secs(1), |_| Ok(thread::current().id())).unwrap();
            search.finish().await.unwrap()
        });
        assert_ne!(worker, thread::current().id());
    }
}
