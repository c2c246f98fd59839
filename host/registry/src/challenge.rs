//! Authentication challenges of a registry (`WWW-Authenticate`).

/// A way to authenticate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Challenge {
    /// With name and password.
    Basic,
    /// With a token from a token server.
    Bearer { realm: String, service: Option<String> },
}

impl Challenge {
    /// Parses the first supported challenge, a token before a password.
    pub(crate) fn parse_headers(headers: &[&str]) -> Option<Self> {
        let all = || headers.iter().filter_map(|header| Self::parse(header));
        // A token is limited in scope and time; a password is not.
        all().find(|challenge| *challenge != Self::Basic).or_else(|| all().next())
    }

    fn parse(text: &str) -> Option<Self> {
        let (scheme, rest) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        if scheme.eq_ignore_ascii_case("basic") {
            return Some(Self::Basic);
        }
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let parameters = parse_parameters(rest)?;
        let value = |name: &str| {
            let mut found = parameters.iter().filter(|(key, _)| key.eq_ignore_ascii_case(name));
            // A repeated parameter could be read in two ways.
            let first = found.next();
            found.next().is_none().then_some(first).flatten().map(|(_, value)| value.clone())
        };
        Some(Self::Bearer { realm: value("realm")?, service: value("service") })
    }
}

/// Parses `key="value",key=value`.
fn parse_parameters(mut text: &str) -> Option<Vec<(String, String)>> {
    let mut found = Vec::new();
    loop {
        text = text.trim_start_matches([' ', ',']);
        if text.is_empty() {
            return Some(found);
        }
        let (key, rest) = text.split_once('=')?;
        let (value, rest) = rest.strip_prefix('"').map_or_else(|| Some(split_plain(rest)), split_quoted)?;
        found.push((key.trim().to_owned(), value));
        text = rest;
    }
}

/// Splits at the next comma.
fn split_plain(text: &str) -> (String, &str) {
    let (value, rest) = text.split_at(text.find(',').unwrap_or(text.len()));
    (value.trim().to_owned(), rest)
}

/// Splits at the closing quote.
fn split_quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut characters = text.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((value, text.get(at + 1..)?)),
            '\\' => value.push(characters.next()?.1),
            _ => value.push(character),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_challenge(headers: &[&str]) -> Option<Challenge> {
        Challenge::parse_headers(headers)
    }

    #[test]
    fn a_token_is_asked_for_before_a_password_is_sent() {
        let bearer =
            r#"Bearer realm="https://auth.example/token",service="registry, \"one\"",scope="x:y:pull""#;
        let expected = Challenge::Bearer {
            realm: "https://auth.example/token".to_owned(),
            service: Some("registry, \"one\"".to_owned()),
        };
        assert_eq!(parse_challenge(&["Basic realm=\"x\"", bearer]), Some(expected));
        assert_eq!(parse_challenge(&["basic"]), Some(Challenge::Basic));
        assert_eq!(
            parse_challenge(&["Bearer realm=https://a.example/t"]),
            Some(Challenge::Bearer { realm: "https://a.example/t".to_owned(), service: None })
        );
    }

    #[test]
    fn an_ambiguous_or_incomplete_challenge_is_ignored() {
        for header in [
            "Bearer",
            "Bearer realm",
            r#"Bearer realm="https://a.example"#,
            r#"Bearer realm="https://a.example",realm="https://b.example""#,
            r#"Bearer service="x""#,
            "Negotiate",
            "",
        ] {
            assert_eq!(parse_challenge(&[header]), None, "{header}");
        }
    }
}
