//! Connections: how many may be open, and how long a request head may take.

use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time;

use crate::rates::Peer;

/// Connections that may be open; further ones wait.
const MOST: usize = 512;
/// How long the head of a request may take, and how long an idle connection is kept.
const HEAD: Duration = Duration::from_secs(15);
/// The pause after a failure to accept, such as too many open files.
const AFTER_FAILURE: Duration = Duration::from_millis(100);
/// The longest head of a request.
const LONGEST_HEAD: usize = 16 << 10;

/// Serves every connection, for ever.
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
        // The answers of an analysis are small and should arrive at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone().layer(Extension(Peer(peer.ip()))));
        tokio::spawn(async move {
            let connection = hyper::server::conn::http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD)
                .max_buf_size(LONGEST_HEAD)
                .serve_connection(TokioIo::new(stream), service)
                .with_upgrades();
            // A client's fault ends its own connection only.
            let _ = connection.await;
            drop(place);
        });
    }
}
