//! What is in a plugin's file, told without running or compiling any of it.

#[cfg(feature = "compiler")]
mod read;

use std::path::Path;

use hookbox_model::{Failure, Manifest};
use serde::{Deserialize, Serialize};

#[cfg(feature = "compiler")]
pub use self::read::read;
use super::{
    cache::CacheDir, capability::WorldVersion, compile::Compiler, component_file::ComponentFile, link,
    manifest,
};
pub use super::{kind::Kind, link::Import};

/// Most names of imports, or of exports, that are told.
pub const MAX_NAMES: usize = 1000;

/// A plugin's file.
#[derive(Debug)]
pub struct Inspection {
    /// Bytes.
    pub size: u64,
    /// Of the whole file, in hexadecimal.
    pub sha256: String,
    /// What it is made of.
    pub anatomy: Result<Anatomy, Failure>,
    /// What it says of itself.
    pub manifest: Result<Option<Manifest>, Failure>,
    /// Is native code of it kept?
    pub compiled: bool,
}

/// What a file of wasm is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Anatomy {
    /// What it can be called as.
    pub kind: Kind,
    /// What it imports by name: interfaces of a component, modules that a core module imports from.
    pub imports: Vec<String>,
    /// What it exports by name.
    pub exports: Vec<String>,
    /// Functions with a body, in all that is within it.
    pub functions: u64,
    /// Modules and components within it.
    pub nested: u64,
}

/// What the names of hookbox's own interfaces begin with.
const OURS: &str = "hookbox:hook/";
/// hookbox's own world, without its version.
const HOOK_WORLD: &str = "hookbox:hook/hook";

/// Interfaces of WASI that are told one by one.
const FEW_OF_WASI: usize = 8;

impl Anatomy {
    /// Each import with what it means.
    pub fn meanings(&self) -> impl Iterator<Item = (&str, Import)> {
        let of = match self.kind {
            Kind::CoreProgram | Kind::CoreModule => Import::of_module,
            Kind::Hook | Kind::Program | Kind::Component => Import::of,
        };
        self.imports.iter().map(move |name| (name.as_str(), of(name)))
    }

    /// The same for people: many interfaces of WASI, which mean all the same, are one row of their packages.
    pub fn told_meanings(&self) -> Vec<(String, Import)> {
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

    /// The world that it is built for, by what it imports of hookbox's own; none of a program.
    pub fn world(&self) -> Option<String> {
        let versions = self.imports.iter().filter_map(|name| version(name));
        let newest = versions.max_by_key(|version| WorldVersion::of(version));
        newest.filter(|_| self.kind == Kind::Hook).map(|version| format!("{HOOK_WORLD}@{version}"))
    }

    /// What speaks against it being of the world that its manifest names.
    pub fn mismatch(&self, world: &str) -> Option<String> {
        manifest::other_world(world, self.kind).or_else(|| self.import_beyond(world))
    }

    /// What it imports of a later version than that of hookbox's world which is named. It may import less.
    fn import_beyond(&self, world: &str) -> Option<String> {
        let (_, named) = world.split_once('@').filter(|(name, _)| *name == HOOK_WORLD)?;
        let named = WorldVersion::of(named)?;
        let of = |name: &str| version(name).and_then(WorldVersion::of);
        let import = self.imports.iter().find(|name| of(name).is_some_and(|version| version > named))?;
        Some(format!(
            "the plugin's manifest names the world {world}, but it imports {import}, which is not in that"
        ))
    }

    /// The first import that hookbox does not have, as loading tells of it.
    fn lacking(&self, path: &Path) -> Option<Failure> {
        let (name, _) = self.meanings().find(|(_, import)| *import == Import::Other)?;
        Some(link::unknown(path, name))
    }
}

/// The version of an interface of hookbox's own.
fn version(import: &str) -> Option<&str> {
    Some(import.strip_prefix(OURS)?.split_once('@')?.1)
}

impl Inspection {
    /// What keeps the file at `path` from being a plugin, but for its kind.
    pub fn problems(&self, path: &Path) -> Vec<Failure> {
        let anatomy = self.anatomy.as_ref();
        let lacking = anatomy.ok().and_then(|anatomy| anatomy.lacking(path));
        let manifest = self.manifest.as_ref().err();
        anatomy.err().into_iter().chain(manifest).cloned().chain(lacking).collect()
    }

    /// What the manifest says of the file that is not so.
    pub fn mismatch(&self) -> Option<String> {
        let (manifest, anatomy) = (self.manifest.as_ref().ok()?.as_ref()?, self.anatomy.as_ref().ok()?);
        anatomy.mismatch(manifest.world.as_deref()?)
    }
}

impl Import {
    /// What it takes to have it.
    pub fn about(self) -> &'static str {
        match self {
            Self::Hookbox(about) => about,
            Self::Wasi => "WASI: sees nothing without a grant",
            Self::Http => "needs the grant `http`",
            Self::Other => "hookbox does not have it",
        }
    }
}

/// What a plugin's file is and says of itself; nothing of its code is looked at.
#[derive(Debug)]
pub struct Identity {
    /// Of the whole file, in hexadecimal.
    pub sha256: String,
    /// What it says of itself.
    pub manifest: Result<Option<Manifest>, Failure>,
}

/// Reads the file at `path`. An error if it is no file of wasm.
pub fn identify(path: &Path) -> Result<Identity, Failure> {
    let content = ComponentFile::open(path)?.read()?;
    Ok(Identity { manifest: manifest::of_plugin(path, &content.bytes), sha256: content.digest })
}

/// The bytes of the file at `path`, and what they are made of, whatever its manifest is.
pub async fn take_apart(path: &Path, compiler: &Compiler) -> Result<(Vec<u8>, Anatomy), Failure> {
    let bytes = ComponentFile::open(path)?.read()?.bytes;
    let anatomy = compiler.inspect(path, bytes.clone()).await?;
    Ok((bytes, anatomy))
}

/// Looks at the file at `path`. The compiler's process takes it apart, within its limits.
pub async fn inspect(
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
        anatomy: compiler.inspect(path, content.bytes).await,
    })
}
