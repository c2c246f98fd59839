//! Cache of compiled native code: the code of each component is on the disk.
//!
//! Loading native code trusts it, so the directory must be the user's alone, and a file in it is loaded only if it is
//! the very file that was written (by identity), or has the hash of the written bytes. Otherwise the component is
//! compiled again.
//!
//! `<name>.memo` has the digest and manifest of the component at a path; `<key>.cwasm` is native code, the key being
//! digest × engine settings; `<key>.seal` describes the written file, `<key>.uncompiled` has the reason for missing
//! native code. wasmtime checks version, CPU features and settings of the code once more when it loads it.

mod attempt;
mod code_files;
mod compile_lock;
mod dir;
mod form;
mod native_code;
mod record;
mod requested_component;

use std::path::Path;

use hookbox_model::{Failure, Manifest, Proposals};

pub use self::dir::{CacheDir, CacheError};
use self::record::{Memo, memo_name};
pub(crate) use self::requested_component::RequestedComponent;
pub(super) use self::{
    form::{Form, Raw},
    native_code::{Code, from_bytes},
};
use super::{
    compile::{Compiler, CompilerTime, Task},
    component_file::{ComponentFile, Content},
    engine_settings::SETTINGS,
    identity::Sighting,
    manifest,
    script::Language,
};
use crate::digest::hash_parts;

/// A part of the cache. Plugins of projects are kept separately: they can neither displace the user's plugins nor mark them as impossible
/// to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CachePart {
    /// Plugins of the user and of the administrator.
    User,
    /// Plugins of the files of projects.
    Projects,
}

// The prefix is part of file names on the disk: with another prefix, code that an earlier hookbox stored for
// projects would count into the quota of the user.
/// Prefix of the file names of untrusted projects' plugins.
const UNTRUSTED_PREFIX: &str = "stranger-";

/// Storage of native code.
#[derive(Debug)]
pub enum Cache {
    /// In this directory.
    Dir(CacheDir),
    /// No storage: every process compiles again. The reason is for the user.
    Off(String),
}

/// A plugin before it is linked.
pub(super) struct Loaded<C> {
    pub(super) code: C,
    pub(super) manifest: Option<Manifest>,
    /// SHA-256 of the component, in hexadecimal.
    pub(super) digest: String,
}

/// A plugin before its native code is loaded.
pub(super) enum CachedPlugin<'a> {
    /// The file is unchanged since these were read from it.
    Remembered {
        /// Read only if there is no native code.
        file: ComponentFile<'a>,
        digest: String,
        manifest: Option<Box<Manifest>>,
    },
    Read(ReadComponent),
}

impl CachedPlugin<'_> {
    /// Returns the SHA-256 of the component, in hexadecimal.
    pub(super) fn digest(&self) -> &str {
        match self {
            Self::Remembered { digest, .. } | Self::Read(ReadComponent { digest, .. }) => digest,
        }
    }
}

pub(super) struct ReadComponent {
    bytes: Vec<u8>,
    digest: String,
    manifest: Result<manifest::Text, Failure>,
}

impl Cache {
    /// Returns the reason why compiled plugins are not kept, for the user.
    pub(super) fn trouble(&self) -> Option<String> {
        match self {
            Self::Dir(dir) => dir.trouble().map(str::to_owned),
            Self::Off(reason) => Some(format!("{reason}; each event compiles its plugins anew")),
        }
    }

    /// Returns the component that is in the file now. The file is read unless it is known to be unchanged.
    pub(super) fn find_component<'a>(
        &self,
        wanted: RequestedComponent<'a>,
    ) -> Result<CachedPlugin<'a>, Failure> {
        let file = ComponentFile::open(wanted.path)?;
        wanted.share.map_or(Ok(()), |share| share.resize(wanted.path, file.size))?;
        if let Self::Dir(dir) = self
            && let Some((digest, manifest)) = dir.recall_component(wanted.path, &file.identity)
        {
            wanted.check_digest(&digest)?;
            return Ok(CachedPlugin::Remembered { file, digest, manifest });
        }
        self.read_component(wanted, file).map(CachedPlugin::Read)
    }

    fn read_component(
        &self,
        wanted: RequestedComponent<'_>,
        file: ComponentFile<'_>,
    ) -> Result<ReadComponent, Failure> {
        let Content { bytes, digest, identity } = file.read()?;
        let manifest = manifest::text_of_plugin(wanted.path, &bytes);
        if let (Self::Dir(dir), Ok(manifest)) = (self, &manifest) {
            let (component, digest) = (Sighting::now(identity), digest.clone());
            // Without the memo the next process hashes the component again; it has no other effect.
            let _ = dir.write_record(
                &memo_name(wanted.path),
                &Memo { component, digest, manifest: manifest.clone() },
            );
        }
        // After the memo is written: the next event then detects the replaced file without reading it.
        wanted.check_digest(&digest)?;
        Ok(ReadComponent { bytes, digest, manifest })
    }

    /// Returns the native code of the found component: from the cache, otherwise compiled and kept.
    pub(super) async fn load_or_compile<F: Form>(
        &self,
        form: &F,
        (wanted, found): (RequestedComponent<'_>, CachedPlugin<'_>),
        compiler: &Compiler,
    ) -> Result<Loaded<F::Code>, Failure> {
        let ReadComponent { bytes, digest, manifest } = match found {
            CachedPlugin::Read(whole) => whole,
            CachedPlugin::Remembered { file, digest, manifest } => {
                if let Self::Dir(dir) = self
                    && let Some(code) = dir.known_code(form, wanted, &code_key(&digest, wanted))
                {
                    let manifest = manifest.map(|manifest| *manifest);
                    return code.map(|code| Loaded { code, manifest, digest });
                }
                self.read_component(wanted, file)?
            }
        };
        let code = match self {
            Self::Dir(dir) => {
                let key = code_key(&digest, wanted);
                dir.code_of(form, wanted, bytes, &key, compiler).await?
            }
            Self::Off(_) => {
                let made = compiler
                    .compile_component(wanted.path, bytes, wanted.proposals, &CompilerTime::default())
                    .await;
                let made =
                    made.map_err(|undone| undone.into_failure(Task::Compile(wanted.proposals), wanted.path))?;
                form.of_bytes(wanted.path, made)?
            }
        };
        // An error of the compiler takes precedence over one of the manifest.
        let manifest = manifest?.as_deref().and_then(manifest::parse_known);
        Ok(Loaded { code, manifest, digest })
    }
}

/// Returns the key of native code: origin × digest × proposals × settings × build, and for a script × its engine.
fn code_key(digest: &str, wanted: RequestedComponent<'_>) -> String {
    key_of(wanted.path, digest, wanted.part, wanted.proposals)
}

fn key_of(path: &Path, digest: &str, part: CachePart, proposals: Proposals) -> String {
    let version = concat!(env!("CARGO_PKG_VERSION"), " ", env!("CARGO_PKG_NAME"));
    // The same script with another engine or SDK is another component.
    let made_with = Language::from_path(path).map(Language::made_with).unwrap_or_default();
    let (arch, proposals) = (std::env::consts::ARCH, proposals.names());
    let key = [SETTINGS, version, arch, digest, &proposals, &made_with].map(str::as_bytes);
    let key = hash_parts(&key);
    match part {
        CachePart::User => key,
        CachePart::Projects => format!("{UNTRUSTED_PREFIX}{key}"),
    }
}
