//! Public key files of OpenSSH, such as `release.pub`: one line with the kind of the key, the key, and a comment.

use crate::{Refusal, RefusalKind, key::PublicKey};

/// Longest file, bytes: the longest key in base64, and a long comment.
pub const MAX_PUBLIC_KEY_FILE_BYTES: usize = 16 << 10;

/// Marks of a private key, in the formats of OpenSSH and of PEM.
const PRIVATE: [&str; 2] = ["-----BEGIN", "PRIVATE KEY-----"];

/// Returns true for the text of a file with a private key.
pub fn has_private_key(text: &str) -> bool {
    text.lines().any(|line| PRIVATE.iter().all(|mark| line.contains(mark)))
}

/// Parses the file. The error is the rest of a sentence that begins with the file.
pub fn parse_public_key(text: &str) -> Result<PublicKey, Refusal> {
    let refused = |why: &str| Refusal::new(RefusalKind::Key, why);
    if text.len() > MAX_PUBLIC_KEY_FILE_BYTES {
        return Err(refused(&format!("it is longer than {MAX_PUBLIC_KEY_FILE_BYTES} bytes")));
    }
    if has_private_key(text) {
        return Err(refused("it is a private key"));
    }
    let mut lines =
        text.lines().map(str::trim_ascii).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let line = lines.next().ok_or_else(|| refused("it has no key"))?;
    // The blocks of PEM, and those of RFC 4716.
    if line.starts_with("----") {
        return Err(refused("it is not in OpenSSH's format: `ssh-keygen -i` converts other formats"));
    }
    if lines.next().is_some() {
        return Err(refused("it has several lines, and a public key is one line"));
    }
    PublicKey::parse_line(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";

    #[test]
    fn a_public_key_is_one_line_with_or_without_a_comment() {
        let key = PublicKey::parse_line(KEY).unwrap();
        for text in [KEY.to_owned(), format!("{KEY} ann@acme\r\n"), format!("# mine\n\n{KEY}\n")] {
            assert_eq!(parse_public_key(&text), Ok(key.clone()), "{text}");
        }
    }

    #[test]
    fn files_without_exactly_one_public_key_are_refused_with_the_reason() {
        let openssh = "-----BEGIN OPENSSH PRIVATE KEY-----\nb3Blbn\n-----END OPENSSH PRIVATE KEY-----\n";
        for (text, why) in [
            ("", "it has no key"),
            ("# nothing\n", "it has no key"),
            (openssh, "it is a private key"),
            ("-----BEGIN EC PRIVATE KEY-----\n", "it is a private key"),
            (
                "---- BEGIN SSH2 PUBLIC KEY ----\n",
                "it is not in OpenSSH's format: `ssh-keygen -i` converts other formats",
            ),
            (&format!("{KEY}\n{KEY}\n"), "it has several lines, and a public key is one line"),
            (&"#".repeat(16_385), "it is longer than 16384 bytes"),
            (
                "ssh-ed25519-cert-v01@openssh.com AAAA",
                "ssh-ed25519-cert-v01@openssh.com is a certificate, which hookbox does not support yet: sign with the key itself",
            ),
        ] {
            assert_eq!(parse_public_key(text).unwrap_err().to_string(), why);
        }
        let rsa = parse_public_key("ssh-rsa AAAAB3NzaC1yc2E= old").unwrap_err().to_string();
        assert!(rsa.starts_with("keys of the kind ssh-rsa are not supported; supported kinds: "), "{rsa}");
    }
}
