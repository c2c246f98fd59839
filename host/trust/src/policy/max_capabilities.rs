//! Entries of `max_capabilities`, in the form that `hookbox plugin inspect` prints.

use hookbox_model::{HttpRule, PROJECT, Scope};

use super::file::quote_text;

const KNOWN: &str = "clock, random, env NAME, fs.read project, fs.write project, http RULE, secret NAME, kv session, kv project, \
                     kv user; with * in the place of what stands behind, as in kv *, it is any";

/// Parses one capability, written in the form of a plugin's request: a word that matches no request would be a limit by mistake.
pub(super) fn parse_capability(text: &str) -> Result<String, String> {
    let (kind, what) = text.split_once(' ').unwrap_or((text, ""));
    let is_name = !what.is_empty() && !what.contains(char::is_whitespace);
    let is_known = match kind {
        "http" if what != "*" => return normalize_request(text, what),
        "clock" | "random" => text == kind,
        "http" => true,
        "fs.read" | "fs.write" => matches!(what, PROJECT | "*"),
        "kv" => what == "*" || Scope::named(what).is_some(),
        "env" => what == "*" || is_name && !what.contains(['=', '*']),
        "secret" => is_name,
        _ => false,
    };
    if is_known {
        return Ok(text.to_owned());
    }
    Err(format!("has the invalid capability {}: {KNOWN}", quote_text(text)))
}

/// Normalises a rule for requests: it has several spellings, and a plugin's request is printed in one.
fn normalize_request(text: &str, rule: &str) -> Result<String, String> {
    let rule: Result<HttpRule, _> = rule.parse();
    rule.map(|rule| format!("http {rule}"))
        .map_err(|why| format!("has the invalid capability {}: {why}", quote_text(text)))
}

#[cfg(test)]
mod tests {
    use hookbox_model::{RequestedFolders, RequestedGrants, RequestedHttp};

    use super::*;

    #[test]
    fn a_policy_can_name_every_capability_that_a_plugin_can_request() {
        // All fields by name: a new capability does not compile before the test has a request for it.
        let asks = RequestedGrants {
            clock: true,
            random: true,
            env: vec!["LANG".to_owned()],
            read: RequestedFolders::Project,
            write: RequestedFolders::Any,
            http: RequestedHttp::These(vec!["https://a.example/".parse().unwrap()]),
            secret: vec!["token".to_owned()],
            kv: vec!["session".to_owned()],
        };
        let names = asks.names();
        for capability in RequestedGrants::all_names() {
            assert!(names.iter().any(|name| name.starts_with(capability)), "no request for {capability}");
        }
        for name in names {
            assert_eq!(parse_capability(&name), Ok(name));
        }
    }
}
