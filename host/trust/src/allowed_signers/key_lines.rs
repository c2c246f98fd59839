//! The lines of `allowed_signers` with a key for plugins, for programs that show and change the file.

use std::{
    fmt::Write as _,
    time::{Duration, SystemTime},
};

use super::{AllowedSigners, Line, Options};
use crate::{key::PublicKey, patterns::matches_list, sshsig::NAMESPACE, statement::format_time};

/// Longest name of a signer, bytes.
pub const MAX_NAME_BYTES: usize = 256;
/// Last second that a time in RFC 3339 can have, in seconds since 1970: the end of the year 9999.
const LAST_SECOND: Duration = Duration::from_secs(253_402_300_799);

/// A line with a key for plugins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedSigner {
    /// Number of the line; the first one is 1.
    pub line: usize,
    /// A list of names, or of patterns of names.
    pub principals: String,
    /// The key.
    pub key: PublicKey,
    /// Time for which the key is valid: `always`, or `from … until …`.
    pub validity: String,
    /// Reason why the key is not valid now.
    pub objection: Option<&'static str>,
    /// True if the line names namespaces of other programs as well.
    pub is_shared: bool,
}

impl AllowedSigners {
    /// Returns the lines with a key for plugins, whether the key is valid now or not.
    pub fn list_signers(&self, now: SystemTime) -> Vec<ListedSigner> {
        self.lines.iter().filter_map(|line| ListedSigner::of_line(line, now)).collect()
    }
}

impl ListedSigner {
    fn of_line(line: &Line, now: SystemTime) -> Option<Self> {
        let Line { number, principals, options, key } = line;
        let namespaces = options.namespaces.as_deref();
        if options.is_authority || namespaces.is_some_and(|list| !matches_list(NAMESPACE, list)) {
            return None;
        }
        Some(Self {
            line: *number,
            principals: principals.clone(),
            key: key.clone()?,
            validity: describe_validity(options),
            objection: options.find_objection(now),
            is_shared: namespaces.is_some_and(|list| list != NAMESPACE),
        })
    }
}

/// Returns the line with which signatures by this key over plugins count as those of `name`.
///
/// The error is the reason why the name is not accepted, the rest of a sentence that begins with the name.
pub fn format_line(name: &str, key: &PublicKey) -> Result<String, String> {
    // A pattern would give the key to signers that the user has not named, and `#` makes the line a comment.
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '*' | '?' | '!' | ',' | '"' | '\\' | '#');
    if name.is_empty() {
        return Err("is empty".to_owned());
    }
    if name.len() > MAX_NAME_BYTES {
        return Err(format!("is longer than {MAX_NAME_BYTES} bytes"));
    }
    if let Some(strange) = name.chars().find(|c| !is_plain(*c)) {
        return Err(format!("has the character `{}`", strange.escape_debug()));
    }
    Ok(format!("{name} namespaces=\"{NAMESPACE}\" {}", key.to_line()))
}

fn describe_validity(options: &Options) -> String {
    let mut text = String::new();
    // A time without a time zone takes the stricter reading, as the verification does.
    for (word, time) in [
        ("from", options.after.map(|after| after.latest)),
        ("until", options.before.map(|before| before.earliest)),
    ] {
        if let Some(time) = time {
            let blank = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{blank}{word} {}", format_bound(time));
        }
    }
    if text.is_empty() { "always".to_owned() } else { text }
}

/// Formats a time that may be before 1970 or after 9999, by a time zone.
fn format_bound(time: SystemTime) -> String {
    let first = SystemTime::UNIX_EPOCH;
    format_time(time.clamp(first, first + LAST_SECOND))
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcH";

    fn list_lines(text: &str) -> Vec<(usize, String, String, bool)> {
        let signers = AllowedSigners::parse(&text.replace("KEY", KEY)).unwrap();
        let listed = signers.list_signers(humantime::parse_rfc3339("2026-01-01T00:00:00Z").unwrap());
        let state = |signer: ListedSigner| {
            let objection = signer.objection.map_or_else(String::new, |why| format!(": {why}"));
            (signer.line, signer.principals, signer.validity + &objection, signer.is_shared)
        };
        listed.into_iter().map(state).collect()
    }

    #[test]
    fn lines_for_plugins_are_listed_with_the_validity_of_their_keys() {
        let text = "# ours\na@x KEY\nb@x namespaces=\"release@hookbox\",valid-before=\"20250101Z\" KEY\n\
            c@x namespaces=\"git,release@hookbox\",valid-after=\"20200101Z\",valid-before=\"20270101\" KEY\n\
            d@x namespaces=\"git\" KEY\ne@x cert-authority KEY\nf@x ssh-rsa AAAAB3NzaC1yc2E=\n";
        let row = |line, name: &str, validity: &str, is_shared| {
            (line, name.to_owned(), validity.to_owned(), is_shared)
        };
        assert_eq!(
            list_lines(text),
            [
                row(2, "a@x", "always", false),
                row(3, "b@x", "until 2025-01-01T00:00:00Z: has an expired key (valid-before)", false),
                row(4, "c@x", "from 2020-01-01T00:00:00Z until 2026-12-31T10:00:00Z", true),
            ]
        );
    }

    #[test]
    fn times_at_the_ends_of_the_calendar_are_listed() {
        let listed = list_lines("a@x valid-after=\"19700101\",valid-before=\"99991231235959\" KEY\n");
        assert_eq!(listed[0].2, "from 1970-01-01T12:00:00Z until 9999-12-31T09:59:59Z");
        let listed = list_lines("a@x valid-before=\"19700101\" KEY\n");
        assert!(listed[0].2.starts_with("until 1970-01-01T00:00:00Z: "), "{listed:?}");
        let listed = list_lines("a@x valid-after=\"99991231235959\" KEY\n");
        assert!(listed[0].2.starts_with("from 9999-12-31T23:59:59Z: "), "{listed:?}");
    }

    #[test]
    fn a_formatted_line_is_read_as_the_line_of_that_name_and_key_alone() {
        let key = PublicKey::parse_line(KEY).unwrap();
        let line = format_line("release@acme.example", &key).unwrap();
        assert_eq!(line, format!("release@acme.example namespaces=\"release@hookbox\" {KEY}"));
        let listed = AllowedSigners::parse(&line).unwrap().list_signers(SystemTime::UNIX_EPOCH);
        let [signer] = listed.as_slice() else { panic!("{listed:?}") };
        assert_eq!((&signer.key, signer.is_shared), (&key, false));
    }

    #[test]
    fn a_name_that_is_a_list_a_pattern_or_a_comment_is_refused() {
        let key = PublicKey::parse_line(KEY).unwrap();
        for (name, why) in [
            ("", "is empty"),
            ("a b", "has the character ` `"),
            ("a\nb", "has the character `\\n`"),
            ("*@acme.example", "has the character `*`"),
            ("a,b", "has the character `,`"),
            ("!a", "has the character `!`"),
            ("#a", "has the character `#`"),
            ("a\"", "has the character `\\\"`"),
            (&"a".repeat(257), "is longer than 256 bytes"),
        ] {
            assert_eq!(format_line(name, &key).unwrap_err(), why, "{name}");
        }
        assert!(format_line(&"a".repeat(256), &key).is_ok());
    }
}
