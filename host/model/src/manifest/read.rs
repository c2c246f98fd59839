//! Reads a manifest. Whatever could be read in two ways is refused.

use semver::Version;
use serde_json::{Map, Value};

use super::{
    Asks, FoldersAsked, MAX_MANIFEST_BYTES, Manifest, ManifestError, PluginEvents, PluginName, RequestsAsked,
};
use crate::{Effect, Effects, GrantError, Json, PROJECT, Scope, is_visible};

/// The one schema that there is.
const SCHEMA: u64 = 1;
/// Longest text, characters.
const MAX_TEXT: usize = 200;
/// Longest list.
const MAX_ITEMS: usize = 100;

const MEMBERS: [&str; 10] = [
    "schema",
    "name",
    "version",
    "seq",
    "description",
    "world",
    "min-host",
    "events",
    "effects",
    "capabilities",
];

type Read<T> = Result<T, ManifestError>;

pub(super) fn manifest(bytes: &[u8]) -> Read<Manifest> {
    if bytes.len() > MAX_MANIFEST_BYTES {
        return Err(ManifestError::new(format!("it is longer than {MAX_MANIFEST_BYTES} bytes")));
    }
    let text = str::from_utf8(bytes).map_err(|_| ManifestError::new("it is not UTF-8"))?;
    let json = Json::parse_object(text)
        .map_err(|error| ManifestError::new(format!("it is no good JSON: {error}")))?
        .to_value();
    let top = Members { path: "", members: json.as_object().ok_or_else(|| top_is("no object"))? };
    check_schema(&top)?;
    let no_name =
        "no plugin's name (lower-case letters, digits and hyphens, in parts joined by `/`, at most 128)";
    Ok(Manifest {
        name: PluginName::parse(&top.required("name")?).ok_or_else(|| top.is("name", no_name))?,
        version: version(&top, "version", &top.required("version")?)?,
        seq: top.number("seq")?.unwrap_or(0),
        description: top.text("description")?,
        world: top.text("world")?,
        min_host: top.text("min-host")?.map(|text| version(&top, "min-host", &text)).transpose()?,
        events: events(&top)?,
        effects: effects(&top)?,
        asks: top.object("capabilities")?.map(|asked| asks(&asked)).transpose()?.unwrap_or_default(),
        unknown: top.unknown(&MEMBERS).map(shown).collect(),
    })
}

fn top_is(what: &str) -> ManifestError {
    ManifestError::new(format!("it is {what}"))
}

fn check_schema(top: &Members<'_>) -> Read<()> {
    match top.number("schema")? {
        None => Err(ManifestError::new("it has no `schema`")),
        Some(SCHEMA) => Ok(()),
        Some(other) => Err(ManifestError::new(format!(
            "it has the schema {other}, and this hookbox knows {SCHEMA}: update hookbox"
        ))),
    }
}

fn version(top: &Members<'_>, key: &str, text: &str) -> Read<Version> {
    Version::parse(text).map_err(|_| top.is(key, "no version (three numbers, as in 1.2.0)"))
}

fn events(top: &Members<'_>) -> Read<PluginEvents> {
    PluginEvents::parse(top.texts("events")?)
        .map_err(|text| ManifestError::new(format!("its `events` name `{text}`, which is no event")))
}

fn effects(top: &Members<'_>) -> Read<Effects> {
    let words = top.texts("effects")?;
    let effects = words.iter().map(|word| {
        Effect::named(word).ok_or_else(|| {
            let known: Vec<_> = Effects::ALL.iter().map(Effect::as_str).collect();
            let known = known.join(", ");
            ManifestError::new(format!("its `effects` name `{word}`, which is none: {known}"))
        })
    });
    effects.collect::<Read<Vec<_>>>().map(|effects| Effects::of(&effects))
}

fn asks(asked: &Members<'_>) -> Read<Asks> {
    asked.only(&["clock", "random", "env", "fs", "http", "secret", "kv"])?;
    let fs = asked.object("fs")?;
    if let Some(fs) = &fs {
        fs.only(&["read", "write"])?;
    }
    let folders = |key| fs.as_ref().map_or(Ok(FoldersAsked::None), |fs| folders(fs, key));
    Ok(Asks {
        clock: asked.flag("clock")?,
        random: asked.flag("random")?,
        env: env(asked)?,
        read: folders("read")?,
        write: folders("write")?,
        http: requests(asked)?,
        secret: asked.texts("secret")?,
        kv: scopes(asked)?,
    })
}

fn env(asked: &Members<'_>) -> Read<Vec<String>> {
    let names = asked.texts("env")?;
    match names.iter().find(|name| name.is_empty() || name.contains(['=', '*'])) {
        Some(name) => Err(asked.names("env", name, "which is no variable")),
        None => Ok(names),
    }
}

fn scopes(asked: &Members<'_>) -> Read<Vec<String>> {
    let scopes = asked.texts("kv")?;
    match scopes.iter().find(|name| *name != "*" && Scope::named(name).is_none()) {
        Some(name) => Err(asked.names("kv", name, "which is no scope: `session`, `project`, `user`, or `*`")),
        None => Ok(scopes),
    }
}

fn requests(asked: &Members<'_>) -> Read<RequestsAsked> {
    let rules = asked.texts("http")?;
    if rules.iter().any(|rule| rule == "*") {
        return Ok(RequestsAsked::Any);
    }
    let rule = |text: &String| {
        text.parse().map_err(|why: GrantError| asked.names("http", text, &format!("but {why}")))
    };
    rules.iter().map(rule).collect::<Read<Vec<_>>>().map(RequestsAsked::These)
}

fn folders(fs: &Members<'_>, key: &str) -> Read<FoldersAsked> {
    let asked = fs.texts(key)?.into_iter().map(|word| match word.as_str() {
        PROJECT => Ok(FoldersAsked::Project),
        "*" => Ok(FoldersAsked::Any),
        _ => {
            let only = "but only the operator names folders: ask for `project`, or for `*`";
            Err(fs.names(key, &word, only))
        }
    });
    Ok(asked.collect::<Read<Vec<_>>>()?.into_iter().max().unwrap_or_default())
}

/// The members of an object, and where it stands: `capabilities.` for the members of `capabilities`.
struct Members<'a> {
    path: &'a str,
    members: &'a Map<String, Value>,
}

impl<'a> Members<'a> {
    fn is(&self, key: &str, what: &str) -> ManifestError {
        ManifestError::new(format!("its `{}{key}` is {what}", self.path))
    }

    fn names(&self, key: &str, value: &str, but: &str) -> ManifestError {
        ManifestError::new(format!("its `{}{key}` names `{value}`, {but}", self.path))
    }

    fn unknown(&self, known: &'static [&str]) -> impl Iterator<Item = &'a str> {
        self.members.keys().map(String::as_str).filter(|key| !known.contains(key))
    }

    fn only(&self, known: &'static [&str]) -> Read<()> {
        match self.unknown(known).next() {
            None => Ok(()),
            Some(key) => {
                let (path, key) = (self.path.trim_end_matches('.'), shown(key));
                Err(ManifestError::new(format!("its `{path}` has the unknown member `{key}`")))
            }
        }
    }

    fn number(&self, key: &str) -> Read<Option<u64>> {
        let number = |value: &Value| value.as_u64().ok_or_else(|| self.is(key, "no whole number from 0"));
        self.members.get(key).map(number).transpose()
    }

    fn flag(&self, key: &str) -> Read<bool> {
        let flag = |value: &Value| value.as_bool().ok_or_else(|| self.is(key, "neither true nor false"));
        self.members.get(key).map(flag).transpose().map(Option::unwrap_or_default)
    }

    fn text(&self, key: &str) -> Read<Option<String>> {
        self.members.get(key).map(|value| self.text_of(key, value, "no string")).transpose()
    }

    fn required(&self, key: &str) -> Read<String> {
        self.text(key)?.ok_or_else(|| ManifestError::new(format!("it has no `{key}`")))
    }

    fn texts(&self, key: &str) -> Read<Vec<String>> {
        let what = "no list of strings";
        let Some(list) = self.members.get(key) else { return Ok(Vec::new()) };
        let list = list.as_array().ok_or_else(|| self.is(key, what))?;
        if list.len() > MAX_ITEMS {
            return Err(self.is(key, &format!("longer than {MAX_ITEMS}")));
        }
        list.iter().map(|value| self.text_of(key, value, what)).collect()
    }

    fn text_of(&self, key: &str, value: &Value, otherwise: &str) -> Read<String> {
        let text = value.as_str().ok_or_else(|| self.is(key, otherwise))?;
        if text.chars().count() > MAX_TEXT {
            return Err(self.is(key, &format!("longer than {MAX_TEXT} characters")));
        }
        if !text.chars().all(|c| is_visible(c) && !matches!(c, '\n' | '\t')) {
            let path = self.path;
            return Err(ManifestError::new(format!(
                "its `{path}{key}` holds characters that cannot be seen"
            )));
        }
        Ok(text.to_owned())
    }

    fn object(&self, key: &str) -> Read<Option<Members<'a>>> {
        let path = match (self.path, key) {
            ("", "capabilities") => "capabilities.",
            _ => "capabilities.fs.",
        };
        let object = |value: &'a Value| {
            value
                .as_object()
                .map(|members| Members { path, members })
                .ok_or_else(|| self.is(key, "no object"))
        };
        self.members.get(key).map(object).transpose()
    }
}

/// A text of any kind, for people.
fn shown(text: &str) -> String {
    text.chars().filter(|c| is_visible(*c) && !matches!(c, '\n' | '\t')).take(MAX_TEXT).collect()
}
