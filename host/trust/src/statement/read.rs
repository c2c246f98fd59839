//! Reads a statement. An unknown member could be one that a later hookbox minds, so it is refused; so is everything that is said in
//! another way than [`super::Release::to_statement`] says it.

use hookbox_model::{Effect, Effects, Json, PluginName, Version, is_visible};
use hookbox_port::digest::Sha256Digest;
use serde_json::{Map, Value};

use super::{MAX_STATEMENT_BYTES, PREDICATE, Release, STATEMENT, Source};

/// Longest text but those of capabilities, characters.
const MAX_TEXT: usize = 400;
/// Most capabilities: as many as a manifest can ask for.
const MAX_CAPABILITIES: usize = 1000;

type Read<T> = Result<T, String>;

pub(super) fn statement(bytes: &[u8]) -> Read<Release> {
    if bytes.len() > MAX_STATEMENT_BYTES {
        return Err(format!("is longer than {MAX_STATEMENT_BYTES} bytes"));
    }
    let text = str::from_utf8(bytes).map_err(|_| "is not UTF-8")?;
    let value = Json::parse_object(text).map_err(|error| format!("is no good JSON: {error}"))?.to_value();
    let top = Object::of("", &value)?;
    top.only(&["_type", "subject", "predicateType", "predicate"])?;
    top.exactly("_type", STATEMENT)?;
    top.exactly("predicateType", PREDICATE)?;
    let (name, component) = subject(&top)?;
    let predicate = top.object("predicate")?;
    release(name, component, &predicate)
}

fn subject(top: &Object<'_>) -> Read<(PluginName, Sha256Digest)> {
    let subjects = top.get("subject")?.as_array().ok_or("has a `subject` that is no list")?;
    let [subject] = subjects.as_slice() else {
        return Err(format!("has {} subjects, and one is to be there", subjects.len()));
    };
    let subject = Object::of("subject", subject)?;
    subject.only(&["name", "digest"])?;
    let name = PluginName::parse(subject.text("name")?);
    let name = name.ok_or_else(|| subject.has("name", "that is no plugin's name"))?;
    let digest = subject.object("digest")?;
    digest.only(&["sha256"])?;
    Ok((name, digest.sha256("sha256")?))
}

fn release(name: PluginName, component: Sha256Digest, predicate: &Object<'_>) -> Read<Release> {
    predicate.only(&[
        "version",
        "seq",
        "channel",
        "issued",
        "world",
        "capabilities",
        "effects",
        "manifest_sha256",
        "source",
    ])?;
    let version = Version::parse(predicate.text("version")?);
    let issued = humantime::parse_rfc3339(predicate.text("issued")?);
    let seq = predicate.find("seq").and_then(Value::as_u64);
    Ok(Release {
        name,
        component,
        manifest: predicate.sha256("manifest_sha256")?,
        version: version.map_err(|_| predicate.has("version", "that is no version"))?,
        seq: seq.ok_or_else(|| predicate.lacks("seq", "is no number"))?,
        channel: predicate.text("channel")?.to_owned(),
        issued: issued.map_err(|_| predicate.has("issued", "that is no time as in 2026-01-31T12:00:00Z"))?,
        world: predicate.optional_text("world")?,
        capabilities: predicate.texts("capabilities")?.into_iter().map(str::to_owned).collect(),
        effects: effects(predicate)?,
        source: predicate.find("source").map(|_| source(&predicate.object("source")?)).transpose()?,
    })
}

fn effects(predicate: &Object<'_>) -> Read<Effects> {
    let words = predicate.texts("effects")?;
    let mut effects = Vec::new();
    for word in &words {
        let effect = Effect::named(word);
        effects
            .push(effect.ok_or_else(|| predicate.has("effects", &format!("with `{word}`, which is none")))?);
    }
    let effects = Effects::of(&effects);
    if super::words(effects) != words {
        return Err(predicate.has("effects", "that names one twice, or not in order"));
    }
    Ok(effects)
}

fn source(source: &Object<'_>) -> Read<Source> {
    source.only(&["repo", "rev"])?;
    Ok(Source { repo: source.text("repo")?.to_owned(), rev: source.optional_text("rev")? })
}

/// An object, and where it stands.
struct Object<'a> {
    path: String,
    members: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    fn of(path: &str, value: &'a Value) -> Read<Self> {
        let members = value.as_object().ok_or_else(|| format!("has a `{path}` that is no object"))?;
        Ok(Self { path: path.to_owned(), members })
    }

    fn at(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn has(&self, key: &str, what: &str) -> String {
        format!("has a `{}` {what}", self.at(key))
    }

    fn lacks(&self, key: &str, or: &str) -> String {
        format!("has no `{}`, or it {or}", self.at(key))
    }

    fn only(&self, known: &[&str]) -> Read<()> {
        match self.members.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let key: String = key.chars().filter(|c| is_visible(*c)).take(64).collect();
                Err(format!("has the unknown member `{}`", self.at(&key)))
            }
        }
    }

    fn find(&self, key: &str) -> Option<&'a Value> {
        self.members.get(key)
    }

    fn get(&self, key: &str) -> Read<&'a Value> {
        self.find(key).ok_or_else(|| format!("has no `{}`", self.at(key)))
    }

    fn object(&self, key: &str) -> Read<Object<'a>> {
        Object::of(&self.at(key), self.get(key)?)
    }

    fn exactly(&self, key: &str, wanted: &str) -> Read<()> {
        if self.text(key)? == wanted {
            return Ok(());
        }
        Err(format!("has another `{}` than {wanted}", self.at(key)))
    }

    fn text(&self, key: &str) -> Read<&'a str> {
        let text = self.find(key).and_then(Value::as_str).ok_or_else(|| self.lacks(key, "is no text"))?;
        self.is_plain(key, text)?;
        Ok(text)
    }

    fn optional_text(&self, key: &str) -> Read<Option<String>> {
        self.find(key).map(|_| self.text(key).map(str::to_owned)).transpose()
    }

    fn is_plain(&self, key: &str, text: &str) -> Read<()> {
        let is_plain = text.chars().all(|c| is_visible(c) && !matches!(c, '\n' | '\t'));
        if is_plain && text.chars().count() <= MAX_TEXT {
            return Ok(());
        }
        Err(self.has(key, "with characters that cannot be seen, or too many"))
    }

    fn texts(&self, key: &str) -> Read<Vec<&'a str>> {
        let texts = self.find(key).and_then(Value::as_array);
        let texts = texts.and_then(|list| list.iter().map(Value::as_str).collect::<Option<Vec<_>>>());
        let texts = texts.ok_or_else(|| self.lacks(key, "is no list of texts"))?;
        if texts.len() > MAX_CAPABILITIES {
            return Err(self.has(key, "that is too long"));
        }
        texts.iter().try_for_each(|text| self.is_plain(key, text))?;
        Ok(texts)
    }

    fn sha256(&self, key: &str) -> Read<Sha256Digest> {
        let text = self.text(key)?;
        let digest = Sha256Digest::parse(text).filter(|digest| digest.as_str() == text);
        digest.ok_or_else(|| self.has(key, "that is no SHA-256 in lower case"))
    }
}
