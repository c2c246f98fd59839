//! The folder of a plugin: its `plugin.toml`, and the place of its build.

use std::{
    fs,
    io::Read,
    path::{Path, PathBuf},
};

use hookbox::model::{MAX_MANIFEST_BYTES, Manifest};
use hookbox_manifest::plugin_toml::{self, Build};
use hookbox_platform::file;

use crate::{environment, exit::Fault, printer::to_plain_line, templates};

/// File with a plugin's description of itself.
pub(crate) const MANIFEST: &str = "plugin.toml";

/// Advice for a folder without that file.
pub(crate) const NEW_PROJECT: &str = "create a project with `hookbox plugin new NAME --lang LANGUAGE`";

/// The folder for all build output.
const BUILD: &str = "build";

pub(crate) struct Project {
    /// Absolute path.
    pub(crate) folder: PathBuf,
    pub(crate) manifest: Manifest,
    pub(crate) build: Option<Build>,
    toml: Vec<u8>,
}

impl Project {
    /// Opens the project in this folder, or in the current one.
    pub(crate) fn open(folder: Option<&Path>) -> Result<Self, Fault> {
        let folder = environment::current_folder().join(folder.unwrap_or(Path::new("")));
        if !folder.exists() {
            let folder = to_plain_line(&folder.display().to_string());
            return Err(Fault::Usage(format!("the folder {folder} does not exist; {NEW_PROJECT}")));
        }
        let file = folder.join(MANIFEST);
        let toml = read_manifest(&file).map_err(|error| {
            Fault::Usage(format!(
                "cannot read {}: {error}; {NEW_PROJECT}",
                to_plain_line(&file.display().to_string())
            ))
        })?;
        // The world is known only when the plugin has been built.
        let parsed = parse_manifest(&toml, None)?;
        Ok(Self { folder, manifest: parsed.manifest, build: parsed.build, toml })
    }

    /// Returns the content of the manifest section for a plugin of this world.
    pub(crate) fn encode_section(&self, world: Option<&str>) -> Result<Vec<u8>, String> {
        Ok(parse_manifest(&self.toml, world)?.json)
    }

    /// Returns the path of the plugin's file.
    pub(crate) fn component(&self) -> PathBuf {
        self.build_folder().join(self.file_name())
    }

    /// Returns the path of `plugin.toml`.
    pub(crate) fn manifest_file(&self) -> PathBuf {
        self.folder.join(MANIFEST)
    }

    pub(crate) fn file_name(&self) -> String {
        format!("{}.wasm", templates::last_part(self.manifest.name.as_str()))
    }

    /// Returns the folder of the build, created if it does not exist.
    pub(crate) fn create_build_folder(&self) -> Result<PathBuf, String> {
        let folder = self.build_folder();
        if fs::symlink_metadata(&folder).is_ok_and(|status| status.is_symlink()) {
            let folder = to_plain_line(&folder.display().to_string());
            return Err(format!(
                "{folder} is a link, and the build would write to its target: remove the link"
            ));
        }
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        Ok(folder)
    }

    fn build_folder(&self) -> PathBuf {
        self.folder.join(BUILD)
    }
}

/// Parses `plugin.toml`, or returns all problems in it.
fn parse_manifest(toml: &[u8], world: Option<&str>) -> Result<plugin_toml::PluginToml, String> {
    plugin_toml::parse_file(Path::new(MANIFEST), toml.to_vec(), world).map_err(|problems| {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        format!("{MANIFEST} is wrong\n{}", lines.join("\n"))
    })
}

/// Reads the file up to one byte more than the maximum, which reveals that it is too long.
fn read_manifest(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file::open(path)?.take(MAX_MANIFEST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}
