//! A plugin's manifest: the single custom section `hookbox:manifest` at the top level of its file.
//!
//! wasmtime ignores custom sections and accepts any number of them, so their count and place are checked here.

use std::path::Path;

use hookbox_manifest::section::{self, NAME as SECTION};
use hookbox_model::{Failure, FailureCode, Manifest, Version};

use super::{kind::Kind, script::Language, world_interfaces::WorldVersion};

pub(super) type Text = Option<String>;

/// Reason for refusing a file's manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// The file is not made of sections.
    Malformed,
    Several,
    Nested,
    Bad(String),
}

/// Returns the manifest of the plugin with these bytes from `path`; `None` if it has none.
pub fn of_plugin(path: &Path, wasm: &[u8]) -> Result<Option<Manifest>, Failure> {
    text_of(path, wasm)
        .and_then(|text| text.map(|text| parse(&text)).transpose())
        .map_err(|problem| refused_failure(path, &problem))
}

pub(super) fn text_of_plugin(path: &Path, wasm: &[u8]) -> Result<Text, Failure> {
    let found = text_of(path, wasm).and_then(|text| text.map(|text| parse(&text).map(|_| text)).transpose());
    found.map_err(|problem| refused_failure(path, &problem))
}

/// Parses a text that was accepted before, by this hookbox or by an earlier one.
pub(super) fn parse_known(text: &str) -> Option<Manifest> {
    parse(text).ok()
}

/// Returns a contradiction between a plugin of this kind and the world that its manifest names. An author's world may
/// include hookbox's, so only known worlds are compared.
pub fn other_world(world: &str, kind: Kind) -> Option<String> {
    let (name, version) = world.split_once('@').unwrap_or((world, ""));
    let is_consistent = match name {
        "hookbox:hook/hook" => kind == Kind::Hook,
        "wasi:cli/command" | "wasi:cli/run" => kind != Kind::Hook,
        _ => return None,
    };
    if !is_consistent {
        return Some(format!("the plugin's manifest names the world {world}, but it is a {}", kind.about()));
    }
    let unknown =
        kind == Kind::Hook && !version.is_empty() && WorldVersion::find_compatible(version).is_none();
    unknown
        .then(|| format!("the plugin's manifest names the world {world}, which this hookbox does not have"))
}

fn parse(text: &str) -> Result<Manifest, Problem> {
    let manifest = Manifest::parse(text.as_bytes()).map_err(|error| Problem::Bad(error.to_string()))?;
    let host = Version::parse(env!("CARGO_PKG_VERSION")).ok();
    match (&manifest.min_host, host) {
        (Some(least), Some(host)) if *least > host => Err(Problem::Bad(format!(
            "it asks for hookbox {least} or later, and this is {host}: update hookbox"
        ))),
        _ => Ok(manifest),
    }
}

/// Returns the text of the section; a script has no manifest.
fn text_of(path: &Path, plugin: &[u8]) -> Result<Text, Problem> {
    if Language::from_path(path).is_some() { Ok(None) } else { read_text(plugin) }
}

fn read_text(wasm: &[u8]) -> Result<Text, Problem> {
    let found = section::find_sections(wasm).map_err(|_| Problem::Malformed)?;
    match found.as_slice() {
        [] => Ok(None),
        [(0, content)] => {
            let text = str::from_utf8(content).map_err(|_| Problem::Bad("it is not UTF-8".to_owned()))?;
            Ok(Some(text.to_owned()))
        }
        // With several manifests, two readers could use different ones: one that shows the requests and one
        // that grants them.
        several if several.iter().any(|(depth, _)| *depth > 0) => Err(Problem::Nested),
        _ => Err(Problem::Several),
    }
}

fn refused_failure(path: &Path, problem: &Problem) -> Failure {
    let path = path.display();
    let message = match problem {
        Problem::Malformed => format!("the plugin {path} is cut off or damaged: its sections do not add up"),
        Problem::Several => {
            format!("the plugin {path} has several manifests (custom sections `{SECTION}`); it must have one")
        }
        Problem::Nested => format!(
            "the plugin {path} has a manifest in a component or module within it, where it does not count; it must be \
             at the top of the file (custom section `{SECTION}`)"
        ),
        Problem::Bad(reason) => format!("the manifest of the plugin {path} is refused: {reason}"),
    };
    Failure::new(FailureCode::BadComponent, &message)
}
