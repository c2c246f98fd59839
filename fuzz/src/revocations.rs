//! OpenSSH's revocation lists.

use hookbox_trust::{key::PublicKey, revocation_list::Krl};

/// A key, whosever it is.
const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";

/// The bytes are a list.
pub fn run(data: &[u8]) {
    let Ok(list) = Krl::parse(data) else { return };
    let Ok(key) = PublicKey::parse_line(KEY) else { return };
    // Whoever is revoked by what tells the key apart is revoked.
    assert!(list.revokes_key(&key) || !list.revokes_fingerprint(&key.fingerprint()));
}
