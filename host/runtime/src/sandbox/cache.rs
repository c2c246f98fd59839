//! Cache of compiled components: native code on disk.
//!
//! Loading native code trusts it, so the directory must be the user's alone, and a file in it is loaded only if it is
//! the very file that was written (by identity), or has the hash of the written bytes. Otherwise the component is
//! compiled again.
//!
//! `<name>.memo` has the digest and manifest of the component at a path; `<key>.cwasm` is native code, the key being
//! digest × engine settings; `<key>.seal` describes the written file, `<key>.uncompiled` has the reason for missing
//! native code. wasmtime checks version, CPU features and settings of the code once more when it loads it.

mod attempt;
mod dir;
mod form;
mod turn;

use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

use hookbox_model::{Failure, FailureCode, MAX_MANIFEST_BYTES, Manifest, Proposals};
use hookbox_platform::file::{FileStatus, path_of_open};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use wasmtime::{Engine, Module, Precompiled, component::Component};

use self::attempt::Attempt;
pub use self::dir::{CacheDir, CacheError};
pub(super) use self::form::{Form, Raw};
use super::{
    compile::{Compiler, CompilerTime, Task},
    component_file::{ComponentFile, Content},
    identity::{Identity, Sighting},
    manifest,
    script::Language,
    settings::SETTINGS,
    untrusted::Share,
};
use crate::{Sha256Digest, digest::hash_parts, hook::RefusedPlugins};

/// Longest memo or seal, bytes: a manifest may be in it, with every quotation mark and line break escaped.
const MAX_RECORD_BYTES: usize = 2 * MAX_MANIFEST_BYTES + USUAL_RECORD_BYTES;

/// Length that most records stay within.
const USUAL_RECORD_BYTES: usize = 1024;

/// Version of the memo's format. Change it with the format.
const MEMO: &str = "memo-2";

/// A part of the cache. Plugins of projects are kept separately: they can neither displace the user's plugins nor mark them as impossible
/// to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CachePart {
    /// Plugins of the user and of the administrator.
    User,
    /// Plugins of the files of projects.
    Projects,
}

/// The requested component.
#[derive(Clone, Copy)]
pub(crate) struct RequestedComponent<'a> {
    /// Path of the file.
    pub(crate) path: &'a Path,
    /// Part of the cache with its native code.
    pub(crate) part: CachePart,
    /// Required digest, if one is configured.
    pub(crate) pinned: Option<&'a Sha256Digest>,
    /// True if it is shipped with hookbox. Then no configuration entry has its digest.
    pub(crate) is_shipped: bool,
    /// Wasm proposals that it needs.
    pub(crate) proposals: Proposals,
    /// Plugins that are never called.
    pub(crate) refused: &'a RefusedPlugins,
    /// The share of its project's byte budget, for an untrusted component.
    pub(crate) share: Option<&'a Share>,
}

impl RequestedComponent<'_> {
    /// Checks that this digest is the required one and not refused. A replaced file is detected before it is used.
    fn check_digest(&self, digest: &str) -> Result<(), Failure> {
        if let Some(why) = self.refused.find_reason(digest) {
            let message = format!("the plugin {} is refused: {why}", self.path.display());
            return Err(Failure::new(FailureCode::Refused, &message));
        }
        let Some(pinned) = self.pinned.filter(|pinned| pinned.as_str() != digest) else { return Ok(()) };
        let (path, pinned) = (self.path.display(), pinned.as_str());
        let message = if self.is_shipped {
            format!(
                "the plugin {path} was replaced: it is not the file that comes with this hookbox; install hookbox again"
            )
        // A file of the plugin store is named by its digest. Advice to write the digest of the changed file
        // into the entry would accept a file that no publisher has signed.
        } else if self.path.file_stem().is_some_and(|name| name == pinned) {
            format!(
                "the plugin {path} was replaced: it is kept under its SHA-256 and has another; `hookbox plugin update`, or `hookbox plugin add` of \
                 its file, gets it again"
            )
        } else {
            format!(
                "the plugin {path} was replaced: its SHA-256 is not {pinned}, as its hook's entry says; if that was you, \
                 write `sha256 = \"{digest}\"`"
            )
        };
        Err(Failure::new(FailureCode::Replaced, &message))
    }
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

/// Native code in memory.
pub(super) enum Code {
    /// Code of a component.
    Component(Component),
    /// Code of a core module.
    Module(Module),
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
    /// The file was read.
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

/// A component that was read completely.
pub(super) struct ReadComponent {
    bytes: Vec<u8>,
    digest: String,
    manifest: Result<manifest::Text, Failure>,
}

/// Record of the digest and manifest of the component at a path.
#[derive(Serialize, Deserialize)]
struct Memo {
    component: Sighting,
    digest: String,
    manifest: manifest::Text,
}

/// Record of written native code.
#[derive(Serialize, Deserialize)]
struct Seal {
    /// Key of the native code: a seal with another key does not count.
    key: String,
    code: Sighting,
    sha256: String,
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

impl CacheDir {
    /// Returns true if there is native code of the component or script at this path with this digest.
    pub(super) fn has_code_of(&self, path: &Path, digest: &str) -> bool {
        self.open_own(&format!("{}.cwasm", key_of(path, digest, CachePart::User, Proposals::NONE))).is_some()
    }

    /// Returns digest and manifest of the component at this path, if its file is unchanged since they were read. `None`
    /// for an unreadable manifest, which is then read again.
    fn recall_component(&self, path: &Path, file: &Identity) -> Option<(String, Option<Box<Manifest>>)> {
        let memo =
            self.read_record::<Memo>(&memo_name(path)).filter(|memo| memo.component.is_unchanged(file))?;
        let known = |text| manifest::parse_known(text).map(|known| Some(Box::new(known)));
        let manifest = memo.manifest.as_deref().map_or(Some(None), known)?;
        Some((memo.digest, manifest))
    }

    /// Returns the native code of this key, otherwise compiles the component and keeps the code.
    async fn code_of<F: Form>(
        &self,
        form: &F,
        wanted: RequestedComponent<'_>,
        component: Vec<u8>,
        key: &str,
        compiler: &Compiler,
    ) -> Result<F::Code, Failure> {
        let (path, proposals) = (wanted.path, wanted.proposals);
        if let Some(known) = self.known_code(form, wanted, key) {
            return known;
        }
        // Several agents may start at the same moment: each process would compile, and each would take so
        // long that its hook is late.
        let _lock = self.wait_for_lock(key).await;
        // Another process may have compiled it while this one waited.
        if let Some(known) = self.known_code(form, wanted, key) {
            return known;
        }
        // The attempt is also recorded if the caller gives up during the compilation, since the next event
        // would give up as well.
        let attempt = Attempt::new(self, key);
        let made = compiler.compile_component(path, component, proposals, attempt.spent()).await;
        attempt.finish_with(&made);
        let code = made.map_err(|undone| undone.into_failure(Task::Compile(proposals), path))?;
        match self.keep_or_make_room(key, &code) {
            // The written file is mapped, so all processes share its pages; bytes in memory would be a copy
            // for each.
            Ok(()) => self.read_code(form, key).map_or_else(|| form.of_bytes(path, code), Ok),
            Err(error) => {
                // A full disk costs time at the next event, but must not fail this call.
                self.could_not_keep(&error);
                form.of_bytes(path, code)
            }
        }
    }

    /// Returns the native code of this key, or the reason why it is missing for now.
    fn known_code<F: Form>(
        &self,
        form: &F,
        wanted: RequestedComponent<'_>,
        key: &str,
    ) -> Option<Result<F::Code, Failure>> {
        match self.read_code(form, key) {
            Some(code) => Some(Ok(code)),
            None => self.recent_failure(key, wanted).map(Err),
        }
    }

    /// Returns the native code of this key, if the file has the written content.
    fn read_code<F: Form>(&self, form: &F, key: &str) -> Option<F::Code> {
        let seal_name = format!("{key}.seal");
        // Seal and code could be copied together to the name of another plugin, where identity and hash would
        // still match. The key in the seal tells such a pair apart.
        let seal = self.read_record::<Seal>(&seal_name).filter(|seal| seal.key == key)?;
        let file = self.open_own(&format!("{key}.cwasm"))?;
        // Taken before the content is read: a change during the read has another identity at the next event.
        let identity = Identity::from_status(&FileStatus::of_file(&file).ok()?);
        if !seal.code.is_unchanged(&identity) {
            let mut bytes = Vec::new();
            file.try_clone().ok()?.read_to_end(&mut bytes).ok()?;
            if hash_parts(&[&bytes]) != seal.sha256 {
                return None;
            }
            let seal = Seal { code: Sighting::now(identity), ..seal };
            // Without the updated seal the next process hashes again.
            let _ = self.write_record(&seal_name, &seal);
        }
        form.of_file(&file)
    }

    fn keep_or_make_room(&self, key: &str, code: &[u8]) -> io::Result<()> {
        match self.write_code(key, code) {
            // Removing older code does not help against any other error, such as a read-only folder.
            Err(error) if matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded) => {
                self.evict_for(code.len());
                self.write_code(key, code)
            }
            kept => kept,
        }
    }

    fn write_code(&self, key: &str, code: &[u8]) -> io::Result<()> {
        let name = format!("{key}.cwasm");
        self.write_bytes(&name, code)?;
        let file = self.open_own(&name).ok_or(io::ErrorKind::NotFound)?;
        let identity = Identity::from_status(&FileStatus::of_file(&file)?);
        self.write_record(
            &format!("{key}.seal"),
            &Seal { key: key.to_owned(), code: Sighting::now(identity), sha256: hash_parts(&[code]) },
        )?;
        self.prune();
        Ok(())
    }

    fn read_record<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        // A longer record is cut off here, and so is not valid JSON and counts as missing.
        let mut text = Vec::with_capacity(USUAL_RECORD_BYTES);
        let file = self.open_own(name)?;
        file.take(MAX_RECORD_BYTES as u64).read_to_end(&mut text).ok()?;
        serde_json::from_slice(&text).ok()
    }

    fn write_record<T: Serialize>(&self, name: &str, value: &T) -> io::Result<()> {
        self.write_bytes(name, &serde_json::to_vec(value)?)
    }
}

/// Returns the name of the memo for this path.
fn memo_name(path: &Path) -> String {
    hash_parts(&[MEMO.as_bytes(), SETTINGS.as_bytes(), path.as_os_str().as_encoded_bytes()]) + ".memo"
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

#[expect(
    unsafe_code,
    reason = "the file is in a directory that only this user can write, and is what was written"
)]
fn from_file(engine: &Engine, file: &File) -> Option<Code> {
    // By descriptor, not by name: the file that was checked is the file that is mapped.
    let mapped = path_of_open(file).and_then(|path| unsafe {
        // Most plugins are components; wasmtime rejects the other kind.
        let component = Component::deserialize_file(engine, &path).map(Code::Component);
        component.or_else(|_| Module::deserialize_file(engine, &path).map(Code::Module)).ok()
    });
    mapped.or_else(|| from_copy(engine, file))
}

/// Copies the code, where there is no `/proc` and so no name for a descriptor.
fn from_copy(engine: &Engine, file: &File) -> Option<Code> {
    from_bytes(engine, Path::new(""), &form::read_content(file)?).ok()
}

#[expect(
    unsafe_code,
    reason = "the bytes come from our own compiler, in this very call or by a file that was checked"
)]
pub(super) fn from_bytes(engine: &Engine, path: &Path, code: &[u8]) -> Result<Code, Failure> {
    let loaded = unsafe {
        match Engine::detect_precompiled(code) {
            Some(Precompiled::Module) => Module::deserialize(engine, code).map(Code::Module),
            _ => Component::deserialize(engine, code).map(Code::Component),
        }
    };
    loaded.map_err(|error| {
        let (path, message) = (path.display(), format!("{error:#}"));
        // With a pool, wasmtime compares the declared memories and tables of a component with the limits when
        // it loads the code. Then the component is at fault, and not the installation.
        if message.contains("pooling allocator") {
            let message = format!("the plugin {path} asks for more than its `limits` give: {message}");
            return Failure::new(FailureCode::Memory, &message);
        }
        Failure::new(
            FailureCode::Internal,
            &format!(
                "the compiler does not fit this hookbox ({path}): {message}; install both from one build"
            ),
        )
    })
}
