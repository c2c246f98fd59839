//! Inspects a plugin's file without running or compiling its code.

#[cfg(feature = "compiler")]
mod read;

use std::path::Path;

use hookbox_model::{Failure, Manifest};
use serde::{Deserialize, Serialize};

#[cfg(feature = "compiler")]
pub use self::read::{InvalidWasm, read_anatomy};
use super::{
    cache::CacheDir, compile::Compiler, component_file::ComponentFile, link, manifest,
    world_interfaces::WorldVersion,
};
pub use super::{kind::Kind, link::Import};

/// Most names of imports, or of exports, that are listed.
pub const MAX_NAMES: usize = 1000;

/// Description of a plugin's file.
#[derive(Debug)]
pub struct Inspection {
    /// Size in bytes.
    pub size: u64,
    /// Digest of the whole file, in hexadecimal.
    pub sha256: String,
    /// Parts of the file.
    pub anatomy: Result<Anatomy, Failure>,
    /// The manifest.
    pub manifest: Result<Option<Manifest>, Failure>,
    /// True if there is native code in the cache.
    pub compiled: bool,
}

/// Parts of a wasm file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anatomy {
    /// Way of calling it.
    pub kind: Kind,
    /// Names of its imports: interfaces of a component, modules that a core module imports from.
    pub imports: Vec<String>,
    /// Names of its exports.
    pub exports: Vec<String>,
    /// Count of functions with a body, including nested ones.
    pub functions: u64,
    /// Count of nested modules and components.
    pub nested: u64,
}

/// Prefix of the names of hookbox's interfaces.
const OWN_PREFIX: &str = "hookbox:hook/";
/// Name of hookbox's world, without its version.
const HOOK_WORLD: &str = "hookbox:hook/hook";

/// Most WASI interfaces that are listed one by one.
const FEW_OF_WASI: usize = 8;

impl Anatomy {
    /// Returns each import with its meaning.
    pub fn meanings(&self) -> impl Iterator<Item = (&str, Import)> {
        let of = match self.kind {
            Kind::CoreProgram | Kind::CoreModule => Import::of_module,
            Kind::Hook | Kind::Program | Kind::Component => Import::from_name,
        };
        self.imports.iter().map(move |name| (name.as_str(), of(name)))
    }

    /// Returns the imports for display: many interfaces of WASI, which have one meaning, become one row with their
    /// packages.
    pub fn list_displayed_imports(&self) -> Vec<(String, Import)> {
        let (wasi, others): (Vec<_>, Vec<_>) =
            self.meanings().partition(|(_, import)| *import == Import::Wasi);
        if wasi.len() <= FEW_OF_WASI {
            return self.meanings().map(|(name, import)| (name.to_owned(), import)).collect();
        }
        let mut packages: Vec<_> = wasi.iter().filter_map(|(name, _)| name.split('/').next()).collect();
        packages.dedup();
        let packages = format!("{} ({} interfaces)", packages.join(", "), wasi.len());
        let others = others.into_iter().map(|(name, import)| (name.to_owned(), import));
        others.chain([(packages, Import::Wasi)]).collect()
    }

    /// Returns the world that it is built for, determined by its imports of hookbox's interfaces; `None` for a program.
    pub fn world(&self) -> Option<String> {
        let versions = self.imports.iter().filter_map(|name| interface_version(name));
        let newest = versions.max_by_key(|version| WorldVersion::find_compatible(version));
        newest.filter(|_| self.kind == Kind::Hook).map(|version| format!("{HOOK_WORLD}@{version}"))
    }

    /// Returns a contradiction between the file and the world that its manifest names.
    pub fn find_mismatch(&self, world: &str) -> Option<String> {
        manifest::other_world(world, self.kind).or_else(|| self.import_beyond(world))
    }

    /// Returns an import from a later version of hookbox's world than the named one. It may import less.
    fn import_beyond(&self, world: &str) -> Option<String> {
        let (_, named) = world.split_once('@').filter(|(name, _)| *name == HOOK_WORLD)?;
        let named = WorldVersion::find_compatible(named)?;
        let of = |name: &str| interface_version(name).and_then(WorldVersion::find_compatible);
        let import = self.imports.iter().find(|name| of(name).is_some_and(|version| version > named))?;
        Some(format!(
            "the plugin's manifest names the world {world}, but it imports {import}, which is not in that"
        ))
    }

    /// Returns the failure that loading would report for the first unsupported import.
    fn missing_import_failure(&self, path: &Path) -> Option<Failure> {
        let (name, _) = self.meanings().find(|(_, import)| *import == Import::Other)?;
        Some(link::unknown_import_failure(path, name))
    }
}

/// Returns the version of one of hookbox's interfaces.
fn interface_version(import: &str) -> Option<&str> {
    Some(import.strip_prefix(OWN_PREFIX)?.split_once('@')?.1)
}

impl Inspection {
    /// Returns the errors that keep the file at `path` from being a plugin, its kind excepted.
    pub fn list_problems(&self, path: &Path) -> Vec<Failure> {
        let anatomy = self.anatomy.as_ref();
        let lacking = anatomy.ok().and_then(|anatomy| anatomy.missing_import_failure(path));
        let manifest = self.manifest.as_ref().err();
        anatomy.err().into_iter().chain(manifest).cloned().chain(lacking).collect()
    }

    /// Returns a false statement of the manifest about the file.
    pub fn mismatch(&self) -> Option<String> {
        let (manifest, anatomy) = (self.manifest.as_ref().ok()?.as_ref()?, self.anatomy.as_ref().ok()?);
        anatomy.find_mismatch(manifest.world.as_deref()?)
    }
}

impl Import {
    /// Returns the conditions of its use.
    pub fn about(self) -> &'static str {
        match self {
            Self::Hookbox(about) => about,
            Self::Wasi => "WASI: sees nothing without a grant",
            Self::Http => "needs the grant `http`",
            Self::Other => "hookbox does not have it",
        }
    }
}

/// Digest and manifest of a plugin's file; its code is not examined.
#[derive(Debug)]
pub struct Identity {
    /// Digest of the whole file, in hexadecimal.
    pub sha256: String,
    /// The manifest.
    pub manifest: Result<Option<Manifest>, Failure>,
}

/// Reads the file at `path`. Returns an error if it is not a wasm file.
pub fn identify_file(path: &Path) -> Result<Identity, Failure> {
    let content = ComponentFile::open(path)?.read()?;
    Ok(Identity { manifest: manifest::of_plugin(path, &content.bytes), sha256: content.digest })
}

/// Returns the bytes of the file at `path`, and their parts, with any manifest.
pub async fn inspect_component_file(path: &Path, compiler: &Compiler) -> Result<(Vec<u8>, Anatomy), Failure> {
    let bytes = ComponentFile::open(path)?.read()?.bytes;
    let anatomy = compiler.inspect_component(path, bytes.clone()).await?;
    Ok((bytes, anatomy))
}

/// Inspects the file at `path`. The compiler's process parses it, within its limits.
pub async fn inspect_file(
    path: &Path,
    compiler: &Compiler,
    cache: Option<&CacheDir>,
) -> Result<Inspection, Failure> {
    let content = ComponentFile::open(path)?.read()?;
    Ok(Inspection {
        size: content.bytes.len() as u64,
        manifest: manifest::of_plugin(path, &content.bytes),
        compiled: cache.is_some_and(|cache| cache.has_code_of(path, &content.digest)),
        sha256: content.digest,
        anatomy: compiler.inspect_component(path, content.bytes).await,
    })
}
