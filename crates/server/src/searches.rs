//! Searches for requests: bounded in number, sharing the cores, stopped when their client is gone.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::{self, JoinHandle};
use turncoat_api::{ApiFault, Code};
use turncoat_players::{Limits, StopFlag};

use crate::scheduler::Scheduler;

/// The threads on which searches run.
#[derive(Debug, Clone)]
pub(crate) struct SearchPool {
    scheduler: Arc<Scheduler>,
    /// How many searches may be under way.
    places: Arc<Semaphore>,
}

impl SearchPool {
    /// A pool in which `workers` searches run at a time and `places` are under way.
    pub(crate) fn new(workers: usize, places: usize) -> Self {
        Self { scheduler: Scheduler::new(workers), places: Arc::new(Semaphore::new(places)) }
    }

    /// Starts a search on a thread of its own, with limits that share the cores with the other searches.
    pub(crate) fn spawn<T: Send + 'static>(
        &self,
        time: Duration,
        search: impl FnOnce(&Limits) -> Result<T, ApiFault> + Send + 'static,
    ) -> Result<Search<T>, ApiFault> {
        let place = Arc::clone(&self.places)
            .try_acquire_owned()
            .map_err(|_| ApiFault::new(Code::Busy, "too many searches are going on; try again in a moment"))?;
        let (scheduler, stop) = (Arc::clone(&self.scheduler), StopFlag::default());
        let flag = stop.clone();
        let task = task::spawn_blocking(move || {
            let _place = place;
            let permit = scheduler.enter();
            // Without a time, a search would not read the clock, which is what lets other searches run.
            search(&Limits { time: Some(time), stop: flag, clock: permit.clock(), ..Limits::default() })
        });
        Ok(Search { stop, task })
    }
}

/// A search under way. Dropping it stops it.
#[derive(Debug)]
pub(crate) struct Search<T> {
    stop: StopFlag,
    task: JoinHandle<Result<T, ApiFault>>,
}

impl<T> Search<T> {
    /// Waits for the result.
    pub(crate) async fn finish(&mut self) -> Result<T, ApiFault> {
        (&mut self.task).await.unwrap_or_else(|_| Err(ApiFault::new(Code::SearchFailed, "the search broke off")))
    }

    /// Stops the search and waits until its place is free.
    pub(crate) async fn stop(mut self) {
        self.stop.raise();
        let _ = self.finish().await;
    }
}

impl<T> Drop for Search<T> {
    fn drop(&mut self) {
        self.stop.raise();
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    /// A search reads its request and builds its player, which may unpack weights.
    #[test]
    fn searches_do_their_work_apart_from_the_threads_that_serve_requests() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let pool = SearchPool::new(1, 1);
        let worker = runtime.block_on(async {
            let mut search = pool.spawn(Duration::from_secs(1), |_| Ok(thread::current().id())).unwrap();
            search.finish().await.unwrap()
        });
        assert_ne!(worker, thread::current().id());
    }
}
