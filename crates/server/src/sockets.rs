//! Open sockets: they have places as connections have, and live as long as they answer pings.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::response::Response;
use tokio::time::{self, Interval};
use turncoat_api::Code;

use crate::connections::Connection;
use crate::peer::Peer;
use crate::places::{Occupant, Places};
use crate::rejection::Rejection;

/// The longest message of a client.
const LONGEST_MESSAGE: usize = 16 << 10;
/// What a socket reads and writes at a time.
const BUFFER: usize = 8 << 10;
/// The most that waits for a client to read: a whole answer fits in.
const LONGEST_BACKLOG: usize = 1 << 20;
/// Pings in the time after which a client that answers none is dead.
const PINGS: u32 = 6;

/// A request for a socket.
pub(crate) type Upgrade = Result<WebSocketUpgrade, WebSocketUpgradeRejection>;

/// The sockets of a server.
#[derive(Debug, Clone)]
pub(crate) struct Sockets {
    pub(crate) places: Arc<Places<OpenSocket>>,
    /// How long one may be silent.
    pub(crate) silence: Duration,
}

impl Sockets {
    /// Opens a socket and serves it until it is done, or its place is given to another.
    pub(crate) fn open<F: Future<Output = ()> + Send>(
        &self,
        connection: &Arc<Connection>,
        upgrade: Upgrade,
        serve: impl FnOnce(WebSocket, Pulse) -> F + Send + 'static,
    ) -> Result<Response, Rejection> {
        let upgrade = upgrade.map_err(|error| Rejection::new(Code::NoUpgrade, error.body_text()))?;
        let socket = Arc::new(OpenSocket { connection: Arc::clone(connection), answered: Mutex::new(Instant::now()) });
        let place = self.places.take(Arc::clone(&socket));
        let place = place.ok_or_else(|| Rejection::new(Code::TooManySockets, "too many sockets are open"))?;
        let (connection, silence) = (Arc::clone(connection), self.silence);
        let upgrade = upgrade
            .max_message_size(LONGEST_MESSAGE)
            .max_frame_size(LONGEST_MESSAGE)
            .read_buffer_size(BUFFER)
            .write_buffer_size(BUFFER)
            .max_write_buffer_size(LONGEST_BACKLOG);
        Ok(upgrade.on_upgrade(async move |opened| {
            tokio::select! {
                () = serve(opened, Pulse::new(socket, silence)) => {}
                () = connection.ended() => {}
            }
            drop(place);
        }))
    }
}

/// A socket that is open.
#[derive(Debug)]
pub(crate) struct OpenSocket {
    connection: Arc<Connection>,
    answered: Mutex<Instant>,
}

impl Occupant for OpenSocket {
    fn peer(&self) -> Peer {
        self.connection.peer()
    }

    fn last_active(&self) -> Instant {
        *self.answered.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn evict(&self) {
        self.connection.end();
    }
}

/// The pings of a socket. Its answers prove that it is read: one that only sends does not live.
#[derive(Debug)]
pub(crate) struct Pulse {
    socket: Arc<OpenSocket>,
    silence: Duration,
    ticks: Interval,
    number: u64,
}

impl Pulse {
    fn new(socket: Arc<OpenSocket>, silence: Duration) -> Self {
        Self { socket, silence, ticks: time::interval(silence / PINGS), number: 0 }
    }

    /// Whose socket it is.
    pub(crate) fn peer(&self) -> Peer {
        self.socket.peer()
    }

    /// Waits until a ping is due.
    pub(crate) async fn is_due(&mut self) {
        self.ticks.tick().await;
    }

    /// Sends a ping; whether the client lives.
    pub(crate) async fn beat(&mut self, socket: &mut WebSocket) -> bool {
        self.number += 1;
        let is_lost = self.socket.last_active().elapsed() > self.silence;
        let number = Bytes::from_owner(self.number.to_be_bytes());
        !is_lost && socket.send(Message::Ping(number)).await.is_ok()
    }

    /// Notes the answer to a ping.
    pub(crate) fn note(&self, answer: &[u8]) {
        if *answer == self.number.to_be_bytes() {
            *self.socket.answered.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now();
        }
    }
}
