//! The file format, and its conversion to a policy.

use hookbox_core::digest::Sha256Digest;
use hookbox_model::{Effect, Effects, PluginName, is_visible};
use serde::Deserialize;
use toml::Spanned;

use super::{Denied, Names, OnUnlisted, Policy, Publisher, max_capabilities::parse_capability};

const VERSION: u64 = 1;

/// The file. Members are optional so that the error for a missing one can show the line to write.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    version: Option<u64>,
    default: Option<Default>,
    #[serde(default)]
    publisher: Vec<Spanned<PublisherRow>>,
    #[serde(default)]
    deny: Vec<Spanned<DenyRow>>,
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
    namespaces: Option<Vec<Spanned<String>>>,
    #[serde(default)]
    registries: Vec<Spanned<String>>,
    principals: Option<Vec<Spanned<String>>>,
    threshold: Option<Spanned<usize>>,
    max_capabilities: Option<Vec<Spanned<String>>>,
    max_effects: Option<Vec<Spanned<String>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DenyRow {
    component: Option<Spanned<String>>,
    reason: Option<String>,
}

/// An error, and its offset in the text.
struct Fault {
    at: usize,
    why: String,
}

impl Fault {
    fn at_value<T>(value: &Spanned<T>, why: String) -> Self {
        Self { at: value.span().start, why }
    }

    /// Returns the error for a key that a table lacks; with the line to write.
    fn for_missing_key<T>(table: &Spanned<T>, header: &str, key: &str, line: &str) -> Self {
        Self::at_value(table, format!("has a {header} without `{key}`: write below {header}: {line}"))
    }
}

pub(super) fn parse_policy(text: &str) -> Result<Policy, String> {
    let file: File = toml::from_str(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        format!("cannot be read: {}, at line {}", format_one_line(&error), find_line(text, at))
    })?;
    let version = file.version.ok_or("has no `version`: write at its top: version = 1")?;
    // A newer policy may restrict in a way that this hookbox would ignore.
    if version != VERSION {
        return Err(format!(
            "has the version {version}, and this hookbox supports {VERSION}: update hookbox"
        ));
    }
    let otherwise = match file.default {
        // A built-in default would silently decide about all plugins without a publisher; the operator has
        // to.
        None => {
            return Err("has no `default`, which decides about plugins of unlisted publishers: write above the first \
                        table: default = \"reject\" (or \"ask\")"
                .to_owned());
        }
        Some(Default::Reject) => OnUnlisted::Reject,
        Some(Default::Ask) => OnUnlisted::Ask,
    };
    let rows = parse_rows(&file.publisher, &file.deny);
    let (publishers, denied) =
        rows.map_err(|Fault { at, why }| format!("{why}, at line {}", find_line(text, at)))?;
    Ok(Policy { otherwise, publishers, denied })
}

fn parse_rows(
    publishers: &[Spanned<PublisherRow>],
    deny: &[Spanned<DenyRow>],
) -> Result<(Vec<Publisher>, Vec<Denied>), Fault> {
    refuse_duplicates(publishers)?;
    let publishers = publishers.iter().map(parse_publisher).collect::<Result<_, _>>()?;
    let denied = deny.iter().map(parse_denied).collect::<Result<_, _>>()?;
    Ok((publishers, denied))
}

/// Returns the number of the line that contains this byte.
fn find_line(text: &str, at: usize) -> usize {
    text.get(..at).unwrap_or_default().matches('\n').count() + 1
}

fn format_one_line(error: &toml::de::Error) -> String {
    let why = error.message().replace('\n', ", ");
    why.chars().filter(|c| is_visible(*c)).collect()
}

/// Refuses two publishers with one namespace: the accepted keys would be ambiguous.
fn refuse_duplicates(rows: &[Spanned<PublisherRow>]) -> Result<(), Fault> {
    let mut all: Vec<_> = rows.iter().filter_map(|row| row.get_ref().namespaces.as_ref()).flatten().collect();
    // Equal namespaces become neighbours.
    all.sort();
    match all.windows(2).find(|pair| pair.first() == pair.last()) {
        Some(&[_, second]) => {
            Err(Fault::at_value(second, format!("has the namespace {} twice", quote_text(second.get_ref()))))
        }
        _ => Ok(()),
    }
}

fn parse_publisher(row: &Spanned<PublisherRow>) -> Result<Publisher, Fault> {
    const HEADER: &str = "[[publisher]]";
    let lacking = |key, line| Fault::for_missing_key(row, HEADER, key, line);
    let PublisherRow { namespaces, registries, principals, threshold, max_capabilities, max_effects } =
        row.get_ref();
    let namespaces = namespaces.as_ref().ok_or_else(|| lacking("namespaces", "namespaces = [\"acme/*\"]"))?;
    let principals = principals
        .as_ref()
        .ok_or_else(|| lacking("principals", "principals = [\"release@acme.example\"]"))?;
    if namespaces.is_empty() {
        return Err(Fault::at_value(row, "has a publisher without namespaces".to_owned()));
    }
    if principals.is_empty() {
        return Err(Fault::at_value(row, "has a publisher without principals: none could sign".to_owned()));
    }
    // 0 would accept unsigned plugins under the name of a publisher.
    if let Some(none) = threshold.as_ref().filter(|threshold| *threshold.get_ref() == 0) {
        let why = "has the threshold 0, and one key at least has to sign".to_owned();
        return Err(Fault::at_value(none, why));
    }
    Ok(Publisher {
        namespaces: parse_each(namespaces, parse_namespace)?,
        registries: parse_each(registries, parse_registry)?,
        principals: parse_each(principals, parse_principal)?,
        threshold: threshold.as_ref().map_or(1, |threshold| *threshold.get_ref()),
        max_capabilities: max_capabilities
            .as_ref()
            .map(|words| parse_each(words, parse_capability))
            .transpose()?,
        max_effects: max_effects.as_ref().map(|words| parse_effects(words)).transpose()?,
    })
}

/// Parses each of the texts; the error is that of the first one that cannot be parsed, with its place.
fn parse_each<T>(
    texts: &[Spanned<String>],
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, Fault> {
    texts.iter().map(|text| read(text.get_ref()).map_err(|why| Fault::at_value(text, why))).collect()
}

/// Parses a namespace. One with characters that no plugin's name may have would match nothing.
fn parse_namespace(text: &str) -> Result<Names, String> {
    let name = text.strip_suffix("/*").unwrap_or(text);
    Names::parse(text).filter(|_| name == "*" || PluginName::parse(name).is_some()).ok_or_else(|| {
        format!("has the invalid namespace {}: write acme/guard, acme/* or *", quote_text(text))
    })
}

/// Parses a registry. A host alone is refused: a plugin comes from a host and a name.
fn parse_registry(text: &str) -> Result<Names, String> {
    Names::parse(text).filter(|_| text == "*" || text.contains('/')).ok_or_else(|| {
        format!(
            "has the invalid registry {}: write registry.example/acme/guard, registry.example/acme/* or *",
            quote_text(text)
        )
    })
}

fn parse_principal(text: &str) -> Result<String, String> {
    // A pattern here would accept keys of principals that the operator has not named.
    let is_one = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '*' | '?' | '!' | ',' | '"');
    if !text.is_empty() && text.chars().all(is_one) {
        return Ok(text.to_owned());
    }
    let shown = quote_text(text);
    Err(format!("has the principal {shown}: name one person or role, without blanks, commas and patterns"))
}

fn parse_effects(words: &[Spanned<String>]) -> Result<Effects, Fault> {
    let effect = |word: &str| {
        Effect::named(word).ok_or_else(|| {
            let known: Vec<_> = Effects::ALL.iter().map(Effect::as_str).collect();
            format!("has the invalid effect {}: write one of {}", quote_text(word), known.join(", "))
        })
    };
    parse_each(words, effect).map(|effects| Effects::from_slice(&effects))
}

fn parse_denied(row: &Spanned<DenyRow>) -> Result<Denied, Fault> {
    let lacking = |key, line| Fault::for_missing_key(row, "[[deny]]", key, line);
    let DenyRow { component, reason } = row.get_ref();
    let component = component.as_ref().ok_or_else(|| {
        lacking("component", "component = \"sha256:…\", as hookbox.lock has it in `sha256`")
    })?;
    let reason =
        reason.clone().ok_or_else(|| lacking("reason", "reason = \"why it is not to be called\""))?;
    let digest = component.get_ref().strip_prefix("sha256:").and_then(Sha256Digest::parse);
    let component = digest.ok_or_else(|| {
        let shown = quote_text(component.get_ref());
        Fault::at_value(
            component,
            format!("denies {shown}, which is not a digest: write sha256: and 64 digits"),
        )
    })?;
    Ok(Denied { component, reason })
}

pub(super) fn quote_text(text: &str) -> String {
    let text: String = text.chars().take(100).collect();
    format!("`{}`", text.escape_debug())
}
