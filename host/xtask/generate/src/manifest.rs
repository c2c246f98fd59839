//! `plugin.toml` of hookbox's own plugins.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use hookbox_manifest::plugin_toml;

/// World that the plugins are built for.
const WORLD: &str = "hookbox:hook/hook@0.2.0";

/// Returns the manifest of the plugin in this folder, as the host accepts it.
pub(crate) fn read_manifest(folder: &Path) -> Result<Vec<u8>> {
    let file = folder.join("plugin.toml");
    let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
    match plugin_toml::parse_file(&file, bytes, Some(WORLD)) {
        Ok(read) => Ok(read.json),
        Err(problems) => bail!(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
    }
}
