//! Parsing of statements. An unknown member could be relevant to a later hookbox, so it is refused; so is every other spelling than that
//! of [`super::Release::to_statement`].

use hookbox_core::digest::Sha256Digest;
use hookbox_model::{Effect, Effects, PluginName, Version};
use serde_json::Value;

use super::{MAX_STATEMENT_BYTES, PREDICATE, Release, STATEMENT, Source};
use crate::members::{Object, Read, of_bytes};

pub(super) fn parse_statement(bytes: &[u8]) -> Read<Release> {
    let value = of_bytes(bytes, MAX_STATEMENT_BYTES)?;
    let top = Object::from_value("", &value)?;
    top.check_keys(&["_type", "subject", "predicateType", "predicate"])?;
    top.require_text("_type", STATEMENT)?;
    top.require_text("predicateType", PREDICATE)?;
    let (name, component) = read_subject(&top)?;
    let predicate = top.read_object("predicate")?;
    read_release(name, component, &predicate)
}

fn read_subject(top: &Object<'_>) -> Read<(PluginName, Sha256Digest)> {
    let subjects = top.require_member("subject")?.as_array().ok_or("has a `subject` that is not a list")?;
    // With several files it would be unclear to which one the predicate applies.
    let [subject] = subjects.as_slice() else {
        return Err(format!("has {} subjects, and one is to be there", subjects.len()));
    };
    let subject = Object::from_value("subject", subject)?;
    subject.check_keys(&["name", "digest"])?;
    let name = PluginName::parse(subject.read_text("name")?);
    let name = name.ok_or_else(|| subject.reject_member("name", "that is not a plugin name"))?;
    let digest = subject.read_object("digest")?;
    digest.check_keys(&["sha256"])?;
    Ok((name, digest.read_sha256("sha256")?))
}

fn read_release(name: PluginName, component: Sha256Digest, predicate: &Object<'_>) -> Read<Release> {
    predicate.check_keys(&[
        "version",
        "seq",
        "channel",
        "issued",
        "expires",
        "world",
        "capabilities",
        "effects",
        "manifest_sha256",
        "source",
    ])?;
    let version = Version::parse(predicate.read_text("version")?);
    let seq = predicate.find_member("seq").and_then(Value::as_u64);
    Ok(Release {
        name,
        component,
        manifest: predicate.read_sha256("manifest_sha256")?,
        version: version.map_err(|_| predicate.reject_member("version", "that is not a version"))?,
        seq: seq.ok_or_else(|| predicate.describe_missing("seq", "is not a number"))?,
        channel: predicate.read_text("channel")?.to_owned(),
        issued: predicate.read_time("issued")?,
        expires: predicate.find_member("expires").map(|_| predicate.read_time("expires")).transpose()?,
        world: predicate.optional_text("world")?,
        capabilities: predicate.read_texts("capabilities")?.into_iter().map(str::to_owned).collect(),
        effects: read_effects(predicate)?,
        source: predicate
            .find_member("source")
            .map(|_| read_source(&predicate.read_object("source")?))
            .transpose()?,
    })
}

fn read_effects(predicate: &Object<'_>) -> Read<Effects> {
    let words = predicate.read_texts("effects")?;
    let mut effects = Vec::new();
    for word in &words {
        let effect = Effect::named(word);
        effects.push(effect.ok_or_else(|| {
            predicate.reject_member("effects", &format!("with the unknown effect `{word}`"))
        })?);
    }
    let effects = Effects::from_slice(&effects);
    // A statement has one spelling, so that equal releases have equal bytes to sign.
    if super::list_effect_names(effects) != words {
        return Err(predicate.reject_member("effects", "that names one twice, or not in order"));
    }
    Ok(effects)
}

fn read_source(source: &Object<'_>) -> Read<Source> {
    source.check_keys(&["repo", "rev"])?;
    Ok(Source { repo: source.read_text("repo")?.to_owned(), rev: source.optional_text("rev")? })
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{MANIFEST, make_release},
        *,
    };

    fn parse_error(text: &str) -> String {
        Release::parse(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn whatever_could_be_read_in_two_ways_is_refused() {
        let good = make_release(MANIFEST).0.to_statement();
        let subject = good.split("\"subject\": [").nth(1).unwrap().split(']').next().unwrap().to_owned();
        let digest = Sha256Digest::of_content(b"component");
        for (from, to, why) in [
            ("Statement/v1", "Statement/v0.1", "has another `_type` than https://in-toto.io/Statement/v1"),
            ("release/v1", "release/v2", "has another `predicateType` than https://hookbox.dev/release/v1"),
            ("release/v1", "release/v1/", "has another `predicateType` than https://hookbox.dev/release/v1"),
            ("release/v1", "Release/v1", "has another `predicateType` than https://hookbox.dev/release/v1"),
            ("\"predicate\"", "\"extra\": 1, \"predicate\"", "has the unknown member `extra`"),
            ("\"seq\"", "\"extra\": 1, \"seq\"", "has the unknown member `predicate.extra`"),
            (
                "\"seq\"",
                "\"seq\": 11, \"seq\"",
                "is not valid JSON: the key \"seq\" appears twice, at line 14 column 20",
            ),
            ("\"rev\"", "\"more\": 1, \"rev\"", "has the unknown member `predicate.source.more`"),
            (subject.as_str(), "", "has 0 subjects, and one is to be there"),
            (subject.as_str(), &format!("{subject},{subject}"), "has 2 subjects, and one is to be there"),
            (
                digest.as_str(),
                &digest.as_str().to_uppercase(),
                "has a `subject.digest.sha256` that is not a SHA-256 in lower case",
            ),
            (
                digest.as_str(),
                &digest.as_str()[1..],
                "has a `subject.digest.sha256` that is not a SHA-256 in lower case",
            ),
            ("\"sha256\":", "\"sha512\":", "has the unknown member `subject.digest.sha512`"),
            ("acme/guard", "acme/../guard", "has a `subject.name` that is not a plugin name"),
            ("\"1.2.0\"", "\"1.2\"", "has a `predicate.version` that is not a version"),
            ("12,", "-1,", "has no `predicate.seq`, or it is not a number"),
            (
                "2023-11-14T22:13:20Z",
                "2023-11-14",
                "has a `predicate.issued` that is not a time such as 2026-01-31T12:00:00Z",
            ),
            (
                "\"world\"",
                "\"expires\": \"soon\", \"world\"",
                "has a `predicate.expires` that is not a time such as 2026-01-31T12:00:00Z",
            ),
            (
                "\"stable\"",
                "\"a\\u0007b\"",
                "has a `predicate.channel` with characters that cannot be seen, or too many",
            ),
            ("\"deny-code\"", "\"fly\"", "has a `predicate.effects` with the unknown effect `fly`"),
            (
                "\"ask\",",
                "\"ask\", \"ask\",",
                "has a `predicate.effects` that names one twice, or not in order",
            ),
            ("\"clock\",", "1,", "has no `predicate.capabilities`, or it is not a list of texts"),
        ] {
            assert_eq!(
                parse_error(&good.replacen(from, to, 1)),
                format!("the statement {why}"),
                "{from} {to}"
            );
        }
        assert_eq!(
            parse_error(&format!("\u{feff}{good}")),
            "the statement is not valid JSON: expected value, at line 1 column 1"
        );
        assert_eq!(
            parse_error(&format!("{good}x")),
            "the statement is not valid JSON: trailing characters, at line 33 column 1"
        );
        assert_eq!(
            parse_error(&format!("{good}{}", " ".repeat(MAX_STATEMENT_BYTES))),
            "the statement is longer than 262144 bytes"
        );
        assert_eq!(
            parse_error(&"[".repeat(200)),
            "the statement is not valid JSON: it is nested deeper than 100 levels, at line 1 column 101"
        );
        assert_eq!(Release::parse(b"\xff").unwrap_err().to_string(), "the statement is not UTF-8");
        assert_eq!(parse_error("[]"), "the statement is not valid JSON: it is not a JSON object");
    }

    #[test]
    fn a_statement_that_lacks_anything_that_has_to_be_there_is_refused() {
        let good = make_release(MANIFEST).0.to_statement();
        let value: Value = serde_json::from_str(&good).unwrap();
        for at in ["/_type", "/subject", "/predicateType", "/predicate"] {
            let mut less = value.clone();
            less.as_object_mut().unwrap().shift_remove(&at[1..]);
            assert!(parse_error(&less.to_string()).contains(&at[1..]), "{at}");
        }
        for member in ["version", "seq", "channel", "issued", "capabilities", "effects", "manifest_sha256"] {
            let mut less = value.clone();
            less["predicate"].as_object_mut().unwrap().shift_remove(member);
            assert!(parse_error(&less.to_string()).contains(&format!("predicate.{member}")), "{member}");
        }
    }
}
