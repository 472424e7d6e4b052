//! Ctrl-C, SIGTERM and SIGHUP.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use turncoat_players::StopFlag;

/// Signals this soon after the first one count as the same: `timeout` and a closing terminal send theirs twice.
const SAME_REQUEST: Duration = Duration::from_secs(1);

/// A flag that the first signal raises. A later one ends the process at once; stored games stay stored. All who ask have
/// the same one.
pub(crate) fn stop_flag() -> Result<StopFlag, ctrlc::Error> {
    static FLAG: OnceLock<StopFlag> = OnceLock::new();
    if let Some(stop) = FLAG.get() {
        return Ok(stop.clone());
    }
    let stop = StopFlag::default();
    let raised = stop.clone();
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        if first.get_or_insert_with(Instant::now).elapsed() > SAME_REQUEST {
            std::process::exit(130);
        }
        raised.raise();
    })?;
    Ok(FLAG.get_or_init(|| stop).clone())
}
