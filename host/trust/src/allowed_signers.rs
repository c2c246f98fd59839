//! OpenSSH's `allowed_signers`: a line for each key, with its principals, its purpose and the time for which it is valid.
//!
//! A file with a line that cannot be read is refused as a whole: the line may be the one that takes a key away.

mod key_lines;
mod options;

use std::time::SystemTime;

pub use self::key_lines::{ListedSigner, MAX_NAME_BYTES, format_line};
use self::options::{Options, end_of_options, quote_text};
use crate::{
    Refusal, RefusalKind,
    key::{KeyType, PublicKey},
    patterns::matches_list,
};

/// Longest file, bytes.
pub const MAX_SIGNERS_BYTES: usize = 1 << 20;
/// Longest line, bytes.
const MAX_LINE_BYTES: usize = 16 << 10;

/// Prefix of every encoded key in base64: the length of its kind's name, which is below 256, in four bytes.
const START_OF_A_KEY: &str = "AAAA";

/// Keys of trusted signers, with purposes and times.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AllowedSigners {
    lines: Vec<Line>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Line {
    number: usize,
    /// A list of patterns.
    principals: String,
    options: Options,
    /// The key; `None` if its kind is not supported.
    key: Option<PublicKey>,
}

impl AllowedSigners {
    /// Parses a file.
    pub fn parse(text: &str) -> Result<Self, Refusal> {
        if text.len() > MAX_SIGNERS_BYTES {
            return Err(make_file_error(format!("it is longer than {MAX_SIGNERS_BYTES} bytes")));
        }
        let lines = (1..).zip(text.lines()).filter_map(|(number, line)| {
            let line = line.trim_ascii();
            let has_content = !line.is_empty() && !line.starts_with('#');
            has_content.then(|| {
                Line::parse(number, line).map_err(|why| make_file_error(format!("its line {number} {why}")))
            })
        });
        Ok(Self { lines: lines.collect::<Result<_, _>>()? })
    }

    /// Adds the lines of another file.
    pub fn extend_lines(&mut self, other: Self) {
        self.lines.extend(other.lines);
    }

    /// Returns the principals of the key with this fingerprint, at any time: the lists of patterns.
    pub fn names_of(&self, fingerprint: &str) -> Vec<String> {
        let is_its = |line: &&Line| line.key.as_ref().is_some_and(|key| key.fingerprint() == fingerprint);
        self.lines.iter().filter(is_its).map(|line| line.principals.clone()).collect()
    }

    /// Returns true if a line names this principal.
    pub fn knows_principal(&self, principal: &str) -> bool {
        self.lines.iter().any(|line| is_among(principal, &line.principals))
    }

    /// Returns the principals that have this key for plugins at this time: the lists of patterns of all such lines. Refuses a key without
    /// any, and names the line that rules the key out, if there is one.
    pub fn find_principals(&self, key: &PublicKey, now: SystemTime) -> Result<Vec<String>, Refusal> {
        let mut found = Vec::new();
        let mut against = None;
        for line in self.lines.iter().filter(|line| line.key.as_ref() == Some(key)) {
            match line.options.find_objection(now) {
                None => found.push(line.principals.clone()),
                // Another line may have the same key for plugins, so a line that does not apply is only
                // remembered for the message.
                Some(why) => {
                    against = against.or(Some(format!("line {} of the allowed signers {why}", line.number)));
                }
            }
        }
        if found.is_empty() {
            return Err(match against {
                Some(why) => Refusal::new(RefusalKind::Signer, why),
                None => {
                    Refusal::new(RefusalKind::UnknownSigner, "no line of the allowed signers has this key")
                }
            });
        }
        Ok(found)
    }
}

/// Returns true if the principal matches a list of patterns from a line.
pub fn is_among(principal: &str, principals: &str) -> bool {
    matches_list(principal, principals)
}

impl Line {
    fn parse(number: usize, line: &str) -> Result<Self, String> {
        if line.len() > MAX_LINE_BYTES {
            return Err(format!("is longer than {MAX_LINE_BYTES} bytes"));
        }
        // A control character could hide a part of the line from an editor, and OpenSSH may read the line
        // otherwise.
        if let Some(strange) = line.chars().find(|c| c.is_control() && *c != '\t') {
            return Err(format!("has the character {}", strange.escape_default()));
        }
        let blank = [' ', '\t'];
        let (principals, rest) = line.split_once(blank).ok_or("has no key")?;
        // OpenSSH removes the quotes; taken literally, the pattern would match other names.
        if principals.contains('"') {
            return Err(
                "has quoted principals, which hookbox does not read: write them without quotes".to_owned()
            );
        }
        let rest = rest.trim_start_matches(blank);
        let (options, key) = if begins_with_a_key(rest) {
            (Options::default(), rest)
        } else {
            let end = end_of_options(rest).ok_or("has a quote that is not closed")?;
            let (options, key) = rest.split_at_checked(end).ok_or("has no key")?;
            (Options::parse(options)?, key.trim_start_matches(blank))
        };
        Ok(Self { number, principals: principals.to_owned(), options, key: read_key(key)? })
    }
}

/// Returns true for a kind and a key; false for options. OpenSSH adds kinds from time to time, so a kind that hookbox does not know is
/// recognised by the key after it.
fn begins_with_a_key(text: &str) -> bool {
    let mut words = text.split_ascii_whitespace();
    let kind = words.next().unwrap_or_default();
    // A name of a kind has none of these characters; options have at least one, unless it is a single flag.
    let is_option = kind.contains(['=', ',', '"']);
    KeyType::from_name(kind).is_ok()
        || (!is_option && words.next().is_some_and(|key| key.starts_with(START_OF_A_KEY)))
}

/// Parses a key; returns `None` for a kind that hookbox does not support, whose line is skipped: the file may serve other programs, too.
fn read_key(text: &str) -> Result<Option<PublicKey>, String> {
    let mut words = text.split_ascii_whitespace();
    let (kind, blob) = (words.next().ok_or("has no key")?, words.next().ok_or("has no key")?);
    if KeyType::from_name(kind).is_ok() {
        return PublicKey::parse_line(text).map(Some).map_err(|error| format!("has no good key: {error}"));
    }
    if blob.starts_with(START_OF_A_KEY) {
        // The key can sign nothing here, and a refused line would make a file that serves git unusable for
        // hookbox.
        return Ok(None);
    }
    Err(format!("has the key {}, which does not begin as a key does", quote_text(blob)))
}

fn make_file_error(why: String) -> Refusal {
    Refusal::new(RefusalKind::File, why)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";

    fn parse_key() -> PublicKey {
        PublicKey::parse_line(KEY).unwrap()
    }

    fn parse_moment(time: &str) -> SystemTime {
        humantime::parse_rfc3339(time).unwrap()
    }

    fn ask_principals(lines: &str, time: &str) -> Result<Vec<String>, String> {
        let signers = AllowedSigners::parse(&lines.replace("KEY", KEY)).map_err(|error| error.to_string())?;
        signers.find_principals(&parse_key(), parse_moment(time)).map_err(|error| error.to_string())
    }

    #[test]
    fn the_principals_of_a_key_are_read_from_every_valid_line() {
        let lines = "# ours\n\na@x,b@x KEY comment\n\t*@y namespaces=\"git,release@*\" KEY\r\nc@x namespaces=\"file\" KEY\n";
        assert_eq!(ask_principals(lines, "2026-01-01T00:00:00Z"), Ok(vec!["a@x,b@x".into(), "*@y".into()]));
        assert!(is_among("b@x", "a@x,b@x") && is_among("z@y", "*@y") && !is_among("c@x", "a@x,b@x"));
    }

    #[test]
    fn a_key_for_another_purpose_or_time_is_not_valid() {
        for (line, time, why) in [
            (
                "a namespaces=\"file\" KEY",
                "2026-01-01T00:00:00Z",
                "line 1 of the allowed signers has the key for another namespace than that of plugins, release@hookbox",
            ),
            (
                "a cert-authority KEY",
                "2026-01-01T00:00:00Z",
                "line 1 of the allowed signers has the key for certificates, which hookbox does not support yet",
            ),
            (
                "a valid-after=\"20260101Z\" KEY",
                "2025-12-31T23:59:59Z",
                "line 1 of the allowed signers has a key that is not valid yet (valid-after)",
            ),
            (
                "a valid-before=\"20260101Z\" KEY",
                "2026-01-01T00:00:00Z",
                "line 1 of the allowed signers has an expired key (valid-before)",
            ),
            ("# nothing", "2026-01-01T00:00:00Z", "no line of the allowed signers has this key"),
        ] {
            assert_eq!(ask_principals(line, time).unwrap_err(), why);
        }
        assert!(
            ask_principals(
                "a valid-after=\"20260101Z\",valid-before=\"20270101Z\" KEY",
                "2026-01-01T00:00:00Z"
            )
            .is_ok()
        );
    }

    #[test]
    fn keys_of_other_kinds_are_passed_over_and_what_cannot_be_read_is_refused_with_its_line() {
        let rsa = "a ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAAQE= old";
        let newer = [
            "a webauthn-sk-ecdsa-sha2-nistp256@openssh.com AAAAInNrLWVjZHNhLXNoYTItbmlzdHAyNTZAb3BlbnNzaC5jb20=",
            "a ssh-ed25519-cert-v01@openssh.com AAAAIHNzaC1lZDI1NTE5LWNlcnQtdjAxQG9wZW5zc2guY29t",
            "a namespaces=\"release@hookbox\" ssh-mldsa44-ed25519@openssh.com AAAAIHNzaA== pq",
        ];
        for other in newer.into_iter().chain([rsa]) {
            assert!(ask_principals(&format!("{other}\na KEY"), "2026-01-01T00:00:00Z").is_ok(), "{other}");
        }
        for (line, why) in [
            ("a", "its line 2 has no key"),
            ("a ssh-ed25519", "its line 2 has no key"),
            ("a ssh-ed25519 ****", "its line 2 has no good key: a key is not base64"),
            (
                "a ssh-ed25519 AAAAB3NzaC1yc2EAAAADAQABAAAAAQE=",
                "its line 2 has no good key: keys of the kind ssh-rsa are not supported; supported kinds: ssh-ed25519, sk-ssh-ed25519@openssh.com, ecdsa-sha2-nistp256, sk-ecdsa-sha2-nistp256@openssh.com",
            ),
            (
                "a cert-authority ssh-rsa ****",
                "its line 2 has the key `****`, which does not begin as a key does",
            ),
            (
                "\"a b\" KEY",
                "its line 2 has quoted principals, which hookbox does not read: write them without quotes",
            ),
            (
                "a no-touch KEY",
                "its line 2 has the option `no-touch`, which hookbox does not support; supported: cert-authority, namespaces=\"…\", valid-after=\"…\", valid-before=\"…\"",
            ),
            ("a namespaces=file KEY", "its line 2 has no quotes around the value of `namespaces`"),
            ("a namespaces=\"a\\\"b\" KEY", "its line 2 has a quote that is not closed"),
            ("a namespaces=\"a\",namespaces=\"b\" KEY", "its line 2 has the option `namespaces` twice"),
            (
                "a valid-after=\"tomorrow\" KEY",
                "its line 2 has the invalid time `tomorrow`: write YYYYMMDDZ or YYYYMMDDHHMMSSZ",
            ),
            (
                "a valid-after=\"20270101Z\",valid-before=\"20260101Z\" KEY",
                "its line 2 is valid from a time on that is not before the one that it is valid until",
            ),
            (
                "a namespaces=\"x\", KEY",
                "its line 2 has the option ``, which hookbox does not support; supported: cert-authority, namespaces=\"…\", valid-after=\"…\", valid-before=\"…\"",
            ),
            ("a\u{7}b KEY", "its line 2 has the character \\u{7}"),
        ] {
            assert_eq!(
                ask_principals(&format!("a KEY\n{line}"), "2026-01-01T00:00:00Z").unwrap_err(),
                why,
                "{line}"
            );
        }
        let long = format!("#{}\n", "x".repeat(1000)).repeat(1100);
        assert_eq!(AllowedSigners::parse(&long).unwrap_err().to_string(), "it is longer than 1048576 bytes");
    }

    #[test]
    fn whatever_the_time_a_line_is_judged() {
        let signers = AllowedSigners::parse(&format!("a valid-after=\"99991231\" {KEY}")).unwrap();
        assert!(signers.find_principals(&parse_key(), SystemTime::UNIX_EPOCH).is_err());
        assert!(
            signers.find_principals(&parse_key(), SystemTime::UNIX_EPOCH + Duration::from_hours(24)).is_err()
        );
    }
}
