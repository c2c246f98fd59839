//! Pulling from registries and pushing to them.

use std::time::Duration;

use hookbox_http::Client;
use tokio::time::timeout;

use crate::{
    access::{Scope, Visitor},
    address::Home,
    component::MAX_COMPONENT,
    digest::Digest,
    docker::Docker,
    error::{Error, ErrorKind},
    manifest::Document,
    package::Package,
    pulled_content::{Found, Listed, Pulled, check_size, find_newest},
    reference::{Pick, Reference},
    session::{Session, Stored},
    signed_release::Signed,
    wire::Wire,
};

/// Limits of a request.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Largest component, bytes.
    pub component: u64,
    /// Time for all requests of one call together.
    pub time: Duration,
}

impl Default for Limits {
    /// Limits for components that can be compiled, within ten minutes.
    fn default() -> Self {
        Self { component: MAX_COMPONENT, time: Duration::from_mins(10) }
    }
}

/// All registries, with this user's credentials.
pub struct Registries {
    http: Client,
    docker: Docker,
    limits: Limits,
}

impl Registries {
    /// Creates a client with this configuration of docker's. Needs a runtime with I/O and time.
    pub fn new(docker: Docker, limits: Limits) -> Self {
        Self { http: Client::default(), docker, limits }
    }

    /// Pulls the content: a plugin, or the list of a pack.
    pub async fn pull(&self, reference: &Reference) -> Result<Found, Error> {
        self.run_in_time(reference, self.pull_in_time(reference)).await
    }

    /// Pushes the package under the version of the reference. A version that exists with other content is an error, unless `replace` is
    /// set.
    pub async fn push(&self, reference: &Reference, package: &Package, replace: bool) -> Result<(), Error> {
        self.run_in_time(reference, self.push_in_time(reference, package, replace)).await
    }

    async fn run_in_time<T>(
        &self,
        reference: &Reference,
        asking: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        let time = self.limits.time;
        timeout(time, asking).await.unwrap_or_else(|_| {
            let registry = &reference.registry;
            Err(Error::new(ErrorKind::Late, format!("`{registry}` was not done after {time:?}")))
        })
    }

    fn open_session<'a>(
        &'a self,
        reference: &'a Reference,
        actions: &'static str,
    ) -> Result<Session<'a>, Error> {
        let registry = &reference.registry;
        let visitor =
            Visitor { docker: &self.docker, registry, scope: Scope { name: &reference.name, actions } };
        Ok(Session::new(Wire::new(&self.http, Home::of_registry(registry)?), visitor))
    }

    async fn pull_in_time(&self, reference: &Reference) -> Result<Found, Error> {
        let mut session = self.open_session(reference, "pull")?;
        let version = match &reference.pick {
            Pick::Digest(digest) => {
                let stored = session.fetch_manifest(&digest.to_string(), Some(digest)).await?;
                return self.read_found(&mut session, stored).await;
            }
            Pick::Version(version) => version.clone(),
            Pick::Newest => {
                let newest = find_newest(session.list_versions().await?);
                newest.ok_or_else(|| no_version(reference))?
            }
        };
        let tag = version.to_string();
        let stored = session.fetch_manifest(&tag, None).await?;
        let digest = stored.digest.clone();
        let mut found = self.read_found(&mut session, stored).await?;
        if let Found::Plugin(pulled) = &mut found {
            pulled.version = Some(version);
            // Asked again after the pull: a tag that changes in between would otherwise be pinned unnoticed.
            pulled.moved = session.fetch_digest(&tag).await?.as_ref() != Some(&digest);
        }
        Ok(found)
    }

    async fn read_found(&self, session: &mut Session<'_>, stored: Stored) -> Result<Found, Error> {
        let mut manifest = stored.digest;
        let document = Document::from_bytes(&stored.bytes, stored.media_type.as_deref())?;
        let plugin = match document {
            Document::Plugin(plugin) => plugin,
            Document::Pack(listed) => match listed.as_slice() {
                [one] => {
                    let digest = &one.digest;
                    let stored = session.fetch_manifest(&digest.to_string(), Some(digest)).await?;
                    manifest = stored.digest;
                    match Document::from_bytes(&stored.bytes, stored.media_type.as_deref())? {
                        Document::Plugin(plugin) => plugin,
                        // One level only: nesting could go on without an end.
                        Document::Pack(_) => {
                            return Err(Error::for_damage(
                                "the pack contains another pack, which is not supported",
                            ));
                        }
                    }
                }
                several => return Ok(Found::Pack(several.iter().map(Listed::from_descriptor).collect())),
            },
        };
        // Before the download, whose size the registry has stated.
        check_size(&plugin.layer, self.limits.component)?;
        let signed = Signed::from_annotations(&plugin.annotations)?;
        let component = session.fetch_blob(&plugin.layer).await?;
        let digest = plugin.layer.digest;
        Ok(Found::Plugin(Box::new(Pulled {
            manifest,
            digest,
            component,
            signed,
            version: None,
            moved: false,
        })))
    }

    async fn push_in_time(
        &self,
        reference: &Reference,
        package: &Package,
        replace: bool,
    ) -> Result<(), Error> {
        let Pick::Version(version) = &reference.pick else {
            return Err(Error::new(
                ErrorKind::Usage,
                format!("`{reference}` names no version to push, as in `{reference}:1.0.0`"),
            ));
        };
        let tag = version.to_string();
        let mut session = self.open_session(reference, "pull,push")?;
        let there = session.fetch_digest(&tag).await?;
        check_taken(reference, there.as_ref(), package.digest(), replace)?;
        for (descriptor, content) in &package.blobs {
            if !session.has_content(&descriptor.digest).await? {
                session.upload_content(content.clone()).await?;
            }
        }
        if package.is_pack() {
            for (descriptor, manifest) in &package.manifests {
                session.put_manifest(&descriptor.digest.to_string(), manifest, false).await?;
            }
        }
        // Last: a tag must not refer to content that is not there yet.
        session.put_manifest(&tag, &package.top.1, package.is_pack()).await
    }
}

fn no_version(reference: &Reference) -> Error {
    Error::new(ErrorKind::NotFound, format!("`{reference}` has no version other than pre-releases"))
}

/// Refuses to replace a version with other content: users who have pinned it would be warned that it moved.
fn check_taken(
    reference: &Reference,
    there: Option<&Digest>,
    ours: &Digest,
    replace: bool,
) -> Result<(), Error> {
    if replace || there.is_none_or(|there| there == ours) {
        return Ok(());
    }
    let text = format!(
        "`{reference}` exists with other content; push another version, or pass --replace: users of the old content \
         are then warned that it moved"
    );
    Err(Error::new(ErrorKind::Taken, text))
}
