//! A plugin's manifest: the one custom section `hookbox:manifest` at the top of its file.
//!
//! wasmtime ignores custom sections and takes any number of them, so that there is one, and where it is, is looked at here.

use std::path::Path;

use hookbox_manifest::section::{self, NAME as SECTION};
use hookbox_model::{Failure, FailureCode, Manifest, Version};

use super::{capability::WorldVersion, kind::Kind};

/// What may stand in the section.
pub(super) type Text = Option<String>;

/// Why a file's manifest is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Problem {
    /// The file is not made of sections.
    Malformed,
    Several,
    Nested,
    Bad(String),
}

/// The manifest of the plugin that is made of these bytes and comes from `path`; `None` if it has none.
pub fn of_plugin(path: &Path, wasm: &[u8]) -> Result<Option<Manifest>, Failure> {
    text(wasm)
        .and_then(|text| text.map(|text| parse(&text)).transpose())
        .map_err(|problem| refused(path, &problem))
}

/// Its text.
pub(super) fn text_of_plugin(path: &Path, wasm: &[u8]) -> Result<Text, Failure> {
    let found = text(wasm).and_then(|text| text.map(|text| parse(&text).map(|_| text)).transpose());
    found.map_err(|problem| refused(path, &problem))
}

/// Reads a text that was accepted before, by this hookbox or by an earlier one.
pub(super) fn known(text: &str) -> Option<Manifest> {
    parse(text).ok()
}

/// What speaks against a plugin of this kind being of the world that its manifest names. A world of its author's own may
/// include hookbox's, so only those are compared that are known.
pub fn other_world(world: &str, kind: Kind) -> Option<String> {
    let (name, version) = world.split_once('@').unwrap_or((world, ""));
    let said = match name {
        "hookbox:hook/hook" => kind == Kind::Hook,
        "wasi:cli/command" | "wasi:cli/run" => kind != Kind::Hook,
        _ => return None,
    };
    if !said {
        return Some(format!("the plugin's manifest names the world {world}, but it is a {}", kind.about()));
    }
    let unknown = kind == Kind::Hook && !version.is_empty() && WorldVersion::of(version).is_none();
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

fn text(wasm: &[u8]) -> Result<Text, Problem> {
    let found = section::find(wasm).map_err(|_| Problem::Malformed)?;
    match found.as_slice() {
        [] => Ok(None),
        [(0, content)] => {
            let text = str::from_utf8(content).map_err(|_| Problem::Bad("it is not UTF-8".to_owned()))?;
            Ok(Some(text.to_owned()))
        }
        several if several.iter().any(|(depth, _)| *depth > 0) => Err(Problem::Nested),
        _ => Err(Problem::Several),
    }
}

fn refused(path: &Path, problem: &Problem) -> Failure {
    let path = path.display();
    let said = match problem {
        Problem::Malformed => format!("the plugin {path} is cut off or damaged: its sections do not add up"),
        Problem::Several => {
            format!("the plugin {path} has several manifests (custom sections `{SECTION}`); it must have one")
        }
        Problem::Nested => format!(
            "the plugin {path} has a manifest in a component or module within it, where it does not count; it must be \
             at the top of the file (custom section `{SECTION}`)"
        ),
        Problem::Bad(said) => format!("the manifest of the plugin {path} is refused: {said}"),
    };
    Failure::new(FailureCode::BadComponent, &said)
}
