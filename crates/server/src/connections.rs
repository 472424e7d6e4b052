//! Connections: how many there may be, and how long one may take to say what it wants.

use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time;

use crate::rates::Peer;

/// Connections beyond so many wait until one is closed.
const MOST: usize = 512;
/// How long the head of a request may take; also how long a connection may be kept without one.
const HEAD: Duration = Duration::from_secs(15);
/// After a failure to accept, which is the machine's (no more files, say), it is given time to recover.
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 << 10;

/// Serves everyone who connects, for ever.
pub(crate) async fn serve(listener: TcpListener, router: Router) {
    let places = Arc::new(Semaphore::new(MOST));
    loop {
        // The semaphore is never closed.
        let Ok(place) = Arc::clone(&places).acquire_owned().await else {
            return;
        };
        let Ok((stream, peer)) = listener.accept().await else {
            time::sleep(AFTER_FAILURE).await;
            continue;
        };
        // Steps of an analysis are small and wanted at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().layer(Extension(Peer(peer.ip()))));
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // Whatever a client does wrong ends its own connection alone.
            let _ = connection.await;
            drop(place);
        });
    }
}
