//! The file as it is written, and what it means.

use hookbox_model::{Effect, Effects};
use hookbox_port::digest::Sha256Digest;
use serde::Deserialize;

use super::{Denied, Names, Otherwise, Policy, Publisher};

const VERSION: u64 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: u64,
    default: Default,
    #[serde(default)]
    publisher: Vec<PublisherRow>,
    #[serde(default)]
    deny: Vec<DenyRow>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Default {
    Reject,
    Ask,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PublisherRow {
    namespaces: Vec<String>,
    #[serde(default)]
    registries: Vec<String>,
    principals: Vec<String>,
    threshold: Option<usize>,
    max_capabilities: Option<Vec<String>>,
    max_effects: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DenyRow {
    component: String,
    reason: String,
}

pub(super) fn policy(text: &str) -> Result<Policy, String> {
    let file: File =
        toml::from_str(text).map_err(|error| format!("cannot be read: {}", told(&error, text)))?;
    if file.version != VERSION {
        return Err(format!(
            "has the version {}, and this hookbox knows {VERSION}: update hookbox",
            file.version
        ));
    }
    twice(&file.publisher)?;
    Ok(Policy {
        otherwise: match file.default {
            Default::Reject => Otherwise::Reject,
            Default::Ask => Otherwise::Ask,
        },
        publishers: file.publisher.into_iter().map(publisher).collect::<Result<_, _>>()?,
        denied: file.deny.into_iter().map(denied).collect::<Result<_, _>>()?,
    })
}

/// One line, with the place.
fn told(error: &toml::de::Error, text: &str) -> String {
    let before = error.span().and_then(|span| text.get(..span.start)).unwrap_or_default();
    let line = before.matches('\n').count() + 1;
    format!("{}, at line {line}", error.message().replace('\n', ", "))
}

/// Two publishers of one namespace: nobody could say whose keys count.
fn twice(rows: &[PublisherRow]) -> Result<(), String> {
    let mut all: Vec<_> = rows.iter().flat_map(|row| &row.namespaces).collect();
    all.sort();
    match all.windows(2).find(|pair| pair.first() == pair.last()) {
        Some(pair) => Err(format!("has the namespace {} twice", shown(pair.first().map_or("", |name| name)))),
        None => Ok(()),
    }
}

fn publisher(row: PublisherRow) -> Result<Publisher, String> {
    if row.namespaces.is_empty() {
        return Err("has a publisher without namespaces".to_owned());
    }
    if row.principals.is_empty() {
        return Err("has a publisher without principals: none could sign".to_owned());
    }
    let threshold = row.threshold.unwrap_or(1);
    if threshold == 0 {
        return Err("has the threshold 0, and one key at least has to sign".to_owned());
    }
    Ok(Publisher {
        namespaces: names(&row.namespaces, "namespace", "acme/guard, acme/* or *")?,
        registries: names(
            &row.registries,
            "registry",
            "registry.example/acme/guard, registry.example/acme/* or *",
        )?,
        principals: row.principals.into_iter().map(principal).collect::<Result<_, _>>()?,
        threshold,
        max_capabilities: row.max_capabilities,
        max_effects: row.max_effects.map(|words| effects(&words)).transpose()?,
    })
}

fn names(texts: &[String], what: &str, write: &str) -> Result<Vec<Names>, String> {
    let names = texts.iter().map(|text| {
        Names::parse(text)
            .ok_or_else(|| format!("has the {what} {}, which is none: write {write}", shown(text)))
    });
    names.collect()
}

fn principal(text: String) -> Result<String, String> {
    let is_one = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '*' | '?' | '!' | ',' | '"');
    if !text.is_empty() && text.chars().all(is_one) {
        return Ok(text);
    }
    let shown = shown(&text);
    Err(format!("has the principal {shown}: name one person or role, without blanks, commas and patterns"))
}

fn effects(words: &[String]) -> Result<Effects, String> {
    let effects = words.iter().map(|word| {
        Effect::named(word).ok_or_else(|| {
            let known: Vec<_> = Effects::ALL.iter().map(Effect::as_str).collect();
            format!("has the effect {}, which is none: {}", shown(word), known.join(", "))
        })
    });
    effects.collect::<Result<Vec<_>, _>>().map(|effects| Effects::of(&effects))
}

fn denied(row: DenyRow) -> Result<Denied, String> {
    let digest = row.component.strip_prefix("sha256:").and_then(Sha256Digest::parse);
    let component = digest.ok_or_else(|| {
        format!("denies {}, which is no digest: write sha256: and 64 digits", shown(&row.component))
    })?;
    Ok(Denied { component, reason: row.reason })
}

fn shown(text: &str) -> String {
    let text: String = text.chars().take(100).collect();
    format!("`{}`", text.escape_debug())
}
