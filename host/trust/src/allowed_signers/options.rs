//! The options of a line of `allowed_signers`: the purposes and the time for which its key is valid.

use std::time::SystemTime;

use crate::{
    patterns::matches_list,
    sshsig::NAMESPACE,
    times::{self, Moment},
};

/// Options of a line, which limit the purpose and the time of its key.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    pub(super) is_authority: bool,
    pub(super) namespaces: Option<String>,
    pub(super) after: Option<Moment>,
    pub(super) before: Option<Moment>,
}

impl Options {
    /// Parses the options of a line.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut options = Self::default();
        let mut rest = text;
        loop {
            rest = options.take_option(rest)?;
            match rest.strip_prefix(',') {
                Some(more) => rest = more,
                None if rest.is_empty() => break,
                None => return Err(reject_option(rest)),
            }
        }
        match (options.after, options.before) {
            // Such a key is valid at no time; the line is a mistake, and OpenSSH refuses it, too.
            (Some(after), Some(before)) if before.earliest <= after.latest => {
                Err("is valid from a time on that is not before the one that it is valid until".to_owned())
            }
            _ => Ok(options),
        }
    }

    /// Parses the first option; returns the text after it.
    fn take_option<'a>(&mut self, text: &'a str) -> Result<&'a str, String> {
        let (name, rest) = text.split_at(text.find(['=', ',']).unwrap_or(text.len()));
        let Some(quoted) = rest.strip_prefix('=') else {
            if name.eq_ignore_ascii_case("cert-authority") {
                self.is_authority = true;
                return Ok(rest);
            }
            return Err(reject_option(name));
        };
        let value = quoted.strip_prefix('"').and_then(|value| value.split_once('"'));
        let (value, rest) =
            value.ok_or_else(|| format!("has no quotes around the value of {}", quote_text(name)))?;
        // OpenSSH unescapes `\"` in a value: read literally, the value would end at another place.
        if value.contains('\\') {
            return Err(format!(
                "has a backslash in the value of {}, which hookbox does not read",
                quote_text(name)
            ));
        }
        let is = |option: &str| name.eq_ignore_ascii_case(option);
        if is("namespaces") {
            set_once(&mut self.namespaces, value.to_owned(), name)?;
        } else if is("valid-after") {
            set_once(&mut self.after, parse_time(value)?, name)?;
        } else if is("valid-before") {
            set_once(&mut self.before, parse_time(value)?, name)?;
        } else {
            return Err(reject_option(name));
        }
        Ok(rest)
    }

    /// Returns the reason why the line's key is not valid for plugins at this time.
    pub(super) fn find_objection(&self, now: SystemTime) -> Option<&'static str> {
        if self.is_authority {
            return Some("has the key for certificates, which hookbox does not support yet");
        }
        if self.namespaces.as_ref().is_some_and(|list| !matches_list(NAMESPACE, list)) {
            return Some("has the key for another namespace than that of plugins, release@hookbox");
        }
        // A time without a time zone takes the stricter reading.
        if self.after.is_some_and(|after| now < after.latest) {
            return Some("has a key that is not valid yet (valid-after)");
        }
        if self.before.is_some_and(|before| now >= before.earliest) {
            return Some("has an expired key (valid-before)");
        }
        None
    }
}

fn set_once<T>(place: &mut Option<T>, value: T, name: &str) -> Result<(), String> {
    match place.replace(value) {
        None => Ok(()),
        Some(_) => Err(format!("has the option {} twice", quote_text(name))),
    }
}

fn parse_time(text: &str) -> Result<Moment, String> {
    times::parse(text).ok_or_else(|| {
        format!("has the invalid time {}: write YYYYMMDDZ or YYYYMMDDHHMMSSZ", quote_text(text))
    })
}

fn reject_option(option: &str) -> String {
    let known = "cert-authority, namespaces=\"…\", valid-after=\"…\", valid-before=\"…\"";
    format!("has the option {}, which hookbox does not support; supported: {known}", quote_text(option))
}

/// Returns the offset of the first blank outside quotes; without one, the text's end.
pub(super) fn end_of_options(text: &str) -> Option<usize> {
    let mut is_quoted = false;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b' ' | b'\t' if !is_quoted => return Some(at),
            _ => {}
        }
    }
    (!is_quoted).then_some(text.len())
}

/// Quotes a part of a line for a message, shortened and with control characters escaped.
pub(super) fn quote_text(text: &str) -> String {
    let text: String = text.chars().take(64).collect();
    format!("`{}`", text.escape_debug())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_without_a_time_zone_counts_where_it_counts_in_every_zone() {
        let is_valid = |options: &str, time: &str| {
            let now = humantime::parse_rfc3339(time).unwrap();
            Options::parse(options).unwrap().find_objection(now).is_none()
        };
        let after = "valid-after=\"20260101\"";
        let before = "valid-before=\"20260101\"";
        assert!(!is_valid(after, "2026-01-01T11:59:59Z") && is_valid(after, "2026-01-01T12:00:00Z"));
        assert!(is_valid(before, "2025-12-31T09:59:59Z") && !is_valid(before, "2025-12-31T10:00:00Z"));
    }
}
