//! The games under way over a WebSocket: what has changed, as it changes.
//!
//! One task looks at the contest, however many watch. Each socket is sent how what it knows differs from what is now, so
//! a slow reader gets fewer and larger changes, and nothing waits for it.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, close_code};
use tokio::sync::watch;
use tokio::{task, time};
use turncoat_api::{Contests, LiveView};

use crate::sockets::Pulse;

/// How often the contest is looked at.
const EVERY: Duration = Duration::from_millis(500);
/// How long sockets may take to be closed when the server ends.
const FAREWELL: Duration = Duration::from_millis(500);

/// Who watches the games under way.
#[derive(Debug, Clone)]
pub(crate) struct Watchers {
    contests: Arc<dyn Contests>,
    /// What is under way; `None` when the server ends.
    latest: watch::Sender<Option<Arc<LiveView>>>,
}

impl Watchers {
    pub(crate) fn new(contests: Arc<dyn Contests>) -> Self {
        Self { contests, latest: watch::Sender::new(Some(Arc::default())) }
    }

    /// Looks at the contest as long as somebody watches, for ever.
    pub(crate) async fn look_on(self) {
        loop {
            time::sleep(EVERY).await;
            if self.latest.receiver_count() > 0 {
                self.look().await;
            }
        }
    }

    /// Tells everybody what is under way, if it has changed.
    async fn look(&self) {
        let contests = Arc::clone(&self.contests);
        // A store that cannot be read now may be read the next time.
        let Ok(Ok(live)) = task::spawn_blocking(move || contests.live()).await else { return };
        self.latest.send_if_modified(|latest| {
            let changes = latest.as_ref().is_some_and(|latest| **latest != live);
            if changes {
                *latest = Some(Arc::new(live));
            }
            changes
        });
    }

    /// Closes all sockets.
    pub(crate) async fn end(&self) {
        self.latest.send_replace(None);
        // The process need not wait for those that do not read.
        let _ = time::timeout(FAREWELL, self.latest.closed()).await;
    }

    /// Serves one socket until it is closed or dead.
    pub(crate) async fn serve(self, mut socket: WebSocket, mut pulse: Pulse) {
        let mut latest = self.latest.subscribe();
        // Nobody may have looked for a while.
        self.look().await;
        latest.mark_changed();
        let mut known = Arc::new(LiveView::default());
        let mut is_first = true;
        loop {
            let is_sent = tokio::select! {
                message = socket.recv() => match message {
                    Some(Ok(Message::Pong(number))) => {
                        pulse.note(&number);
                        true
                    }
                    Some(Ok(Message::Ping(_))) => true,
                    Some(Ok(Message::Text(_) | Message::Binary(_))) => {
                        close(&mut socket, close_code::POLICY, "who watches has nothing to say").await
                    }
                    _ => false,
                },
                () = pulse.is_due() => pulse.beat(&mut socket).await,
                _ = latest.changed() => {
                    let now = latest.borrow_and_update().clone();
                    match now {
                        None => close(&mut socket, close_code::AWAY, "the server ends").await,
                        Some(now) => {
                            let change = known.change_to(&now);
                            known = now;
                            // The first one says that nothing is under way, too.
                            let is_news = std::mem::take(&mut is_first) || !change.is_empty();
                            !is_news || send(&mut socket, &change).await
                        }
                    }
                }
            };
            if !is_sent {
                break;
            }
        }
    }
}

/// Sends a change; whether the client is still there.
async fn send(socket: &mut WebSocket, change: &turncoat_api::LiveChange) -> bool {
    let Ok(text) = serde_json::to_string(change) else { return false };
    socket.send(Message::Text(text.into())).await.is_ok()
}

/// Says why the socket is closed; it is not served any longer.
async fn close(socket: &mut WebSocket, code: u16, reason: &'static str) -> bool {
    let _ = socket.send(Message::Close(Some(CloseFrame { code, reason: reason.into() }))).await;
    false
}
