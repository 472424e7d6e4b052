//! Turns: so many requests of one address are worked on at a time. Others of the same address wait for them, so that a
//! flood from one address is a short queue to everybody else.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Extension;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use tokio::sync::Semaphore;

use crate::connections::Connection;
use crate::peer::Peer;
use crate::places::Occupant;

/// Requests of one address that are worked on at a time.
const AT_A_TIME: usize = 8;
/// Addresses that are remembered; when there are more, those that nobody waits at are dropped.
const MOST_ADDRESSES: usize = 1024;

/// The turns of all addresses.
#[derive(Debug, Clone, Default)]
pub(crate) struct Turns(Arc<Mutex<HashMap<Peer, Arc<Semaphore>>>>);

impl Turns {
    fn of(&self, peer: Peer) -> Arc<Semaphore> {
        let mut turns = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if turns.len() >= MOST_ADDRESSES {
            turns.retain(|_, turns| Arc::strong_count(turns) > 1);
        }
        Arc::clone(turns.entry(peer).or_insert_with(|| Arc::new(Semaphore::new(AT_A_TIME))))
    }
}

/// Lets a request through when it is its turn.
pub(crate) async fn wait(
    State(turns): State<Turns>,
    Extension(connection): Extension<Arc<Connection>>,
    request: Request,
    next: Next,
) -> Response {
    let turns = turns.of(connection.peer());
    // The semaphore is never closed, so there always is a turn.
    let _turn = turns.acquire().await;
    next.run(request).await
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use super::*;

    #[test]
    fn addresses_are_remembered_while_somebody_waits() {
        let turns = Turns::default();
        let peer = |bits: usize| Peer::from(IpAddr::V4(Ipv4Addr::from_bits(bits as u32)));
        let held = turns.of(peer(0));
        let _turn = held.try_acquire_many(AT_A_TIME as u32).unwrap();
        for bits in 1..3 * MOST_ADDRESSES {
            assert_eq!(turns.of(peer(bits)).available_permits(), AT_A_TIME);
        }
        assert_eq!(turns.of(peer(0)).available_permits(), 0);
        assert!(turns.0.lock().unwrap().len() <= MOST_ADDRESSES);
    }
}
