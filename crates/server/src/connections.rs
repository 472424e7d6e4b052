//! Connections: how many may be open, and how long a client may take to send and to read.
//!
//! Further connections do not wait: they take the place of the one that has been idle longest among those of the address
//! that has the most. So clients that neither send nor read only ever shut out each other.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::time;

use crate::peer::Peer;
use crate::places::{Occupant, Places};
use crate::stream::Stream;

/// Connections that may be open.
const MOST: usize = 512;
/// The pause after a failure to accept, such as too many open files.
const AFTER_FAILURE: Duration = Duration::from_millis(10);
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 << 10;

/// How long a client may take.
#[derive(Debug, Clone, Copy)]
pub struct Deadlines {
    /// For the head of a request; an idle connection is kept for as long.
    pub head: Duration,
    /// For the body of a request.
    pub body: Duration,
    /// For reading on when the server waits to send more. The system only reports room for a good part of its buffer, so
    /// that a client cannot hold out by reading a byte now and then.
    pub write: Duration,
    /// For the answer to a ping on a socket.
    pub silence: Duration,
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            head: Duration::from_secs(15),
            body: Duration::from_secs(15),
            write: Duration::from_secs(20),
            silence: Duration::from_mins(1),
        }
    }
}

/// An open connection.
#[derive(Debug)]
pub(crate) struct Connection {
    peer: Peer,
    began: Instant,
    /// Milliseconds from its beginning until it last sent or read anything.
    active: AtomicU64,
    is_ended: AtomicBool,
    ended: Notify,
}

impl Connection {
    fn new(peer: Peer) -> Self {
        Self {
            peer,
            began: Instant::now(),
            active: AtomicU64::new(0),
            is_ended: AtomicBool::new(false),
            ended: Notify::new(),
        }
    }

    /// Notes that something was sent or read.
    pub(crate) fn touch(&self) {
        self.active.store(self.began.elapsed().as_millis() as u64, Ordering::Relaxed);
    }

    /// Ends it, without another word to the client.
    pub(crate) fn end(&self) {
        self.is_ended.store(true, Ordering::Relaxed);
        self.ended.notify_one();
    }

    /// Whether the server has ended it.
    pub(crate) fn is_ended(&self) -> bool {
        self.is_ended.load(Ordering::Relaxed)
    }

    /// Waits until the server ends it. One task at a time may wait.
    pub(crate) async fn ended(&self) {
        self.ended.notified().await;
    }
}

impl Occupant for Connection {
    fn peer(&self) -> Peer {
        self.peer
    }

    fn last_active(&self) -> Instant {
        self.began + Duration::from_millis(self.active.load(Ordering::Relaxed))
    }

    fn evict(&self) {
        self.end();
    }
}

/// Serves every connection, for ever.
pub(crate) async fn serve(listener: TcpListener, router: Router, deadlines: Deadlines) {
    let places = Places::new(MOST, Duration::ZERO);
    loop {
        let Ok((stream, address)) = listener.accept().await else {
            // There may be no more files to open: better one client less than none that is new.
            places.make_room();
            time::sleep(AFTER_FAILURE).await;
            continue;
        };
        // The answers of an analysis are small and should arrive at once.
        let _ = stream.set_nodelay(true);
        let connection = Arc::new(Connection::new(Peer::from(address.ip())));
        let Some(place) = places.take(Arc::clone(&connection)) else {
            continue;
        };
        let stream = Stream::new(stream, Arc::clone(&connection), place, deadlines.write);
        let service = TowerToHyperService::new(router.clone().layer(Extension(Arc::clone(&connection))));
        tokio::spawn(async move {
            let served = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(deadlines.head)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            tokio::select! {
                // A client's fault ends its own connection only.
                _ = served => {}
                () = connection.ended() => {}
            }
        });
    }
}
