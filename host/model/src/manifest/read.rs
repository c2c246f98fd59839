//! Parsing of manifests. Ambiguous input is refused.

use semver::Version;

use super::{MAX_MANIFEST_BYTES, Manifest, PluginEvents, PluginName};
use crate::{
    Effect, Effects, Json, RequestedGrants,
    grants::CAPABILITIES,
    members::{ManifestError, Members, Read, to_visible_text},
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

pub(super) fn parse_manifest(bytes: &[u8]) -> Read<Manifest> {
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
        name: PluginName::parse(&top.require_text("name")?).ok_or_else(|| top.type_error("name", no_name))?,
        version: parse_version(&top, "version", &top.require_text("version")?)?,
        seq: top.read_number("seq")?.unwrap_or(0),
        description: top.read_text("description")?,
        world: top.read_text("world")?,
        min_host: top
            .read_text("min-host")?
            .map(|text| parse_version(&top, "min-host", &text))
            .transpose()?,
        events: read_events(&top)?,
        effects: read_effects(&top)?,
        asks: top
            .read_object("capabilities")?
            .map(|asked| read_requests(&asked))
            .transpose()?
            .unwrap_or_default(),
        // Unlike an unknown capability, an unknown entry requests nothing.
        unknown: top.list_unknown_keys(&MEMBERS).map(to_visible_text).collect(),
    })
}

fn top_is(what: &str) -> ManifestError {
    ManifestError::new(format!("it is {what}"))
}

fn check_schema(top: &Members<'_>) -> Read<()> {
    match top.read_number("schema")? {
        None => Err(ManifestError::new("it has no `schema`")),
        Some(SCHEMA) => Ok(()),
        Some(other) => Err(ManifestError::new(format!(
            "it has the schema {other}, and this hookbox supports {SCHEMA}: update hookbox"
        ))),
    }
}

fn parse_version(top: &Members<'_>, key: &str, text: &str) -> Read<Version> {
    Version::parse(text).map_err(|_| top.type_error(key, "no version (three numbers, as in 1.2.0)"))
}

fn read_events(top: &Members<'_>) -> Read<PluginEvents> {
    PluginEvents::parse(top.read_texts("events")?).map_err(|text| {
        ManifestError::of_member("events", format!("its `events` name `{text}`, which is not an event"))
    })
}

fn read_effects(top: &Members<'_>) -> Read<Effects> {
    let words = top.read_texts("effects")?;
    let effects = words.iter().map(|word| {
        Effect::named(word).ok_or_else(|| {
            let known: Vec<_> = Effects::ALL.iter().map(Effect::as_str).collect();
            let known = known.join(", ");
            let problem = format!("its `effects` name `{word}`, which is not one: {known}");
            ManifestError::of_member("effects", problem)
        })
    });
    effects.collect::<Read<Vec<_>>>().map(|effects| Effects::from_slice(&effects))
}

fn read_requests(asked: &Members<'_>) -> Read<RequestedGrants> {
    asked.check_keys(&CAPABILITIES.map(|capability| capability.name))?;
    let mut asks = RequestedGrants::default();
    CAPABILITIES.iter().try_for_each(|capability| (capability.read)(asked, &mut asks))?;
    Ok(asks)
}
