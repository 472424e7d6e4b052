//! A busy machine, for tests that must not depend on a quiet one.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Busy loops that end when this is dropped.
pub(crate) struct Load(Arc<AtomicBool>);

impl Load {
    pub(crate) fn start(loops: usize) -> Self {
        let ended = Arc::new(AtomicBool::new(false));
        for _ in 0..loops {
            let ended = Arc::clone(&ended);
            thread::spawn(move || {
                let mut count = 0_u64;
                while !ended.load(Ordering::Relaxed) {
                    count = black_box(count.wrapping_add(1));
                }
            });
        }
        Self(ended)
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
