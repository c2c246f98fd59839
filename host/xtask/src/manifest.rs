//! `plugin.toml`: what a plugin says of itself, as the section that the host reads.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use hookbox_model::Manifest;
use serde_json::{Map, Value};
use wasm_encoder::{ComponentSection, CustomSection};

/// The section's name.
const SECTION: &str = "hookbox:manifest";
/// What our plugins are built for.
const WORLD: &str = "hookbox:hook/hook@0.1.0";

/// The manifest of the plugin in this folder, as the host accepts it.
pub(crate) fn read(folder: &Path) -> Result<Vec<u8>> {
    let file = folder.join("plugin.toml");
    let text = fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()))?;
    encode(&text).with_context(|| format!("{} makes no manifest", file.display()))
}

fn encode(text: &str) -> Result<Vec<u8>> {
    let said = serde_json::to_value(text.parse::<toml::Table>()?)?;
    let mut members = Map::from_iter([("schema".to_owned(), 1.into())]);
    members.extend(said.as_object().cloned().unwrap_or_default());
    members.entry("world").or_insert_with(|| WORLD.into());
    let json = Value::Object(members).to_string().into_bytes();
    let manifest = Manifest::parse(&json).map_err(|error| anyhow!("{error}"))?;
    // Here a member that nobody knows is a mistake.
    match manifest.unknown.first() {
        Some(member) => Err(anyhow!("it has the unknown member `{member}`")),
        None => Ok(json),
    }
}

/// Puts it at the end of a component.
pub(crate) fn append(manifest: &[u8], component: &mut Vec<u8>) {
    CustomSection { name: SECTION.into(), data: manifest.into() }.append_to_component(component);
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "name = \"a/b\"\nversion = \"1.0.0\"\n[capabilities]\nclock = true\n";

    #[test]
    fn what_the_host_accepts_becomes_json() {
        let read = Manifest::parse(&encode(GOOD).unwrap()).unwrap();
        assert_eq!((read.name.as_str(), read.asks.names()), ("a/b", vec!["clock".to_owned()]));
        assert_eq!(read.world.as_deref(), Some(WORLD));
    }

    #[test]
    fn what_the_host_refuses_is_refused_here() {
        let said = |text: &str| encode(text).unwrap_err().to_string();
        assert_eq!(
            said(&GOOD.replace("clock", "camera")),
            "its `capabilities` has the unknown member `camera`"
        );
        assert_eq!(said(&GOOD.replace("version", "verson")), "it has no `version`");
        assert_eq!(said(&format!("homepage = \"x\"\n{GOOD}")), "it has the unknown member `homepage`");
    }

    #[test]
    fn the_section_is_the_last_of_the_component() {
        let mut component = b"\0asm\x0d\0\x01\0".to_vec();
        append(b"{}", &mut component);
        assert!(component.ends_with(b"\x01\0\x00\x13\x10hookbox:manifest{}"), "{component:?}");
    }
}
