//! Who a connection comes from, as far as limits are concerned.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr};

/// The bits of an IPv6 address that name a network: a single machine has all addresses in it.
const NETWORK: u128 = !0 << 64;

/// A client's address. Everything with the same IPv6 network counts as one client.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Peer(IpAddr);

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from_bits(six.to_bits() & NETWORK)),
            four @ IpAddr::V4(_) => four,
        })
    }
}

impl fmt::Display for Peer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(text: &str) -> Peer {
        Peer::from(text.parse::<IpAddr>().unwrap())
    }

    #[test]
    fn a_network_of_addresses_is_one_client() {
        assert_eq!(peer("2001:db8::1"), peer("2001:db8::ffff:1"));
        assert_ne!(peer("2001:db8::1"), peer("2001:db8:0:1::1"));
        assert_eq!(peer("::ffff:127.0.0.1"), peer("127.0.0.1"));
        assert_ne!(peer("127.0.0.1"), peer("127.0.0.2"));
    }
}
