//! Signatures of ssh, and who has which key: the texts that OpenSSH reads, too.

use std::time::SystemTime;

use hookbox_trust::{allowed_signers::AllowedSigners, key::PublicKey, signing, sshsig::Envelope};

/// The bytes are a signature in its armor, a file of signers, or the line of a key.
pub fn run(data: &[u8]) {
    let Ok(text) = str::from_utf8(data) else { return };
    if let Ok(envelope) = Envelope::parse(text) {
        assert_eq!(Envelope::parse(&envelope.to_armored()), Ok(envelope.clone()));
        // Nobody has signed this.
        assert!(signing::verify_signature(&envelope, text.as_bytes()).is_err());
    }
    let key = PublicKey::parse_line(text);
    if let Ok(key) = &key {
        assert_eq!(PublicKey::parse_line(&key.to_line()).as_ref(), Ok(key));
    }
    if let Ok(signers) = AllowedSigners::parse(text) {
        let now = SystemTime::UNIX_EPOCH;
        for line in text.lines() {
            let Some(key) = line.find("ssh-").and_then(|at| PublicKey::parse_line(line.get(at..)?).ok())
            else {
                continue;
            };
            let principals = signers.find_principals(&key, now);
            assert!(principals.is_err() || principals.is_ok_and(|principals| !principals.is_empty()));
        }
    }
}
