//! The source of a plugin: a registry, a folder with an image layout, or its file.

use std::path::{Path, PathBuf};

use hookbox::sandbox::component_file::MAX_COMPONENT_BYTES;
use hookbox_registry::{
    Digest, Docker, Error, ErrorKind, Found, Limits, Listed, Pick, Pulled, Reference, Registries, Signed,
    layout,
};
use tokio::runtime::{Builder, Runtime};

use crate::{
    bundle::{Sidecars, describe_read_error, display_path, read_plain_file},
    environment,
    exit::Fault,
    printer::to_plain_line,
};

/// A source as written on the command line.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// `oci://HOST/NAME`
    Registry(Reference),
    /// `oci-layout:FOLDER`
    Layout(PathBuf, Pick),
    File(PathBuf),
}

pub(crate) struct FetchedPlugin {
    /// Its source, with the digest if there is one.
    pub(crate) source: String,
    pub(crate) manifest: Option<Digest>,
    pub(crate) digest: Digest,
    pub(crate) component: Vec<u8>,
    pub(crate) signed: Signed,
    pub(crate) version: Option<String>,
    pub(crate) moved: bool,
}

pub(crate) enum SourceContent {
    One(Box<FetchedPlugin>),
    Pack(Vec<Listed>),
}

impl Source {
    /// Parses a source; text without a known scheme is a file.
    pub(crate) fn parse(text: &str) -> Result<Self, Fault> {
        if text.starts_with(hookbox_registry::SCHEME) {
            return Reference::parse(text).map(Self::Registry).map_err(to_fault);
        }
        if text.starts_with(layout::SCHEME) {
            let parsed = layout::parse_source(text);
            let (folder, pick) =
                parsed.ok_or_else(|| Fault::Usage("write it as oci-layout:FOLDER".to_owned()))?;
            return Ok(Self::Layout(folder, pick));
        }
        Ok(Self::File(text.into()))
    }

    pub(crate) fn get(&self) -> Result<SourceContent, Fault> {
        let found = match self {
            Self::Registry(reference) => build_runtime()?.block_on(build_registry_client().pull(reference)),
            Self::Layout(folder, pick) => layout::Layout::open(folder).and_then(|layout| layout.pull(pick)),
            Self::File(file) => return of_file(file),
        };
        Ok(match found.map_err(to_fault)? {
            Found::Plugin(pulled) => SourceContent::One(Box::new(self.to_obtained(*pulled))),
            Found::Pack(listed) => SourceContent::Pack(listed),
        })
    }

    pub(crate) fn with_digest(&self, digest: &Digest) -> Self {
        match self {
            Self::Registry(reference) => Self::Registry(reference.with_digest(digest)),
            Self::Layout(folder, _) => Self::Layout(folder.clone(), Pick::Digest(digest.clone())),
            Self::File(file) => Self::File(file.clone()),
        }
    }

    /// Returns the source in the form of the command line.
    pub(crate) fn shown(&self) -> String {
        match self {
            Self::Registry(reference) => reference.to_string(),
            Self::Layout(folder, pick) => {
                let folder = format!("{}{}", layout::SCHEME, display_path(folder));
                match pick {
                    Pick::Newest => folder,
                    Pick::Version(version) => format!("{folder}:{version}"),
                    Pick::Digest(digest) => format!("{folder}@{digest}"),
                }
            }
            Self::File(file) => display_path(file),
        }
    }

    fn to_obtained(&self, pulled: Pulled) -> FetchedPlugin {
        FetchedPlugin {
            source: self.with_digest(&pulled.manifest).shown(),
            manifest: Some(pulled.manifest),
            digest: pulled.digest,
            component: pulled.component,
            signed: pulled.signed,
            version: pulled.version.map(|version| version.to_string()),
            moved: pulled.moved,
        }
    }
}

fn of_file(file: &Path) -> Result<SourceContent, Fault> {
    let most = usize::try_from(MAX_COMPONENT_BYTES).unwrap_or(usize::MAX);
    let component =
        read_plain_file(file, most).map_err(|error| Fault::Usage(describe_read_error(file, &error)))?;
    let sidecars = Sidecars::read_files(file)?;
    let signatures = sidecars.signatures.into_iter().map(|(_, armored)| armored).collect();
    Ok(SourceContent::One(Box::new(FetchedPlugin {
        source: display_path(file),
        manifest: None,
        digest: Digest::of_content(&component),
        component,
        signed: Signed { statement: sidecars.statement, signatures },
        version: None,
        moved: false,
    })))
}

/// Returns the client for registries, with the user's credentials.
pub(crate) fn build_registry_client() -> Registries {
    let docker = Docker { folder: environment::docker_folder(), path: environment::list_path_folders() };
    Registries::new(docker, Limits::default())
}

pub(crate) fn build_runtime() -> Result<Runtime, Fault> {
    let made = Builder::new_current_thread().enable_all().build();
    made.map_err(|error| Fault::Failed(format!("the asynchronous runtime cannot be started: {error}")))
}

#[expect(clippy::needless_pass_by_value, reason = "for `map_err`")]
pub(crate) fn to_fault(error: Error) -> Fault {
    let message = to_plain_line(&error.to_string());
    match error.kind() {
        ErrorKind::Usage => Fault::Usage(message),
        _ => Fault::Failed(message),
    }
}
