//! Ctrl-C, a polite kill, and a terminal that is closed.

use std::time::{Duration, Instant};

use turncoat_players::StopFlag;

/// Signals this soon after the first one are the same wish: `timeout` and a closing terminal send theirs
/// twice.
const SAME_WISH: Duration = Duration::from_secs(1);

/// A flag that is raised by the first signal. A later one ends the process at once; what is stored stays
/// stored.
pub(crate) fn stop_flag() -> Result<StopFlag, ctrlc::Error> {
    let stop = StopFlag::default();
    let raised = stop.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_WISH {
            std::process::exit(130);
        }
        raised.raise();
    })?;
    Ok(stop)
}
