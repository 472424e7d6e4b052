//! The page and its API: a server for your own machine, with everything built in.
//!
//! Requests are answered by the handlers of [`turncoat_api`]; this crate brings them over HTTP ([`routes`]) and, for
//! analysis and games under way, over sockets ([`analysis`], [`watching`]). Searches run on threads of their own
//! ([`searches`]) that share the cores
//! ([`scheduler`]). Games are kept in a file ([`store`]). Other sites' pages are kept out ([`guard`]), and on
//! an address that others can reach, a token is asked for ([`access`]). Clients share the
//! server by address: each has a rate limit ([`rates`]), takes turns ([`turns`]), and has a fair part of the connections,
//! sockets and searches ([`places`]); one that does not read is dropped ([`stream`]).

mod access;
mod analysis;
mod body;
mod comments;
mod connections;
mod files;
mod guard;
mod peer;
mod places;
mod public;
mod rates;
mod rejection;
mod routes;
mod scheduler;
mod searches;
mod sockets;
mod store;
mod stream;
mod token;
mod turns;
mod watching;

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time;
use turncoat_api::{Analysts, Contests, Matches, Runs};
use turncoat_board::isa::return_large_blocks;
use turncoat_players::{Roster, StopFlag};

pub use self::access::{Access, Site};
pub use self::connections::Deadlines;
use self::guard::Guard;
use self::places::Places;
pub use self::public::{PublicUrl, PublicUrlError};
use self::rates::Rates;
use self::routes::Shared;
pub use self::routes::openapi;
use self::searches::SearchPool;
use self::sockets::Sockets;
use self::store::Store;
pub use self::store::{StoreError, StoreFault};
pub use self::token::{Token, TokenError};
use self::watching::Watchers;

/// Where the page is by default, if the port is free.
pub const USUAL_ADDRESS: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8064);

/// Requests a second that one address may make by default: more than a person does, on several pages.
pub const USUAL_RATE: u32 = 100;

/// Ports after the default one that are tried when it is taken.
const PORTS_TRIED: u16 = 100;
/// Searches that may be under way, and sockets that may be open.
const PLACES: usize = 64;
const SOCKETS: usize = 256;
/// When all sockets are open, one that has answered no ping for this part of the deadline makes room for any other.
const SOCKET_PATIENCE: u32 = 4;
/// Threads that may block: those of searches, and a few for the store.
const BLOCKING_THREADS: usize = PLACES + 8;
/// What the system may hold of a client's answers.
const SEND_BUFFER: u32 = 128 << 10;
/// Connections that may wait to be accepted.
const BACKLOG: u32 = 1024;
/// How often the players that nobody asks any more are dropped, and how long they are kept.
const FORGET_EVERY: Duration = Duration::from_secs(15);
const KEPT: Duration = Duration::from_mins(1);
/// How often the stop flag is checked.
const STOP_EVERY: Duration = Duration::from_millis(50);

/// How to serve.
#[derive(Debug, Clone)]
pub struct Config {
    /// The address; by default the usual one, or a free port after it.
    pub address: Option<SocketAddr>,
    /// The folder of the kept games.
    pub data: PathBuf,
    /// Searches that run at the same time.
    pub workers: usize,
    /// Origins of other pages that may ask, as in `https://example.org`.
    pub origins: Vec<String>,
    /// The public address, behind a proxy or under the machine's name.
    pub public: Option<PublicUrl>,
    /// Requests a second that one address may make in the long run; `None` is no limit.
    pub rate: Option<u32>,
    /// Who may use the server.
    pub access: Access,
    /// How long clients may take.
    pub deadlines: Deadlines,
    /// The runs of the lab that the page shows, if it shows any.
    pub runs: Option<Arc<dyn Runs>>,
    /// The contest that the page shows, if it shows one.
    pub contests: Option<Arc<dyn Contests>>,
    /// Whoever plays matches for the page, and what it shows if there is no other contest; used on one's own machine only.
    pub matches: Option<Arc<dyn Matches>>,
    /// The players that may be asked.
    pub players: Roster,
}

/// Serves until the flag is raised; calls `ready` with its address and token once it is open.
///
/// # Errors
/// If the store cannot be opened, the address is in use, or there is no free port.
pub fn serve(config: Config, stop: &StopFlag, ready: impl FnOnce(&Site)) -> Result<(), ServeError> {
    return_large_blocks();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_io()
        .enable_time()
        .build()
        .map_err(ServeError::Runtime)?;
    let store = Store::open(&config.data)?;
    let guard = Guard { origins: config.origins.into(), public: config.public.clone() };
    let served = runtime.block_on(async {
        let listener = listen(config.address)?;
        let address = listener.local_addr().map_err(ServeError::Runtime)?;
        let site = Arc::new(Site::new(address, config.public, config.access)?);
        ready(&site);
        let matches = config.matches.filter(|_| site.is_its_users() && config.contests.is_none());
        let contests = config.contests.or_else(|| matches.clone().map(|matches| matches as Arc<dyn Contests>));
        let shared = Shared {
            searches: SearchPool::new(config.workers, PLACES),
            analysts: Arc::new(Analysts::new(config.players.clone())),
            players: config.players,
            store,
            sockets: Sockets {
                places: Places::new(SOCKETS, config.deadlines.silence / SOCKET_PATIENCE),
                silence: config.deadlines.silence,
            },
            site,
            runs: config.runs,
            watchers: contests.clone().map(Watchers::new),
            contests,
            matches,
        };
        let watchers = shared.watchers.clone();
        if let Some(watchers) = &watchers {
            tokio::spawn(watchers.clone().look_on());
        }
        tokio::spawn(forget(Arc::clone(&shared.analysts)));
        let router = routes::router(shared, guard, Rates::new(config.rate), config.deadlines.body);
        tokio::select! {
            () = connections::serve(listener, router, config.deadlines) => {}
            () = raised(stop) => {}
        }
        if let Some(watchers) = &watchers {
            watchers.end().await;
        }
        Ok(())
    });
    // Searches notice soon that nobody listens; the process need not wait for them.
    runtime.shutdown_background();
    served
}

async fn raised(stop: &StopFlag) {
    while !stop.is_raised() {
        time::sleep(STOP_EVERY).await;
    }
}

/// Listens on an address, with connections that hold little of what their clients do not read.
fn open(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // A port is free again as soon as its server has ended.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Drops the players that nobody has asked for a while, for ever.
async fn forget(analysts: Arc<Analysts>) {
    loop {
        time::sleep(FORGET_EVERY).await;
        analysts.forget(KEPT);
    }
}

/// Opens the address, or the first free port from the usual one on.
fn listen(address: Option<SocketAddr>) -> Result<TcpListener, ServeError> {
    let at = |address| {
        move |source: io::Error| match source.kind() {
            io::ErrorKind::AddrInUse => ServeError::InUse(address),
            _ => ServeError::Address { address, source },
        }
    };
    if let Some(address) = address {
        return open(address).map_err(at(address));
    }
    let mut last = USUAL_ADDRESS;
    for port in 0..PORTS_TRIED {
        last.set_port(USUAL_ADDRESS.port() + port);
        match open(last) {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            opened => return opened.map_err(at(last)),
        }
    }
    Err(ServeError::NoPort { last: last.port() })
}

/// Why nothing is served.
#[derive(Debug, Error)]
pub enum ServeError {
    /// Another program listens there.
    #[error("{0} is in use by another program; choose another --addr, or leave it out to take the next free port")]
    InUse(SocketAddr),
    /// The address cannot be had.
    #[error("cannot listen on {address}: {source}; choose another --addr")]
    Address {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
    /// All ports that were tried are taken.
    #[error("the ports {} to {last} are all taken; choose one with --addr", USUAL_ADDRESS.port())]
    NoPort {
        /// The last one tried.
        last: u16,
    },
    /// The games cannot be opened.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// There is no token.
    #[error(transparent)]
    Token(#[from] TokenError),
    /// The machine refuses.
    #[error("the server cannot run: {0}")]
    Runtime(io::Error),
}
