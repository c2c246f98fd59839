//! Test for near addresses: this machine's own, and those of its networks.

use std::{
    io::ErrorKind,
    net::{IpAddr, UdpSocket},
};

/// Returns true if the address is one of this machine's own, or, on Linux, in an IPv6 network that this machine is part of. The kind of
/// address is not enough: a machine may have public addresses, and its services listen on all of them.
pub fn is_local_network(address: IpAddr) -> bool {
    // The kernel connects to the IPv4 address in `::ffff:127.0.0.1`, so that one is tested.
    let address = address.to_canonical();
    is_own(address) || is_on_link(address)
}

/// Returns true if a socket can be bound to the address, which works for own addresses only. Sends nothing. An address that cannot be
/// tested counts as own.
fn is_own(address: IpAddr) -> bool {
    let bound = UdpSocket::bind((address, 0));
    !bound.is_err_and(|error| error.kind() == ErrorKind::AddrNotAvailable)
}

#[cfg(not(on_linux))]
fn is_on_link(_: IpAddr) -> bool {
    false
}

/// Looks up the address in the kernel's table of routes: a network without a gateway is one that this machine is part of.
#[cfg(on_linux)]
fn is_on_link(address: IpAddr) -> bool {
    let IpAddr::V6(address) = address else { return false };
    linux::read_routes().is_some_and(|routes| linux::is_on_link(address.to_bits(), &routes))
}

#[cfg(on_linux)]
mod linux {
    use std::{fs::File, io::Read};

    const ROUTES: &str = "/proc/net/ipv6_route";
    /// Most bytes of the table that are read.
    const MAX_BYTES: u64 = 4 << 20;

    pub(super) fn read_routes() -> Option<String> {
        let mut routes = String::new();
        File::open(ROUTES).ok()?.take(MAX_BYTES).read_to_string(&mut routes).ok()?;
        Some(routes)
    }

    /// Each line has a network, its prefix, a source, its prefix, and the gateway; addresses are 32 hexadecimal digits.
    pub(super) fn is_on_link(address: u128, routes: &str) -> bool {
        let covers = |line: &str| {
            let fields: Vec<_> = line.split_ascii_whitespace().collect();
            let [network, prefix, _, _, gateway, .., device] = fields.as_slice() else { return None };
            let hex = |digits: &str| u128::from_str_radix(digits, 16).ok();
            // The default route has prefix 0, and covers every address.
            let prefix = u32::from_str_radix(prefix, 16).ok().filter(|prefix| (1..=128).contains(prefix))?;
            // Routes by way of `lo` are for own addresses, which `is_own` finds, and for unreachable networks.
            let is_direct = hex(gateway)? == 0 && *device != "lo";
            Some(is_direct && (address ^ hex(network)?).checked_shr(128 - prefix) == Some(0))
        };
        routes.lines().any(|line| covers(line) == Some(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_of_this_machine_is_near_and_one_of_another_is_not() {
        for (address, near) in [("127.0.0.1", true), ("::ffff:127.0.0.1", true), ("192.0.2.1", false)] {
            assert_eq!(is_local_network(address.parse().unwrap()), near, "{address}");
        }
    }

    #[cfg(on_linux)]
    #[test]
    fn an_address_of_an_ipv6_network_without_a_gateway_is_on_link() {
        let routes = "20010db8000100000000000000000000 40 00000000000000000000000000000000 00 00000000000000000000000000000000 00000100 00000001 00000000 00000001     eth0\n\
                      00000000000000000000000000000000 00 00000000000000000000000000000000 00 20010db8000100000000000000000001 00000400 00000003 00000000 00000003     eth0\n\
                      00000000000000000000000000000000 00 00000000000000000000000000000000 00 00000000000000000000000000000000 ffffffff 00000001 00000000 00200200       lo\n\
                      20010db8000200000000000000000000 40 00000000000000000000000000000000 00 20010db8000100000000000000000001 00000400 00000003 00000000 00000003     eth0\n\
                      not a route\n";
        for (address, on_link) in [
            ("2001:db8:1::7", true),
            ("2001:db8:1:0:ffff::1", true),
            ("2001:db8:1:1::1", false),
            ("2001:db8:2::1", false),
            ("2a00::1", false),
        ] {
            let address: std::net::Ipv6Addr = address.parse().unwrap();
            assert_eq!(linux::is_on_link(address.to_bits(), routes), on_link, "{address}");
        }
    }
}
