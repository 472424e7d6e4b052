//! What the module imports and exports.
//!
//! The page's worker writes a text into the inbox and calls a function; answers come out through `say`. Nothing else
//! crosses the border, so that no pointer is ever followed here.
// Names that are kept for the linker, and functions that the page brings, are unsafe by definition.
#![allow(unsafe_code)]

use std::cell::RefCell;
use std::sync::Arc;
use std::time::Duration;

use serde::Serialize;
use turncoat_api::Analysts;
use turncoat_board::VariantKind;
use turncoat_players::book::install_book;
use turncoat_players::flagship::install_weights;
use turncoat_players::{Clock, Limits, StopFlag, use_clock};

use crate::{Answer, Question};

#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some moment, the same for all workers.
    safe fn now() -> f64;
    /// Whether the question has been withdrawn: not 0.
    safe fn is_stopped() -> u32;
    /// Takes an answer.
    safe fn say(text: *const u8, length: usize);
    /// Takes the words of a panic, before the module ends.
    safe fn mourn(text: *const u8, length: usize);
}

thread_local! {
    static INBOX: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANALYSTS: Analysts = Analysts::default();
}

/// The page's clock. A search reads it often, so that it is also where a search hears that it is stopped.
#[derive(Debug)]
struct PageClock(StopFlag);

impl Clock for PageClock {
    fn now(&self) -> Duration {
        if is_stopped() != 0 {
            self.0.raise();
        }
        since_start()
    }
}

fn since_start() -> Duration {
    Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
}

fn limits(threads: usize) -> Limits {
    let stop = StopFlag::default();
    let clock: Arc<dyn Clock> = Arc::new(PageClock(stop.clone()));
    Limits { stop, work: Arc::clone(&clock), clock, threads: Some(threads), ..Limits::default() }
}

/// Gives an answer to the page.
fn tell(answer: &impl Serialize) {
    let text = serde_json::to_vec(answer).unwrap_or_default();
    say(text.as_ptr(), text.len());
}

/// What lies in the inbox, which is empty then.
fn inbox_taken() -> Vec<u8> {
    INBOX.take()
}

/// Prepares the module. To be called first, once.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn begin() {
    use_clock(since_start);
    std::panic::set_hook(Box::new(|panic| {
        let words = panic.to_string();
        mourn(words.as_ptr(), words.len());
    }));
}

/// Makes room for a text of this length, and says where.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn inbox(length: usize) -> *mut u8 {
    INBOX.with_borrow_mut(|inbox| {
        inbox.clear();
        inbox.resize(length, 0);
        inbox.as_mut_ptr()
    })
}

/// Answers the question in the inbox, with so many threads.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn ask(threads: usize) {
    let text = inbox_taken();
    let answer = match serde_json::from_slice::<Question>(&text) {
        Ok(question) => crate::answer(&question, &limits(threads)),
        Err(error) => Answer { status: 400, media_type: None, body: error.to_string().into() },
    };
    tell(&answer);
}

/// Analyses what the request in the inbox asks for, with so many threads.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn analyze(threads: usize) {
    let text = inbox_taken();
    let text = String::from_utf8_lossy(&text);
    ANALYSTS.with(|analysts| crate::analyze(analysts, &text, &limits(threads), &mut |answer| tell(&answer)));
}

/// Takes the weights in the inbox, of Reversi if not 0: 1 if they are good.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn load(reversi: u32) -> u32 {
    let variant = if reversi == 0 { VariantKind::Reversed } else { VariantKind::Reversi };
    u32::from(install_weights(variant, &inbox_taken()).is_ok())
}

/// Takes the opening book in the inbox: 1 if it is good.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn load_book() -> u32 {
    u32::from(install_book(&inbox_taken()).is_ok())
}

/// What a module that several workers share has besides.
#[cfg(target_feature = "atomics")]
mod shared {
    use turncoat_players::{hire as make_places, serve};

    /// Makes places for so many helpers. To be called once.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn hire(helpers: usize) {
        make_places(helpers);
    }

    /// Memory that a helper has for itself, its stack or its thread-local values, and where. It lives as long as the module.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn room(bytes: usize) -> *mut u8 {
        vec![0_u128; bytes.div_ceil(size_of::<u128>())].leak().as_mut_ptr().cast()
    }

    /// Helps with all searches, for ever.
    #[unsafe(no_mangle)]
    pub(crate) extern "C" fn help() {
        serve();
    }
}
