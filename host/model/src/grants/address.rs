//! Address ranges that a hook may reach, and the test for public addresses.

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::{fmt, str::FromStr};

use super::GrantError;

/// A range of addresses: `10.0.0.0/8`, `127.0.0.1`, `fd00::/8`. Canonical: no bit is set behind the prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddressRange {
    network: IpAddr,
    /// Length of the prefix, bits.
    prefix: u8,
}

impl AddressRange {
    /// Returns true if the address is in the range. An IPv4 address within an IPv6 one counts as the IPv4 address.
    pub fn covers(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        // A prefix of one family has no meaning in the other.
        address.is_ipv4() == self.network.is_ipv4() && mask_address(address, self.prefix) == self.network
    }
}

impl FromStr for AddressRange {
    type Err = GrantError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (address, prefix) = text.split_once('/').map_or((text, None), |(a, b)| (a, Some(b)));
        let address: IpAddr =
            address.parse().map_err(|_| GrantError("not an IP address such as 10.0.0.1 or fd00::1"))?;
        if address.to_canonical() != address {
            return Err(GrantError("it is an IPv4 address within an IPv6 one: write the IPv4 address"));
        }
        let most = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            None => Some(most),
            Some(digits) => parse_octet(digits).filter(|bits| *bits <= most),
        };
        let prefix = prefix
            .ok_or(GrantError("the number after the `/` must be one of bits: up to 32, or 128 for IPv6"))?;
        if mask_address(address, prefix) != address {
            return Err(GrantError("bits are set behind its prefix: write the first address of the range"));
        }
        Ok(Self { network: address, prefix })
    }
}

impl fmt::Display for AddressRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.network, self.prefix) {
            (IpAddr::V4(address), 32) => address.fmt(f),
            (IpAddr::V6(address), 128) => address.fmt(f),
            (network, prefix) => write!(f, "{network}/{prefix}"),
        }
    }
}

/// Digits alone: no sign, no leading zero.
fn parse_octet(digits: &str) -> Option<u8> {
    // Some readers take a number with a leading zero for octal.
    let plain = digits.bytes().all(|b| b.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'));
    digits.parse().ok().filter(|_| plain)
}

/// Returns the address without the bits behind the prefix.
fn mask_address(address: IpAddr, prefix: u8) -> IpAddr {
    let behind = |all: u32| all.saturating_sub(u32::from(prefix));
    match address {
        IpAddr::V4(address) => {
            // A shift by all bits is not defined; the mask of the prefix 0 has no bit.
            let mask = u32::MAX.checked_shl(behind(32)).unwrap_or(0);
            Ipv4Addr::from_bits(address.to_bits() & mask).into()
        }
        IpAddr::V6(address) => {
            let mask = u128::MAX.checked_shl(behind(128)).unwrap_or(0);
            Ipv6Addr::from_bits(address.to_bits() & mask).into()
        }
    }
}

/// Returns true for an address of the public internet. Refuses everything special (IANA's registries of special-purpose addresses): this
/// machine, private networks, link-local with the metadata servers of clouds, shared, multicast, documentation, reserved. IPv6 addresses
/// that stand for IPv4 ones are refused as a whole, whatever is in them.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !SPECIAL_V4.iter().any(|range| within_v4(address, *range)),
        IpAddr::V6(address) => {
            within_v6(address, GLOBAL_V6) && !SPECIAL_V6.iter().any(|range| within_v6(address, *range))
        }
    }
}

type RangeV4 = ([u8; 4], u8);
type RangeV6 = ([u16; 2], u8);

const SPECIAL_V4: [RangeV4; 17] = [
    ([0, 0, 0, 0], 8),
    ([10, 0, 0, 0], 8),
    // Networks of providers, and overlay networks such as Tailscale's, use this range.
    ([100, 64, 0, 0], 10),
    ([127, 0, 0, 0], 8),
    // The metadata servers of most clouds are here.
    ([169, 254, 0, 0], 16),
    // Azure's is here.
    ([168, 63, 129, 16], 32),
    ([172, 16, 0, 0], 12),
    ([192, 0, 0, 0], 24),
    ([192, 0, 2, 0], 24),
    ([192, 31, 196, 0], 24),
    // Relays of 6to4, which lead on to other IPv4 addresses.
    ([192, 88, 99, 0], 24),
    ([192, 168, 0, 0], 16),
    ([198, 18, 0, 0], 15),
    ([198, 51, 100, 0], 24),
    ([203, 0, 113, 0], 24),
    ([224, 0, 0, 0], 4),
    ([240, 0, 0, 0], 4),
];

/// The range allocated to the public internet. All else is special: loopback, mapped, NAT64, local, multicast.
const GLOBAL_V6: RangeV6 = ([0x2000, 0], 3);

const SPECIAL_V6: [RangeV6; 4] = [
    // Protocol assignments: Teredo, benchmarking, ORCHID.
    ([0x2001, 0], 23),
    ([0x2001, 0xdb8], 32),
    // 6to4.
    ([0x2002, 0], 16),
    ([0x3fff, 0], 20),
];

fn within_v4(address: Ipv4Addr, (start, prefix): RangeV4) -> bool {
    mask_address(address.into(), prefix) == IpAddr::from(start)
}

fn within_v6(address: Ipv6Addr, ([first, second], prefix): RangeV6) -> bool {
    mask_address(address.into(), prefix) == IpAddr::from([first, second, 0, 0, 0, 0, 0, 0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_with_a_special_purpose_is_not_public() {
        for (text, expected) in [
            ("1.1.1.1", true),
            ("8.8.8.8", true),
            ("9.255.255.255", true),
            ("11.0.0.0", true),
            ("100.63.255.255", true),
            ("172.32.0.1", true),
            ("223.255.255.255", true),
            ("2606:4700:4700::1111", true),
            ("2001:4860:4860::8888", true),
            ("2001:200::1", true),
            ("0.0.0.0", false),
            ("0.1.2.3", false),
            ("10.0.0.1", false),
            ("100.64.0.1", false),
            ("100.100.100.200", false),
            ("127.0.0.1", false),
            ("127.255.255.255", false),
            ("168.63.129.16", false),
            ("169.254.169.254", false),
            ("172.16.0.1", false),
            ("172.31.255.255", false),
            ("192.0.0.192", false),
            ("192.0.2.1", false),
            ("192.168.1.1", false),
            ("198.18.0.1", false),
            ("198.19.255.255", false),
            ("198.51.100.1", false),
            ("203.0.113.1", false),
            ("224.0.0.1", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("::", false),
            ("::1", false),
            ("::7f00:1", false),
            ("::ffff:1.1.1.1", false),
            ("::ffff:127.0.0.1", false),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b:1::1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:2::1", false),
            ("2001:10::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::1", false),
            ("3fff::1", false),
            ("4000::1", false),
            ("fc00::1", false),
            ("fd00:ec2::254", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(text.parse().unwrap()), expected, "{text}");
        }
    }

    #[test]
    fn a_range_covers_its_addresses_and_no_others() {
        for (range, inside, outside) in [
            ("10.0.0.0/8", "10.255.0.1", "11.0.0.0"),
            ("127.0.0.1", "127.0.0.1", "127.0.0.2"),
            ("127.0.0.0/30", "127.0.0.3", "127.0.0.4"),
            ("127.0.0.0/8", "::ffff:127.9.9.9", "::7f00:1"),
            ("0.0.0.0/0", "9.9.9.9", "::1"),
            ("::/0", "::1", "9.9.9.9"),
            ("fd00::/8", "fdff::1", "fe00::1"),
            ("::1", "::1", "::2"),
        ] {
            let parsed: AddressRange = range.parse().unwrap();
            assert_eq!(parsed.to_string(), range);
            let covers = |address: &str| parsed.covers(address.parse().unwrap());
            assert_eq!((covers(inside), covers(outside)), (true, false), "{range}");
        }
    }

    #[test]
    fn a_range_is_written_in_one_way_only() {
        for text in [
            "",
            "localhost",
            "10.0.0.1/8",
            "10.0.0.0/33",
            "10.0.0.0/",
            "10.0.0.0/+8",
            "10.0.0.0/08",
            "10/8",
            "fe80::1%1",
            "::ffff:127.0.0.1",
            "[::1]",
            "1.2.3.4/8/8",
            " 127.0.0.1",
            "::/129",
        ] {
            assert!(text.parse::<AddressRange>().is_err(), "{text}");
        }
    }
}
