//! Parsing of manifests. Ambiguous input is refused.

use semver::Version;

use super::{MAX_MANIFEST_BYTES, Manifest, PluginEvents, PluginName};
use crate::{
    Effect, Effects, Json, RequestedGrants,
    grants::CAPABILITIES,
    members::{ManifestError, Members, Read, shown},
};

/// The only schema version.
const SCHEMA: u64 = 1;

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

pub(super) fn manifest(bytes: &[u8]) -> Read<Manifest> {
    if bytes.len() > MAX_MANIFEST_BYTES {
        return Err(ManifestError::new(format!("it is longer than {MAX_MANIFEST_BYTES} bytes")));
    }
    let text = str::from_utf8(bytes).map_err(|_| ManifestError::new("it is not UTF-8"))?;
    let json = Json::parse_object(text)
        .map_err(|error| ManifestError::new(format!("it is not valid JSON: {error}")))?
        .to_value();
    let top = Members::new(json.as_object().ok_or_else(|| top_is("no object"))?);
    check_schema(&top)?;
    let no_name =
        "not a plugin name (lower-case letters, digits and hyphens, in parts joined by `/`, at most 128)";
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
    PluginEvents::parse(top.texts("events")?).map_err(|text| {
        ManifestError::of("events", format!("its `events` name `{text}`, which is not an event"))
    })
}

fn effects(top: &Members<'_>) -> Read<Effects> {
    let words = top.texts("effects")?;
    let effects = words.iter().map(|word| {
        Effect::named(word).ok_or_else(|| {
            let known: Vec<_> = Effects::ALL.iter().map(Effect::as_str).collect();
            let known = known.join(", ");
            let problem = format!("its `effects` name `{word}`, which is not one: {known}");
            ManifestError::of("effects", problem)
        })
    });
    effects.collect::<Read<Vec<_>>>().map(|effects| Effects::of(&effects))
}

fn asks(asked: &Members<'_>) -> Read<RequestedGrants> {
    asked.only(&CAPABILITIES.map(|capability| capability.name))?;
    let mut asks = RequestedGrants::default();
    CAPABILITIES.iter().try_for_each(|capability| (capability.read)(asked, &mut asks))?;
    Ok(asks)
}
